package formula

import "github.com/ctxmeter/ctxmeter/meter/tail"

// Kind sorts texts by what they are made of. Where several kinds apply, the
// first counts.
type Kind string

// The kinds of text.
const (
	OtherScripts Kind = "other scripts"      // a twentieth is outside ASCII, signs apart
	LongWords    Kind = "long words"         // over nine letters a word, as in base64
	Listing      Kind = "listing with signs" // arrows behind line numbers, boxes
	Digits       Kind = "digits"
	Punctuation  Kind = "punctuation"
	Indented     Kind = "indented"
	Prose        Kind = "prose"
	Code         Kind = "code" // and everything else
)

// KindOf tells a text's kind.
func KindOf(c *tail.Counts) Kind {
	over := func(count int64, share float64) bool { return float64(count) > share*float64(c.Chars) }
	switch {
	case over(c.Latin+c.Alpha+c.Wide+c.Astral, .05):
		return OtherScripts
	case c.Letters > 9*c.Words:
		return LongWords
	case over(c.Signs, .02):
		return Listing
	case over(c.Digits, .15):
		return Digits
	case over(c.Punct, .2):
		return Punctuation
	case over(c.Spaces, .3):
		return Indented
	case over(c.Letters, .72):
		return Prose
	}
	return Code
}

// wider is how much wider than of ordinary text the band of a kind is: these
// are rare in the sessions that the models were fitted on.
func (k Kind) wider() float64 {
	switch k {
	case Digits:
		return 1.6
	case Punctuation, LongWords:
		return 2
	case OtherScripts:
		return 2.5
	}
	return 1
}
