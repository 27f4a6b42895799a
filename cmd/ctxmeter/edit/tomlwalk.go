package edit

import (
	"strconv"
	"strings"
)

// Walk visits all parts of the text, in their order. An element of an array of
// tables is at its index, however it is written. The text is known to be valid.
func (t TOML) Walk(visit func(Part)) {
	w := tomlWalker{
		tomlScanner: tomlScanner{text: t.text, at: len(t.text) - len(strings.TrimPrefix(t.text, bom))},
		visit:       visit, nth: map[string]int{},
	}
	w.note = func(from, end int) { visit(Part{Kind: Comment, From: from, End: end}) }
	var table []string
	for w.blank(); w.at < len(w.text); w.blank() {
		if w.rest()[0] != '[' {
			w.member(table)
			continue
		}
		brackets := 1
		if strings.HasPrefix(w.rest(), "[[") {
			brackets = 2
		}
		w.at += brackets
		table = w.header(brackets == 2)
		w.take(strings.Repeat("]", brackets))
	}
}

type tomlWalker struct {
	tomlScanner
	visit func(Part)
	nth   map[string]int // the index of the last element, by the path of an array of tables
}

// blank passes over what says nothing, and visits comments.
func (w *tomlWalker) blank() {
	for {
		w.skip(" \t\r\n,")
		if !strings.HasPrefix(w.rest(), "#") {
			return
		}
		w.comment()
	}
}

// header visits the keys of a header, and returns the path of its table.
func (w *tomlWalker) header(element bool) (path []string) {
	keys, ok := w.keys()
	for n, k := range keys {
		path = append(path, k.word)
		w.visit(Part{Kind: Key, Path: path, Word: k.word, From: k.from, End: k.end})
		name := strings.Join(path, "\x00")
		at, known := w.nth[name]
		if element && n == len(keys)-1 {
			if known {
				at++
			}
			w.nth[name], known = at, true
		}
		if known {
			path = append(path, strconv.Itoa(at))
		}
	}
	if !ok { // cannot be: the text is valid
		w.at = len(w.text)
	}
	return path
}

// member visits a key and its value.
func (w *tomlWalker) member(table []string) {
	path := append([]string{}, table...)
	keys, ok := w.keys()
	for _, k := range keys {
		path = append(path, k.word)
		w.visit(Part{Kind: Key, Path: path, Word: k.word, From: k.from, End: k.end})
	}
	if w.skip(" \t"); !ok || !w.take("=") {
		w.at = len(w.text)
		return
	}
	w.skip(" \t")
	w.value(path)
}

// value visits the parts of a value.
func (w *tomlWalker) value(path []string) {
	from := w.at
	switch rest := w.rest(); {
	case rest == "":
	case rest[0] == '"' || rest[0] == '\'':
		if !w.quoted() {
			w.at = len(w.text)
		}
		word, ok := wordOf(w.text[from:w.at])
		if !ok {
			word = ""
		}
		w.visit(Part{Kind: Text, Path: path, Word: word, From: from, End: w.at})
	case rest[0] == '[':
		w.at++
		for n := 0; ; n++ {
			if w.blank(); w.at >= len(w.text) || w.take("]") {
				w.visit(Part{Kind: Group, Path: path, From: from, End: w.at})
				return
			}
			before := w.at
			if w.value(append(path[:len(path):len(path)], strconv.Itoa(n))); w.at == before {
				w.at = len(w.text)
			}
		}
	case rest[0] == '{':
		w.at++
		for {
			if w.blank(); w.at >= len(w.text) || w.take("}") {
				w.visit(Part{Kind: Group, Path: path, From: from, End: w.at})
				return
			}
			w.member(path)
		}
	default:
		end := strings.IndexAny(rest, ",]}#\r\n")
		if end < 0 {
			end = len(rest)
		}
		w.at += len(strings.TrimRight(rest[:end], " \t"))
		w.visit(Part{Kind: Plain, Path: path, From: from, End: w.at})
	}
}

// wordOf is what a string of any of the four kinds says.
func wordOf(text string) (string, bool) {
	for _, quote := range []string{`"""`, `'''`} {
		inner, ok := strings.CutPrefix(text, quote)
		if !ok || len(text) < 2*len(quote) {
			continue
		}
		inner = strings.TrimSuffix(inner, quote)
		inner = strings.TrimPrefix(inner, leadingEOL(inner))
		return inner, quote[0] == '\'' || !strings.Contains(inner, `\`)
	}
	return unquoteTOML(text)
}
