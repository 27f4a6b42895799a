package tail

import (
	"bytes"
	"io"
)

// Handler is told what a scan finds. The record is the scanner's and changes
// after the method returns.
type Handler interface {
	// Begin: an Each array opens, or what its elements said before is void:
	// its key turned out to be a duplicate or the record was damaged. An array
	// in the items of another opens once for each of them.
	Begin(r *Record, a Array)
	// Element: an item of an Each array is complete. Fields and counters
	// below the array hold this item's values only; those outside hold what
	// was seen so far.
	Element(r *Record, a Array)
	// Record: the record is complete. Counters below an Each array hold the
	// sum of its items, fields the last item's values.
	Record(r *Record)
}

// Result is where a scan got to.
type Result struct {
	Next    int64 // offset after the last newline read: where the next scan starts
	Records int64 // records reported, Unterminated ones too
	Damaged int64 // lines that were not exactly one record (or blank), up to Next
	Tail    int64 // bytes read after Next: of a line that has no newline yet
}

// Sizes in bytes.
const (
	blockSize = 256 << 10
	// The first block is smaller by so much: it is enough for what was appended
	// since a scan a moment ago.
	firstPart = 16
	// headroom before a block holds the last two bytes of the one before,
	// which recovery looks back at; a page, because reading to an address that
	// is not aligned takes twice as long.
	headroom = 4096
)

// Scanner finds records and keeps of them what its schema asks for. It may be
// used for one scan after the other, not for two at once. Its memory, under
// 1 MB and what the schema's captures may take, is allocated as scans need it,
// and kept.
type Scanner struct {
	prog    *program
	block   int    // bytes read at once, in the end
	buf     []byte // headroom and a block
	look    []byte // for lookAhead
	rec     Record
	h       Handler
	res     Result
	stop    bool // asked for
	stopped bool // and done

	automaton
	line line

	src      io.ReaderAt // nil in Stream
	base, to int64       // offset of the block, end of the scan (or -1)
}

// line is what is known of the line being read.
type line struct {
	start   int64
	damaged bool
	again   bool // read for the second time, from its last object on
	glued   bool // the next record of the line follows a half one
	end     lineEnd
}

type lineEnd uint8

const (
	endUnknown lineEnd = iota
	endNewline
	endNone
)

// NewScanner returns a scanner for a schema. What is added to the schema
// later is not seen.
func NewScanner(s *Schema) *Scanner { return newScanner(s, blockSize) }

func newScanner(s *Schema, block int) *Scanner {
	p := compile(s)
	sc := &Scanner{
		prog:  p,
		block: block,
		rec:   Record{prog: p, slots: make([]slot, len(p.nodes)), sums: make([]Counts, p.nsums)},
	}
	sc.automaton.init(p)
	return sc
}

// SetCounting switches the counting of characters, which is on at first. Off,
// all Counts are zero and the scan is faster. Called from a Handler it takes
// effect with the next record.
func (s *Scanner) SetCounting(on bool) { s.countNext = on }

// Stop ends the scan after the line being read. It is meant to be called from
// a Handler.
func (s *Scanner) Stop() { s.stop = true }

// Scan reads the bytes [from,to) of src, or all from from on if to is
// negative, and reports the records to h. from must be the start of a line.
// A last line without a newline is reported if it holds a whole record; if not,
// it counts nowhere. The error is the source's, and the result is right up to
// where it came.
func (s *Scanner) Scan(src io.ReaderAt, from, to int64, h Handler) (Result, error) {
	s.begin(src, from, to, h)
	s.makeRoom(max(s.block/firstPart, 1))
	return s.read(from, src.ReadAt)
}

// Stream is Scan for a source that cannot seek; its first byte is at offset
// from. A record glued to a half one that broke off between two values is
// recovered only if it lies in the block at hand.
func (s *Scanner) Stream(src io.Reader, from int64, h Handler) (Result, error) {
	s.begin(nil, from, -1, h)
	s.makeRoom(s.block)
	return s.read(from, func(b []byte, _ int64) (int, error) { return src.Read(b) })
}

func (s *Scanner) begin(src io.ReaderAt, from, to int64, h Handler) {
	s.src, s.to, s.h = src, to, h
	s.res, s.stop, s.stopped = Result{Next: from}, false, false
	s.line = line{start: from}
	s.state, s.live = atLine, false
	s.text.take()
}

// makeRoom makes blocks of n bytes, if they are smaller.
func (s *Scanner) makeRoom(n int) {
	if n = min(n, s.block); len(s.buf) < headroom+n {
		buf := make([]byte, headroom+n)
		copy(buf[:headroom], s.buf)
		s.buf = buf
	}
}

// read pushes block after block through the scanner.
func (s *Scanner) read(pos int64, next func(b []byte, pos int64) (int, error)) (Result, error) {
	for idle := 0; ; {
		block := s.buf[headroom:]
		if s.to >= 0 {
			block = block[:max(min(s.to-pos, int64(len(block))), 0)]
		}
		if len(block) == 0 {
			return s.finish(pos), nil
		}
		n, err := next(block, pos)
		if n > 0 {
			idle = 0
			end := pos + int64(n)
			pos = s.push(n, pos)
			if s.stopped {
				return s.res, nil
			}
			if pos < end {
				continue // whatever err is, it will come again
			}
			if n == len(block) {
				s.makeRoom(4 * n)
			}
		}
		switch {
		case err == io.EOF:
			return s.finish(pos), nil
		case err == nil && n == 0:
			if idle++; idle < 100 {
				continue
			}
			err = io.ErrNoProgress
			fallthrough
		case err != nil:
			s.abandon()
			s.res.Tail = pos - s.res.Next
			return s.res, err
		}
	}
}

// push takes in n bytes of the buffer, which begin at offset pos, and returns
// the offset at which to read on: after them, or further back if the line has
// to be read again from there.
func (s *Scanner) push(n int, pos int64) int64 {
	s.base = pos - headroom
	b := s.buf[:headroom+n]
	for i := headroom; i < len(b); {
		nl := bytes.IndexByte(b[i:], '\n')
		if nl < 0 {
			s.run(b, i)
			s.lastByte(b[i:])
			break
		}
		s.line.end = endNewline
		s.run(b[:i+nl], i)
		switch back := s.newline(b[i : i+nl]); {
		case back >= pos:
			i = int(back - s.base)
			continue
		case back >= 0 && s.src != nil:
			return back
		}
		s.endLine(s.base + int64(i+nl+1))
		if s.stopped {
			break
		}
		i += nl + 1
	}
	copy(s.buf[headroom-2:headroom], b[len(b)-2:])
	return pos + int64(n)
}

// newline ends the line whose last bytes are b. It returns the offset from
// which to read the line again, or -1.
func (s *Scanner) newline(b []byte) int64 {
	s.lastByte(b)
	switch s.state {
	case atLine, inBad:
	case atDone:
		s.emit()
	default:
		s.line.damaged = true
		s.abandon()
		if back := s.lastObject(); back >= 0 && !s.line.again {
			s.line.again = true
			s.line.glued = true
			s.state = atLine
			return back
		}
	}
	return -1
}

// endLine counts the line that ends before next and begins another.
func (s *Scanner) endLine(next int64) {
	if s.line.damaged {
		s.res.Damaged++
	}
	s.res.Next = next
	s.line = line{start: next}
	s.state = atLine
	s.stopped = s.stop
}

// finish ends a scan whose source ends at pos.
func (s *Scanner) finish(pos int64) Result {
	if s.state == atDone {
		s.line.end = endNone
		s.emit()
	} else {
		s.abandon()
	}
	s.res.Tail = max(pos-s.res.Next, 0)
	return s.res
}

// emit reports the complete record.
func (s *Scanner) emit() {
	s.rec.Unterminated = s.line.end == endNone
	s.res.Records++
	s.live = false
	s.h.Record(&s.rec)
}
