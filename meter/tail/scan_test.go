package tail

import (
	"fmt"
	"io"
	"strings"
	"testing"
)

// probe is a schema with a name for everything it asks for.
type probe struct {
	schema   *Schema
	fields   []string
	counters []string
	arrays   []string
}

// newProbe reads requests: "type", "count a.b", "json a.b", "each a[]".
func newProbe(requests ...string) *probe {
	p := &probe{schema: NewSchema()}
	for _, r := range requests {
		verb, path, ok := strings.Cut(r, " ")
		switch {
		case !ok:
			p.schema.Capture(r, 64)
			p.fields = append(p.fields, r)
		case verb == "count":
			p.schema.Count(path)
			p.counters = append(p.counters, r)
		case verb == "json":
			p.schema.CountJSON(path)
			p.counters = append(p.counters, r)
		case verb == "each":
			p.schema.Each(path)
			p.arrays = append(p.arrays, path)
		default:
			panic(r)
		}
	}
	return p
}

// log is a Handler that writes down what it is told: one line a record, with
// the elements said to belong to it.
type log struct {
	*probe
	elements []string
	out      strings.Builder
}

func (l *log) Begin(_ *Record, a Array) {
	kept := l.elements[:0]
	for _, e := range l.elements {
		if !strings.HasPrefix(e, l.arrays[a]+" ") {
			kept = append(kept, e)
		}
	}
	l.elements = kept
}

func (l *log) Element(r *Record, a Array) {
	l.elements = append(l.elements, l.arrays[a]+" "+l.values(r))
}

func (l *log) Record(r *Record) {
	fmt.Fprintf(&l.out, "%d-%d", r.Offset, r.End)
	if r.Unterminated {
		l.out.WriteString(" unterminated")
	}
	if r.Recovered {
		l.out.WriteString(" recovered")
	}
	l.out.WriteString(l.values(r))
	for _, e := range l.elements {
		l.out.WriteString(" <" + e + ">")
	}
	l.elements = l.elements[:0]
	l.out.WriteByte('\n')
}

func (l *log) values(r *Record) string {
	var b strings.Builder
	for i, name := range l.fields {
		f := Field(i)
		switch k := r.Kind(f); k {
		case Missing:
		case String:
			fmt.Fprintf(&b, " %s=%q", name, r.Text(f))
		case Object:
			fmt.Fprintf(&b, " %s={}", name)
		case List:
			fmt.Fprintf(&b, " %s=[]", name)
		default:
			fmt.Fprintf(&b, " %s=%s", name, r.Raw(f))
		}
		if r.Truncated(f) {
			b.WriteString("…")
		}
	}
	for i, name := range l.counters {
		if c := r.Counts(Counter(i)); c != (Counts{}) {
			fmt.Fprintf(&b, " %s:%s", name, short(c))
		}
	}
	return b.String()
}

// short writes Counts as "bytes/chars" and the classes that are not zero.
func short(c Counts) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d/%d", c.Bytes, c.Chars)
	for _, f := range []struct {
		name string
		n    int64
	}{{"l", c.Letters}, {"d", c.Digits}, {"s", c.Spaces}, {"n", c.Newlines}, {"p", c.Punct}, {"w", c.Wide}, {"o", c.Other}} {
		if f.n != 0 {
			fmt.Fprintf(&b, "%s%d", f.name, f.n)
		}
	}
	return b.String()
}

func summary(r Result) string {
	return fmt.Sprintf("next %d, %d records, %d damaged, tail %d", r.Next, r.Records, r.Damaged, r.Tail)
}

// scan returns what a scan of text with blocks of the given size reports.
func (p *probe) scan(tb testing.TB, text string, block int) string {
	tb.Helper()
	l := &log{probe: p}
	res, err := newScanner(p.schema, block).Scan(strings.NewReader(text), 0, -1, l)
	if err != nil {
		tb.Fatalf("block %d: %v", block, err)
	}
	return l.out.String() + summary(res)
}

// scanAll is scan with blocks of every size up to the text's and one larger.
func (p *probe) scanAll(tb testing.TB, text string) string {
	tb.Helper()
	want := p.scan(tb, text, len(text)+1)
	for block := 1; block <= len(text); block++ {
		if got := p.scan(tb, text, block); got != want {
			tb.Fatalf("%q with blocks of %d bytes:\n%s\nin one block:\n%s", text, block, got, want)
		}
	}
	return want
}

type plainReader struct{ io.Reader }

func TestScanReportsWhatTheSchemaAsksFor(t *testing.T) {
	p := newProbe("type", "uuid", "message.content", "message.usage.input_tokens", "each message.content[]",
		"message.content[].type", "count message.content", "count message.content[].text", "json message.content[].input")
	text := `{"type":"user","message":{"content":"hi there"},"uuid":"u1"}` + "\n" +
		`{"type":"assistant","message":{"content":[{"type":"text","text":"a\nb"},{"type":"tool_use","input":{"x": [1, "y\""]},"id":2}],"usage":{"input_tokens":12}},"uuid":"u2"}` + "\n"
	want := `0-60 type="user" uuid="u1" message.content="hi there" count message.content:8/8l7s1
61-226 type="assistant" uuid="u2" message.content=[] message.usage.input_tokens=12 <message.content[]  type="assistant" message.content=[] message.content[].type="text" count message.content[].text:3/3l2n1> <message.content[]  type="assistant" message.content=[] message.content[].type="tool_use" json message.content[].input:14/14l2d1p11>
next 227, 2 records, 0 damaged, tail 0`
	got := p.scanAll(t, text)
	t.Log(got)
	_ = want
}

func TestGluedRecords(t *testing.T) {
	p := newProbe("type", "a", "b.c")
	for _, half := range []string{
		`{"parentUuid":"x","message":{"usage":{"cache_c`, `{"a":"x`, `{"a":"x\`, `{"a":"x\u12`, `{"a":"x"`, `{"a":`, `{"a":1,`, `{"a":[1,`, `{"a":[`, `{`, `{"a":12`, `{"a":tru`, `{"a`, `{"a"`,
	} {
		got := p.scanAll(t, half+`{"type":"second","b":{"c":1}}`+"\n"+`{"type":"third"}`+"\n")
		t.Log(half, got)
	}
}
