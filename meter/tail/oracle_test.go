package tail

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// value is a JSON document as encoding/json's tokens have it, with duplicate
// keys still in place.
type value struct {
	kind Kind
	raw  string // of a number or literal
	text string // of a string
	keys []string
	vals []*value
}

func parse(line []byte) *value {
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	return parseValue(d)
}

func parseValue(d *json.Decoder) *value {
	tok, err := d.Token()
	if err != nil {
		panic(err)
	}
	switch t := tok.(type) {
	case json.Delim:
		v := &value{kind: List}
		if t == '{' {
			v.kind = Object
		}
		for d.More() {
			if v.kind == Object {
				key, err := d.Token()
				if err != nil {
					panic(err)
				}
				v.keys = append(v.keys, key.(string))
			}
			v.vals = append(v.vals, parseValue(d))
		}
		if _, err := d.Token(); err != nil {
			panic(err)
		}
		return v
	case string:
		return &value{kind: String, text: t}
	case json.Number:
		return &value{kind: Number, raw: t.String()}
	case bool:
		return &value{kind: Bool, raw: fmt.Sprint(t)}
	default:
		return &value{kind: Null, raw: "null"}
	}
}

// want is what notes has to say of a record, worked out on the document.
func (p *probe) want(v *value) string {
	root := named(p)
	var b strings.Builder
	for _, f := range p.fields {
		b.WriteString(wantField(v, f, f))
	}
	for _, c := range p.counters {
		b.WriteString(wantCounter(v, root, c, ""))
	}
	b.WriteString(p.wantElements(v, root, -1))
	return b.String()
}

func (p *probe) wantElements(v *value, root *branch, a int) string {
	prefix := ""
	if a >= 0 {
		prefix = p.arrays[a]
	}
	var b strings.Builder
	for i, around := range p.inside {
		if around != a {
			continue
		}
		array := p.arrays[i]
		for _, item := range items(v, strings.TrimPrefix(array, prefix)) {
			b.WriteString(" <" + array)
			for _, f := range p.fields {
				if under(f, array) {
					b.WriteString(wantField(item, strings.TrimPrefix(f, array), f))
				}
			}
			for _, c := range p.counters {
				if under(c, array) {
					b.WriteString(wantCounter(item, root, c, array))
				}
			}
			b.WriteString(p.wantElements(item, root, i) + ">")
		}
	}
	return b.String()
}

// steps splits a path into keys and "[]".
func steps(path string) []string {
	return strings.FieldsFunc(strings.ReplaceAll(path, "[]", ".[]"), func(r rune) bool { return r == '.' })
}

// last follows a path to the last value it names.
func last(v *value, path []string) *value {
	for _, s := range path {
		if v == nil {
			return nil
		}
		v = step(v, s)
	}
	return v
}

func step(v *value, s string) *value {
	switch {
	case s == "[]" && v.kind == List && len(v.vals) > 0:
		return v.vals[len(v.vals)-1]
	case s != "[]" && v.kind == Object:
		for i, k := range slices.Backward(v.keys) {
			if k == s {
				return v.vals[i]
			}
		}
	}
	return nil
}

func items(v *value, path string) []*value {
	s := steps(path)
	if v = last(v, s[:len(s)-1]); v == nil || v.kind != List {
		return nil
	}
	return v.vals
}

func wantField(v *value, path, name string) string {
	v = last(v, steps(path))
	if v == nil {
		return ""
	}
	switch v.kind {
	case String:
		return fmt.Sprintf(" %s=%q", name, v.text)
	case Object:
		return " " + name + "={}"
	case List:
		return " " + name + "=[]"
	}
	return " " + name + "=" + v.raw
}

// wantCounter works out a request on v, which is found at the path from.
func wantCounter(v *value, at *branch, request, from string) string {
	verb, path, _ := strings.Cut(request, " ")
	for _, s := range steps(from) {
		at = at.step(s)
	}
	path, deep := strings.CutSuffix(path, ".**")
	var total Counts
	each(v, at, steps(strings.TrimPrefix(path, from)), func(v *value, at *branch) {
		switch {
		case verb == "json":
			total.Add(countText(compact(v, at)))
		case deep:
			total.Add(countStrings(v, at))
		case v.kind == String:
			total.Add(countText(v.text))
		}
	})
	return counterNote(request, total)
}

// named is the tree of the schema's paths: duplicates of a key are only told
// apart where one stands.
func named(p *probe) *branch { return &p.schema.root }

func (b *branch) step(s string) *branch {
	if b == nil {
		return nil
	}
	if s == "[]" {
		return b.items
	}
	for _, k := range b.kids {
		if k.key == s {
			return k
		}
	}
	return nil
}

// each calls do for every value at a path.
func each(v *value, at *branch, path []string, do func(*value, *branch)) {
	switch {
	case v == nil:
	case len(path) == 0:
		do(v, at)
	case path[0] == "[]" && v.kind == List:
		for _, item := range v.vals {
			each(item, at.step("[]"), path[1:], do)
		}
	case path[0] != "[]":
		each(step(v, path[0]), at.step(path[0]), path[1:], do)
	}
}

// members calls do for the members of an object that count: all of them, but
// of a key that the schema names only the last.
func members(v *value, at *branch, do func(key string, v *value, at *branch)) {
	for i, k := range v.keys {
		kid := at.step(k)
		if kid == nil || !slices.Contains(v.keys[i+1:], k) {
			do(k, v.vals[i], kid)
		}
	}
}

func countStrings(v *value, at *branch) (c Counts) {
	switch v.kind {
	case String:
		return countText(v.text)
	case Object:
		members(v, at, func(_ string, v *value, at *branch) { c.Add(countStrings(v, at)) })
	case List:
		for _, item := range v.vals {
			c.Add(countStrings(item, at.step("[]")))
		}
	}
	return c
}

// compact is v as JSON without blanks, strings not escaped.
func compact(v *value, at *branch) string {
	var parts []string
	switch v.kind {
	case String:
		return `"` + v.text + `"`
	case Object:
		members(v, at, func(k string, v *value, at *branch) { parts = append(parts, `"`+k+`":`+compact(v, at)) })
		return "{" + strings.Join(parts, ",") + "}"
	case List:
		for _, item := range v.vals {
			parts = append(parts, compact(item, at.step("[]")))
		}
		return "[" + strings.Join(parts, ",") + "]"
	}
	return v.raw
}

var (
	aString = regexp.MustCompile(`(?s)"(\\.|[^"\\])*"`)
	aNumber = regexp.MustCompile(`[-0-9][-+.0-9eE]*`)
)

// lenient says whether line is a record to the scanner, which does not look
// into strings and numbers.
func lenient(line []byte) bool {
	line = aString.ReplaceAllLiteral(line, []byte(`""`))
	line = aNumber.ReplaceAllLiteral(line, []byte(`0`))
	return len(line) > 0 && line[0] == '{' && json.Valid(line)
}
