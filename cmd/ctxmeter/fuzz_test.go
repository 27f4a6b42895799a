package main

import (
	"bytes"
	"encoding/json"
	"testing"
	"unicode/utf8"
)

// A text is counted whole, whatever is in it.
func FuzzCountText(f *testing.F) {
	f.Add([]byte("plain \"quoted\" \\ text\n\ttab é 漢 🌷\r\n"))
	f.Add([]byte{0x01, 0x7f, 0x80, 0xff, '\n'})
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := countText(bytes.NewReader(data))
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
		if sum := got.Letters + got.Digits + got.Spaces + got.Newlines + got.Punct + got.Wide + got.Other; sum != got.Chars {
			t.Errorf("the kinds add up to %d of %d", sum, got.Chars)
		}
	})
}

// Names cannot steer a terminal, and JSON still says what they are.
func FuzzNames(f *testing.F) {
	f.Add("claude-opus-4-8")
	f.Add("\x1b[2J\u009b\u202e\U000e0041\xff")
	f.Fuzz(func(t *testing.T, text string) {
		for _, r := range name(text) + clean(text) {
			if hostile(r) {
				t.Fatalf("%U of %q gets through", r, text)
			}
		}
		data, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		escaped := escape(string(data))
		for _, r := range escaped {
			if hostile(r) {
				t.Fatalf("%U of %q gets through as JSON", r, text)
			}
		}
		var want, got string
		if json.Unmarshal(data, &want) != nil || json.Unmarshal([]byte(escaped), &got) != nil || got != want {
			t.Errorf("%q comes back as %q", want, got)
		}
	})
}
