package tail

import (
	"bytes"
)

// endOfString returns where the string that began before i ends in b: the
// index of its closing quote, or -1. b[i] is not in the middle of an escape.
func endOfString(b []byte, i int) int {
	for from := i; ; {
		q := bytes.IndexByte(b[from:], '"')
		if q < 0 {
			return -1
		}
		q += from
		if q == i || b[q-1] != '\\' || backslashes(b[i:q])&1 == 0 {
			return q
		}
		from = q + 1
	}
}

// backslashes counts those at the end of b.
func backslashes(b []byte) int {
	n := 0
	for n < len(b) && b[len(b)-1-n] == '\\' {
		n++
	}
	return n
}

// restOfString is endOfString for a string that may have begun in an earlier
// block: escaped says whether b[i] is in the middle of an escape, and will say
// so of the next block.
func (a *automaton) restOfString(b []byte, i int) int {
	if a.escaped {
		a.escaped = false
		i++
	}
	e := endOfString(b, i)
	if e < 0 && i < len(b) {
		a.escaped = backslashes(b[i:])&1 == 1
	}
	return e
}

// wholeKey takes in a key and the quote after it.
func (s *Scanner) wholeKey(raw []byte) {
	if s.deepJSON {
		s.text.feed(raw)
	}
	s.endKey(raw[:len(raw)-1])
}

// beginKey prepares for a key that comes in pieces.
func (s *Scanner) beginKey() {
	s.key, s.escaped = s.key[:0], false
}

// moreKey takes in a piece of a key from b[i:] and returns the index of the
// closing quote, or -1.
func (s *Scanner) moreKey(b []byte, i int) int {
	e := s.restOfString(b, i)
	raw := b[i:]
	if e >= 0 {
		raw = b[i : e+1]
	}
	if s.deepJSON {
		s.text.feed(raw)
	}
	if e >= 0 {
		raw = raw[:len(raw)-1]
	}
	s.key = append(s.key, raw[:min(len(raw), s.keyLimit-len(s.key))]...)
	if e >= 0 {
		s.endKey(s.key)
	}
	return e
}

// endKey finds the node of the value after a key, whose raw text is given up
// to the length at which it can match none.
func (s *Scanner) endKey(raw []byte) {
	s.val = none
	if nd := &s.prog.nodes[s.cur]; s.depth == s.curDepth && len(nd.keys) > 0 {
		n := nd.find(raw)
		if n == none && bytes.IndexByte(raw, '\\') >= 0 && len(raw) < s.keyLimit {
			n = nd.find(appendText(make([]byte, 0, 64), raw, false))
		}
		if s.val = n; n != none {
			if s.rec.slots[n].seen {
				s.void(n)
			}
			s.touch(n)
			s.rec.slots[n].seen = true
		}
	}
	if s.deepJSON {
		c := s.text.take()
		c.addPunct(3, 2) // the quotes and the colon
		s.addLink(c)
	}
}

// moreString takes in a piece of a string value from b[i:] and returns the
// index of the closing quote, or -1.
func (s *Scanner) moreString(b []byte, i int) int {
	e := -1
	if s.textSum != none || s.jsonSum != none {
		if n := i + s.text.feed(b[i:]); n < len(b) {
			e = n
		}
	} else {
		e = s.restOfString(b, i)
	}
	if e < 0 {
		s.keep(b[i:])
		return -1
	}
	s.keep(b[i:e])
	return e
}

func (s *Scanner) endString() {
	if s.textSum != none || s.jsonSum != none {
		c := s.text.take()
		s.add(s.textNode, s.textSum, c)
		c.addPunct(2, 0)
		s.add(s.textNode, s.jsonSum, c)
	}
	s.endValue()
}

func (s *Scanner) beginLiteral(c byte) state {
	kind := Bool
	switch c {
	case 't':
		s.literal = "true"
	case 'f':
		s.literal = "false"
	default:
		s.literal, kind = "null", Null
	}
	s.lit = 0
	s.beginValue(kind)
	return inLiteral
}

// moreScalar takes in a piece of a number or literal.
func (s *Scanner) moreScalar(raw []byte) {
	if s.jsonSum != none {
		s.text.feed(raw)
	}
	s.keep(raw)
}

func (s *Scanner) endScalar() {
	if s.jsonSum != none {
		s.add(s.textNode, s.jsonSum, s.text.take())
	}
	s.endValue()
}

// keep adds raw to what is captured of the value at hand.
func (s *Scanner) keep(raw []byte) {
	if s.val == none {
		return
	}
	sl := &s.rec.slots[s.val]
	sl.size += int64(len(raw))
	if room := s.prog.nodes[s.val].keep - len(sl.raw); room > 0 {
		sl.raw = append(sl.raw, raw[:min(len(raw), room)]...)
	}
}
