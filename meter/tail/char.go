package tail

import "unicode/utf8"

// char decodes the first code point of raw, the text between the quotes of a
// JSON string; raw is not empty. A backslash that begins no valid escape
// stands for itself; a lone surrogate and each invalid byte of UTF-8 are one
// U+FFFD, as encoding/json has it.
func char(raw []byte) (r rune, size int) {
	c := raw[0]
	switch {
	case c != '\\':
		if c < utf8.RuneSelf {
			return rune(c), 1
		}
		return utf8.DecodeRune(raw)
	case len(raw) < 2:
		return '\\', 1
	case raw[1] != 'u':
		if e := escapes[raw[1]]; e != 0 {
			return rune(e), 2
		}
		return '\\', 1
	}
	r, ok := hex4(raw)
	if !ok {
		return '\\', 1
	}
	switch {
	case r < 0xD800 || r > 0xDFFF:
		return r, 6
	case r < 0xDC00:
		if low, ok := hex4(raw[6:]); ok && low >= 0xDC00 && low <= 0xDFFF {
			return (r-0xD800)<<10 | (low - 0xDC00) + 0x10000, 12
		}
	}
	return utf8.RuneError, 6
}

// escapes holds what the character after a backslash stands for.
var escapes = [256]byte{
	'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t',
}

// hex4 decodes a \uXXXX at the beginning of raw.
func hex4(raw []byte) (r rune, ok bool) {
	if len(raw) < 6 || raw[0] != '\\' || raw[1] != 'u' {
		return 0, false
	}
	for _, c := range raw[2:6] {
		d, ok := hexDigit(c)
		if !ok {
			return 0, false
		}
		r = r<<4 | d
	}
	return r, true
}

func hexDigit(c byte) (d rune, ok bool) {
	switch {
	case '0' <= c && c <= '9':
		return rune(c - '0'), true
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return rune(c|0x20-'a') + 10, true
	}
	return 0, false
}

// whole says whether char would answer the same if more bytes followed raw.
func whole(raw []byte) bool {
	c := raw[0]
	if c < utf8.RuneSelf && c != '\\' {
		return true
	}
	if c != '\\' {
		return utf8.FullRune(raw)
	}
	if !escapeWhole(raw) {
		return false
	}
	if r, ok := hex4(raw); ok && 0xD800 <= r && r < 0xDC00 {
		if rest := raw[6:]; len(rest) == 0 || rest[0] == '\\' && !escapeWhole(rest) {
			return false
		}
	}
	return true
}

// escapeWhole says whether the escape at the beginning of raw is complete, or
// already invalid.
func escapeWhole(raw []byte) bool {
	if len(raw) < 2 {
		return false
	}
	if raw[1] != 'u' {
		return true
	}
	for i := 2; i < 6; i++ {
		if i >= len(raw) {
			return false
		}
		if _, ok := hexDigit(raw[i]); !ok {
			return true
		}
	}
	return true
}

// plain says whether raw decodes to itself without a look at UTF-8.
func plain(raw []byte) bool {
	for _, c := range raw {
		if c == '\\' || c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// appendText appends the decoded text of raw to dst. If raw was cut off, an
// incomplete code point at its end is dropped.
func appendText(dst, raw []byte, cut bool) []byte {
	for len(raw) > 0 && !(cut && !whole(raw)) {
		r, n := char(raw)
		dst = utf8.AppendRune(dst, r)
		raw = raw[n:]
	}
	return dst
}
