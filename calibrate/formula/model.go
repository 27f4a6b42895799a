package formula

import "github.com/ctxmeter/ctxmeter/meter/tail"

// Model holds the coefficients of one tokenizer.
type Model struct {
	Linear     Linear     `json:"linear"`     // tokens a count
	Correction Correction `json:"correction"` // of the logarithm of the linear part
	Scripts    Scripts    `json:"scripts"`    // tokens a code point
}

// Scripts are tokens per code point outside ASCII. Signs (arrows, boxes,
// dashes) are in the linear part.
type Scripts struct {
	Latin  float64 `json:"latin"`
	Alpha  float64 `json:"alpha"`
	Wide   float64 `json:"wide"`
	Astral float64 `json:"astral"`
}

// Tokens of a text's code points outside ASCII, without signs.
func (s *Scripts) Tokens(c *tail.Counts) float64 {
	return s.Latin*float64(c.Latin) + s.Alpha*float64(c.Alpha) + s.Wide*float64(c.Wide) + s.Astral*float64(c.Astral)
}

// The least and the most that a text comes to. A run of one character takes a
// token for 50 bytes at least; letters never come in runs that are words, so
// they take one for ten. A token is a byte at least.
const (
	leastPerByte   = .02
	leastPerLetter = .08 // beside that
	mostPerByte    = 1.0
)

// Tokens is the estimate for a text, without what it is wrapped in. An empty
// text has none.
func (m *Model) Tokens(c *tail.Counts) float64 {
	tokens := m.Linear.Tokens(c)
	if tokens > 0 {
		tokens *= m.Correction.Factor(c)
	}
	tokens += m.Scripts.Tokens(c)
	least := leastPerByte*float64(c.Bytes) + leastPerLetter*float64(c.Letters)
	return max(least, min(mostPerByte*float64(c.Bytes), tokens))
}
