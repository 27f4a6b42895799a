package calibrate

import (
	"bytes"
	"encoding/json"
	"strings"
)

// linewise is v, an object of lists, as JSON with a line for each of its fields
// and for each entry of a list.
func linewise(v any) ([]byte, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	const lines = 2 // depths whose parts have lines of their own
	var b bytes.Buffer
	depth, text := 0, false
	next := func() { b.WriteString("\n" + strings.Repeat("  ", depth)) }
	for i, c := range data {
		switch {
		case text:
			b.WriteByte(c)
			escaped := c == '"' && backslashes(data[:i])%2 == 1
			text = c != '"' || escaped
			continue
		case c == '}' || c == ']':
			depth--
			if depth < lines && !opens(data[i-1]) {
				next()
			}
		}
		b.WriteByte(c)
		switch {
		case c == '"':
			text = true
		case opens(c):
			if depth++; depth <= lines && data[i+1] != c+2 {
				next()
			}
		case c == ',' && depth <= lines:
			next()
		case c == ',' || c == ':':
			b.WriteByte(' ')
		}
	}
	b.WriteByte('\n')
	return b.Bytes(), nil
}

func opens(c byte) bool { return c == '{' || c == '[' }

// backslashes is how many of them end a text.
func backslashes(data []byte) int {
	return len(data) - len(bytes.TrimRight(data, `\`))
}
