package edit

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// An Undo is what has to be known, besides the text, to take things out again
// so that nothing of them stays: containers that were put in for them go with
// them, and one that had nothing in it gets back what stood between its
// brackets. It may be kept as JSON.
type Undo struct {
	Made  []string          `json:"made,omitempty"`
	Empty map[string]string `json:"empty,omitempty"`
}

func (u *Undo) made(path []string) {
	if p := pointer(path); !slices.Contains(u.Made, p) {
		u.Made = append(u.Made, p)
	}
}

func (u *Undo) empty(path []string, inner string) {
	p := pointer(path)
	if _, known := u.Empty[p]; known || slices.Contains(u.Made, p) {
		return
	}
	if u.Empty == nil {
		u.Empty = map[string]string{}
	}
	u.Empty[p] = inner
}

// Set gives a member a value: behind the other members if it is new, else in
// the place of the old value. Objects on the way to it are made.
func (j JSON) Set(u *Undo, value any, path ...string) (JSON, error) {
	if it, ok := j.find(path); ok {
		var b strings.Builder
		l := j.layout()
		l.eol = ""
		l.write(&b, value)
		return JSON{splice(j.text, it.at, it.end, b.String())}, nil
	}
	return j.put(u, value, path)
}

// Append puts a value behind the elements of an array, which is made if there
// is none.
func (j JSON) Append(u *Undo, value any, path ...string) (JSON, error) {
	it, ok := j.find(path)
	if !ok {
		next, err := j.put(u, List{value}, path)
		if err == nil {
			u.made(path)
		}
		return next, err
	}
	if j.text[it.at] != '[' {
		return j, fmt.Errorf("%s is no array", strings.Join(path, "."))
	}
	return j.insert(u, path, j.container(it.at), "", value), nil
}

// put makes a member that is not there.
func (j JSON) put(u *Undo, value any, path []string) (JSON, error) {
	if _, ok := j.root(); !ok {
		next := JSON{append(slices.Clone(j.text), "{}\n"...)}
		u.made(nil)
		return next.put(u, value, path)
	}
	depth := len(path) - 1
	for ; depth > 0; depth-- {
		if _, ok := j.find(path[:depth]); ok {
			break
		}
	}
	it, _ := j.find(path[:depth])
	if j.text[it.at] != '{' {
		return j, fmt.Errorf("%s is no object", strings.Join(path[:depth], "."))
	}
	for i := len(path) - 1; i > depth; i-- {
		value = Object{{path[i], value}}
	}
	next := j.insert(u, path[:depth], j.container(it.at), path[depth], value)
	for i := depth + 1; i < len(path); i++ {
		u.made(path[:i])
	}
	return next, nil
}

// insert puts something behind what is in a container, in the way in which
// that is laid out.
func (j JSON) insert(u *Undo, path []string, c container, key string, value any) JSON {
	l := j.layout()
	var b strings.Builder
	write := func() {
		if j.text[c.open] == '{' {
			l.member(&b, key, value)
		} else {
			l.write(&b, value)
		}
	}
	if len(c.items) == 0 {
		inner := string(j.text[c.open+1 : c.shut])
		u.empty(path, inner)
		base := j.indentation(c.open)
		l.indent = base + l.unit
		if l.eol != "" {
			b.WriteString(l.eol + l.indent)
		}
		write()
		if l.eol != "" {
			b.WriteString(l.eol + base)
		}
		return JSON{splice(j.text, c.open+1, c.shut, b.String())}
	}
	gap := string(j.text[c.open+1 : c.items[0].from])
	b.WriteByte(',')
	if end := strings.LastIndexByte(gap, '\n'); end >= 0 {
		l.indent = gap[end+1:]
		l.eol = lineEnd(gap)
		b.WriteString(l.eol + l.indent)
	} else {
		l.eol = ""
		b.WriteString(strings.TrimPrefix(j.between(c, l), ","))
	}
	write()
	last := c.items[len(c.items)-1].end
	return JSON{splice(j.text, last, last, b.String())}
}

// between is what stands between two items on one line.
func (j JSON) between(c container, l layout) string {
	if len(c.items) > 1 {
		if gap := string(j.text[c.items[0].end:c.items[1].from]); strings.HasPrefix(gap, ",") && !strings.Contains(gap, "\n") {
			return gap
		}
	}
	return l.comma
}

// layout is how the text is laid out, as far as its outermost object shows.
func (j JSON) layout() layout {
	l := layout{eol: "\n", unit: "  ", colon: ": ", comma: ", "}
	if bytes.Contains(j.text, []byte("\r\n")) {
		l.eol = "\r\n"
	}
	root, ok := j.root()
	if !ok || len(root.items) == 0 {
		return l
	}
	gap := string(j.text[root.open+1 : root.items[0].from])
	if end := strings.LastIndexByte(gap, '\n'); end >= 0 {
		l.eol, l.unit = lineEnd(gap), gap[end+1:]
	} else {
		l.eol = ""
	}
	if colon := root.items[0].colonEnd; !strings.ContainsAny(colon, "\r\n") {
		l.colon = colon
	}
	if !strings.HasSuffix(l.colon, " ") {
		l.comma = ","
	}
	return l
}

func lineEnd(text string) string {
	if strings.Contains(text, "\r\n") {
		return "\r\n"
	}
	return "\n"
}

// indentation is the white space that the line of a place begins with.
func (j JSON) indentation(at int) string {
	start := bytes.LastIndexByte(j.text[:at], '\n') + 1
	end := start
	for end < at && (j.text[end] == ' ' || j.text[end] == '\t') {
		end++
	}
	return string(j.text[start:end])
}

// SetText puts the text of a value back in the place of another one.
func (j JSON) SetText(text string, path ...string) (JSON, error) {
	it, ok := j.find(path)
	if !ok {
		return j, fmt.Errorf("%s is not there", strings.Join(path, "."))
	}
	return JSON{splice(j.text, it.at, it.end, text)}, nil
}
