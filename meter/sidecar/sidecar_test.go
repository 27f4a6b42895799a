package sidecar

import (
	"encoding/binary"
	"hash/crc32"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"github.com/ctxmeter/ctxmeter/meter"
)

func TestAnEntryComesBackAsItWas(t *testing.T) {
	s := Store{Dir: t.TempDir()}
	in := Entry{Files: []File{{Device: 1, Inode: 2, Offset: 3, Head: 4, Before: 5}}, State: meter.State{Offset: 77, Model: "m"}}
	if err := s.Save("k", in); err != nil {
		t.Fatal(err)
	}
	out, ok := s.Load("k")
	if !ok || out.State.Offset != 77 || out.State.Model != "m" || len(out.Files) != 1 || out.Files[0] != in.Files[0] {
		t.Errorf("%+v, %v", out, ok)
	}
	if _, ok := s.Load("other"); ok {
		t.Error("an entry that was never stored was found")
	}
}

func TestNoFolderMeansNoCache(t *testing.T) {
	var s Store
	if err := s.Save("k", Entry{}); err != nil {
		t.Error(err)
	}
	if _, ok := s.Load("k"); ok {
		t.Error("found something")
	}
}

func TestOnlyTheOwnerMayRead(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Log("modes do not exist here")
		return
	}
	s := Store{Dir: filepath.Join(t.TempDir(), "ctxmeter")}
	if err := s.Save("k", Entry{}); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]os.FileMode{s.path("k"): 0o600, filepath.Dir(s.path("k")): 0o700, s.Dir: 0o700} {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode().Perm(); got != want {
			t.Errorf("%s has mode %o, want %o", filepath.Base(path), got, want)
		}
	}
}

func TestAFullDiskOrAFileInTheWayIsAnErrorAndLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "sidecars"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := (Store{Dir: dir}).Save("k", Entry{}); err == nil {
		t.Error("no error although the folder cannot be made")
	}
}

func TestManyWritersAndReadersNeverSeeATornEntry(t *testing.T) {
	s := Store{Dir: t.TempDir()}
	var wg sync.WaitGroup
	for i := range 32 {
		wg.Go(func() {
			for range 20 {
				if err := s.Save("k", Entry{State: meter.State{Offset: int64(i), Records: int64(i)}}); err != nil {
					t.Error(err)
				}
				e, ok := s.Load("k")
				if !ok || e.State.Offset != e.State.Records {
					t.Errorf("torn: %v %+v", ok, e.State)
				}
			}
		})
	}
	wg.Wait()
	left, _ := filepath.Glob(filepath.Join(s.Dir, "sidecars", "*"))
	if len(left) != 1 {
		t.Errorf("%d files left, want the sidecar alone", len(left))
	}
}

func TestAFileIsRecognised(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	body := make([]byte, 5000)
	for i := range body {
		body[i] = byte(i * 7)
	}
	open := func(data []byte) *os.File {
		t.Helper()
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return f
	}
	id, err := Recognise(open(body), 4000)
	if err != nil {
		t.Fatal(err)
	}
	changed := func(at int) []byte {
		b := append([]byte(nil), body...)
		b[at]++
		return b
	}
	for name, tc := range map[string]struct {
		data []byte
		want bool
	}{
		"unchanged":             {body, true},
		"grown":                 {append(append([]byte(nil), body...), "more"...), true},
		"changed after offset":  {changed(4500), true},
		"changed at the start":  {changed(10), false},
		"changed before offset": {changed(3990), false},
		"cut":                   {body[:3999], false},
		"empty":                 {nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := id.Same(open(tc.data)); got != tc.want {
				t.Errorf("same %v, want %v", got, tc.want)
			}
		})
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(encode(Entry{Files: []File{{1, 2, 3, 4, 5}}, State: meter.State{Offset: 9}, Past: &meter.State{Offset: 3}}))
	f.Add([]byte(magic))
	f.Fuzz(func(t *testing.T, data []byte) {
		_, _ = decode(data)
		if len(data) >= header { // past the checksum as well
			binary.LittleEndian.PutUint32(data[header-4:], crc32.Checksum(data[header:], castagnoli))
			_, _ = decode(data)
		}
	})
}
