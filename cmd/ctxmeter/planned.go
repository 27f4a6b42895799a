package main

import (
	"bytes"
	"errors"
	"io"
	"os"

	"github.com/ctxmeter/ctxmeter/meter"
	"github.com/ctxmeter/ctxmeter/meter/tail"
)

// planned reads --planned: a file that exists, else a size.
func (p *program) planned(text string) (*meter.Planned, error) {
	if text == "" {
		return nil, nil
	}
	path := text
	if wd, err := p.getwd(); err == nil {
		path = under(wd, text)
	}
	info, err := os.Stat(path)
	switch {
	case err == nil && info.Mode().IsRegular():
		return plannedFile(path, info.Size(), p.counted)
	case err == nil:
		return nil, badArgument("--planned wants a file or a size, and this is a folder or a device: %s", text)
	}
	n, exact, ok := plannedSize(text)
	switch {
	case !ok:
		return nil, badArgument("--planned names no file, and is no size such as 40KiB or 12000t (tokens): %s", text)
	case exact:
		return &meter.Planned{Source: "size", Tokens: n}, nil
	}
	return plannedText("size", sourceText(n)), nil
}

// plannedText is a read that adds such a text; of nothing, it adds nothing.
func plannedText(source string, c tail.Counts) *meter.Planned {
	if c.Bytes == 0 {
		return &meter.Planned{Source: source}
	}
	return &meter.Planned{Source: source, Text: meter.Text{Tool: c, Blocks: 1}}
}

// sourceText is what n bytes of a program's source are made of, where nobody
// has seen them: shares of the Go standard library's files.
func sourceText(n int64) tail.Counts {
	n = min(n, 1<<48) // beyond any window, and safe to multiply
	c := tail.Counts{
		Bytes: n, Chars: n,
		Letters: n * 64 / 100, Digits: n * 2 / 100, Spaces: n * 16 / 100, Newlines: n * 3 / 100,
	}
	c.Punct = n - c.Letters - c.Digits - c.Spaces - c.Newlines
	return c
}

// mostCounted is how much of a file is counted, in bytes: what is beyond is
// taken to be like it.
const mostCounted = 32 << 20

func plannedFile(path string, size, most int64) (*meter.Planned, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, badArgument("the file of --planned cannot be opened: %s", reason(err))
	}
	defer f.Close()
	counts, err := countText(io.LimitReader(f, most))
	switch {
	case errors.Is(err, errBinary):
		return nil, badArgument("the file of --planned is binary: give the size it would have as text instead, such as 1500t (tokens)")
	case err != nil:
		return nil, badArgument("the file of --planned cannot be read: %s", reason(err))
	}
	if size > most {
		counts = scaled(counts, float64(size)/float64(most))
	}
	return plannedText("path", counts), nil
}

func scaled(c tail.Counts, by float64) tail.Counts {
	for _, n := range []*int64{&c.Bytes, &c.Chars, &c.Letters, &c.Digits, &c.Spaces, &c.Newlines, &c.Punct, &c.Wide, &c.Other} {
		*n = int64(float64(*n) * by)
	}
	return c
}

func reason(err error) string {
	switch {
	case errors.Is(err, os.ErrPermission):
		return "permission denied"
	case errors.Is(err, os.ErrNotExist):
		return "it is gone"
	}
	return cause(err)
}

var errBinary = errors.New("binary")

// countText counts the characters of a text in constant memory. It dresses it
// up as a transcript of one record, so that the meter's own scanner does the
// counting: the classes of characters cannot differ.
func countText(r io.Reader) (tail.Counts, error) {
	schema := tail.NewSchema()
	h := &counting{text: schema.Count("t")}
	d := &dressed{src: r}
	d.out.WriteString(`{"t":"`)
	_, err := tail.NewScanner(schema).Stream(d, 0, h)
	return h.counts, err
}

type counting struct {
	text   tail.Counter
	counts tail.Counts
}

func (c *counting) Begin(*tail.Record, tail.Array)   {}
func (c *counting) Element(*tail.Record, tail.Array) {}
func (c *counting) Record(r *tail.Record)            { c.counts = r.Counts(c.text) }

// dressed reads a text as the JSON string that holds it.
type dressed struct {
	src  io.Reader
	in   [32 << 10]byte
	out  bytes.Buffer
	done bool
}

func (d *dressed) Read(to []byte) (int, error) {
	for d.out.Len() == 0 {
		if d.done {
			return 0, io.EOF
		}
		n, err := d.src.Read(d.in[:])
		if bytes.IndexByte(d.in[:n], 0) >= 0 {
			return 0, errBinary
		}
		for _, c := range d.in[:n] {
			d.escape(c)
		}
		if err == io.EOF {
			d.done = true
			d.out.WriteString("\"}\n")
		} else if err != nil {
			return 0, err
		}
	}
	return d.out.Read(to)
}

func (d *dressed) escape(c byte) {
	const hex = "0123456789abcdef"
	switch {
	case c == '"' || c == '\\':
		d.out.Write([]byte{'\\', c})
	case c == '\n':
		d.out.WriteString(`\n`)
	case c < 0x20:
		d.out.Write([]byte{'\\', 'u', '0', '0', hex[c>>4], hex[c&15]})
	default:
		d.out.WriteByte(c)
	}
}
