package wording

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
)

// maxName is the length that a name is shown with, in code points. Names of
// models and folders come from transcripts: they may be anything.
const maxName = 200

// Clean makes text fit to be shown: nothing in it can move the cursor, change
// colors or turn the direction of what follows.
func Clean(text string) string {
	out := strings.Map(func(r rune) rune {
		if Hostile(r) || r == unicode.ReplacementChar {
			return unicode.ReplacementChar
		}
		return r
	}, text)
	if runes := []rune(out); len(runes) > maxName*4 {
		return string(runes[:maxName*4]) + "…"
	}
	return out
}

// Name is Clean for a name, which is shown in full only up to maxName.
func Name(text string) string {
	if runes := []rune(text); len(runes) > maxName {
		text = string(runes[:maxName]) + "…"
	}
	return Clean(text)
}

// Hostile reports whether a terminal may take r for a command: the control
// characters, line and paragraph separators, and invisible format characters,
// directional ones above all.
func Hostile(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == '\u2028' || r == '\u2029'
}

// Escape writes the hostile characters of JSON text as escapes. encoding/json
// does so only for those below space; a terminal obeys others as well.
func Escape(text string) string {
	if strings.IndexFunc(text, func(r rune) bool { return r >= 0x7f && Hostile(r) }) < 0 {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		switch {
		case r < 0x7f || !Hostile(r):
			b.WriteRune(r)
		case r > 0xffff:
			hi, lo := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, hi, lo)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}
