package tail

import (
	"math"
	"unicode/utf8"
)

// Kind is the type of a JSON value.
type Kind uint8

// The kinds. A field whose path the record does not have is Missing.
const (
	Missing Kind = iota
	Null
	Bool
	Number
	String
	Object
	List // a JSON array; Array names one in a Schema
)

// Record is what the scanner kept of one top-level object. It is valid until
// the Handler's method returns.
type Record struct {
	// Offset and End are the positions, in bytes from the beginning of the
	// file, of the object's first byte and of the byte after its last. End is
	// known when Handler.Record is called.
	Offset, End int64
	// Unterminated: the line has no newline yet. The next scan from
	// Result.Next will report the record again.
	Unterminated bool
	// Recovered: the record follows a half one on the same line.
	Recovered bool

	prog  *program
	slots []slot
	sums  []Counts
	array int // 1 + the Array of which an item is reported, or 0
}

// slot is what the record says at one node.
type slot struct {
	kind    Kind
	seen    bool // its key was met in the object around it
	touched bool // something here may need to be reset
	counted bool // some of its sums are not zero
	opened  bool // Begin was called for the Array that this value is
	size    int64
	raw     []byte
}

// Kind returns the type of the value at f.
func (r *Record) Kind(f Field) Kind { return r.slots[r.prog.fields[f].node].kind }

// Raw returns the text of the scalar at f as it was written: what stands
// between a string's quotes, or a number or literal. Nil for anything else.
// The bytes are the scanner's.
func (r *Record) Raw(f Field) []byte {
	fd := r.prog.fields[f]
	sl := &r.slots[fd.node]
	if sl.kind < Null || sl.kind > String {
		return nil
	}
	return sl.raw[:min(len(sl.raw), fd.limit)]
}

// Truncated says whether the text at f was longer than what was kept.
func (r *Record) Truncated(f Field) bool {
	fd := r.prog.fields[f]
	return r.slots[fd.node].size > int64(fd.limit)
}

// Text returns the decoded string at f, or "" if there is none. Of a
// truncated string it is the beginning.
func (r *Record) Text(f Field) string {
	raw := r.str(f)
	if plain(raw) {
		return string(raw)
	}
	return string(appendText(make([]byte, 0, len(raw)), raw, r.Truncated(f)))
}

// Is says whether the value at f is the string s. A truncated string is not
// known to be any.
func (r *Record) Is(f Field, s string) bool {
	if r.Kind(f) != String || r.Truncated(f) {
		return false
	}
	raw := r.str(f)
	if plain(raw) {
		return string(raw) == s
	}
	return string(appendText(make([]byte, 0, 64), raw, false)) == s
}

// str returns the raw text of the string at f.
func (r *Record) str(f Field) []byte {
	if r.Kind(f) != String {
		return nil
	}
	return r.Raw(f)
}

// Bool returns the truth value at f; ok is false if there is none.
func (r *Record) Bool(f Field) (value, ok bool) {
	sl := &r.slots[r.prog.fields[f].node]
	return sl.kind == Bool && sl.size == int64(len("true")), sl.kind == Bool
}

// Int returns the whole number at f, which may be written as 12, 12.0, 1.2e1
// or "12"; ok is false for anything else and for what an int64 cannot hold.
func (r *Record) Int(f Field) (n int64, ok bool) {
	if r.Truncated(f) {
		return 0, false
	}
	switch r.Kind(f) {
	case Number:
		return parseInt(r.Raw(f))
	case String:
		raw := r.Raw(f)
		if !plain(raw) {
			raw = appendText(make([]byte, 0, 64), raw, false)
		}
		return parseInt(raw)
	}
	return 0, false
}

// Amount returns the amount at f, which may be missing or null: 0. sound is
// false for what no amount can be: a negative or fractional number, one beyond
// 2^48, or another kind of value.
func (r *Record) Amount(f Field) (n int64, sound bool) {
	if k := r.Kind(f); k == Missing || k == Null {
		return 0, true
	}
	n, ok := r.Int(f)
	if !ok || n < 0 || n > 1<<48 {
		return 0, false
	}
	return n, true
}

// Counts returns what the text at c is made of. In Element, a counter below
// the array covers the item that is complete; in Record, all items.
func (r *Record) Counts(c Counter) Counts {
	var sum Counts
	for _, t := range r.prog.counters[c][r.array] {
		sum.Add(r.sums[t])
	}
	return sum
}

// Hash returns the FNV-1a hash of the decoded string at f, or of a number as
// it is written; of a truncated one, of the part that was kept. It is 0 only
// if there is neither, or the string is empty.
func (r *Record) Hash(f Field) uint64 {
	if k := r.Kind(f); k != String && k != Number {
		return 0
	}
	raw := r.Raw(f)
	if len(raw) == 0 {
		return 0
	}
	const basis, prime = 14695981039346656037, 1099511628211
	h := uint64(basis)
	if plain(raw) {
		for _, c := range raw {
			h = (h ^ uint64(c)) * prime
		}
	} else {
		var buf [utf8.UTFMax]byte
		for cut := r.Truncated(f); len(raw) > 0 && !(cut && !whole(raw)); {
			c, n := char(raw)
			for _, b := range utf8.AppendRune(buf[:0], c) {
				h = (h ^ uint64(b)) * prime
			}
			raw = raw[n:]
		}
	}
	if h == 0 {
		return math.MaxUint64
	}
	return h
}
