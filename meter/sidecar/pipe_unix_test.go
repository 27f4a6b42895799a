//go:build unix

package sidecar

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func TestWhatIsNoSidecarIsAMiss(t *testing.T) {
	s := Store{Dir: t.TempDir()}
	if err := os.MkdirAll(filepath.Dir(s.path("k")), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(s.path("pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/dev/zero", s.path("zero")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(s.path("giant"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(s.path("giant"), 1<<40); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"pipe", "zero", "giant"} {
		if _, ok := s.Load(key); ok {
			t.Errorf("%s was taken for a sidecar", key)
		}
		if err := s.Save(key, Entry{}); err != nil {
			t.Errorf("%s could not be replaced: %v", key, err)
		}
		if _, ok := s.Load(key); !ok {
			t.Errorf("%s: the new sidecar is not found", key)
		}
	}
}
