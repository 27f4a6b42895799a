package formula

import "github.com/ctxmeter/ctxmeter/meter/tail"

// Prices are how many counts the linear part gives a price.
const Prices = 12

// Linear are tokens for each of the counts, in the order of LinearNames; none
// is negative.
type Linear [Prices]float64

// LinearNames are what the linear part counts.
func LinearNames() [Prices]string {
	return [...]string{
		"words", "letters", "case_breaks",
		"digits", "digit_runs",
		"spaces", "space_runs", "newlines",
		"underscores", "punct", "punct_runs",
		"signs",
	}
}

// LinearCounts are the counts that the linear part gives prices.
func LinearCounts(c *tail.Counts) [Prices]float64 {
	return [...]float64{
		float64(c.Words), float64(c.Letters), float64(c.CaseBreaks),
		float64(c.Digits), float64(c.DigitRuns),
		float64(c.Spaces), float64(c.SpaceRuns), float64(c.Newlines),
		float64(c.Underscores), float64(c.Punct), float64(c.PunctRuns),
		float64(c.Signs),
	}
}

// Tokens is the linear part of the formula.
func (l *Linear) Tokens(c *tail.Counts) float64 {
	sum := 0.0
	for i, n := range LinearCounts(c) {
		sum += l[i] * n
	}
	return sum
}

// plain is how many of a text's code points the linear part prices.
func plain(c *tail.Counts) float64 {
	return float64(c.Letters + c.Digits + c.Spaces + c.Newlines + c.Underscores + c.Punct + c.Signs)
}
