package edit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// ErrBroken is a text that is not what its format asks for.
var ErrBroken = errors.New("it is broken")

// bom is the byte order mark that editors on Windows put before a text. Claude
// Code reads settings with one (2.1.197).
const bom = "\xef\xbb\xbf"

// JSON is a strict JSON text whose outermost value is an object, or a text
// without any value yet. It is never changed in place.
type JSON struct{ text []byte }

// ParseJSON looks whether the text can be edited. Comments are refused, as the
// clients refuse them: a settings file with comments is ignored as a whole
// (Claude Code 2.1.197).
func ParseJSON(text []byte) (JSON, error) {
	rest := bytes.TrimPrefix(text, []byte(bom))
	if skipSpace(rest, 0) == len(rest) {
		return JSON{text}, nil
	}
	var any json.RawMessage
	if err := json.Unmarshal(rest, &any); err != nil {
		if e, ok := errors.AsType[*json.SyntaxError](err); ok {
			line := 1 + bytes.Count(rest[:min(int(e.Offset), len(rest))], []byte("\n"))
			return JSON{}, fmt.Errorf("%w: no valid JSON in line %d", ErrBroken, line)
		}
		return JSON{}, fmt.Errorf("%w: no valid JSON", ErrBroken)
	}
	if first := bytes.TrimLeft(rest, " \t\r\n")[0]; first != '{' {
		return JSON{}, fmt.Errorf("%w: there is no object in it", ErrBroken)
	}
	return JSON{text}, nil
}

// Text is the text as it stands.
func (j JSON) Text() []byte { return j.text }

// Blank reports whether the text has nothing in it but an empty object.
func (j JSON) Blank() bool {
	root, ok := j.root()
	return !ok || len(root.items) == 0
}

// item is a member of an object or an element of an array.
type item struct {
	key      string
	from     int // where it begins: at its key, if it has one
	at, end  int // its value
	colonEnd string
}

// container is an object or an array, with what is directly in it.
type container struct {
	open, shut int // the brackets
	items      []item
}

func (j JSON) root() (container, bool) {
	at := skipSpace(j.text, len(j.text)-len(bytes.TrimPrefix(j.text, []byte(bom))))
	if at == len(j.text) {
		return container{}, false
	}
	return j.container(at), true
}

// container lists what is directly in the object or array that begins at at.
// The text is known to be valid.
func (j JSON) container(at int) container {
	c := container{open: at}
	object := j.text[at] == '{'
	for at = skipSpace(j.text, at+1); ; at = skipSpace(j.text, at) {
		switch j.text[at] {
		case '}', ']':
			c.shut = at
			return c
		case ',':
			at++
			continue
		}
		it := item{from: at, at: at}
		if object {
			end := skipValue(j.text, at)
			_ = json.Unmarshal(j.text[at:end], &it.key)
			it.at = skipSpace(j.text, skipSpace(j.text, end)+1)
			it.colonEnd = string(j.text[end:it.at])
		}
		it.end = skipValue(j.text, it.at)
		c.items = append(c.items, it)
		at = it.end
	}
}

func skipSpace(text []byte, at int) int {
	for at < len(text) && (text[at] == ' ' || text[at] == '\t' || text[at] == '\r' || text[at] == '\n') {
		at++
	}
	return at
}

// skipValue is the end of the value that begins at at.
func skipValue(text []byte, at int) int {
	for depth := 0; at < len(text); at++ {
		switch text[at] {
		case '"':
			for at++; text[at] != '"'; at++ {
				if text[at] == '\\' {
					at++
				}
			}
			if depth == 0 {
				return at + 1
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return at
			}
			if depth--; depth == 0 {
				return at + 1
			}
		case ',', ' ', '\t', '\r', '\n':
			if depth == 0 {
				return at
			}
		}
	}
	return at
}

// member is the index of a key, -1 if there is none. Of several the last one
// counts, as for the clients (Claude Code 2.1.197).
func (c container) member(key string) int {
	for i, it := range slices.Backward(c.items) {
		if it.key == key {
			return i
		}
	}
	return -1
}

// find is the place of the value at a path of keys and indexes.
func (j JSON) find(path []string) (item, bool) {
	root, ok := j.root()
	if !ok {
		return item{}, false
	}
	it := item{from: root.open, at: root.open, end: root.shut + 1}
	for _, key := range path {
		c, i := j.child(it, key)
		if i < 0 {
			return item{}, false
		}
		it = c.items[i]
	}
	return it, true
}

// child is what a value holds under a key, which of an array is an index; -1 if
// there is nothing.
func (j JSON) child(of item, key string) (container, int) {
	switch j.text[of.at] {
	case '{':
		c := j.container(of.at)
		return c, c.member(key)
	case '[':
		c := j.container(of.at)
		if i, err := strconv.Atoi(key); err == nil && i >= 0 && i < len(c.items) {
			return c, i
		}
		return c, -1
	}
	return container{}, -1
}

// Value is the text of the value at a path of keys.
func (j JSON) Value(path ...string) (json.RawMessage, bool) {
	it, ok := j.find(path)
	if !ok {
		return nil, false
	}
	return json.RawMessage(j.text[it.at:it.end]), true
}

// Keys are the keys of the object at a path, and Elements the texts of the
// elements of the array there; none if there is something else.
func (j JSON) Keys(path ...string) (out []string) {
	it, ok := j.find(path)
	if !ok || j.text[it.at] != '{' {
		return nil
	}
	for _, m := range j.container(it.at).items {
		out = append(out, m.key)
	}
	return out
}

// Elements returns the elements of the array at a path, nil if there is none.
func (j JSON) Elements(path ...string) (out []json.RawMessage) {
	it, ok := j.find(path)
	if !ok || j.text[it.at] != '[' {
		return nil
	}
	for _, e := range j.container(it.at).items {
		out = append(out, json.RawMessage(j.text[e.at:e.end]))
	}
	return out
}

// splice is the text with something else in the place of some of it.
func splice(text []byte, from, to int, with string) []byte {
	return slices.Concat(text[:from], []byte(with), text[to:])
}

// pointer is the name of a path in an Undo.
func pointer(path []string) string { return "/" + strings.Join(path, "/") }
