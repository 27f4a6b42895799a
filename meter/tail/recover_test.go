package tail

import (
	"fmt"
	"strings"
	"testing"
)

func TestRecordGluedToAHalfOneIsRecovered(t *testing.T) {
	p := newProbe("type", "b.c", "each a[]")
	const second = `{"type":"second","b":{"c":[{}],"c":1},"z":[{"type":"x"}]}`
	for _, tt := range []struct{ name, half string }{
		{"in a key", `{"parentUuid":"x","message":{"usage":{"cache_c`},
		{"in the first key", `{"a`},
		{"before the first key's first letter", `{"`},
		{"in a string", `{"a":"x`},
		{"in a string in an array", `{"a":["x`},
		{"at the beginning of a string", `{"a":"`},
		{"after a backslash", `{"a":"x\`},
		{"after an escaped backslash", `{"a":"x\\`},
		{"after an escaped quote", `{"a":"x\"`},
		{"in a Unicode escape", `{"a":"x\u12`},
		{"in a code point", "{\"a\":\"x\xe4\xb8"},
		{"after text that ends like a record", `{"a":"x{`},
		{"after a string that ends like a record", `{"a":"x{"`},
		{"after an object", `{"a":{"b":1}`},
		{"after an array", `{"a":[]`},
		{"after a key", `{"a"`},
		{"after a string", `{"a":"x"`},
		{"after a string in an array", `{"a":["x"`},
		{"after a colon", `{"a":`},
		{"after a comma", `{"a":1,`},
		{"after a comma in an array", `{"a":[1,`},
		{"after a bracket", `{"a":[`},
		{"after two brackets", `{"a":[[`},
		{"after a brace", `{`},
		{"after an inner brace", `{"a":{`},
		{"in a number", `{"a":12`},
		{"in a fraction", `{"a":1.`},
		{"after a sign", `{"a":-`},
		{"in a literal", `{"a":tru`},
		{"after a literal", `{"a":null`},
		{"two halves", `{"a":"x{"b":"y`},
		{"two halves after colons", `{"a":{"b":`},
		{"a half after a colon and one in a string", `{"a":{"b":"y`},
		{"a half in a string and one after a colon", `{"a":"x{"b":[`},
		{"zeros between", "{\"a\":1\x00\x00\x00"},
		{"zeros where a value was to be", "{\"a\":\x00\x00\x00"},
		{"zeros in a string", "{\"a\":\"x\x00\x00\x00"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			from := len(tt.half)
			want := fmt.Sprintf(`0-2
%d-%d recovered type="second" b.c=1
%d-%d type="third"
next %d, 3 records, 1 damaged, tail 0`, from+3, from+3+len(second), from+4+len(second), from+20+len(second), from+21+len(second))
			if got := p.scanAll(t, "{}\n"+tt.half+second+"\n{\"type\":\"third\"}\n"); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

func TestWholeRecordsOnOneLineAreAllReported(t *testing.T) {
	newProbe("a").tests(t, []outcome{
		{"two", "{\"a\":1}{\"a\":2}\n{}\n", `0-7 a=1
7-14 a=2
15-17
next 18, 3 records, 1 damaged, tail 0`},
		{"three, with padding", "{\"a\":1} {\"a\":2}\x00{\"a\":3}\n", `0-7 a=1
8-15 a=2
16-23 a=3
next 24, 3 records, 1 damaged, tail 0`},
		{"a whole one and a half one", "{\"a\":1}{\"a\":2\n", `0-7 a=1
next 14, 1 records, 1 damaged, tail 0`},
		{"a whole one, a half one, a whole one", "{\"a\":1}{\"a\":{\"a\":3}\n", `0-7 a=1
12-19 recovered a=3
next 20, 2 records, 1 damaged, tail 0`},
		{"without a newline", "{\"a\":1}{\"a\":2}", `0-7 a=1 unterminated
7-14 a=2 unterminated
next 0, 2 records, 0 damaged, tail 14`},
		{"a half one after them without a newline", "{\"a\":1}{\"a\":", `0-7 a=1 unterminated
next 0, 1 records, 0 damaged, tail 12`},
	})
}

func TestNothingIsRecoveredFromALineWithoutANewline(t *testing.T) {
	newProbe("a").tests(t, []outcome{
		{"it may yet be whole", `{"a":{"a":1}`, `next 0, 0 records, 0 damaged, tail 12`},
		{"but what cannot be is left behind", `{"a":"x{"a":1}`, `7-14 recovered a=1 unterminated
next 0, 1 records, 0 damaged, tail 14`},
	})
}

func TestDamagedLinesAreReadInLinearTime(t *testing.T) {
	p := newProbe("a")
	for _, tt := range []struct{ name, text string }{
		{"halves in strings", strings.Repeat(`{"a":"x`, 200_000)},
		{"halves after colons", strings.Repeat(`{"a":`, 3000) + strings.Repeat(`[{"a":1}`, 200_000)},
		{"records without end", strings.Repeat(`{}`, 200_000)},
		{"a record after a long value", `{"a":[` + strings.Repeat(`{"a":1},`, 200_000) + `{"a":1}`},
		{"quotes", strings.Repeat(`"`, 500_000)},
		{"backslashes", `{"a":"` + strings.Repeat(`\`, 500_000)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			src := &metered{Reader: strings.NewReader(tt.text + "\n")}
			res, err := newScanner(p.schema, 4096).Scan(src, 0, -1, p.notes())
			if err != nil || res.Damaged != 1 {
				t.Errorf("%+v, %v", res, err)
			}
			if limit := int64(3*len(tt.text) + 1<<16); src.read > limit {
				t.Errorf("%d bytes read of a line of %d", src.read, len(tt.text))
			}
		})
	}
}

type metered struct {
	*strings.Reader
	read int64
}

func (m *metered) ReadAt(b []byte, off int64) (int, error) {
	n, err := m.Reader.ReadAt(b, off)
	m.read += int64(n)
	return n, err
}
