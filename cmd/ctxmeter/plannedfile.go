package main

import (
	"errors"
	"io"
	"os"

	"github.com/ctxmeter/ctxmeter/meter"
	"github.com/ctxmeter/ctxmeter/meter/tail"
)

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

func plannedFile(arg, path string, size, most int64) (*meter.Planned, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, badArgument("the file of %s cannot be opened: %s", arg, reason(err))
	}
	defer f.Close()
	counts, err := countText(io.LimitReader(f, most))
	switch {
	case errors.Is(err, errBinary):
		return nil, badArgument("the file of %s is binary: give the size it would have as text instead, such as 1500t (tokens)", arg)
	case err != nil:
		return nil, badArgument("the file of %s cannot be read: %s", arg, reason(err))
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
