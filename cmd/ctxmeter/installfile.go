package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/ctxmeter/ctxmeter/meter/files"
)

// maxSettings is more than a client's settings file is large, in bytes. The
// state of Claude Code, which is in one of them, grows to some megabytes.
const maxSettings = 64 << 20

var (
	errChanged  = errors.New("somebody else changes it all the time")
	errReadOnly = errors.New("it is read-only")
	errDangling = errors.New("it is a link to nothing")
)

// content is a settings file as it was found.
type content struct {
	path string // of the file itself, behind any links
	text []byte
	info fs.FileInfo // nil if there is no file
}

func (c content) exists() bool { return c.info != nil }

// readContent reads what is at path, or what a link there leads to.
func readContent(path string) (content, error) {
	c := content{path: path}
	real, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Lstat(path); err == nil {
			return c, errDangling
		}
		return c, nil
	}
	if err != nil {
		return c, err
	}
	c.path = real
	if c.text, err = files.Read(real, maxSettings); err != nil {
		return c, err
	}
	c.info, err = os.Stat(real)
	return c, err
}

// writable reports why a file should not be replaced. That the folder allows
// it is not enough: who takes away the right to write means it.
func (c content) writable() error {
	if c.exists() && c.info.Mode().Perm()&0o200 == 0 {
		return errReadOnly
	}
	return nil
}

// replace writes another text, in one step, if the file still is as it was
// read; errChanged otherwise. Mode and, where that is allowed, owner stay.
func (c content) replace(text []byte, mode fs.FileMode) error {
	if err := c.writable(); err != nil {
		return err
	}
	if c.exists() {
		mode = c.info.Mode().Perm()
	}
	f, err := os.CreateTemp(filepath.Dir(c.path), ".ctxmeter-*.tmp")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // fails when it has been renamed
	_, err = f.Write(text)
	if err == nil {
		err = f.Sync()
	}
	if c.exists() {
		keepOwner(f, c.info)
	}
	if err == nil {
		err = f.Chmod(mode)
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = c.unchanged()
	}
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), c.path)
}

// remove deletes the file, if it still is as it was read.
func (c content) remove() error {
	if err := c.writable(); err != nil {
		return err
	}
	if err := c.unchanged(); err != nil {
		return err
	}
	return os.Remove(c.path)
}

func (c content) unchanged() error {
	now, err := readContent(c.path)
	if err == nil && (now.exists() != c.exists() || !bytes.Equal(now.text, c.text)) {
		err = errChanged
	}
	return err
}

// makeFolders makes the folder of a file and those above it, and returns the
// ones that were not there, outermost first.
func makeFolders(path string, mode fs.FileMode) (made []string, err error) {
	dir := filepath.Dir(path)
	for d := dir; !files.IsDir(d) && d != filepath.Dir(d); d = filepath.Dir(d) {
		made = append([]string{d}, made...)
	}
	return made, os.MkdirAll(dir, mode)
}

func hashOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
