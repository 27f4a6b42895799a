package config

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// Segments are the names that may stand in braces in the format of the status
// line. The most important ones stand first: they stay where there is little
// room.
func Segments() []string {
	return []string{"percent", "used", "window", "compaction", "remaining", "gauge", "level", "model", "effort", "cost", "cache", "age"}
}

// DefaultLine is the format of the status line.
const DefaultLine = "{gauge} {percent} {used}/{window} {compaction} {model}"

// LineToken is a segment of the status line, or the text beside it.
type LineToken struct{ Segment, Text string }

// LineParts are the parts of a format, which blanks divide. A part without a
// segment belongs to the one after it; at the end, to the one before.
func LineParts(format string) (parts [][]LineToken) {
	var part []LineToken
	hasSegment := false
	for field := range strings.FieldsSeq(format) {
		if len(part) > 0 && hasSegment {
			parts, part, hasSegment = append(parts, part), nil, false
		}
		if len(part) > 0 {
			part = append(part, LineToken{Text: " "})
		}
		for field != "" {
			text, rest, ok := strings.Cut(field, "{")
			if text != "" {
				part = append(part, LineToken{Text: text})
			}
			if field = rest; !ok {
				break
			}
			name, rest, closed := strings.Cut(field, "}")
			if !closed {
				part = append(part, LineToken{Text: "{" + name})
				break
			}
			part, field, hasSegment = append(part, LineToken{Segment: name}), rest, true
		}
	}
	switch {
	case len(part) == 0:
	case hasSegment || len(parts) == 0:
		parts = append(parts, part)
	default:
		last := len(parts) - 1
		parts[last] = append(append(parts[last], LineToken{Text: " "}), part...)
	}
	return parts
}

// meant ends a sentence about a segment that does not exist.
func meant(name string) string {
	if near := Near(name, Segments()...); len(near) > 0 {
		return "; did you mean " + quoted(near, "{", "}") + "?"
	}
	return ": there are " + List(Segments(), "and")
}

// checkLine tells what is wrong with a format.
func checkLine(format string) error {
	if i := strings.IndexFunc(format, func(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) }); i >= 0 {
		return fmt.Errorf("has a control character: it is one line, without colors of its own")
	}
	segments := 0
	for _, part := range LineParts(format) {
		for _, token := range part {
			if strings.ContainsAny(token.Text, "{}") {
				return fmt.Errorf("has a brace alone: a segment is a name in braces, without blanks, such as {percent}")
			}
			if token.Text != "" {
				continue
			}
			segments++
			if !slices.Contains(Segments(), token.Segment) {
				return fmt.Errorf("has no segment {%s}%s", token.Segment, meant(token.Segment))
			}
		}
	}
	if segments == 0 {
		return fmt.Errorf("has no segment: write {percent}, or another of %s", List(Segments(), "and"))
	}
	return nil
}
