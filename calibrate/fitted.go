package calibrate

import (
	"cmp"
	"math"

	"github.com/ctxmeter/ctxmeter/meter"
)

// Fitted is the table with what was learned of a user's own transcripts, for
// one session.
type Fitted struct {
	*Table
	factors map[string]float64
	amounts func(list []Amount, c *meter.Context, shown bool) *Amount
	learned *Learned
}

// For returns the estimator of a session. Of nothing learned it is the table. A
// subagent has a prompt of its own: of that nothing is learned.
func (l *Learned) For(s meter.Session) meter.Estimator {
	if l == nil {
		return Builtin()
	}
	f := &Fitted{Table: Builtin(), factors: map[string]float64{}, learned: l}
	for _, r := range l.Ratios {
		if r.Client == s.Backend {
			f.factors[r.Model] = r.Factor
		}
	}
	f.amounts = func(list []Amount, c *meter.Context, shown bool) *Amount {
		if s.AgentID != "" {
			return nil
		}
		want := amountKey{client: s.Backend, version: c.Version, project: ProjectKey(cmp.Or(c.Project, s.Project)), shown: shown}
		if c.Model != "" { // before the first reply it may not be known
			want.family = familyName(c.Model)
		}
		return nearest(list, want)
	}
	return f
}

// nearest is what speaks most closely of a session: of its project and
// version, of its project, of its version, of its client; and of models of any
// family if that is "": then what was seen most.
func nearest(list []Amount, want amountKey) (best *Amount) {
	rank := -1
	for i := range list {
		a := &list[i]
		if a.Client != want.client || a.Shown != want.shown || want.family != "" && a.Family != want.family ||
			a.Version != "" && a.Version != want.version || a.Project != "" && a.Project != want.project {
			continue
		}
		n := 0
		if a.Project != "" {
			n += 2
		}
		if a.Version != "" {
			n++
		}
		if n > rank || n == rank && a.Count > best.Count {
			best, rank = a, n
		}
	}
	return best
}

// Tokens implements meter.Estimator.
func (f *Fitted) Tokens(model string, t meter.Text) meter.Estimate {
	e := f.Table.Tokens(model, t)
	factor, ok := f.factors[model]
	if !ok || e.Tokens == float64(t.Fixed) {
		return e
	}
	e.Tokens = (e.Tokens-float64(t.Fixed))*factor + float64(t.Fixed)
	e.Learned |= meter.LearnedRatio
	return e
}

// Overhead implements meter.Estimator. Where the transcript shows the client's
// instructions, what was learned is the rest; of those that follow a compaction
// nobody says whether they are shown.
func (f *Fitted) Overhead(c meter.Context) meter.Estimate {
	shown := c.Ground == meter.GroundStart && c.Body != meter.Text{}
	a := f.amounts(f.learned.lists().Overheads, &c, shown)
	if a == nil {
		return f.Table.Overhead(c)
	}
	e := a.estimate(meter.LearnedOverhead)
	if shown {
		text := f.Tokens(c.Model, c.Body)
		e.Tokens += text.Tokens
		e.Below += text.Below
		e.Above += text.Above
		e.Learned |= text.Learned
	}
	return e
}

// Restored implements meter.Estimator. Where the client's own recount, or what
// it recorded, tells, the table is right.
func (f *Fitted) Restored(c meter.Context) meter.Estimate {
	table := f.Table.Restored(c)
	if a := f.amounts(f.learned.lists().Restored, &c, false); a != nil && !c.Usage.Estimated {
		return a.estimate(meter.LearnedRestored)
	}
	return table
}

func (a *Amount) estimate(part meter.Learned) meter.Estimate {
	if a == nil {
		return meter.Estimate{}
	}
	n := float64(a.Tokens)
	return meter.Estimate{Tokens: n, Below: math.Max(n-float64(a.Low), 0), Above: math.Max(float64(a.High)-n, 0), Learned: part}
}
