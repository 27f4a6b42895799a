package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/ctxmeter/ctxmeter/meter"
)

// want is a read that the caller has in mind. It is sized once the session is
// known: the estimate depends on its model, the limits on its client.
type want struct {
	arg      string // what the caller calls it: "--planned", "planned_path"
	text     string // path or glob as given; "" is a size
	dir      string // that text is relative to; "" is the session's folder
	bytes    int64  // of text
	tokens   int64  // instead of bytes, where the caller knows
	confined bool   // the path has to lie within the session's folder
}

// planned reads --planned: a file that exists, else a glob, else a size.
// Without --planned it is nil.
func (p *program) planned(text string) (*want, error) {
	if text == "" {
		return nil, nil
	}
	w := &want{arg: "--planned", text: text}
	path := text
	if wd, err := p.getwd(); err == nil {
		w.dir, path = wd, under(wd, text)
	}
	if _, err := os.Stat(path); err == nil {
		return w, nil
	}
	n, exact, ok := plannedSize(text)
	switch {
	case !ok:
		return nil, badArgument("--planned names no file, and is no size such as 40KiB or 12000t (tokens): %s", text)
	case exact:
		return &want{arg: w.arg, tokens: n}, nil
	}
	return &want{arg: w.arg, bytes: n}, nil
}

// wantPath is the planned_path of an MCP call: a file, a folder or a glob,
// relative to the session's folder.
func wantPath(text string) *want { return &want{arg: "planned_path", text: text} }

// wantBytes is the planned_bytes of an MCP call: so many bytes of text.
func wantBytes(n int64) *want { return &want{arg: "planned_bytes", bytes: n} }

// sizing is what the size of a read depends on.
type sizing struct {
	in    meter.Input
	left  int64 // tokens of the window, at most; 0 is unknown
	limit meter.ReadLimit
	est   meter.Estimator
	home  string
	most  int64 // bytes of a file that are counted
}

// left is the most that may be left of the window, in tokens; 0 is unknown.
func left(r *meter.Reading) int64 {
	if r.WindowTokens == nil || r.UsedRange == nil {
		return 0
	}
	return max(*r.WindowTokens-r.UsedRange[0], 1)
}

// size sizes the read.
func (w *want) size(z sizing) (*meter.Planned, error) {
	if w.text == "" {
		if w.bytes < 0 {
			return nil, badArgument("%s wants a number of bytes from 0 up", w.arg)
		}
		if w.tokens > 0 {
			return &meter.Planned{Source: "size", Tokens: w.tokens}, nil
		}
		return plannedText("size", sourceText(w.bytes)), nil
	}
	dir := w.dir
	if dir == "" {
		dir = folderOf(z.in)
	}
	if dir == "" && !filepath.IsAbs(w.text) {
		return nil, badArgument("%s is relative, and the session's folder is not known: name the whole path", w.arg)
	}
	path := under(dir, w.text)
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, badArgument("the file of %s cannot be opened: %s", w.arg, reason(err))
	case !info.Mode().IsRegular():
		return nil, badArgument("%s", fmt.Sprintf("%s wants a file or a size, and this is a folder or a device", w.arg))
	}
	return plannedFile(w.arg, path, info.Size(), z.most)
}

// folderOf is the folder that a session works in.
func folderOf(in meter.Input) string {
	if in.Session.Project != "" {
		return in.Session.Project
	}
	return in.State.Project
}
