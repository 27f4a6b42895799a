package wiring

import (
	"strings"
	"unicode/utf8"
)

// ShellWords takes a command apart if it is nothing but words: what sh, Git
// Bash, PowerShell and cmd.exe would all start in the same way, or the one that
// can be meant. plain is false of anything else, and there words is nil.
// afterFirst is where the first word ends in the text.
//
// Only what is listed here is plain. Outside of quotes: letters, digits and
// some marks; a tilde only in the middle, as in the short names of Windows; a
// backslash in a path of Windows (C:\x, \\server\share), or else before a
// space, a quote or another backslash. In double quotes, also spaces and marks
// that no shell looks at there. In single quotes, all but control characters.
func ShellWords(command string) (words []string, afterFirst int, plain bool) {
	w := wordReader{text: command}
	for {
		w.at += len(w.text[w.at:]) - len(strings.TrimLeft(w.text[w.at:], " \t"))
		if w.at == len(w.text) {
			return words, afterFirst, true
		}
		word, ok := w.word(len(words) == 0)
		if !ok {
			return nil, 0, false
		}
		if words = append(words, word); len(words) == 1 {
			afterFirst = w.at
		}
	}
}

type wordReader struct {
	text string
	at   int
}

func (w *wordReader) word(first bool) (string, bool) {
	var out strings.Builder
	from, windows := w.at, onWindows(strings.TrimPrefix(w.text[w.at:], `"`))
	for w.at < len(w.text) {
		c, size := utf8.DecodeRuneInString(w.text[w.at:])
		rest := w.text[w.at+size:]
		switch {
		case c == ' ' || c == '\t':
			return out.String(), true
		case c == '\'':
			end := strings.IndexByte(rest, '\'')
			if end < 0 || !without(rest[:end], isControl) {
				return "", false
			}
			out.WriteString(rest[:end])
			w.at += end + 2
			continue
		case c == '"':
			end := strings.IndexByte(rest, '"')
			if end < 0 || !inDoubleQuotes(rest[:end], windows) {
				return "", false
			}
			out.WriteString(rest[:end])
			w.at += end + 2
			continue
		case c == '\\' && windows:
			if rest == "" || strings.IndexByte(" \t'\"", rest[0]) >= 0 {
				return "", false // the shells do not agree
			}
			out.WriteByte('\\')
		case c == '\\':
			if rest == "" || strings.IndexByte(` '"\`, rest[0]) < 0 {
				return "", false
			}
			out.WriteByte(rest[0])
			size++
		case c == '~' && w.at == from, c == '=' && (first || w.at == from):
			return "", false
		case plainMark(c) || strings.ContainsRune("~=", c):
			out.WriteRune(c)
		default:
			return "", false
		}
		w.at += size
	}
	return out.String(), true
}

// plainMark reports whether no shell looks at a character, wherever it stands.
func plainMark(c rune) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' ||
		strings.ContainsRune("/._-+:@,", c) || c > 0x9f && c != utf8.RuneError
}

// onWindows reports whether a path of Windows begins here: C:\ or \\server\.
func onWindows(text string) bool {
	if len(text) > 2 && text[1] == ':' && (text[2] == '\\' || text[2] == '/') {
		return text[0]|0x20 >= 'a' && text[0]|0x20 <= 'z'
	}
	server, ok := strings.CutPrefix(text, `\\`)
	end := strings.IndexByte(server, '\\')
	return ok && end > 0 && without(server[:end], func(c rune) bool { return !plainMark(c) })
}

// inDoubleQuotes reports whether a text means itself there. A backslash does in
// a path of Windows, and elsewhere unless the next character is one that sh
// takes it away before.
func inDoubleQuotes(text string, windows bool) bool {
	if strings.HasSuffix(text, `\`) || !windows && strings.Contains(text, `\\`) {
		return false
	}
	return without(text, func(c rune) bool { return isControl(c) || strings.ContainsRune("$`!%^", c) })
}

func isControl(c rune) bool { return c < 0x20 || c >= 0x7f && c <= 0x9f || c == utf8.RuneError }

func without(text string, what func(rune) bool) bool { return strings.IndexFunc(text, what) < 0 }
