package transcript

import (
	"bytes"
	"cmp"
	"io"
	"path/filepath"
	"slices"

	"github.com/ctxmeter/ctxmeter/meter"
)

// Place is where a record stands, for a person who wants to look.
type Place struct {
	File   string // name of the file, without its folder
	Line   int64  // from 1 on; 0 if it was not found
	Offset int64  // bytes, in the (uncompressed) file
}

// Places finds the records that stand at these offsets of a session's
// transcript, in the same order. It reads each file up to the last of them,
// once, to count lines.
func Places(s meter.Session, offsets []int64) []Place {
	out := make([]Place, len(offsets))
	src, err := open(s)
	if err != nil {
		return out
	}
	defer src.close()
	order := make([]int, len(offsets))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(offsets[a], offsets[b]) })
	for i, p := range src.parts {
		last := i == len(src.parts)-1
		var c *lineCounter
		for ; len(order) > 0 && (last || p.end < 0 || offsets[order[0]] < p.end); order = order[1:] {
			at := &out[order[0]]
			at.File, at.Offset = filepath.Base(s.Segments[i].Path), offsets[order[0]]-p.start
			if c == nil {
				c = newLineCounter(p)
				defer c.close()
			}
			at.Line = c.line(at.Offset)
		}
	}
	return out
}

// lineCounter counts the lines of a file from its beginning on.
type lineCounter struct {
	r      io.Reader
	close  func()
	offset int64
	lines  int64
	buf    []byte
	broken bool
}

func newLineCounter(p part) *lineCounter {
	c := &lineCounter{r: io.NewSectionReader(p.file, 0, 1<<62), close: func() {}, buf: make([]byte, 256<<10)}
	if p.stream != nil {
		r, err := p.stream()
		if err != nil {
			c.broken = true
			return c
		}
		c.r, c.close = r, func() { r.Close() }
	}
	return c
}

// line is the number of the line that holds the byte at offset, which lies
// behind all that were asked for before; 0 if the file ends before it.
func (c *lineCounter) line(offset int64) int64 {
	for c.offset < offset && !c.broken {
		n, err := c.r.Read(c.buf[:min(int64(len(c.buf)), offset-c.offset)])
		c.lines += int64(bytes.Count(c.buf[:n], []byte{'\n'}))
		c.offset += int64(n)
		c.broken = err != nil && c.offset < offset
	}
	if c.broken {
		return 0
	}
	return c.lines + 1
}
