package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"

	"github.com/ctxmeter/ctxmeter/config"
	"github.com/ctxmeter/ctxmeter/meter"
	"github.com/ctxmeter/ctxmeter/meter/tail"
)

// planned reads --planned: a file that exists, else a size. A message about
// it never repeats the path.
func (p *program) planned(text string) (*meter.Planned, error) {
	if text == "" {
		return nil, nil
	}
	info, err := os.Stat(text)
	switch {
	case err == nil && info.Mode().IsRegular():
		return plannedFile(text)
	case err == nil:
		return nil, badArgument("--planned wants a file or a size, and this is a folder or a device")
	}
	if digits, ok := strings.CutSuffix(text, "t"); ok {
		if n, err := config.ParseTokens(digits); err == nil {
			return &meter.Planned{Source: "size", Tokens: n}, nil
		}
	}
	n, err := config.ParseBytes(text)
	if err != nil {
		return nil, badArgument("--planned wants a file that exists, or a size such as 40KiB or 12000t (tokens)")
	}
	return &meter.Planned{Source: "size", Text: meter.Text{Tool: sourceText(n), Blocks: 1}}, nil
}

// sourceText is what n bytes of a program's source are made of, where nobody
// has seen them: shares of the Go standard library's files.
func sourceText(n int64) tail.Counts {
	c := tail.Counts{
		Bytes: n, Chars: n,
		Letters: n * 64 / 100, Digits: n * 2 / 100, Spaces: n * 16 / 100, Newlines: n * 3 / 100,
	}
	c.Punct = n - c.Letters - c.Digits - c.Spaces - c.Newlines
	return c
}

func plannedFile(path string) (*meter.Planned, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, badArgument("the file of --planned cannot be opened: %s", reason(err))
	}
	defer f.Close()
	counts, err := countText(f)
	switch {
	case errors.Is(err, errBinary):
		return nil, badArgument("the file of --planned is binary: give the size it would have as text instead, such as 1500t (tokens)")
	case err != nil:
		return nil, badArgument("the file of --planned cannot be read: %s", reason(err))
	}
	return &meter.Planned{Source: "path", Text: meter.Text{Tool: counts, Blocks: 1}}, nil
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
