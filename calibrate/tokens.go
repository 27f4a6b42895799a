package calibrate

import (
	"math"

	"github.com/ctxmeter/ctxmeter/calibrate/formula"
	"github.com/ctxmeter/ctxmeter/meter"
	"github.com/ctxmeter/ctxmeter/meter/tail"
)

var _ meter.Estimator = (*Table)(nil)

// Tokens implements meter.Estimator. The formula is applied to all the text
// together, as it was fitted; on sessions where prompts, results and
// attachments stand side by side, taking each by itself is no better.
func (t *Table) Tokens(model string, text meter.Text) meter.Estimate {
	f, sure := familyOf(model)
	own := &t.Families[f]
	all := text.User
	all.Add(text.Tool)
	all.Add(text.Reply)
	all.Add(text.Attachment)
	tokens := own.Model.Tokens(&all) + calls(f, &own.Model, &text) + thinking(&own.Model, &text) + wrappers(own, f, &text)
	e := meter.Estimate{Tokens: tokens}
	if tokens > 0 {
		low, high := own.Bands.Of(tokens, formula.KindOf(&all))
		e.Below, e.Above = min(-low, tokens), high
		if !sure {
			e = strange(e)
		}
		below, above := doubt(&all)
		e.Below, e.Above = min(e.Below+below, tokens), e.Above+above
	}
	pictures := image[f] * float64(text.Images)
	fixed := float64(text.Fixed)
	return meter.Estimate{
		Tokens: e.Tokens + pictures + fixed,
		Below:  e.Below + imageBelow*pictures + math.Abs(fixed)/4,
		Above:  e.Above + imageAbove*pictures + math.Abs(fixed)/4,
	}
}

// strange widens the band for a model that nothing is known of: the families
// at hand lie a third below and a half above each other.
func strange(e meter.Estimate) meter.Estimate {
	return meter.Estimate{Tokens: e.Tokens, Below: min(e.Below+.35*e.Tokens, e.Tokens), Above: e.Above + .5*e.Tokens}
}

// doubt widens a band for what the counts cannot tell apart: signs and
// punctuation in long runs may be one sign again and again, which takes next to
// nothing, or all of them others (o200k_base: 6,000 lines of a box are 375
// tokens, 6,000 braille patterns 17,800). Where a tool numbers lines, each has a
// sign: those are known.
func doubt(c *tail.Counts) (below, above float64) {
	signs := float64(max(c.Signs-c.Newlines-1, 0))
	marks := float64(max(c.Punct-longRun*c.PunctRuns, 0))
	digits := float64(max(c.Digits-2*longRun*c.DigitRuns, 0))
	return .9*signs + .1*marks, signs + .5*marks + .15*digits
}

const longRun = 6 // characters of one kind in a row
