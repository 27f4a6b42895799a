package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/paths"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wording"
	"github.com/ctxmeter/ctxmeter/meter"
	"github.com/ctxmeter/ctxmeter/meter/files"
)

// at is where a path leads that was given relative to dir. A beginning of ~/
// is the home folder, as in a shell.
func at(dir, text, home string) string {
	if rest, ok := strings.CutPrefix(text, "~"); ok && home != "" && (rest == "" || os.IsPathSeparator(rest[0])) {
		return filepath.Join(home, rest)
	}
	return filepath.Clean(paths.Under(dir, text))
}

// sizePath sizes the read of a file, a folder, or what a glob matches.
func (w *want) sizePath(z sizing) (*meter.Planned, error) {
	if w.confined {
		disk, err := w.confine(&z)
		if err != nil {
			return nil, err
		}
		defer disk.Close()
	}
	dir := w.dir
	if dir == "" {
		dir = z.folder
	}
	path := at(dir, w.text, z.home)
	if !paths.Rooted(path) {
		return nil, w.fault("is relative, and to which folder is not known: give the whole path")
	}
	if elsewhere(path) {
		return nil, w.fault("names another machine, and nothing is asked of others")
	}
	path, info, err := w.look(z, path)
	switch {
	case errors.Is(err, errOutside):
		return nil, w.outside()
	case err != nil && isGlob(w.text):
		return w.sizeGlob(z, dir)
	case errors.Is(err, fs.ErrNotExist) && w.dir == "" && !paths.Rooted(w.text):
		if _, _, size := plannedSize(w.text); size {
			return nil, w.fault("names no file, and a size goes into planned_bytes")
		}
		return nil, w.fault("cannot be read, it is not there (relative paths begin at the session's folder)")
	case err != nil:
		return nil, w.fault("cannot be read, " + wording.Reason(err))
	}
	switch {
	case systems(path):
		return nil, w.system()
	case info.IsDir():
		return w.sizeTree(z, path, everything())
	case !info.Mode().IsRegular():
		return nil, w.fault("is a device, a pipe or the like, and no file")
	}
	f, size, err := z.disk.Open(path)
	if err != nil {
		return nil, w.fault("cannot be read, " + wording.Reason(err))
	}
	defer f.Close()
	got, err := z.file(f, size, z.most)
	switch {
	case errors.Is(err, errBinary):
		return nil, w.fault("is a binary file, and what that adds is not known" + w.instead())
	case err != nil:
		return nil, w.fault("cannot be read, " + wording.Reason(err))
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
	dir, info, err := w.look(z, at(dir, filepath.FromSlash(begin), z.home))
	switch {
	case errors.Is(err, errOutside):
		return nil, w.outside()
	case err != nil || !info.IsDir():
		return nil, w.fault("matches no file")
	case systems(dir):
		return nil, w.system()
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

// confine lets z read below the session's folder only.
func (w *want) confine(z *sizing) (files.Tree, error) {
	root, err := filepath.EvalSymlinks(z.folder)
	if err == nil && root != filepath.Clean(z.folder) {
		// The clients name folders without links: this was put in its place.
		return files.Tree{}, w.fault("cannot be read: the session's folder is a link")
	}
	if err == nil {
		z.folder = root
		z.disk, err = files.Below(root)
	}
	if z.folder == "" || err != nil {
		return files.Tree{}, w.fault("cannot be read: the session's folder, within which it has to lie, is not there")
	}
	return z.disk, nil
}

var errOutside = errors.New("outside of the session's folder")

// look returns path without links, and what is there. Of what lies where the
// caller may not read it tells nothing, not even whether it exists.
func (w *want) look(z sizing, path string) (string, fs.FileInfo, error) {
	real, err := filepath.EvalSymlinks(path)
	switch {
	case !w.confined && err != nil:
		return path, nil, err
	case !w.confined:
		info, err := os.Stat(real)
		return real, info, err
	case err != nil && !inside(z.folder, path):
		return path, nil, errOutside
	case err != nil:
		if _, e := z.disk.Stat(path); errors.Is(e, fs.ErrNotExist) || errors.Is(e, fs.ErrPermission) {
			return path, nil, e
		}
		return path, nil, errOutside // some link on the way leads out
	case !inside(z.folder, real):
		return path, nil, errOutside
	}
	info, err := z.disk.Stat(real)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		err = errOutside // exchanged meanwhile
	}
	return real, info, err
}

func (w *want) system() error { return w.fault("is a part of the running system, and no file") }

// elsewhere reports a path that is not of this machine: on Windows, to look at one
// is a request over the network.
func elsewhere(path string) bool {
	return filepath.Separator == '\\' && len(filepath.VolumeName(path)) > 2
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
