package tail

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// A tally adds up what the characters of a string are. It reads the raw text
// once, in pieces as they come, and never writes the decoded text down. A byte
// of plain ASCII, or a two-byte escape, costs a table look-up and an addition
// to five classes at a time, in the lanes of one word; only what begins with
// \u or a byte over 0x7F is looked at by itself.
type tally struct {
	done  Counts // all but Chars and what is in the lanes
	lanes uint64
	room  int // how many more characters the lanes can take for sure

	// The beginning of an escape or a code point that the piece ended in.
	carry  [16]byte
	ncarry int
}

// A lane for each class of ASCII; over them, four bits for the bytes of a
// group of eight that are no plain ASCII.
const (
	laneBits = 12
	laneMask = 1<<laneBits - 1

	laneLetter  = 1
	laneDigit   = laneLetter << laneBits
	laneSpace   = laneDigit << laneBits
	laneNewline = laneSpace << laneBits
	lanePunct   = laneNewline << laneBits
	laneSpecial = lanePunct << laneBits
)

// lanes says what a byte of raw text adds, and escapeLanes what the byte
// after a backslash makes of the two; 0 is no two-byte escape.
var (
	lanes = func() (t [256]uint64) {
		for c := range t {
			t[c] = laneSpecial
			if c < utf8.RuneSelf && c != '"' && c != '\\' {
				t[c] = laneOf(byte(c))
			}
		}
		return t
	}()
	escapeLanes = func() (t [256]uint64) {
		for c, e := range escapes {
			if e != 0 {
				t[c] = laneOf(e)
			}
		}
		return t
	}()
)

func laneOf(c byte) uint64 {
	switch {
	case 'a' <= c|0x20 && c|0x20 <= 'z':
		return laneLetter
	case '0' <= c && c <= '9':
		return laneDigit
	case c == ' ', c == '\t':
		return laneSpace
	case c == '\n', c == '\r':
		return laneNewline
	}
	return lanePunct
}

// feed counts raw up to the quote that ends the string, and returns where
// that is, or len(raw) if the string goes on.
func (t *tally) feed(raw []byte) int {
	i := 0
	if t.ncarry > 0 {
		i = t.resume(raw)
	}
	sum, room := t.lanes, t.room
	for i < len(raw) {
		if room < 8 {
			t.lanes = sum
			t.flush()
			sum, room = 0, t.room
		}
		if b := raw[i:]; len(b) >= 8 {
			eight := lanes[b[0]] + lanes[b[1]] + lanes[b[2]] + lanes[b[3]] +
				lanes[b[4]] + lanes[b[5]] + lanes[b[6]] + lanes[b[7]]
			room -= 8
			if eight < laneSpecial {
				sum += eight
				i += 8
				continue
			}
			n, before := firstSpecial(b)
			sum += before
			i += n
		} else if one := lanes[b[0]]; one != laneSpecial {
			sum += one
			room--
			i++
			continue
		}
		switch c := raw[i]; {
		case c == '"':
			t.lanes, t.room = sum, room
			return i
		case c == '\\' && i+1 < len(raw) && escapeLanes[raw[i+1]] != 0:
			for room > 0 && i+1 < len(raw) && raw[i] == '\\' && escapeLanes[raw[i+1]] != 0 {
				sum += escapeLanes[raw[i+1]]
				room--
				i += 2
			}
		default:
			n := t.threes(raw[i:])
			if n == 0 {
				if len(raw)-i < 12 && !whole(raw[i:]) {
					t.ncarry = copy(t.carry[:], raw[i:])
					t.lanes, t.room = sum, room
					return len(raw)
				}
				var r rune
				r, n = char(raw[i:])
				t.add(r)
			}
			i += n
		}
	}
	t.lanes, t.room = sum, room
	return len(raw)
}

// firstSpecial returns where the first of eight bytes is that is no plain
// ASCII, and what those before it add.
func firstSpecial(b []byte) (n int, before uint64) {
	const ones, tops, lows = 0x0101010101010101, 0x8080808080808080, 0x7F7F7F7F7F7F7F7F
	w := binary.LittleEndian.Uint64(b)
	v := w & lows
	special := (w | ^((v ^ '"'*ones) + lows) | ^((v ^ '\\'*ones) + lows)) & tops
	n = bits.TrailingZeros64(special) / 8
	w &= 1<<(8*n) - 1 // zeros, which are punctuation, from there on
	before = lanes[byte(w)] + lanes[byte(w>>8)] + lanes[byte(w>>16)] + lanes[byte(w>>24)] +
		lanes[byte(w>>32)] + lanes[byte(w>>40)] + lanes[byte(w>>48)] + lanes[byte(w>>56)]
	return n, before - uint64(8-n)*lanePunct
}

// threes counts the code points of three bytes at the beginning of raw and
// returns how many bytes they are: the bulk of any CJK text.
func (t *tally) threes(raw []byte) int {
	all, wides, i := 0, 0, 0
	for ; i+3 <= len(raw); i += 3 {
		b := raw[i : i+3 : i+3]
		// Those that begin with E0 or ED are not all valid: char knows.
		if b[0] <= 0xE0 || b[0] > 0xEF || b[0] == 0xED || b[1]&0xC0 != 0x80 || b[2]&0xC0 != 0x80 {
			break
		}
		r := rune(b[0]&0x0F)<<12 | rune(b[1]&0x3F)<<6 | rune(b[2]&0x3F)
		wides += int(wideBlocks[r>>11] >> (r >> 5 & 63) & 1)
		all++
	}
	t.done.Bytes += int64(3 * all)
	t.done.Wide += int64(wides)
	t.done.Other += int64(all - wides)
	return i
}

// resume finishes the code point that the last piece ended in and returns
// where in raw the text goes on.
func (t *tally) resume(raw []byte) int {
	had := t.ncarry
	var buf [2 * len(t.carry)]byte
	b := append(append(buf[:0], t.carry[:had]...), raw[:min(len(raw), 12)]...)
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
	case 'a' <= r|0x20 && r|0x20 <= 'z':
		t.done.Letters++
	case '0' <= r && r <= '9':
		t.done.Digits++
	case r == ' ' || r == '\t':
		t.done.Spaces++
	case r == '\n' || r == '\r':
		t.done.Newlines++
	case r < utf8.RuneSelf:
		t.done.Punct++
	case wide(r):
		t.done.Wide++
	default:
		t.done.Other++
	}
	t.done.Bytes += int64(utf8.RuneLen(r))
}

// flush empties the lanes.
func (t *tally) flush() {
	lane := func(one uint64) int64 { return int64(t.lanes / one & laneMask) }
	t.done.Letters += lane(laneLetter)
	t.done.Digits += lane(laneDigit)
	t.done.Spaces += lane(laneSpace)
	t.done.Newlines += lane(laneNewline)
	t.done.Punct += lane(lanePunct)
	t.done.Bytes += lane(laneLetter) + lane(laneDigit) + lane(laneSpace) + lane(laneNewline) + lane(lanePunct)
	t.lanes, t.room = 0, laneMask
}

// take returns what was counted since the last take.
func (t *tally) take() Counts {
	t.flush()
	c := t.done
	t.done, t.ncarry = Counts{}, 0
	c.Chars = c.Letters + c.Digits + c.Spaces + c.Newlines + c.Punct + c.Wide + c.Other
	return c
}
