package tail

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"regexp"
	"testing"
	"unicode/utf8"
)

// countText is Counts the slow way.
func countText(text string) (c Counts) {
	for _, r := range text {
		c.Chars++
		c.Bytes += int64(utf8.RuneLen(r))
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z':
			c.Letters++
		case r >= '0' && r <= '9':
			c.Digits++
		case r == ' ', r == '\t':
			c.Spaces++
		case r == '\n', r == '\r':
			c.Newlines++
		case r == '_':
			c.Underscores++
		case r < 0x80:
			c.Punct++
		case wide(r):
			c.Wide++
		case r < 0x250:
			c.Latin++
		case r < 0x2000:
			c.Alpha++
		case r < 0x10000:
			c.Signs++
		default:
			c.Astral++
		}
	}
	runs := func(pattern string) int64 { return int64(len(regexp.MustCompile(pattern).FindAllString(text, -1))) }
	c.Words, c.DigitRuns, c.SpaceRuns = runs(`[A-Za-z]+`), runs(`[0-9]+`), runs(`  +`)
	c.CaseBreaks = runs(`[a-z][A-Z]`)
	c.PunctRuns = runs(`[^A-Za-z0-9 \t\r\n_\x80-\x{10FFFF}]+`)
	return c
}

// countRaw feeds raw text in pieces that end at the given places.
func countRaw(raw string, cuts ...int) Counts {
	var t tally
	from := 0
	for _, c := range cuts {
		t.feed([]byte(raw[from:c]))
		from = c
	}
	t.feed([]byte(raw[from:] + `"`))
	return t.take()
}

func TestCountsAreThoseOfTheDecodedText(t *testing.T) {
	for _, tt := range []struct{ name, raw, want string }{
		{"nothing", ``, `0/0`},
		{"ASCII by class", `aZ 09\t\n\r\"\\\/\b\f~!`, `15/15l2d2s2n2p7`},
		{"escaped ASCII", `\u0041\u0031\u0020\u000a\u0022`, `5/5l1d1s1n1p1`},
		{"Latin, Greek, Cyrillic", `éΩж`, `6/3o3`},
		{"the same, escaped", `\u00e9\u03A9\u0436`, `6/3o3`},
		{"ideographs, kana, hangul", `漢かカ한`, `12/4w4`},
		{"the same, escaped", `\u6f22\u304b\u30ab\ud55c`, `12/4w4`},
		{"ideographs beyond the basic plane", `𠀀`, `4/1w1`},
		{"the same, escaped", `\ud840\udc00`, `4/1w1`},
		{"a surrogate pair is one emoji", `\ud83d\ude00`, `4/1o1`},
		{"the emoji itself", `😀`, `4/1o1`},
		{"lone surrogates", `\ud83d \ude00\ud83d`, `10/4s1o3`},
		{"a high surrogate before another escape", `\ud83d\u0041\ud83d\n`, `8/4l1n1o2`},
		{"two high surrogates and a low one", `\ud83d\ud83d\ude00`, `7/2o2`},
		{"invalid bytes, one each", "a\xff\xe4\xb8b\xc3", `14/6l2o4`},
		{"an overlong form and a surrogate in UTF-8", "\xe0\x80\x80\xed\xa0\x80", `18/6o6`},
		{"line separators are text", "\u2028\\u2029", `6/2o2`},
		{"an invalid escape stands for itself", `\x\u12\u00zz`, `12/12l5d4p3`},
		{"raw control characters", "\t\r\x01\x7f", `4/4s1n1p2`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := short(countRaw(tt.raw)); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
			for a := range len(tt.raw) + 1 {
				for b := a; b <= len(tt.raw); b++ {
					if got := short(countRaw(tt.raw, a, b)); got != tt.want {
						t.Fatalf("cut at %d and %d: got %s, want %s", a, b, got, tt.want)
					}
				}
			}
			var text string
			if json.Unmarshal([]byte(`"`+tt.raw+`"`), &text) == nil {
				if got, want := countRaw(tt.raw), countText(text); got != want {
					t.Errorf("got %+v, of the decoded text %+v", got, want)
				}
			}
		})
	}
}

func TestCountsOfLongTextDoNotOverflow(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 30 {
		text := prose(rng, 20_000)
		raw := jsonString(text)
		if got, want := countRaw(raw[1:len(raw)-1]), countText(text); got != want {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
}

func TestWideIsWhatTheRangesSay(t *testing.T) {
	in := func(r rune) bool {
		for _, w := range wideRanges {
			if w[0] <= r && r <= w[1] {
				return true
			}
		}
		return r >= 0x1AFF0 && r <= 0x1B16F || r >= 0x20000 && r <= 0x3FFFF
	}
	for r := rune(0); r <= utf8.MaxRune; r++ {
		if wide(r) != in(r) {
			t.Fatalf("U+%04X: %v", r, wide(r))
		}
	}
}

// Every field is among All, and added.
func TestCountsAddAllFields(t *testing.T) {
	var a, b Counts
	for i, n := range a.All() {
		*n = int64(i + 1)
	}
	fields := reflect.ValueOf(a)
	for i := range fields.NumField() {
		if fields.Field(i).Int() == 0 {
			t.Errorf("%s is not among All", fields.Type().Field(i).Name)
		}
	}
	b.Add(a)
	b.Add(a)
	for i, n := range b.All() {
		if *n != int64(2*(i+1)) {
			t.Errorf("field %d is added up to %d", i, *n)
		}
	}
}
