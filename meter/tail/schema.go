package tail

import (
	"fmt"
	"strings"
)

// Field names a captured scalar of a record.
type Field int

// Counter names an amount of text in a record.
type Counter int

// Array names an array whose items are reported one by one.
type Array int

// Schema says what a scan keeps of a record. Paths are object keys joined by
// dots; "[]" after a key steps into the items of an array:
//
//	type                     {"type": …}
//	message.content[].text   {"message": {"content": [{"text": …}]}}
//
// Several requests may share a path or a part of one, and a value may be a
// string in some records and an object or array in others. Asking for a path
// that cannot be is a mistake in the program and panics.
type Schema struct {
	root     branch
	fields   []fieldSpec
	counters []counterSpec
	arrays   []*branch // the items of each Array
}

// branch is a path: a node of the tree of all paths that were asked for.
type branch struct {
	key   string
	kids  []*branch
	items *branch // what "[]" leads to
	keep  int     // most raw bytes any Field wants of the scalar here
	array int     // 1 + the Array these items were asked for as; 0 for none
}

type fieldSpec struct {
	at    *branch
	limit int
}

type counterSpec struct {
	at  *branch
	how counting
}

// counting says what of a value a counter counts.
type counting uint8

const (
	countOwn  counting = iota // the string itself
	countDeep                 // the string, or every string below
	countJSON                 // the compact JSON text
)

// NewSchema returns a schema that asks for nothing.
func NewSchema() *Schema { return &Schema{} }

// Capture asks for the scalar at path. At most limit bytes of its raw text are
// kept; Record.Truncated tells whether there were more. Of an object or array
// only the kind is kept. Below an array that is no Array the last item's value
// counts.
func (s *Schema) Capture(path string, limit int) Field {
	at := s.branch(path, path)
	at.keep = max(at.keep, limit)
	s.fields = append(s.fields, fieldSpec{at, max(limit, 0)})
	return Field(len(s.fields) - 1)
}

// Count asks for the characters of the string at path; other values count
// nothing. With a trailing ".**" every string value at or below the path
// counts, keys do not. Below an array that is no Array the items add up.
//
// Duplicate keys below ".**" that the schema does not name all count: to know
// them the scanner would have to remember every key.
func (s *Schema) Count(path string) Counter {
	how := countOwn
	at, deep := strings.CutSuffix(path, ".**")
	if path == "**" {
		at, deep = "", true
	}
	if deep {
		how = countDeep
	}
	return s.count(at, path, how)
}

// CountJSON asks for the characters of the value at path as compact JSON:
// structure, keys and numbers as written, strings in their quotes with the
// escapes decoded, no blanks between tokens. What Count says about duplicate
// keys holds here too.
func (s *Schema) CountJSON(path string) Counter { return s.count(path, path, countJSON) }

func (s *Schema) count(at, path string, how counting) Counter {
	s.counters = append(s.counters, counterSpec{s.branch(at, path), how})
	return Counter(len(s.counters) - 1)
}

// Each asks for the items of the array at path, which ends in "[]":
// Handler.Element is called at the end of every one of them.
func (s *Schema) Each(path string) Array {
	if !strings.HasSuffix(path, "[]") {
		panic(fmt.Sprintf("tail: Each(%q): the path of an array's items ends in []", path))
	}
	at := s.branch(path, path)
	if at.array == 0 {
		s.arrays = append(s.arrays, at)
		at.array = len(s.arrays)
	}
	return Array(at.array - 1)
}

// branch finds or makes the branch at a path; asked is the path as the caller
// wrote it.
func (s *Schema) branch(path, asked string) *branch {
	at := &s.root
	if path == "" {
		return at
	}
	for part := range strings.SplitSeq(path, ".") {
		key, steps := part, 0
		for strings.HasSuffix(key, "[]") {
			key, steps = key[:len(key)-2], steps+1
		}
		if key == "" || strings.ContainsAny(key, `\[]*`) {
			panic(fmt.Sprintf("tail: path %q: %q is no key", asked, part))
		}
		at = at.kid(key)
		for range steps {
			if at.items == nil {
				at.items = &branch{}
			}
			at = at.items
		}
	}
	return at
}

func (b *branch) kid(key string) *branch {
	for _, k := range b.kids {
		if k.key == key {
			return k
		}
	}
	k := &branch{key: key}
	b.kids = append(b.kids, k)
	return k
}
