package files

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Tree is where files may be opened: anywhere, for the zero Tree, or below one
// folder, whatever links lead out of it and whoever exchanges them meanwhile.
// Paths are absolute.
type Tree struct {
	root *os.Root
	dir  string
}

// Below is the tree below a folder, whose path has no links. It has to be
// closed.
func Below(dir string) (Tree, error) {
	root, err := os.OpenRoot(dir)
	return Tree{root, dir}, err
}

// Close releases the tree.
func (t Tree) Close() {
	if t.root != nil {
		t.root.Close()
	}
}

// Stat is os.Stat.
func (t Tree) Stat(path string) (fs.FileInfo, error) {
	if t.root == nil {
		return os.Stat(path)
	}
	rel, err := filepath.Rel(t.dir, path)
	if err != nil {
		return nil, err
	}
	return t.root.Stat(rel)
}

// Open is Open, in the tree.
func (t Tree) Open(path string) (f *os.File, size int64, err error) {
	f, info, err := t.open(path, fs.FileMode.IsRegular, ErrNotRegular)
	if err != nil {
		return nil, 0, err
	}
	return f, info.Size(), nil
}

// Folder opens a folder to list it.
func (t Tree) Folder(path string) (*os.File, error) {
	f, _, err := t.open(path, fs.FileMode.IsDir, fs.ErrInvalid)
	return f, err
}

// open looks what is there before it opens it, since to open a pipe may block
// and to open a device may do something; and again afterwards, since it may be
// another thing by then.
func (t Tree) open(path string, fits func(fs.FileMode) bool, otherwise error) (*os.File, fs.FileInfo, error) {
	info, err := t.Stat(path)
	if err != nil {
		return nil, nil, err
	}
	if !fits(info.Mode()) {
		return nil, nil, fmt.Errorf("opening a file: %w", otherwise)
	}
	f, err := t.openNow(path)
	if err != nil {
		return nil, nil, err
	}
	if info, err = f.Stat(); err == nil && !fits(info.Mode()) {
		err = fmt.Errorf("opening a file: %w", otherwise)
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

func (t Tree) openNow(path string) (*os.File, error) {
	const how = os.O_RDONLY | withoutWaiting
	if t.root == nil {
		return os.OpenFile(path, how, 0)
	}
	rel, err := filepath.Rel(t.dir, path)
	if err != nil {
		return nil, err
	}
	return t.root.OpenFile(rel, how, 0)
}
