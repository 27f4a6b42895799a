package tail

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// A tally adds up what the characters of a string are. It reads the raw text
// once, in pieces as they come, and never writes the decoded text down. Two
// bytes of plain ASCII cost two look-ups and an addition to ten amounts at a
// time, in the lanes of a word: how many there are of each class, and what
// begins between them and the two before. Only what begins with \u or a byte
// over 0x7F is looked at by itself.
type tally struct {
	done     Counts    // all but Chars and what is in the lanes
	lanes    uint64    // six bits each
	wide     [2]uint64 // the even and the odd of them, twelve bits each
	room     int       // how many more characters the lanes can take for sure
	wideRoom int       // the same of wide, together with the lanes
	history  uint64    // kinds of the last characters, three bits each, the newest lowest

	// The beginning of an escape or a code point that the piece ended in.
	carry  [16]byte
	ncarry int
}

// The lanes, in the order of tally.flush.
const (
	laneBits = 6
	laneMost = 1<<laneBits - 1
	wideBits = 2 * laneBits
	wideMost = 1<<wideBits - 1
	wideMask = laneMost * (1 | 1<<wideBits | 1<<(2*wideBits) | 1<<(3*wideBits) | 1<<(4*wideBits))

	laneLetter     = 1
	laneDigit      = laneLetter << laneBits
	laneSpace      = laneDigit << laneBits
	laneUnderscore = laneSpace << laneBits
	lanePunct      = laneUnderscore << laneBits
	laneWord       = lanePunct << laneBits
	laneCase       = laneWord << laneBits
	laneDigitRun   = laneCase << laneBits
	laneSpaceRun   = laneDigitRun << laneBits
	lanePunctRun   = laneSpaceRun << laneBits

	kindBits   = 3
	kindMask   = 1<<kindBits - 1
	threeKinds = 1<<(3*kindBits) - 1
	fourKinds  = 1<<(4*kindBits) - 1

	groupOfBytes = 8
	noCharacter  = 0xFF // a byte that no text has: of no class
)

// The kinds that runs are made of.
const (
	kindOther uint64 = iota // the ends of lines too
	kindSmall
	kindCapital
	kindDigit
	kindBlank
	kindTab
	kindUnderscore
	kindPunct
)

func kindOf(c byte) uint64 {
	switch {
	case 'a' <= c && c <= 'z':
		return kindSmall
	case 'A' <= c && c <= 'Z':
		return kindCapital
	case '0' <= c && c <= '9':
		return kindDigit
	case c == ' ':
		return kindBlank
	case c == '\t':
		return kindTab
	case c == '_':
		return kindUnderscore
	case c == '\n', c == '\r', c >= utf8.RuneSelf:
		return kindOther
	}
	return kindPunct
}

// lanesOf is what a character adds, by its kind and those of the two before.
func lanesOf(before, last, now uint64) (sum uint64) {
	letter := last == kindSmall || last == kindCapital
	switch now {
	case kindSmall, kindCapital:
		sum = laneLetter
		if !letter {
			sum += laneWord
		} else if last == kindSmall && now == kindCapital {
			sum += laneCase
		}
	case kindDigit:
		sum = laneDigit
		if last != kindDigit {
			sum += laneDigitRun
		}
	case kindTab:
		sum = laneSpace
	case kindBlank:
		sum = laneSpace
		if last == kindBlank && before != kindBlank {
			sum += laneSpaceRun
		}
	case kindUnderscore:
		sum = laneUnderscore
	case kindPunct:
		sum = lanePunct
		if last != kindPunct {
			sum += lanePunctRun
		}
	}
	return sum
}

// kinds are those of bytes, pairs those of two bytes at once; single is what
// the newest of three kinds adds, double what the newest two of four do.
var (
	kinds = func() (t [256]uint8) {
		for c := range t {
			t[c] = uint8(kindOf(byte(c)))
		}
		return t
	}()
	pairs = func() (t [1 << 16]uint8) {
		for second, low := range kinds {
			row := t[second<<8 : second<<8+256]
			for first, high := range kinds {
				row[first] = high<<kindBits | low
			}
		}
		return t
	}()
	single = func() (t [threeKinds + 1]uint64) {
		for i := range uint64(len(t)) {
			t[i] = lanesOf(i>>(2*kindBits), i>>kindBits&kindMask, i&kindMask)
		}
		return t
	}()
	double = func() (t [fourKinds + 1]uint64) {
		for i := range t {
			t[i] = single[i>>kindBits] + single[i&threeKinds]
		}
		return t
	}()
)

// feed counts raw up to the quote that ends the string, and returns where
// that is, or len(raw) if the string goes on.
func (t *tally) feed(raw []byte) int {
	i := 0
	if t.ncarry > 0 {
		i = t.resume(raw)
	}
	for i < len(raw) {
		if i += t.plain(raw[i:]); i == len(raw) {
			break
		}
		switch c := raw[i]; {
		case c == '"':
			return i
		case c == '\\' && i+1 < len(raw) && escapes[raw[i+1]] != 0:
			for i+1 < len(raw) && raw[i] == '\\' && escapes[raw[i+1]] != 0 {
				t.one(escapes[raw[i+1]])
				i += 2
			}
		case c < utf8.RuneSelf && c != '\\':
			t.one(c)
			i++
		default:
			n := t.threes(raw[i:])
			if n == 0 {
				if len(raw)-i < 12 && !whole(raw[i:]) {
					t.ncarry = copy(t.carry[:], raw[i:])
					return len(raw)
				}
				var r rune
				r, n = char(raw[i:])
				t.add(r)
			}
			i += n
		}
	}
	return len(raw)
}

// one counts a character of ASCII.
func (t *tally) one(c byte) {
	if t.room == 0 {
		t.widen()
	}
	t.history = t.history<<kindBits | uint64(kinds[c])
	t.lanes += single[t.history&threeKinds]
	t.room--
	if c == '\n' || c == '\r' {
		t.done.Newlines++
		t.done.Bytes++
	}
}

// plain counts the plain ASCII at the beginning of raw, eight bytes at a time,
// and returns how many bytes it is; a rest of less than eight is left.
func (t *tally) plain(raw []byte) int {
	sum, last, room, i := t.lanes, t.history, t.room, 0
	for len(raw)-i >= groupOfBytes {
		if room < groupOfBytes {
			t.lanes, t.room = sum, room
			t.widen()
			sum, room = 0, t.room
		}
		w := binary.LittleEndian.Uint64(raw[i:])
		if special := specials(w); special != 0 {
			n := bits.TrailingZeros64(special) / 8
			w |= ^uint64(0) << (8 * n) // noCharacter from there on
			more, kinds := eight(w, last)
			t.lanes, t.history, t.room = sum+more, kinds>>(kindBits*(groupOfBytes-n)), room-n
			return i + n
		}
		// eight, which the compiler does not put in its place
		a, b, c, d := uint64(pairs[uint16(w)]), uint64(pairs[uint16(w>>16)]), uint64(pairs[uint16(w>>32)]), uint64(pairs[w>>48])
		sum += double[(last<<(2*kindBits)|a)&fourKinds] + double[(a<<(2*kindBits)|b)&fourKinds] +
			double[(b<<(2*kindBits)|c)&fourKinds] + double[(c<<(2*kindBits)|d)&fourKinds]
		last, room, i = c<<(2*kindBits)|d, room-groupOfBytes, i+groupOfBytes
	}
	t.lanes, t.history, t.room = sum, last, room
	return i
}

// eight returns what eight bytes of plain ASCII add, and the kinds of the
// newest characters.
func eight(w, last uint64) (sum, newest uint64) {
	a, b, c, d := uint64(pairs[uint16(w)]), uint64(pairs[uint16(w>>16)]), uint64(pairs[uint16(w>>32)]), uint64(pairs[w>>48])
	h := last<<(2*kindBits) | a
	sum = double[h&fourKinds]
	h = h<<(2*kindBits) | b
	sum += double[h&fourKinds]
	h = h<<(2*kindBits) | c
	sum += double[h&fourKinds]
	h = h<<(2*kindBits) | d
	return sum + double[h&fourKinds], h
}

// specials has the top bit of each of eight bytes set that is no plain ASCII,
// from the first on: of a quote, a backslash, a control character or a byte
// over 0x7F. What is set after the first means nothing.
func specials(w uint64) uint64 {
	const ones, tops, lows = 0x0101010101010101, 0x8080808080808080, 0x7F7F7F7F7F7F7F7F
	v := w & lows
	return (w | ^((v ^ '"'*ones) + lows) | ^((v ^ '\\'*ones) + lows) | ^(v + (0x80-' ')*ones)) & tops
}

// threes counts the code points of three bytes at the beginning of raw and
// returns how many bytes they are: the bulk of any CJK text.
func (t *tally) threes(raw []byte) int {
	all, wides, alphas, i := 0, 0, 0, 0
	for ; i+3 <= len(raw); i += 3 {
		b := raw[i : i+3 : i+3]
		// Those that begin with E0 or ED are not all valid: char knows.
		if b[0] <= 0xE0 || b[0] > 0xEF || b[0] == 0xED || b[1]&0xC0 != 0x80 || b[2]&0xC0 != 0x80 {
			break
		}
		r := rune(b[0]&0x0F)<<12 | rune(b[1]&0x3F)<<6 | rune(b[2]&0x3F)
		w := int(wideBlocks[r>>11] >> (r >> 5 & 63) & 1)
		wides += w
		alphas += int(uint32(r-firstSign)>>31) &^ w
		all++
	}
	if all > 0 {
		t.history <<= kindBits // kindOther
		t.done.Bytes += int64(3 * all)
		t.done.Wide += int64(wides)
		t.done.Alpha += int64(alphas)
		t.done.Signs += int64(all - wides - alphas)
	}
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

// Where the code points of the scripts begin; see Counts.
const (
	firstAlpha  = 0x250
	firstSign   = 0x2000
	firstAstral = 0x10000
)

// add counts one code point.
func (t *tally) add(r rune) {
	if r < utf8.RuneSelf {
		t.one(byte(r))
		return
	}
	t.history <<= kindBits // kindOther
	t.done.Bytes += int64(utf8.RuneLen(r))
	switch {
	case wide(r):
		t.done.Wide++
	case r < firstAlpha:
		t.done.Latin++
	case r < firstSign:
		t.done.Alpha++
	case r < firstAstral:
		t.done.Signs++
	default:
		t.done.Astral++
	}
}

// widen empties the lanes into wider ones.
func (t *tally) widen() {
	t.wide[0] += t.lanes & wideMask
	t.wide[1] += t.lanes >> laneBits & wideMask
	t.wideRoom -= laneMost - t.room
	t.lanes, t.room = 0, laneMost
	if t.wideRoom < laneMost {
		t.flush()
	}
}

// flush empties the wider lanes.
func (t *tally) flush() {
	c := &t.done
	for i, into := range [...]*int64{
		&c.Letters, &c.Digits, &c.Spaces, &c.Underscores, &c.Punct,
		&c.Words, &c.CaseBreaks, &c.DigitRuns, &c.SpaceRuns, &c.PunctRuns,
	} {
		lane := int64(t.wide[i&1] >> (i / 2 * wideBits) & wideMost)
		*into += lane
		if i < 5 {
			c.Bytes += lane
		}
	}
	t.wide, t.wideRoom = [2]uint64{}, wideMost
}

// take returns what was counted since the last take.
func (t *tally) take() Counts {
	t.widen()
	t.flush()
	c := t.done
	t.done, t.ncarry, t.history = Counts{}, 0, 0
	c.Chars = c.Letters + c.Digits + c.Spaces + c.Newlines + c.Underscores + c.Punct + c.Latin + c.Alpha + c.Wide + c.Signs + c.Astral
	return c
}
