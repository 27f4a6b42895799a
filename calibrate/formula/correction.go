package formula

import (
	"math"

	"github.com/ctxmeter/ctxmeter/meter/tail"
)

const (
	ratios = 10
	// Terms are how many terms the correction has: 1, each ratio, and each
	// product of two.
	Terms = (ratios + 1) * (ratios + 2) / 2

	mostRatio      = 3  // beyond that a ratio is no more unusual
	mostCorrection = .3 // as a logarithm: a factor from 0.74 to 1.35
)

// ratioNames are what the correction goes by.
var ratioNames = [ratios]string{
	"letters/word", "punct/run", "digits/run",
	"letters", "digits", "punct", "spaces",
	"case_breaks/word", "newlines", "underscores",
}

// ratiosOf are about 0 for usual text and about 1 where it is unusual. c has
// plain characters, n of them.
func ratiosOf(c *tail.Counts, n float64) [ratios]float64 {
	share := func(count int64, usual, scale float64) float64 { return (float64(count)/n - usual) / scale }
	r := [ratios]float64{
		longer(c.Letters, c.Words, n, 4.5) / .2,
		longer(c.Punct, c.PunctRuns, n, 1.3) / .2,
		longer(c.Digits, c.DigitRuns, n, 2) / .35,
		share(c.Letters, .6, .12),
		share(c.Digits, .05, .05),
		share(c.Punct, .13, .06),
		share(c.Spaces, .17, .08),
		(float64(c.CaseBreaks)/(float64(c.Words)+.01*n) - .05) / .1,
		share(c.Newlines, .03, .015),
		share(c.Underscores, .01, .015),
	}
	for i := range r {
		r[i] = max(-mostRatio, min(mostRatio, r[i]))
	}
	return r
}

// longer is the logarithm of the mean length of runs over the usual one,
// shrunk towards that where runs are few (below a hundredth of n characters).
func longer(count, runs int64, n, usual float64) float64 {
	k := .01 * n
	return math.Log((float64(count) + usual*k) / (float64(runs) + k) / usual)
}

// TermsOf are the terms of the correction: 1, then for each ratio itself, and
// half its product with each ratio up to itself. ok is false for a text
// without plain characters, which is not corrected.
func TermsOf(c *tail.Counts) (t [Terms]float64, ok bool) {
	n := plain(c)
	if n == 0 {
		return t, false
	}
	t[0] = 1
	at := 1
	r := ratiosOf(c, n)
	for i, a := range r {
		t[at] = a
		at++
		for _, b := range r[:i+1] {
			t[at] = a * b / 2
			at++
		}
	}
	return t, true
}

// Correction are the coefficients of the terms.
type Correction [Terms]float64

// Factor is what the linear part is multiplied by.
func (k *Correction) Factor(c *tail.Counts) float64 {
	t, ok := TermsOf(c)
	if !ok {
		return 1
	}
	sum := 0.0
	for i, x := range t {
		sum += k[i] * x
	}
	return math.Exp(max(-mostCorrection, min(mostCorrection, sum)))
}
