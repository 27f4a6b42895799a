package edit

import (
	"fmt"
	"strconv"
	"strings"
)

// line is a part of a TOML text: a table's header, or a key with its value,
// which may go over several lines. Comments and empty lines are no parts.
type line struct {
	keys   []string // of a key: as it is written, without its table
	header int      // brackets: 1 is a table, 2 an element of an array of tables
	from   int      // the beginning of its first line
	end    int      // the end of what it says, comment included, line end not
	value  int      // where the value begins,
	valEnd int      // and ends
	note   int      // where the comment behind it begins, 0 if there is none
}

// scanTOML takes a text apart that a decoder has accepted. What it does not
// understand it refuses all the same.
func scanTOML(text string) (out []line, err error) {
	s := tomlScanner{text: text, at: len(text) - len(strings.TrimPrefix(text, bom))}
	for {
		s.skip(" \t\r\n")
		switch {
		case s.at >= len(text):
			return out, nil
		case text[s.at] == '#':
			s.comment()
			continue
		}
		l, ok := s.line()
		if !ok {
			return nil, fmt.Errorf("%w: line %d cannot be understood", ErrBroken, 1+strings.Count(text[:min(s.at, len(text))], "\n"))
		}
		out = append(out, l)
	}
}

type tomlScanner struct {
	text string
	at   int
	note func(from, end int) // is told of comments, unless nil
}

func (s *tomlScanner) rest() string { return s.text[s.at:] }

func (s *tomlScanner) skip(set string) {
	s.at = len(s.text) - len(strings.TrimLeft(s.rest(), set))
}

func (s *tomlScanner) comment() {
	from := s.at
	if end := strings.IndexByte(s.rest(), '\n'); end >= 0 {
		s.at += end
	} else {
		s.at = len(s.text)
	}
	if s.note != nil {
		s.note(from, from+len(strings.TrimRight(s.text[from:s.at], "\r")))
	}
}

func (s *tomlScanner) take(prefix string) bool {
	if !strings.HasPrefix(s.rest(), prefix) {
		return false
	}
	s.at += len(prefix)
	return true
}

func (s *tomlScanner) line() (l line, ok bool) {
	l.from = s.at
	for l.from > 0 && (s.text[l.from-1] == ' ' || s.text[l.from-1] == '\t') {
		l.from--
	}
	for s.take("[") {
		l.header++
	}
	keys, ok := s.keys()
	if !ok || l.header > 2 {
		return l, false
	}
	for _, k := range keys {
		l.keys = append(l.keys, k.word)
	}
	if l.header > 0 {
		if !s.take(strings.Repeat("]", l.header)) {
			return l, false
		}
	} else {
		if !s.take("=") {
			return l, false
		}
		s.skip(" \t")
		l.value = s.at
		if !s.tomlValue() {
			return l, false
		}
		l.valEnd = s.at
	}
	s.skip(" \t")
	if strings.HasPrefix(s.rest(), "#") {
		l.note = s.at
		s.comment()
	}
	l.end = s.at
	if strings.HasSuffix(s.text[:l.end], "\r") {
		l.end--
	}
	return l, s.at == len(s.text) || s.text[s.at] == '\n' || strings.HasPrefix(s.rest(), "\r\n")
}

// tomlKey is one of the keys between dots.
type tomlKey struct {
	word      string
	from, end int
}

// keys reads a key with dots.
func (s *tomlScanner) keys() (out []tomlKey, ok bool) {
	for {
		s.skip(" \t")
		from := s.at
		key, ok := s.key()
		if !ok {
			return nil, false
		}
		out = append(out, tomlKey{key, from, s.at})
		s.skip(" \t")
		if !s.take(".") {
			return out, true
		}
	}
}

func (s *tomlScanner) key() (string, bool) {
	from := s.at
	switch {
	case strings.HasPrefix(s.rest(), `"`), strings.HasPrefix(s.rest(), "'"):
		if !s.quoted() {
			return "", false
		}
		return unquoteTOML(s.text[from:s.at])
	}
	s.at = len(s.text) - len(strings.TrimLeft(s.rest(), "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"))
	return s.text[from:s.at], s.at > from
}

// quoted skips a string of any of the four kinds.
func (s *tomlScanner) quoted() bool {
	quote := s.rest()[:1]
	if triple := strings.Repeat(quote, 3); s.take(triple) {
		for s.at < len(s.text) {
			switch {
			case quote == `"` && s.take(`\`):
				s.at++
			case s.take(triple):
				for range 2 { // up to two quotes may stand before the end
					s.take(quote)
				}
				return true
			default:
				s.at++
			}
		}
		return false
	}
	for s.at++; s.at < len(s.text); {
		switch {
		case s.text[s.at] == '\n':
			return false
		case quote == `"` && s.take(`\`):
			s.at++
		case s.take(quote):
			return true
		default:
			s.at++
		}
	}
	return false
}

// tomlValue skips a value: to the end of the line, or of its brackets.
func (s *tomlScanner) tomlValue() bool {
	from, depth := s.at, 0
	for s.at < len(s.text) {
		switch c := s.text[s.at]; {
		case c == '"' || c == '\'':
			if !s.quoted() {
				return false
			}
			continue
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			depth--
		case c == '#' && depth > 0:
			s.comment()
			continue
		case depth == 0 && (c == '#' || c == '\n'):
			s.at = from + len(strings.TrimRight(s.text[from:s.at], " \t\r"))
			return s.at > from
		}
		s.at++
		if depth < 0 {
			return false
		}
	}
	s.at = min(s.at, len(s.text))
	s.at = from + len(strings.TrimRight(s.text[from:s.at], " \t\r"))
	return depth == 0 && s.at > from
}

// unquoteTOML is the content of a string on one line.
func unquoteTOML(text string) (string, bool) {
	if inner, ok := strings.CutPrefix(text, "'"); ok {
		return strings.CutSuffix(inner, "'")
	}
	// TOML has one escape that Go has not; Go has others, which the decoder
	// has refused.
	out, err := strconv.Unquote(strings.ReplaceAll(text, `\e`, `\x1b`))
	return out, err == nil
}
