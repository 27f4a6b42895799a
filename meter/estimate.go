package meter

import "math"

// Estimate is a number of tokens and the band around it that holds the true
// value nine times in ten. Below and Above are distances from Tokens, and not
// negative: what a transcript does not show makes the truth larger more often
// than smaller.
type Estimate struct {
	Tokens, Below, Above float64 // tokens
}

// plus adds an estimate that is off in the same direction.
func (e Estimate) plus(b Estimate) Estimate {
	return Estimate{e.Tokens + b.Tokens, e.Below + b.Below, e.Above + b.Above}
}

// beside adds an estimate that is off for reasons of its own.
func (e Estimate) beside(b Estimate) Estimate {
	return Estimate{e.Tokens + b.Tokens, math.Hypot(e.Below, b.Below), math.Hypot(e.Above, b.Above)}
}

// wider has the band so much wider on both sides.
func (e Estimate) wider(by float64) Estimate {
	return Estimate{e.Tokens, e.Below + by, e.Above + by}
}
