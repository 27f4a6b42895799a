package main

import (
	"errors"
	"io/fs"
	"os"

	"github.com/ctxmeter/ctxmeter/meter"
	"github.com/ctxmeter/ctxmeter/meter/files"
	"github.com/ctxmeter/ctxmeter/meter/tail"
)

// want is a read that the caller has in mind. It is sized once the session is
// known: the estimate depends on its model, the limits on its client.
type want struct {
	arg      string          // what the caller calls it: "--planned", "planned_path"
	text     string          // path or glob as given; "" is a size
	dir      string          // that text is relative to; "" is the session's folder
	bytes    int64           // of text
	tokens   int64           // instead of bytes, where the caller knows
	confined bool            // the path has to lie within the session's folder
	stop     <-chan struct{} // closed when nobody waits any longer
}

// planned reads --planned: a file or folder that exists, else a glob, else a
// size. Without --planned it is nil.
func (p *program) planned(text string) (*want, error) {
	if text == "" {
		return nil, nil
	}
	w := &want{arg: "--planned", text: text}
	var err error
	if w.dir, err = p.getwd(); err != nil {
		w.dir = "." // which is nowhere
	}
	_, err = os.Stat(at(w.dir, text, p.home()))
	if err == nil || errors.Is(err, fs.ErrPermission) || isGlob(text) {
		return w, nil
	}
	n, exact, ok := plannedSize(text)
	switch {
	case !ok:
		return nil, badArgument("--planned names no file, and is no size such as 40KiB or 12000t (tokens): %s", asTyped(text))
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
	folder string // the session's
	home   string // the user's
	model  string
	est    meter.Estimator
	limit  meter.ReadLimit
	left   int64 // tokens of the window, at most; 0 is unknown
	most   int64 // bytes of a file that are counted; what is beyond is taken to be like them
	texts  *counting
	disk   files.Tree // in which files may be read
	stop   <-chan struct{}
}

// newSizing is the sizing for a session whose reading is r.
func (p *program) newSizing(in meter.Input, r *meter.Reading, est meter.Estimator, limit meter.ReadLimit) sizing {
	z := sizing{home: p.home(), model: in.State.Context().Model, est: est, limit: limit, most: p.counted}
	if z.folder = in.Session.Project; z.folder == "" {
		z.folder = in.State.Project
	}
	if r.WindowTokens != nil && r.UsedRange != nil {
		z.left = max(*r.WindowTokens-r.UsedRange[0], 1)
	}
	return z
}

// size sizes the read.
func (w *want) size(z sizing) (*meter.Planned, error) {
	z.stop = w.stop
	switch {
	case w.text != "":
		return w.sizePath(z)
	case w.tokens > 0:
		return &meter.Planned{Source: "size", Tokens: w.tokens}, nil
	case w.bytes < 0 || w.bytes > mostBytes:
		return nil, badArgument("%s wants a number of bytes from 0 to %d", w.arg, int64(mostBytes))
	case w.bytes == 0:
		return &meter.Planned{Source: "size"}, nil
	}
	return &meter.Planned{Source: "size", Text: meter.Text{Tool: sourceText(w.bytes), Blocks: 1}}, nil
}

// mostBytes is more than anybody plans to read, and safe to multiply.
const mostBytes = 1 << 48

// sourceText is what n bytes of a program's source are made of, where nobody
// has seen them: shares of the Go standard library's files.
func sourceText(n int64) tail.Counts {
	c := tail.Counts{
		Bytes: n, Chars: n,
		Letters: n * 64 / 100, Digits: n * 2 / 100, Spaces: n * 16 / 100, Newlines: n * 3 / 100, Underscores: n / 100,
		Words: n * 15 / 100, CaseBreaks: n * 2 / 100, DigitRuns: n / 100, PunctRuns: n * 11 / 100,
	}
	c.Punct = n - c.Letters - c.Digits - c.Spaces - c.Newlines - c.Underscores
	return c
}

// asTyped is what the caller gave, in an error.
func asTyped(text string) string {
	const most = 100 // code points
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}
