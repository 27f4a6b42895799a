package files

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// Errors for what is there but is not what it should be.
var (
	ErrNotRegular = errors.New("not a regular file")
	ErrTooLarge   = errors.New("larger than such a file can be")
)

// Open opens a regular file, or what a link to one leads to. The size is in
// bytes.
func Open(path string) (f *os.File, size int64, err error) { return Tree{}.Open(path) }

// Read returns the content of a regular file of at most so many bytes.
func Read(path string, most int64) ([]byte, error) {
	f, size, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if size > most {
		return nil, fmt.Errorf("reading a file: %w", ErrTooLarge)
	}
	return io.ReadAll(io.LimitReader(f, most))
}

// Names returns the names in a folder, in no order; nothing else is opened.
func Names(dir string) ([]string, error) {
	f, err := Tree{}.Folder(dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.Readdirnames(-1)
}

// IsDir reports whether there is a folder at path, or a link to one.
func IsDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// List returns what is in a folder, by name.
func List(dir string) ([]os.DirEntry, error) {
	f, err := Tree{}.Folder(dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	list, err := f.ReadDir(-1)
	slices.SortFunc(list, func(a, b os.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return list, err
}
