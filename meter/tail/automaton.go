package tail

// state is what the automaton expects of the next byte.
type state uint8

const (
	atLine      state = iota // a record, or padding
	inMark                   // the rest of a byte order mark
	atDone                   // the end of the line: the record is complete
	inBad                    // nothing more of this line
	atFirstKey               // a key or the end of the object
	atKey                    // a key
	inKey                    // the rest of a key
	atColon                  // a colon
	atFirstItem              // an item or the end of the array
	atValue                  // a value
	inSkipped                // the rest of a string nobody wants
	inString                 // the rest of a string somebody wants
	inNumber                 // the rest of a number
	inLiteral                // the rest of true, false or null
	atNext                   // a comma or the end of the object or array
)

// maxDepth is how deep a record may be nested; one that is deeper is damaged.
const maxDepth = 4096

// automaton is where the scan stands between two bytes. Named nodes of the
// schema nest as the containers do, so the innermost open container that has
// a node is all that needs to be known of them: the others are its parents.
type automaton struct {
	state state
	depth int32 // open containers
	// open holds the offset of each open container, complemented for arrays.
	open [maxDepth + 2]int64

	cur      int32 // node of the innermost open container that has one
	curDepth int32 // its depth; deeper containers have no node
	val      int32 // node of the value at hand or of the last one, or none
	deepText bool  // strings in cur that have no node are counted
	deepJSON bool  // the JSON text of cur is counted

	live    bool   // a record is open
	escaped bool   // the piece of a string ended in the middle of an escape
	literal string // true, false or null
	lit     int    // how much of it, or of a byte order mark, was read
	final   byte   // the last byte before the block that was not a blank

	key      []byte // the beginning of a key that comes in pieces
	keyLimit int

	counting  bool
	countNext bool  // counting, from the next record on
	text      tally // of the string or number at hand
	textNode  int32 // where its Counts go: this node,
	textSum   int32 // this sum of a string, or none,
	jsonSum   int32 // and this sum as JSON text, or none

	touched []int32 // nodes whose slots need a reset before the next record
}

func (a *automaton) init(p *program) {
	a.countNext = true
	a.keyLimit = 6*p.longest + 1
	a.key = make([]byte, 0, a.keyLimit)
	a.touched = make([]int32, 0, len(p.nodes))
}

// class sorts the bytes that may begin a value or stand between two.
type class uint8

const (
	clOther class = iota
	clBlank
	clQuote
	clObject
	clArray
	clDigit
	clLetter
	clComma
	clEndObject
	clEndArray
)

var classes = func() (t [256]class) {
	for _, c := range " \t\r" {
		t[c] = clBlank
	}
	for _, c := range "-0123456789" {
		t[c] = clDigit
	}
	t['t'], t['f'], t['n'] = clLetter, clLetter, clLetter
	t['"'], t['{'], t['['] = clQuote, clObject, clArray
	t[','], t['}'], t[']'] = clComma, clEndObject, clEndArray
	return t
}()

// numeric holds the bytes a number is made of; their order is not checked.
var numeric = func() (t [256]bool) {
	for _, c := range "+-.0123456789eE" {
		t[c] = true
	}
	return t
}()

// run pushes b[i:] through the automaton. b holds no newline, and its bytes
// before i are those that precede in the file.
func (s *Scanner) run(b []byte, i int) {
	st := s.state
	for i < len(b) {
		c := b[i]
		switch st {
		case inBad:
			i = len(b)

		case atLine, inMark, atDone:
			st, i = s.between(st, b, i)

		case atFirstKey, atKey:
			switch {
			case c == '"':
				i++
				e := endOfString(b, i)
				if e < 0 {
					s.beginKey()
					st = inKey
					break
				}
				if s.depth == s.curDepth || s.deepJSON {
					s.wholeKey(b[i : e+1])
				}
				st, i = atColon, e+1
				if i < len(b) && b[i] == ':' {
					st, i = atValue, i+1
				}
			case classes[c] == clBlank:
				i++
			case c == '}' && st == atFirstKey:
				st, i = s.close(s.base+int64(i)), i+1
			default:
				st, i = s.fault(b, i)
			}

		case inKey:
			if e := s.moreKey(b, i); e >= 0 {
				st, i = atColon, e+1
			} else {
				i = len(b)
			}

		case atColon:
			switch {
			case c == ':':
				st, i = atValue, i+1
			case classes[c] == clBlank:
				i++
			default:
				st, i = s.fault(b, i)
			}

		case atFirstItem, atValue:
			switch classes[c] {
			case clQuote:
				i++
				s.escaped = false
				if s.val != none || s.deepText {
					s.beginValue(String)
					st = inString
				} else if e := endOfString(b, i); e >= 0 {
					st, i = atNext, e+1
				} else {
					st = inSkipped
				}
			case clObject, clArray:
				st = s.openValue(c, s.base+int64(i))
				i++
			case clDigit:
				s.beginValue(Number)
				st = inNumber
			case clLetter:
				st = s.beginLiteral(c)
			case clBlank:
				i++
			case clEndArray:
				if st == atFirstItem {
					st, i = s.close(s.base+int64(i)), i+1
					break
				}
				fallthrough
			default:
				st, i = s.fault(b, i)
			}

		case inSkipped:
			if e := s.restOfString(b, i); e >= 0 {
				st, i = atNext, e+1
			} else {
				i = len(b)
			}

		case inString:
			if e := s.moreString(b, i); e >= 0 {
				st, i = atNext, e+1
				s.endString()
			} else {
				i = len(b)
			}

		case inNumber:
			e := i
			for e < len(b) && numeric[b[e]] {
				e++
			}
			s.moreScalar(b[i:e])
			if i = e; i < len(b) {
				s.endScalar()
				st = atNext
			}

		case inLiteral:
			e := i
			for e < len(b) && s.lit < len(s.literal) && b[e] == s.literal[s.lit] {
				e++
				s.lit++
			}
			s.moreScalar(b[i:e])
			i = e
			if s.lit == len(s.literal) {
				s.endScalar()
				st = atNext
			} else if i < len(b) {
				st, i = s.fault(b, i)
			}

		case atNext:
			switch classes[c] {
			case clComma:
				st, i = s.comma(), i+1
			case clBlank:
				i++
			case clEndObject, clEndArray:
				if (c == '}') == (s.open[s.depth] >= 0) {
					st, i = s.close(s.base+int64(i)), i+1
					break
				}
				fallthrough
			default:
				st, i = s.fault(b, i)
			}
		}
	}
	s.state = st
}
