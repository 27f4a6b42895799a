package meter

import "math"

// Estimate is a number of tokens and the band around it that holds the true
// value nine times in ten. Below and Above are distances from Tokens, and not
// negative: what a transcript does not show makes the truth larger more often
// than smaller.
type Estimate struct {
	Tokens, Below, Above float64 // tokens
	Learned              Learned // what it rests on beside the table that ships with the program
}

// Learned says which parts of an estimate were learned of the user's own
// transcripts, one bit each.
type Learned uint8

// The parts.
const (
	LearnedRatio    Learned = 1 << iota // tokens of a text
	LearnedOverhead                     // what a session's first request carries beside its text
	LearnedRestored                     // what comes back after a compaction
)

// names are the parts as a reading has them, nil if there is none.
func (l Learned) names() []string {
	var out []string
	for i, name := range []string{"learned_ratio", "learned_overhead", "learned_restored"} {
		if l>>i&1 != 0 {
			out = append(out, name)
		}
	}
	return out
}

// plus adds an estimate that is off in the same direction.
func (e Estimate) plus(b Estimate) Estimate {
	return Estimate{e.Tokens + b.Tokens, e.Below + b.Below, e.Above + b.Above, e.Learned | b.Learned}
}

// beside adds an estimate that is off for reasons of its own.
func (e Estimate) beside(b Estimate) Estimate {
	return Estimate{e.Tokens + b.Tokens, math.Hypot(e.Below, b.Below), math.Hypot(e.Above, b.Above), e.Learned | b.Learned}
}

// wider has the band so much wider on both sides.
func (e Estimate) wider(by float64) Estimate {
	return Estimate{e.Tokens, e.Below + by, e.Above + by, e.Learned}
}
