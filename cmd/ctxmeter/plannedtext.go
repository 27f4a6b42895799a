package main

import (
	"bytes"
	"errors"
	"io"

	"github.com/ctxmeter/ctxmeter/meter/tail"
)

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
