package sidecar

import (
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/ctxmeter/ctxmeter/meter/files"
)

// Stored is a file in the folder of a Store, as the store itself names them.
type Stored struct {
	Path      string
	Size      int64 // bytes
	Modified  time.Time
	Temporary bool // being written, or left behind by a process that was killed
}

// Folder is where the sidecars are, "" for the zero Store.
func (s Store) Folder() string {
	if s.Dir == "" {
		return ""
	}
	return filepath.Join(s.Dir, "sidecars")
}

// List returns the files of the store, at most so many, and whether there are
// more. Files that it would not have written are passed over.
func (s Store) List(most int) (list []Stored, more bool) {
	if s.Dir == "" {
		return nil, false
	}
	if info, err := os.Lstat(s.Folder()); err != nil || !info.IsDir() {
		return nil, false // behind a link the files are somebody else's as well
	}
	entries, err := files.List(s.Folder())
	if err != nil {
		return nil, false
	}
	for _, e := range entries {
		key, rest, _ := strings.Cut(e.Name(), ".")
		temporary := strings.HasSuffix(rest, ".tmp")
		if !isKey(key) || rest != "" && !temporary || !e.Type().IsRegular() {
			continue
		}
		if len(list) == most {
			return list, true
		}
		if info, err := e.Info(); err == nil {
			list = append(list, Stored{filepath.Join(s.Folder(), e.Name()), info.Size(), info.ModTime(), temporary})
		}
	}
	return list, false
}

// Usable reports whether a listed file is a sound sidecar of this version. That
// its transcript is still there, a sidecar does not tell.
func (f Stored) Usable() bool {
	data, err := files.Read(f.Path, largest)
	if err != nil {
		return false
	}
	_, err = decode(data)
	return err == nil
}

func isKey(name string) bool {
	b, err := hex.DecodeString(name)
	return err == nil && len(b) == 12
}
