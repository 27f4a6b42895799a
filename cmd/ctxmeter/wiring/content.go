package wiring

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"unicode/utf8"

	"github.com/ctxmeter/ctxmeter/meter/files"
)

// Why a settings file is not read.
var (
	ErrDangling = errors.New("it is a link to nothing")
	ErrNoText   = errors.New("its path is no valid UTF-8, which the record of what is put in needs")
	ErrLarge    = fmt.Errorf("it is larger than %d MB", MaxSettings>>20)
)

// MaxSettings is more than a client's settings file is large, bytes. The
// state of Claude Code, which is in one of them, grows to some megabytes.
const MaxSettings = 16 << 20

// Content is a settings file as it was found; Path alone is where there is none.
type Content struct {
	Path string // of the file itself, behind any links
	Text []byte
	Info fs.FileInfo // nil if there is no file
}

// Exists reports whether there is a file.
func (c Content) Exists() bool { return c.Info != nil }

// ReadContent reads what is at path, or what a link there leads to. A link to
// nothing on the way there is an error, too: a folder that is not mounted will
// have a file. The errors are [ErrNoText], [ErrDangling], [ErrLarge],
// [files.ErrNotRegular] and those of the system; no file is none.
func ReadContent(path string) (Content, error) {
	c := Content{Path: path}
	if !utf8.ValidString(path) {
		return c, ErrNoText
	}
	real, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		return c, dangling(path)
	}
	if err != nil {
		return c, err
	}
	c.Path = real
	if c.Info, err = os.Stat(real); err != nil {
		return Content{Path: path}, err
	}
	if c.Info.Mode().IsRegular() && c.Info.Size() > MaxSettings {
		return c, ErrLarge
	}
	c.Text, err = files.Read(real, MaxSettings)
	return c, err
}

// dangling reports whether the innermost of the folders of a path that is there
// is a link to nothing.
func dangling(path string) error {
	for p := path; ; p = filepath.Dir(p) {
		info, err := os.Lstat(p)
		switch {
		case err == nil && info.Mode()&fs.ModeSymlink != 0:
			if _, err := os.Stat(p); err != nil {
				if p != path {
					return fmt.Errorf("%w: %s", ErrDangling, p)
				}
				return ErrDangling
			}
			return nil
		case err == nil || p == filepath.Dir(p):
			return nil
		}
	}
}
