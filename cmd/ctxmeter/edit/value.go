package edit

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Object and List are JSON values that are to be put into a text. The members
// of an object keep their order.
type (
	Object []Member
	Member struct {
		Key   string
		Value any // Object, List, string or int
	}
	List []any
)

// layout is how a value is written: on one line, or with line ends and the
// indentation of the text around it.
type layout struct {
	eol    string // "" is on one line
	unit   string // one step of indentation
	indent string // of the line that the value begins on
	colon  string // between a key and its value
	comma  string // between two values on one line
}

func (l layout) deeper() layout {
	l.indent += l.unit
	return l
}

func (l layout) write(b *strings.Builder, value any) {
	switch v := value.(type) {
	case Object:
		l.items(b, '{', '}', len(v), func(l layout, i int) { l.member(b, v[i].Key, v[i].Value) })
	case List:
		// A list of plain words is short, and reads better on one line.
		if !nested(v) {
			l.eol = ""
			if l.unit != "" {
				l.comma = ", "
			}
		}
		l.items(b, '[', ']', len(v), func(l layout, i int) { l.write(b, v[i]) })
	default:
		b.WriteString(literal(v))
	}
}

func (l layout) member(b *strings.Builder, key string, value any) {
	b.WriteString(literal(key) + l.colon)
	l.write(b, value)
}

func (l layout) items(b *strings.Builder, open, end byte, n int, item func(layout, int)) {
	b.WriteByte(open)
	for i := range n {
		switch {
		case l.eol != "" && i > 0:
			b.WriteString("," + l.eol + l.indent + l.unit)
		case l.eol != "":
			b.WriteString(l.eol + l.indent + l.unit)
		case i > 0:
			b.WriteString(l.comma)
		}
		item(l.deeper(), i)
	}
	if l.eol != "" && n > 0 {
		b.WriteString(l.eol + l.indent)
	}
	b.WriteByte(end)
}

func nested(list List) bool {
	for _, v := range list {
		switch v.(type) {
		case Object, List:
			return true
		}
	}
	return false
}

// literal is a plain value as JSON.
func literal(v any) string {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil { // cannot be: only plain values are written
		panic(err)
	}
	return strings.TrimSuffix(out.String(), "\n")
}
