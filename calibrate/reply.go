package calibrate

import "github.com/ctxmeter/ctxmeter/meter"

// Reply implements meter.Estimator.
func (t *Table) Reply(c meter.Context) meter.Estimate {
	output := float64(c.Usage.Output)
	f, _ := familyOf(c.Model)
	if c.Ended || f == gpt {
		return meter.Estimate{Tokens: output}
	}
	m, b := &t.Families[f].Model, &c.Body
	content := m.Tokens(&b.Reply) + callFactor*m.Tokens(&b.Call) + call(f, b.Signature > 0)*float64(b.Calls)
	thought := thinking(m, b)
	if Placeholder(c.Version, c.Usage.Output) {
		if output >= content+thought {
			return meter.Estimate{Tokens: output}
		}
	} else if output >= .6*(content+.5*thought) {
		return meter.Estimate{Tokens: output}
	}
	spread := 20 + .2*(content+thought)
	return meter.Estimate{Tokens: content + thought, Below: spread, Above: spread}
}

// Placeholder reports that the output a client of this version stored is the
// first number of the stream, not the last.
func Placeholder(version string, output int64) bool {
	if before2159(version) {
		return output <= 60
	}
	return output <= 8
}
