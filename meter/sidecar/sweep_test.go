package sidecar

import (
	"os"
	"path/filepath"
	"testing"
)

func TestListHoldsOnlyTheFilesOfTheStore(t *testing.T) {
	s := Store{Dir: t.TempDir()}
	good, bad := Key("/a.jsonl"), Key("/b.jsonl")
	if err := s.Save(good, Entry{}); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{bad, good + ".123.tmp", "notes.txt", "other.tmp", good + ".txt"} {
		if err := os.WriteFile(filepath.Join(s.Folder(), name), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(s.Folder(), Key("/folder")), 0o700); err != nil {
		t.Fatal(err)
	}
	list, more := s.List(10)
	if len(list) != 3 || more {
		t.Fatalf("%v, more %v", list, more)
	}
	for _, f := range list {
		base := filepath.Base(f.Path)
		if f.Temporary != (base == good+".123.tmp") || f.Usable() != (base == good) || f.Size == 0 || f.Modified.IsZero() {
			t.Errorf("%+v, usable %v", f, f.Usable())
		}
	}
	if list, more := s.List(2); len(list) != 2 || !more {
		t.Errorf("%d of 3, more %v", len(list), more)
	}
	if list, _ := (Store{}).List(2); list != nil || (Store{}).Folder() != "" {
		t.Error("no folder has files")
	}
}
