package tail

import (
	"bytes"
	"encoding/binary"
)

// A client that is killed while it writes leaves half a record, and the next
// append is glued to it:
//
//	{"parentUuid":"x","message":{"usage":{"cache_c{"type":"assistant",…}
//
// Where the half broke off decides how the second record shows:
//
//   - inside a key or string: that string ends at the quote of the second
//     record's first key, so its last character is the second's brace, and
//     what follows is no JSON;
//   - after a string, number or literal, or where a key must follow: at the
//     second's brace, which is no JSON there;
//   - where a value must follow: nowhere. The second record is a value of the
//     first, which the line's end then leaves open. What closed last before
//     the end is the second record, and the line is read again from there.
//
// All of it takes one look at each byte, the last case two.

// fault handles b[i], which cannot follow what stands before it.
func (s *Scanner) fault(b []byte, i int) (state, int) {
	st := s.bad()
	switch {
	case b[i-1] == '"' && b[i-2] == '{':
		s.line.glued = true
		s.start(s.base + int64(i-2))
		s.beginKey()
		return inKey, i
	case b[i] == '{':
		s.line.glued = true
		return s.start(s.base + int64(i)), i + 1
	case b[i] == 0:
		// A disk that filled up or a machine that went down leaves zeros.
		s.line.glued = true
		return atLine, i
	}
	return st, i
}

// bad gives up the record, and the line unless something is found in it.
func (s *Scanner) bad() state {
	s.line.damaged = true
	s.abandon()
	return inBad
}

// abandon drops the open record, with what its arrays' elements said.
func (s *Scanner) abandon() {
	if !s.live {
		return
	}
	s.live = false
	s.text.take()
	for _, n := range s.touched {
		if s.rec.slots[n].opened {
			s.rec.slots[n].opened = false
			s.h.Begin(&s.rec, Array(s.prog.nodes[s.prog.nodes[n].items].array))
		}
	}
}

const byteOrderMark = "\xEF\xBB\xBF"

// between handles b[i], which is not in a record.
func (s *Scanner) between(st state, b []byte, i int) (state, int) {
	c := b[i]
	switch {
	case st == inMark:
		if c != byteOrderMark[s.lit] {
			return s.bad(), i
		}
		if s.lit++; s.lit == len(byteOrderMark) {
			return atLine, i + 1
		}
		return inMark, i + 1
	case c == '{':
		if st == atDone {
			s.split(int64(len(b)) + s.base)
		}
		return s.start(s.base + int64(i)), i + 1
	case c == 0: // what a crash of the machine leaves, and then a lot of it
		for i+8 <= len(b) && binary.LittleEndian.Uint64(b[i:]) == 0 {
			i += 8
		}
		for i < len(b) && b[i] == 0 {
			i++
		}
		return st, i
	case classes[c] == clBlank:
		return st, i + 1
	case st == atLine && c == byteOrderMark[0] && s.base+int64(i) == s.line.start:
		s.lit = 1
		return inMark, i + 1
	}
	return s.bad(), i
}

// split reports the complete record of a line on which another begins. What
// is read of the line ends at offset end.
func (s *Scanner) split(end int64) {
	if s.line.end == endUnknown && s.src != nil {
		s.line.end = s.lookAhead(end)
	}
	s.emit()
	s.line.damaged = true
}

// lookAhead finds out whether the line ends. If not, the scan ends where the
// source does now, whatever is appended meanwhile.
func (s *Scanner) lookAhead(pos int64) lineEnd {
	if s.look == nil {
		s.look = make([]byte, 16<<10)
	}
	for {
		b := s.look
		if s.to >= 0 && s.to-pos < int64(len(b)) {
			b = b[:max(s.to-pos, 0)]
		}
		n, err := 0, error(nil)
		if len(b) > 0 {
			n, err = s.src.ReadAt(b, pos)
		}
		if bytes.IndexByte(b[:n], '\n') >= 0 {
			return endNewline
		}
		pos += int64(n)
		if err != nil || n == 0 {
			s.to = pos
			return endNone
		}
	}
}

// lastByte notes the last byte of b that is not a blank.
func (s *Scanner) lastByte(b []byte) {
	for i := len(b) - 1; i >= 0; i-- {
		if classes[b[i]] != clBlank {
			s.final = b[i]
			return
		}
	}
}

// lastObject returns the offset of the object that ended right before the
// line did inside of another, or -1.
func (s *Scanner) lastObject() int64 {
	if s.state == atNext && s.final == '}' {
		return s.open[s.depth+1]
	}
	return -1
}
