package edit

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// TOML is a TOML text, taken apart. It is never changed in place.
type TOML struct {
	text  string
	lines []line
}

// A Decoder tells what a TOML text says, as maps and slices.
type Decoder func(text string) (map[string]any, error)

// ParseTOML looks whether the text can be edited: whether a decoder accepts
// it, and this package understands the same. Nothing in it is changed by what
// is put behind it, so this is mostly about what is there already.
func ParseTOML(text []byte, decode Decoder) (TOML, error) {
	if _, err := decode(string(text)); err != nil {
		return TOML{}, fmt.Errorf("%w: %w", ErrBroken, err)
	}
	lines, err := scanTOML(string(text))
	return TOML{string(text), lines}, err
}

// Text is the text as it stands.
func (t TOML) Text() []byte { return []byte(t.text) }

// Blank reports whether the text has nothing in it, not even a comment.
func (t TOML) Blank() bool { return strings.TrimSpace(strings.TrimPrefix(t.text, bom)) == "" }

// A Seam is what was put around a block of lines to keep it apart from the
// text around it. It may be kept as JSON.
type Seam struct {
	Before string `json:"before"`
	After  string `json:"after"`
}

// The ways to write a table that no other table can be put into without
// changing what is there. Both say of what they are; [errors.Is] ErrInline
// holds for both.
var (
	ErrInline       = errors.New("is written as one value, in brackets")
	ErrDotted error = dotted{}
)

// dotted is the error of a table that is written by keys with dots.
type dotted struct{}

func (dotted) Error() string        { return "is written by keys with dots" }
func (dotted) Is(target error) bool { return target == ErrInline }

// AppendTable puts a block of lines, which begins with the header of a table
// below the given keys, behind the text. The lines end in "\n" here, and as
// the text's own lines do there.
func (t TOML) AppendTable(block string, below ...string) (TOML, Seam, error) {
	if err := t.open(below); err != nil {
		return t, Seam{}, err
	}
	eol := t.eol()
	block = strings.ReplaceAll(strings.TrimSuffix(block, "\n"), "\n", eol)
	seam := Seam{After: eol}
	switch {
	case strings.TrimPrefix(t.text, bom) == "":
	case !strings.HasSuffix(t.text, "\n"):
		seam = Seam{Before: eol + eol}
	case !strings.HasSuffix(t.text, "\n"+eol):
		seam.Before = eol
	}
	next := t.text + seam.Before + block + seam.After
	lines, err := scanTOML(next)
	return TOML{next, lines}, seam, err
}

// open reports why a table at a path, or the header of another element of an
// array of tables there, could not be put behind the text.
func (t TOML) open(path []string) error {
	for i := range path {
		for _, l := range t.under(path[:i]) {
			switch n := min(len(l.keys), len(path)-i); {
			case l.keys[0] != path[i]:
			case len(l.keys) == 1:
				return fmt.Errorf("%s %w", strings.Join(path[:i+1], "."), ErrInline)
			case slices.Equal(l.keys[:n], path[i:i+n]) && n == len(l.keys):
				return fmt.Errorf("%s %w", strings.Join(path[:i+n], "."), ErrInline)
			default:
				return fmt.Errorf("%s %w", strings.Join(path[:i+1], "."), ErrDotted)
			}
		}
	}
	return nil
}

func (t TOML) eol() string { return lineEnd(t.text) }

// under are the keys that are written below the header of a table; those
// before any header, without one.
func (t TOML) under(table []string) (out []line) {
	in := len(table) == 0
	for _, l := range t.lines {
		if l.header > 0 {
			in = slices.Equal(l.keys, table)
		} else if in {
			out = append(out, l)
		}
	}
	return out
}

// header is the index of the header of a table, -1 if it has none.
func (t TOML) header(table []string) int {
	return slices.IndexFunc(t.lines, func(l line) bool { return l.header == 1 && slices.Equal(l.keys, table) })
}

// HasHeader reports whether a table begins with a header of its own.
func (t TOML) HasHeader(table ...string) bool { return t.header(table) >= 0 }

// Names are the keys that are written below the header of a table, in their
// order, each as it is read, with its dots.
func (t TOML) Names(table ...string) []string { return namesOf(t.under(table)) }

func namesOf(lines []line) (out []string) {
	for _, l := range lines {
		out = append(out, strings.Join(l.keys, "."))
	}
	return out
}

// Value is the text of the value at a path of keys and indexes, in whichever
// way its table is written.
func (t TOML) Value(path ...string) (string, bool) {
	p, ok := t.find(path)
	return t.text[p.From:p.End], ok
}

// Has reports whether there is a value at a path.
func (t TOML) Has(path ...string) bool {
	_, ok := t.find(path)
	return ok
}

// SetValue puts another value in the place of one that is there.
func (t TOML) SetValue(value string, path ...string) (TOML, error) {
	p, ok := t.find(path)
	if !ok {
		return t, fmt.Errorf("%s is not there", strings.Join(path, "."))
	}
	next := t.text[:p.From] + value + t.text[p.End:]
	lines, err := scanTOML(next)
	return TOML{next, lines}, err
}

func (t TOML) find(path []string) (out Part, ok bool) {
	t.Walk(func(p Part) {
		if p.Kind != Key && p.Kind != Comment && p.Same(path...) {
			out, ok = p, true
		}
	})
	return out, ok
}

// SetKey puts another value in the place of one of a table, or a line behind
// the header of the table.
func (t TOML) SetKey(value, key string, table ...string) (TOML, error) {
	if path := append(slices.Clone(table), key); t.Has(path...) {
		return t.SetValue(value, path...)
	}
	i := t.header(table)
	if i < 0 {
		return t, fmt.Errorf("%s %w", strings.Join(table, "."), ErrInline)
	}
	next := t.text[:t.lines[i].end] + t.eol() + key + " = " + value + t.text[t.lines[i].end:]
	lines, err := scanTOML(next)
	return TOML{next, lines}, err
}

// DropKey takes a line out below the header of a table.
func (t TOML) DropKey(key string, table ...string) (TOML, error) {
	for _, l := range t.under(table) {
		if slices.Equal(l.keys, []string{key}) {
			return t.cut(l.from, l.end, Seam{After: "\n"})
		}
	}
	return t, nil
}

// RemoveTable takes a table out that was put in by AppendTable, with the
// tables below it that others may have added: without it they mean nothing.
// What is not there is no error.
func (t TOML) RemoveTable(seam Seam, table ...string) (TOML, error) {
	for {
		i := slices.IndexFunc(t.lines, func(l line) bool {
			return l.header > 0 && len(l.keys) >= len(table) && slices.Equal(l.keys[:len(table)], table)
		})
		if i < 0 {
			return t, nil
		}
		next, err := t.cut(t.lines[i].from, t.lines[t.last(i)].end, seam)
		if err != nil {
			return t, err
		}
		t = next
	}
}

// last is the index of the last key below the header with index i.
func (t TOML) last(i int) int {
	for i+1 < len(t.lines) && t.lines[i+1].header == 0 {
		i++
	}
	return i
}

// comments are the comments in a part of the text, each a line of its own.
func (t TOML) comments(from, end int) (out []string) {
	at := from
	gap := func(to int) {
		for l := range strings.Lines(t.text[at:to]) {
			if l = strings.TrimSpace(l); l != "" {
				out = append(out, l)
			}
		}
	}
	for _, l := range t.lines {
		if l.from < from || l.end > end {
			continue
		}
		gap(l.from)
		if at = l.end; l.note > 0 {
			out = append(out, strings.TrimSpace(t.text[l.note:l.end]))
		}
	}
	gap(end)
	return out
}

// HasComment reports whether a comment stands in a table with a header of its
// own, or behind what is in it.
func (t TOML) HasComment(table ...string) bool {
	i := t.header(table)
	return i >= 0 && len(t.comments(t.lines[i].from, t.lines[t.last(i)].end)) > 0
}

// cut takes a part of the text out, and the seam around it as far as it is
// there. Comments in it stay: nothing that was put in has any. Line ends may
// have been changed since: Codex writes "\n" (0.171.0).
func (t TOML) cut(from, end int, seam Seam) (TOML, error) {
	if notes := t.comments(from, end); len(notes) > 0 {
		next := t.text[:from] + strings.Join(notes, t.eol()) + t.text[end:]
		lines, err := scanTOML(next)
		return TOML{next, lines}, err
	}
	before, after := strings.Count(seam.Before, "\n"), strings.Count(seam.After, "\n")
	for range after {
		end += len(leadingEOL(t.text[end:]))
	}
	for n := range before {
		eol := trailingEOL(t.text[:from])
		rest := strings.TrimSuffix(t.text[:from], eol)
		if eol == "" {
			break
		}
		// The last of them may end a line that is not ours; only a text
		// that had no end of line there loses it again.
		if n == before-1 && trailingEOL(rest) == "" && rest != "" && rest != bom &&
			(after > 0 || end < len(t.text) && leadingEOL(t.text[end:]) == "") {
			break
		}
		from = len(rest)
	}
	next := t.text[:from] + t.text[end:]
	lines, err := scanTOML(next)
	return TOML{next, lines}, err
}

func leadingEOL(text string) string {
	switch {
	case strings.HasPrefix(text, "\r\n"):
		return "\r\n"
	case strings.HasPrefix(text, "\n"):
		return "\n"
	}
	return ""
}

func trailingEOL(text string) string {
	switch {
	case strings.HasSuffix(text, "\r\n"):
		return "\r\n"
	case strings.HasSuffix(text, "\n"):
		return "\n"
	}
	return ""
}
