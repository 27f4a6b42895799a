package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/ctxmeter/ctxmeter/backends"
	"github.com/ctxmeter/ctxmeter/meter"
	"github.com/ctxmeter/ctxmeter/meter/files"
)

// keeping says how long the small files of a folder are kept, one of which is
// written for each session: KEY.json, and while it is written KEY.NUMBER.tmp,
// where the key is the client's name, a dash and ids. What is called otherwise,
// or is no regular file, is somebody else's.
type keeping struct {
	most, left int           // of so many files the newest are left; so many
	age        time.Duration // of the oldest; 0 is any
	half       time.Duration // of what was left behind half-done
}

// keep writes a file in one piece. A new one has room made for it first; of one
// that is there, the first writing in an hour clears away what is too old.
func (k keeping) keep(path string, data []byte, now time.Time) error {
	dir := filepath.Dir(path)
	switch info, err := os.Lstat(path); {
	case err != nil:
		k.prune(dir, now, k.most)
	case !info.ModTime().Truncate(time.Hour).Equal(now.Truncate(time.Hour)):
		k.prune(dir, now, k.most+1)
	}
	key := strings.TrimSuffix(filepath.Base(path), ".json")
	f, err := os.CreateTemp(dir, key+".*.tmp") // mode 0600
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

// prune removes what is too old, and of so many files those that are too many.
func (k keeping) prune(dir string, now time.Time, most int) {
	entries, err := files.List(dir)
	if err != nil {
		return
	}
	clients := backends.All(meter.Env{})
	var kept []fs.FileInfo
	for _, e := range entries {
		key, end, _ := strings.Cut(e.Name(), ".")
		whole, half := end == "json", strings.HasSuffix(end, ".tmp")
		if !e.Type().IsRegular() || !whole && !half || !isKey(key, clients) {
			continue
		}
		info, err := e.Info()
		if err != nil {
			continue
		}
		switch age := now.Sub(info.ModTime()); {
		case half && age > k.half, whole && k.age > 0 && age > k.age:
			os.Remove(filepath.Join(dir, e.Name()))
		case whole:
			kept = append(kept, info)
		}
	}
	if len(kept) < most {
		return
	}
	slices.SortFunc(kept, func(a, b fs.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
	for _, info := range kept[:len(kept)-k.left] {
		os.Remove(filepath.Join(dir, info.Name()))
	}
}

// isKey reports what may be the key of a session.
func isKey(key string, clients []backends.Client) bool {
	return strings.Trim(key, nameAlphabet) == "" && slices.ContainsFunc(clients, func(c backends.Client) bool {
		return len(key) > len(c.Name())+1 && strings.HasPrefix(key, c.Name()+"-")
	})
}

const nameAlphabet = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"
