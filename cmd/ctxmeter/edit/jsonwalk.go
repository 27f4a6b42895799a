package edit

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// Walk visits all parts of the text, in their order.
func (j JSON) Walk(visit func(Part)) {
	var (
		path []string // one step for each container that is open
		open []byte
		nth  []int
		name bool // the next string is a key
	)
	text := j.text
	here := func(kind Kind, from, end int) {
		p := Part{Kind: kind, Path: path, From: from, End: end}
		if kind != Plain {
			_ = json.Unmarshal(text[from:end], &p.Word)
		}
		if kind == Key {
			path[len(path)-1] = p.Word
		}
		visit(p)
	}
	for at := len(text) - len(bytes.TrimPrefix(text, []byte(bom))); at < len(text); {
		top := len(open) - 1
		switch c := text[at]; c {
		case ' ', '\t', '\r', '\n':
			at++
		case ':':
			name = false
			at++
		case ',':
			if name = open[top] == '{'; !name {
				nth[top]++
				path[top] = strconv.Itoa(nth[top])
			}
			at++
		case '{', '[':
			open, nth, path = append(open, c), append(nth, 0), append(path, "0")
			name = c == '{'
			at++
		case '}', ']':
			open, nth, path = open[:top], nth[:top], path[:top]
			name = false
			at++
		default:
			kind, end := Plain, skipValue(text, at)
			switch {
			case name:
				kind = Key
			case c == '"':
				kind = Text
			}
			here(kind, at, end)
			at = end
		}
	}
}
