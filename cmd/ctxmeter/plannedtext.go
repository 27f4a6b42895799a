package main

import (
	"bytes"
	"errors"
	"io"

	"github.com/ctxmeter/ctxmeter/meter/tail"
)

// errBinary: the text of a file, if any, cannot be counted. A NUL tells it, or
// the mark of a PDF, which may begin without one.
var errBinary = errors.New("binary")

// counting counts the characters of texts, one after the other, in constant
// memory. It dresses a text up as a transcript of one record, so that the
// meter's own scanner does the counting: the classes of characters cannot
// differ.
type counting struct {
	scanner *tail.Scanner
	text    tail.Counter
	counts  tail.Counts
	from    dressed
}

func newCounting() *counting {
	schema := tail.NewSchema()
	c := &counting{text: schema.Count("t")}
	c.scanner = tail.NewScanner(schema)
	return c
}

// count counts a text. unix ends its lines with a newline only.
func (c *counting) count(r io.Reader, unix bool) (tail.Counts, error) {
	c.counts = tail.Counts{}
	c.from.begin(r, unix)
	_, err := c.scanner.Stream(&c.from, 0, c)
	return c.counts, err
}

func (c *counting) Begin(*tail.Record, tail.Array)   {}
func (c *counting) Element(*tail.Record, tail.Array) {}
func (c *counting) Record(r *tail.Record)            { c.counts = r.Counts(c.text) }

// dressed reads a text as the JSON string that holds it.
type dressed struct {
	src  io.Reader
	unix bool
	in   [32 << 10]byte
	out  bytes.Buffer
	done bool

	begun bool
}

func (d *dressed) begin(r io.Reader, unix bool) {
	d.src, d.unix, d.done, d.begun = r, unix, false, false
	d.out.Reset()
	d.out.WriteString(`{"t":"`)
}

func (d *dressed) Read(to []byte) (int, error) {
	for d.out.Len() == 0 {
		if d.done {
			return 0, io.EOF
		}
		n, err := d.src.Read(d.in[:])
		if bytes.IndexByte(d.in[:n], 0) >= 0 || !d.begun && bytes.HasPrefix(d.in[:n], []byte("%PDF-")) {
			return 0, errBinary
		}
		d.begun = d.begun || n > 0
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
	case c == '\r' && d.unix:
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
