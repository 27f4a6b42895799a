package main

import (
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wording"
	"github.com/ctxmeter/ctxmeter/meter"
)

// Bounds of a walk through folders. Reaching one makes the answer "at least".
const (
	mostFiles  = 20_000     // that are opened
	mostNames  = 100_000    // that are looked at
	mostTokens = 10_000_000 // where the window is not known: more than any has
	mostOfOne  = 256 << 10  // bytes that are counted of one file
)

// tree sizes the reads of the files below a folder, one after the other.
type tree struct {
	sizing
	pattern pattern

	text, whole meter.Text
	limits      []meter.Cut
	read        int64 // files
	skipped     int64 // files and folders
	names       int   // looked at

	mostFiles, mostNames int
}

func (z sizing) tree(p pattern) *tree {
	t := &tree{sizing: z, pattern: p, mostFiles: mostFiles, mostNames: mostNames}
	if t.left == 0 {
		t.left = mostTokens
	}
	return t
}

// errEnough ends a walk early.
var errEnough = errors.New("enough")

func (w *want) sizeTree(z sizing, dir string, p pattern) (*meter.Planned, error) {
	t := z.tree(p)
	err := t.run(dir)
	if err != nil && !errors.Is(err, errEnough) {
		return nil, w.fault("cannot be read, " + wording.Reason(err))
	}
	out := &meter.Planned{
		Source: "path", Text: t.text, Files: &t.read, Skipped: t.skipped,
		AtLeast: err != nil, Limits: t.limits,
	}
	if len(out.Limits) > 0 {
		out.Whole = t.whole
	}
	return out, nil
}

// run sizes what is below dir, all of it unless the error is errEnough.
func (t *tree) run(dir string) error {
	entries, err := t.list(dir)
	if err != nil {
		return err
	}
	return t.walk(dir, entries, t.pattern.start())
}

// walk visits the files below dir in the order of their names. Links are not
// followed: what they lead to is elsewhere, or is counted in its own place.
func (t *tree) walk(dir string, entries []fs.DirEntry, s steps) error {
	for _, e := range entries {
		next := t.pattern.next(s, e.Name())
		path := filepath.Join(dir, e.Name())
		switch {
		case next == 0 || versions[e.Name()]:
		case e.Type().IsRegular():
			if !t.pattern.ended(next) {
				continue
			}
			if err := t.add(path); err != nil {
				return err
			}
		case e.IsDir() && t.pattern.goesOn(next) && !systems(path):
			below, err := t.list(path)
			if errors.Is(err, errEnough) {
				return err
			}
			if err != nil {
				t.skipped++
				continue
			}
			if err := t.walk(path, below, next); err != nil {
				return err
			}
		}
	}
	return nil
}

// versions are where version control keeps its own.
var versions = map[string]bool{".git": true, ".hg": true, ".svn": true, ".jj": true, ".bzr": true, "_darcs": true, "CVS": true}

// list is what a folder holds, by name.
func (t *tree) list(dir string) ([]fs.DirEntry, error) {
	if t.stopped() {
		return nil, errEnough
	}
	f, err := t.disk.Folder(dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	left := t.mostNames - t.names
	entries, err := f.ReadDir(left + 1)
	if err != nil && err != io.EOF {
		return nil, err
	}
	if t.names += len(entries); len(entries) > left {
		return nil, errEnough
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, nil
}

// stopped reports that nobody waits for the answer any longer.
func (t *tree) stopped() bool {
	select {
	case <-t.stop:
		return true
	default:
		return false
	}
}

// add adds a file's read.
func (t *tree) add(path string) error {
	if t.read+t.skipped >= int64(t.mostFiles) || t.stopped() {
		return errEnough
	}
	got, err := t.open(path)
	if err != nil {
		t.skipped++
		return nil
	}
	t.read++
	t.text.Add(got.text)
	t.whole.Add(got.whole)
	if got.cut != (meter.Cut{}) && !slices.Contains(t.limits, got.cut) {
		t.limits = append(t.limits, got.cut)
	}
	if e := t.est.Tokens(t.model, t.text); e.Tokens-e.Below > float64(t.left) {
		return errEnough
	}
	return nil
}

func (t *tree) open(path string) (piece, error) {
	f, size, err := t.disk.Open(path)
	if err != nil {
		return piece{}, err
	}
	defer f.Close()
	return t.file(f, size, min(t.most, mostOfOne))
}
