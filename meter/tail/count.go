package tail

import "unicode/utf8"

// A tally adds up what the characters of a string are. It reads the raw text
// once, in pieces as they come, and never writes the decoded text down: plain
// ASCII costs a table look-up and an addition each, four classes at a time in
// the lanes of one word.
type tally struct {
	done  Counts
	lanes uint64 // what is not in done yet: letters, digits, blanks, punctuation
	room  int    // how many more bytes the lanes can take for sure

	// The beginning of an escape or a code point that the piece ended in.
	carry  [16]byte
	ncarry int
}

// The lanes are 15 bits wide; over them, 4 bits count the bytes of a group of
// eight that need a closer look.
const (
	laneBits = 15
	laneMask = 1<<laneBits - 1
	laneRoom = laneMask - 1

	laneLetter  = uint64(1)
	laneDigit   = laneLetter << laneBits
	laneSpace   = laneDigit << laneBits
	lanePunct   = laneSpace << laneBits
	laneSpecial = lanePunct << laneBits
)

// lanes says what a byte of raw text adds; the quote, the backslash, the
// carriage return, and whatever is not ASCII are special.
var lanes = func() (t [256]uint64) {
	for i := range t {
		switch c := byte(i); {
		case c >= utf8.RuneSelf, c == '"', c == '\\', c == '\n', c == '\r':
			t[i] = laneSpecial
		case 'a' <= c|0x20 && c|0x20 <= 'z':
			t[i] = laneLetter
		case '0' <= c && c <= '9':
			t[i] = laneDigit
		case c == ' ', c == '\t':
			t[i] = laneSpace
		default:
			t[i] = lanePunct
		}
	}
	return t
}()

// feed counts raw up to the quote that ends the string, and returns where
// that is, or len(raw) if the string goes on.
func (t *tally) feed(raw []byte) int {
	i := 0
	if t.ncarry > 0 {
		if i = t.resume(raw); i == len(raw) {
			return i
		}
	}
	for {
		i = t.ascii(raw, i)
		if i == len(raw) {
			return i
		}
		switch c := raw[i]; {
		case c == '"':
			return i
		case c == '\\':
			if i+1 < len(raw) && raw[i+1] == 'n' {
				t.done.Newlines++
				i += 2
				continue
			}
			fallthrough
		default:
			if len(raw)-i < 12 && !whole(raw[i:]) {
				t.ncarry = copy(t.carry[:], raw[i:])
				return len(raw)
			}
			r, n := char(raw[i:])
			t.add(r)
			i += n
		}
	}
}

// ascii counts from i to the first special byte and returns where that is.
func (t *tally) ascii(raw []byte, i int) int {
	for i < len(raw) {
		if t.room < 8 {
			t.flush()
		}
		b := raw[i:]
		if len(b) > t.room {
			b = b[:t.room]
		}
		sum, n := t.lanes, len(b)
		for len(b) >= 8 {
			eight := lanes[b[0]] + lanes[b[1]] + lanes[b[2]] + lanes[b[3]] +
				lanes[b[4]] + lanes[b[5]] + lanes[b[6]] + lanes[b[7]]
			if eight >= laneSpecial {
				break
			}
			sum += eight
			b = b[8:]
		}
		special := false
		for k, c := range b {
			v := lanes[c]
			if v == laneSpecial {
				b, special = b[k:], true
				break
			}
			sum += v
		}
		if !special {
			b = nil
		}
		n -= len(b)
		t.lanes, t.room, i = sum, t.room-n, i+n
		if special {
			return i
		}
	}
	return i
}

// resume finishes the code point that the last piece ended in and returns
// where in raw the text goes on.
func (t *tally) resume(raw []byte) int {
	had := t.ncarry
	b := append(t.carry[:had:had], raw[:min(len(raw), 12)]...)
	used := 0
	for used < had {
		if !whole(b[used:]) && len(b)-had == len(raw) {
			t.ncarry = copy(t.carry[:], b[used:])
			return len(raw)
		}
		r, n := char(b[used:])
		t.add(r)
		used += n
	}
	t.ncarry = 0
	return used - had
}

// add counts one code point.
func (t *tally) add(r rune) {
	switch {
	case r == '\n' || r == '\r':
		t.done.Newlines++
	case r < utf8.RuneSelf:
		if v := lanes[r]; v != laneSpecial {
			if t.room == 0 {
				t.flush()
			}
			t.lanes += v
			t.room--
		} else {
			t.done.Punct++ // a quote or a backslash
		}
	default:
		t.done.Bytes += int64(utf8.RuneLen(r))
		if wide(r) {
			t.done.Wide++
		} else {
			t.done.Other++
		}
	}
}

func (t *tally) flush() {
	t.done.Letters += int64(t.lanes & laneMask)
	t.done.Digits += int64(t.lanes >> laneBits & laneMask)
	t.done.Spaces += int64(t.lanes >> (2 * laneBits) & laneMask)
	t.done.Punct += int64(t.lanes >> (3 * laneBits) & laneMask)
	t.lanes, t.room = 0, laneRoom
}

// take returns what was counted since the last take.
func (t *tally) take() Counts {
	t.flush()
	c := t.done
	t.done, t.ncarry = Counts{}, 0
	ascii := c.Letters + c.Digits + c.Spaces + c.Newlines + c.Punct
	c.Bytes += ascii
	c.Chars = ascii + c.Wide + c.Other
	return c
}
