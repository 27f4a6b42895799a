package main

import (
	"bytes"
	"io"
	"strings"

	"github.com/ctxmeter/ctxmeter/meter"
	"github.com/ctxmeter/ctxmeter/meter/tail"
)

// mostCounted is how much of a file is counted, in bytes: what is beyond is
// taken to be like it. It is far more than one read of any client shows.
const mostCounted = 4 << 20

// piece is what one read of a file comes to.
type piece struct {
	text  meter.Text // that it adds
	whole meter.Text // all that the file holds, read in parts
	cut   meter.Cut  // what cut it; zero if nothing did
}

// file sizes one read of an open file of that many bytes, of which so many
// are counted.
func (z *sizing) file(f io.ReaderAt, size, counted int64) (piece, error) {
	l := z.limit
	if size == 0 {
		text := toolResult(z.framed(tail.Counts{}, l.Frame+l.Empty))
		return piece{text: text, whole: text}, nil
	}
	raw, err := z.count(f, 0, min(size, counted))
	if err != nil {
		return piece{}, err
	}
	if size > counted {
		raw = scaled(raw, float64(size)/float64(counted))
	}
	p := piece{whole: toolResult(z.framed(z.numbered(raw), l.Frame))}
	p.text = p.whole
	tokens := z.tokens(raw)
	many := l.Tokens > 0 && tokens > float64(l.Tokens)
	switch {
	case l.Bytes > 0 && size > l.Bytes:
		p.cut = meter.Cut{Tool: l.Tool, How: meter.CutRefused, Bytes: l.Bytes}
		if many {
			p.text = toolResult(z.framed(z.numbered(scaled(raw, float64(l.Tokens)/tokens)), l.Frame))
		}
	case many && raw.Chars > l.Unchecked && l.Page == 0:
		p.cut = meter.Cut{Tool: l.Tool, How: meter.CutRefused, Tokens: l.Tokens}
		p.text = toolResult(z.framed(z.numbered(scaled(raw, float64(l.Tokens)/tokens)), l.Frame))
	case many && raw.Chars > l.Unchecked:
		p.cut = meter.Cut{Tool: l.Tool, How: meter.CutPage, Tokens: l.Page}
		page, err := z.page(f, size, raw)
		if err != nil {
			return piece{}, err
		}
		p.text = toolResult(z.framed(z.numbered(page), l.Frame+l.Note))
	case l.Ends > 0 && size > l.Ends:
		p.cut = meter.Cut{Tool: l.Tool, How: meter.CutMiddle, Bytes: l.Ends}
		half := l.Ends / 2
		ends, err := z.count(f, 0, half)
		if err != nil {
			return piece{}, err
		}
		end, err := z.count(f, size-half, half)
		if err != nil {
			return piece{}, err
		}
		ends.Add(end)
		p.text = toolResult(z.framed(ends, l.Frame+l.Note))
	}
	return p, nil
}

// page counts the first page of a file with too many tokens. The client cuts
// the lines in proportion to the tokens, again if these lines have too many,
// and characters where not even one line would be left (Claude Code 2.1.197,
// observed).
func (z *sizing) page(f io.ReaderAt, size int64, raw tail.Counts) (tail.Counts, error) {
	share := float64(z.limit.Page) / z.tokens(raw)
	lines := int64(float64(raw.Newlines+1) * share)
	for range mostPages {
		if lines <= 0 {
			break
		}
		page, err := z.countFrom(&firstLines{r: io.NewSectionReader(f, 0, size), left: lines})
		if err != nil {
			return page, err
		}
		tokens := z.tokens(page)
		if tokens <= float64(z.limit.Tokens) {
			return page, nil
		}
		lines = min(lines-1, int64(float64(lines)*float64(z.limit.Tokens)/tokens))
	}
	return z.count(f, 0, int64(float64(size)*share))
}

// mostPages is how often a page is made smaller. It takes one or two, but for
// text that was made to take many.
const mostPages = 16

// firstLines reads so many lines, without the end of the last.
type firstLines struct {
	r    io.Reader
	left int64
}

func (f *firstLines) Read(to []byte) (int, error) {
	if f.left == 0 {
		return 0, io.EOF
	}
	n, err := f.r.Read(to)
	for i := 0; i < n; {
		end := bytes.IndexByte(to[i:n], '\n')
		if end < 0 {
			break
		}
		if f.left--; f.left == 0 {
			return i + end, io.EOF
		}
		i += end + 1
	}
	return n, err
}

func (z *sizing) count(f io.ReaderAt, from, n int64) (tail.Counts, error) {
	return z.countFrom(io.NewSectionReader(f, from, n))
}

func (z *sizing) countFrom(r io.Reader) (tail.Counts, error) {
	if z.texts == nil {
		z.texts = newCounting()
	}
	return z.texts.count(r, z.limit.Numbered)
}

// tokens estimates a text by itself.
func (z *sizing) tokens(c tail.Counts) float64 {
	return z.est.Tokens(z.model, meter.Text{Tool: c}).Tokens
}

// numbered adds what the tool puts before every line: its number and a tab.
func (z *sizing) numbered(c tail.Counts) tail.Counts {
	if !z.limit.Numbered {
		return c
	}
	lines := c.Newlines + 1
	n := digits(lines)
	c.Digits += n
	c.DigitRuns += lines
	c.Bytes += n
	c.Chars += n
	if !z.limit.Padded {
		c.Spaces += lines
		c.Bytes += lines
		c.Chars += lines
		return c
	}
	const wide, arrow = 6, int64(len("→"))
	few := min(lines, 99_999) // lines whose number is less wide
	blanks := few*wide - digits(few)
	c.Spaces += blanks
	c.SpaceRuns += min(lines, 9_999) // lines with two blanks and more
	c.Signs += lines
	c.Bytes += blanks + lines*arrow
	c.Chars += blanks + lines
	return c
}

// digits is how many digits the numbers from 1 to n have.
func digits(n int64) int64 {
	var sum int64
	for low, width := int64(1), int64(1); low <= n; low, width = low*10, width+1 {
		high := min(n, low*10-1)
		sum += (high - low + 1) * width
		if low > n/10 {
			break // the next power is over n, and may be over int64
		}
	}
	return sum
}

// framed adds a text that the tool says beside the file's.
func (z *sizing) framed(c tail.Counts, text string) tail.Counts {
	if text != "" {
		frame, _ := z.countFrom(strings.NewReader(text))
		c.Add(frame)
	}
	return c
}

// toolResult is a tool's result of such a text.
func toolResult(c tail.Counts) meter.Text { return meter.Text{Tool: c, Results: 1} }

func scaled(c tail.Counts, by float64) tail.Counts {
	for _, n := range c.All() {
		*n = int64(float64(*n) * by)
	}
	return c
}
