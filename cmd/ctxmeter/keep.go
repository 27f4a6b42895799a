package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/ctxmeter/ctxmeter/meter/files"
)

// keeping says how long the small files of a folder are kept, one of which is
// written for each session.
type keeping struct {
	most, left int           // of so many files the newest are left; so many
	age        time.Duration // of the oldest; 0 is any
	half       time.Duration // of what was left behind half-done
}

// keep writes a file in one piece. A new one has room made for it first.
func (k keeping) keep(path string, data []byte, now time.Time) error {
	dir := filepath.Dir(path)
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		k.prune(dir, now)
	}
	f, err := os.CreateTemp(dir, "*.tmp") // mode 0600
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

func (k keeping) prune(dir string, now time.Time) {
	entries, err := files.List(dir)
	if err != nil {
		return
	}
	type old struct {
		path string
		at   time.Time
	}
	var kept []old
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			continue
		}
		path, age := filepath.Join(dir, e.Name()), now.Sub(info.ModTime())
		switch ext := filepath.Ext(path); {
		case (ext == ".tmp" || ext == ".lock") && age > k.half, ext == ".json" && k.age > 0 && age > k.age:
			os.Remove(path)
		case ext == ".json":
			kept = append(kept, old{path, info.ModTime()})
		}
	}
	if len(kept) < k.most {
		return
	}
	slices.SortFunc(kept, func(a, b old) int { return a.at.Compare(b.at) })
	for _, o := range kept[:len(kept)-k.left] {
		os.Remove(o.path)
	}
}
