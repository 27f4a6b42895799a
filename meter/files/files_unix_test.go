//go:build unix

package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func TestWhatIsNoFileIsNotOpened(t *testing.T) {
	dir := t.TempDir()
	pipe, plain, link, gone := filepath.Join(dir, "pipe"), filepath.Join(dir, "plain"), filepath.Join(dir, "link"), filepath.Join(dir, "gone")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(plain, []byte("12345"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/dev/zero", link); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]error{pipe: ErrNotRegular, link: ErrNotRegular, dir: ErrNotRegular, gone: fs.ErrNotExist, plain: nil} {
		f, _, err := Open(path)
		if !errors.Is(err, want) {
			t.Errorf("opening %s: %v, want %v", filepath.Base(path), err, want)
		}
		if err == nil {
			f.Close()
		}
		if _, err := Read(path, 5); !errors.Is(err, want) {
			t.Errorf("reading %s: %v, want %v", filepath.Base(path), err, want)
		}
	}
	if _, err := Read(plain, 4); !errors.Is(err, ErrTooLarge) {
		t.Errorf("a file over the limit: %v", err)
	}
	for path, fine := range map[string]bool{dir: true, plain: false, pipe: false, gone: false} {
		if _, err := Names(path); (err == nil) != fine {
			t.Errorf("listing %s: %v", filepath.Base(path), err)
		}
	}
}

// A file may be a pipe by the time it is opened: that must not wait for a
// writer.
func TestToOpenAPipeDoesNotBlock(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	below, err := Below(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer below.Close()
	for _, tree := range []Tree{{}, below} {
		f, err := tree.openNow(pipe)
		if err != nil {
			t.Fatal(err)
		}
		f.Close()
	}
}
