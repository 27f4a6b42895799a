package calibrate

import (
	"math"

	"github.com/ctxmeter/ctxmeter/calibrate/formula"
	"github.com/ctxmeter/ctxmeter/meter"
	"github.com/ctxmeter/ctxmeter/meter/tail"
)

var _ meter.Estimator = (*Table)(nil)

// Tokens implements meter.Estimator.
func (t *Table) Tokens(model string, text meter.Text) meter.Estimate {
	f, sure := familyOf(model)
	all := text.User
	for _, c := range [...]*tail.Counts{&text.Tool, &text.Reply, &text.Attachment} {
		all.Add(*c)
	}
	own := &t.Families[f]
	m := &own.Model
	tokens := m.Tokens(&all) + callFactor*m.Tokens(&text.Call) + call(f, text.Signature > 0)*float64(text.Calls)
	tokens += thinking(m, &text)
	tokens += wrappers(own, f, &text)
	e := meter.Estimate{Tokens: tokens}
	if tokens > 0 {
		low, high := own.Bands.Of(tokens, formula.KindOf(&all))
		e.Below, e.Above = -low, high
		if !sure {
			e.Below, e.Above = strange*e.Below+.1*tokens, strange*e.Above+.1*tokens
		}
	}
	fixed := float64(text.Fixed)
	e.Tokens += fixed
	e.Below += math.Abs(fixed) / 4
	e.Above += math.Abs(fixed) / 4
	return e
}

const strange = 2
