package main

import (
	"bytes"
	"encoding/json"
	"io"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"github.com/ctxmeter/ctxmeter/calibrate"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wording"
	"github.com/ctxmeter/ctxmeter/meter"
	"github.com/ctxmeter/ctxmeter/meter/tail"
)

// A text is counted whole, whatever is in it.
func FuzzCountText(f *testing.F) {
	f.Add([]byte("plain \"quoted\" \\ text\n\ttab é 漢 🌷\r\n"))
	f.Add([]byte{0x01, 0x7f, 0x80, 0xff, '\n'})
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := countText(bytes.NewReader(data), false)
		if bytes.IndexByte(data, 0) >= 0 {
			if err == nil {
				t.Fatal("NUL is taken for text")
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if !utf8.Valid(data) {
			return
		}
		if got.Bytes != int64(len(data)) || got.Chars != int64(utf8.RuneCount(data)) {
			t.Errorf("%d bytes and %d characters are counted as %+v", len(data), utf8.RuneCount(data), got)
		}
		if sum := got.Letters + got.Digits + got.Spaces + got.Newlines + got.Underscores + got.Punct + got.Latin + got.Alpha + got.Wide + got.Signs + got.Astral; sum != got.Chars {
			t.Errorf("the kinds add up to %d of %d", sum, got.Chars)
		}
	})
}

// A read adds no more than the whole file has, but for what the client says of
// the cut, and reading lines of it is reading it.
func FuzzPlannedFile(f *testing.F) {
	f.Add([]byte("one\ntwo\r\n\nthree 漢字\n"), int64(3), int64(1))
	f.Add([]byte("no end"), int64(0), int64(2))
	f.Fuzz(func(t *testing.T, data []byte, limit, page int64) {
		limit, page = limit&63, page&63
		z := sizing{est: calibrate.Builtin(), most: mostCounted}
		z.limit = meter.ReadLimit{Tool: "Read", Numbered: limit&1 == 0, Tokens: limit, Page: min(page, limit), Ends: page * 2}
		p, err := z.file(bytes.NewReader(data), int64(len(data)), int64(len(data))/2+1)
		if err != nil {
			return
		}
		for _, c := range []tail.Counts{p.text.Tool, p.whole.Tool} {
			if c.Chars < 0 || c.Bytes < c.Chars/2 || c.Newlines < 0 {
				t.Errorf("counted %+v", c)
			}
		}
		lines := int64(bytes.Count(data, []byte("\n")))
		for n := range min(lines, 5) + 1 {
			got, err := io.ReadAll(iotest.OneByteReader(&firstLines{r: bytes.NewReader(data), left: n}))
			want := bytes.Join(bytes.SplitN(data, []byte("\n"), int(n)+1)[:n], []byte("\n"))
			if n > 0 && lines >= n && (err != nil || !bytes.Equal(got, want)) {
				t.Errorf("%d lines of %q are %q, %v", n, data, got, err)
			}
		}
	})
}

// Names cannot steer a terminal, and JSON still says what they are.
func FuzzNames(f *testing.F) {
	f.Add("claude-opus-4-8")
	f.Add("\x1b[2J\u009b\u202e\U000e0041\xff")
	f.Fuzz(func(t *testing.T, text string) {
		for _, r := range wording.Name(text) + wording.Clean(text) {
			if wording.Hostile(r) {
				t.Fatalf("%U of %q gets through", r, text)
			}
		}
		data, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		escaped := wording.Escape(string(data))
		for _, r := range escaped {
			if wording.Hostile(r) {
				t.Fatalf("%U of %q gets through as JSON", r, text)
			}
		}
		var want, got string
		if json.Unmarshal(data, &want) != nil || json.Unmarshal([]byte(escaped), &got) != nil || got != want {
			t.Errorf("%q comes back as %q", want, got)
		}
	})
}
