package tail

import (
	"fmt"
	"io"
	"strings"
	"testing"
)

// probe is a schema that remembers what was asked for.
type probe struct {
	schema   *Schema
	fields   []string
	counters []string // "count a.b" or "json a.b"
	arrays   []string
	inside   []int // per array: the array around it, or -1
}

// newProbe reads requests: "a.b", "count a.b", "json a.b", "each a[]".
// Arrays come before those inside of their items.
func newProbe(requests ...string) *probe {
	p := &probe{schema: NewSchema()}
	for _, r := range requests {
		verb, path, ok := strings.Cut(r, " ")
		switch {
		case !ok:
			p.schema.Capture(r, 1<<20)
			p.fields = append(p.fields, r)
		case verb == "count":
			p.schema.Count(path)
			p.counters = append(p.counters, r)
		case verb == "json":
			p.schema.CountJSON(path)
			p.counters = append(p.counters, r)
		case verb == "each":
			around := -1
			for a, other := range p.arrays {
				if path == other {
					around = -2
				} else if strings.HasPrefix(path, other) && around > -2 {
					around = a
				}
			}
			if p.schema.Each(path); around > -2 {
				p.arrays = append(p.arrays, path)
				p.inside = append(p.inside, around)
			}
		default:
			panic(r)
		}
	}
	return p
}

// under says whether a request is for something at or below the items of an
// array.
func under(request, array string) bool {
	_, path, ok := strings.Cut(request, " ")
	if !ok {
		path = request
	}
	rest, ok := strings.CutPrefix(path, array)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// notes is a Handler that writes down each record, with the elements of its
// arrays.
type notes struct {
	*probe
	elements [][]string // per array: of the open item of the array around it
	records  []string
	tail     []string // the Unterminated ones
	begins   int
	onRecord func(r *Record)
}

func (p *probe) notes() *notes { return &notes{probe: p, elements: make([][]string, len(p.arrays))} }

func (n *notes) Begin(_ *Record, a Array) {
	n.begins++
	n.drop(int(a))
}

func (n *notes) drop(a int) {
	n.elements[a] = nil
	for i, around := range n.inside {
		if around == a {
			n.drop(i)
		}
	}
}

// take returns the elements inside of array a's open item, or of the record.
func (n *notes) take(a int) string {
	var b strings.Builder
	for i, around := range n.inside {
		if around == a {
			for _, e := range n.elements[i] {
				b.WriteString(" <" + n.arrays[i] + e + ">")
			}
			n.drop(i)
		}
	}
	return b.String()
}

func (n *notes) Element(r *Record, a Array) {
	var b strings.Builder
	for i, f := range n.fields {
		if under(f, n.arrays[a]) {
			b.WriteString(fieldNote(r, f, Field(i)))
		}
	}
	for i, c := range n.counters {
		if under(c, n.arrays[a]) {
			b.WriteString(counterNote(c, r.Counts(Counter(i))))
		}
	}
	n.elements[a] = append(n.elements[a], b.String()+n.take(int(a)))
}

func (n *notes) Record(r *Record) {
	var b strings.Builder
	fmt.Fprintf(&b, "%d-%d", r.Offset, r.End)
	if r.Recovered {
		b.WriteString(" recovered")
	}
	for i, f := range n.fields {
		b.WriteString(fieldNote(r, f, Field(i)))
	}
	for i, c := range n.counters {
		b.WriteString(counterNote(c, r.Counts(Counter(i))))
	}
	b.WriteString(n.take(-1))
	if r.Unterminated {
		n.tail = append(n.tail, b.String())
	} else {
		n.records = append(n.records, b.String())
	}
	if n.onRecord != nil {
		n.onRecord(r)
	}
}

func fieldNote(r *Record, name string, f Field) string {
	text := string(r.Raw(f))
	switch r.Kind(f) {
	case Missing:
		return ""
	case String:
		text = fmt.Sprintf("%q", r.Text(f))
	case Object:
		text = "{}"
	case List:
		text = "[]"
	}
	if r.Truncated(f) {
		text += "…"
	}
	return " " + name + "=" + text
}

func counterNote(name string, c Counts) string {
	if c == (Counts{}) {
		return ""
	}
	return " " + name + ":" + short(c)
}

// short writes Counts as "bytes/chars" and the classes that are not zero.
func short(c Counts) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d/%d", c.Bytes, c.Chars)
	for _, f := range []struct {
		name string
		n    int64
	}{
		{"l", c.Letters},
		{"d", c.Digits},
		{"s", c.Spaces},
		{"n", c.Newlines},
		{"u", c.Underscores},
		{"p", c.Punct},
		{"w", c.Wide},
		{"o", c.Latin + c.Alpha + c.Signs + c.Astral},
	} {
		if f.n != 0 {
			fmt.Fprintf(&b, "%s%d", f.name, f.n)
		}
	}
	return b.String()
}

// lines is the outcome of a scan: a line each for the records, the
// unterminated ones and the result.
func (n *notes) lines(r Result) string {
	var b strings.Builder
	for _, rec := range n.records {
		b.WriteString(rec + "\n")
	}
	for _, rec := range n.tail {
		b.WriteString(rec + " unterminated\n")
	}
	fmt.Fprintf(&b, "next %d, %d records, %d damaged, tail %d", r.Next, r.Records, r.Damaged, r.Tail)
	return b.String()
}

// scan returns the outcome of scanning text in blocks of a size.
func (p *probe) scan(tb testing.TB, text string, block int) string {
	tb.Helper()
	n := p.notes()
	res, err := newScanner(p.schema, block).Scan(strings.NewReader(text), 0, -1, n)
	if err != nil {
		tb.Fatalf("block %d: %v", block, err)
	}
	return n.lines(res)
}

// scanAll is scan with blocks of every size up to the text's, which must not
// make a difference.
func (p *probe) scanAll(tb testing.TB, text string) string {
	tb.Helper()
	want := p.scan(tb, text, len(text)+1)
	for block := 1; block <= len(text); block++ {
		if got := p.scan(tb, text, block); got != want {
			tb.Fatalf("%q in blocks of %d bytes:\n%s\nin one block:\n%s", text, block, got, want)
		}
	}
	return want
}

// only hides every method of a reader but Read.
type only struct{ io.Reader }
