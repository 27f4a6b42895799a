package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/ctxmeter/ctxmeter/meter"
	"github.com/ctxmeter/ctxmeter/meter/files"
)

// at is where a path leads that was given relative to dir. A beginning of ~/
// is the home folder, as in a shell.
func at(dir, text, home string) string {
	if rest, ok := strings.CutPrefix(text, "~"); ok && home != "" && (rest == "" || os.IsPathSeparator(rest[0])) {
		return filepath.Join(home, rest)
	}
	return under(dir, text)
}

// sizePath sizes the read of a file, a folder, or what a glob matches.
func (w *want) sizePath(z sizing) (*meter.Planned, error) {
	dir := w.dir
	if dir == "" {
		dir = z.folder
	}
	path := at(dir, w.text, z.home)
	if !rooted(path) {
		return nil, w.fault("is relative, and to which folder is not known: give the whole path")
	}
	if w.strays(z, path) {
		return nil, w.outside() // whether it exists is nobody's business either
	}
	info, err := os.Stat(path)
	switch {
	case err != nil && isGlob(w.text):
		return w.sizeGlob(z, dir)
	case errors.Is(err, fs.ErrNotExist) && w.dir == "" && path != w.text:
		if _, _, size := plannedSize(w.text); size {
			return nil, w.fault("names no file, and a size goes into planned_bytes")
		}
		return nil, w.fault("cannot be read, it is not there (relative paths begin at the session's folder)")
	case err != nil:
		return nil, w.fault("cannot be read, " + reason(err))
	}
	if path, err = w.real(z, path); err != nil {
		return nil, err
	}
	switch {
	case info.IsDir():
		return w.sizeTree(z, path, everything())
	case !info.Mode().IsRegular():
		return nil, w.fault("is a device, a pipe or the like, and no file")
	}
	f, size, err := files.Open(path)
	if err != nil {
		return nil, w.fault("cannot be read, " + reason(err))
	}
	defer f.Close()
	got, err := z.file(f, size, z.most)
	switch {
	case errors.Is(err, errBinary):
		return nil, w.fault("is a binary file, and what that adds is not known" + w.instead())
	case err != nil:
		return nil, w.fault("cannot be read, " + reason(err))
	}
	out := &meter.Planned{Source: "path", Text: got.text}
	if got.cut != (meter.Cut{}) {
		out.Limits, out.Whole = []meter.Cut{got.cut}, got.whole
	}
	return out, nil
}

// sizeGlob sizes the read of the files that a glob matches: those below the
// folder that it begins with.
func (w *want) sizeGlob(z sizing, dir string) (*meter.Planned, error) {
	begin, p, err := parseGlob(filepath.ToSlash(w.text))
	if err != nil {
		return nil, w.fault("is no valid glob, " + err.Error())
	}
	dir = at(dir, filepath.FromSlash(begin), z.home)
	if w.strays(z, dir) {
		return nil, w.outside()
	}
	if !files.IsDir(dir) {
		return nil, w.fault("matches no file")
	}
	if dir, err = w.real(z, dir); err != nil {
		return nil, err
	}
	out, err := w.sizeTree(z, dir, p)
	if err == nil && *out.Files == 0 && out.Skipped == 0 {
		if out.AtLeast {
			return nil, w.fault("matches no file among the first ones: name a folder nearer to them")
		}
		return nil, w.fault("matches no file")
	}
	return out, err
}

// real is path without links. It has to lie where the caller may read, and
// nothing is read of the system's windows on itself: such files have no end,
// or do something when they are read.
func (w *want) real(z sizing, path string) (string, error) {
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", w.fault("cannot be read, " + reason(err))
	}
	if w.confined {
		root, err := filepath.EvalSymlinks(z.folder)
		if z.folder == "" || err != nil || !inside(root, path) {
			return "", w.outside()
		}
	}
	if systems(path) {
		return "", w.fault("is a part of the running system, and no file")
	}
	return path, nil
}

// systems reports what lies in a folder that Linux makes up.
func systems(path string) bool {
	return inside("/proc", path) || inside("/sys", path)
}

func inside(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

func (w *want) fault(problem string) error {
	return badArgument("%s %s: %s", w.arg, problem, asTyped(w.text))
}

// strays reports whether a path leads out of where the caller may read, as far
// as its words tell.
func (w *want) strays(z sizing, path string) bool {
	if !w.confined || inside(z.folder, path) {
		return false
	}
	root, err := filepath.EvalSymlinks(z.folder)
	return err != nil || !inside(root, path)
}

func (w *want) outside() error {
	return w.fault("does not lie within the session's folder, and only there can be read from here")
}

// instead is how to ask for what has no text, where there is a way.
func (w *want) instead() string {
	if w.arg == "--planned" {
		return "; give a guess instead, such as 1500t (tokens)"
	}
	return ""
}

// reason says why a file cannot be read.
func reason(err error) string {
	switch {
	case errors.Is(err, fs.ErrPermission):
		return "permission denied"
	case errors.Is(err, fs.ErrNotExist):
		return "it is not there"
	case errors.Is(err, files.ErrNotRegular):
		return "it is no regular file"
	}
	return cause(err)
}
