package meter

import "math"

// fill is what the next request will carry.
type fill struct {
	known    bool
	basis    Basis
	used     float64 // tokens, our best estimate
	spread   float64 // half-width of the band, tokens
	floor    int64   // the band does not begin below this
	measured int64   // as the client counts it; 0 is none
	client   float64 // tokens, in the client's own arithmetic
}

// estimate adds up a context: the measured request, its reply, and what was
// appended; or, after a compaction, the fixed overhead, the summary and what
// was attached again.
func estimate(c Context, f Facts, est Estimator) fill {
	tail, spread := est.Tokens(c.Model, c.Tail)
	switch c.Ground {
	case GroundMeasured:
		return measuredUse(c, tail, spread, est)
	case GroundBoundary:
		return boundaryUse(c, f, tail, spread, est)
	case GroundStart:
		if f.First.Prompt > 0 { // taken back to the beginning
			return boundaryUse(c, f, tail, spread, est)
		}
		if c.Body == (Text{}) {
			return fill{} // what the client sends with the first message is not in the transcript
		}
		body, s := est.Tokens(c.Model, c.Body)
		return fill{
			known: true, basis: BasisEstimate,
			used: body + tail, spread: spread + s + (body+tail)*startSpread,
			client: float64(c.BodyClient + c.Client),
		}
	}
	return fill{}
}

// Relative half-widths where no measurement stands behind a number: tool
// schemas and the like are not in the transcript.
const (
	startSpread    = 0.5
	boundarySpread = 0.2
)

func measuredUse(c Context, tail, spread float64, est Estimator) fill {
	u := fill{known: true, basis: BasisBoth, measured: c.Usage.Total}
	if c.Usage.Estimated || c.Usage.Full {
		u.basis = BasisEstimate
		u.used = float64(c.Usage.Total) + tail
		u.client = float64(c.Usage.Total + c.Client)
		u.spread = spread + boundarySpread*float64(c.Usage.Total)
		if !c.Usage.Full {
			u.used += est.Restored(c)
		}
		return u
	}
	reply, s := est.Reply(c)
	dropped := 0.0
	if c.Turn && !c.Usage.Dropped {
		dropped = est.Dropped(c)
	}
	earlier := float64(c.Earlier)
	u.used = max(float64(c.Usage.Prompt)+reply+tail+earlier-dropped, 1)
	u.spread = math.Hypot(spread, s) + dropped/4 + earlier // whether the provider counts it is not known
	u.client = float64(c.Usage.Prompt+c.Usage.Output+c.Client) + earlier
	if dropped == 0 && c.Tail.Fixed >= 0 && !c.Usage.Bound {
		u.floor = c.Usage.Prompt // what was measured is sent again
	}
	switch {
	case c.Usage.Bound:
		u.spread, u.basis = u.used*0.7, BasisEstimate // several passes may be added up in it
	case c.Tail == (Text{}) && earlier == 0 && reply == float64(c.Usage.Output):
		u.basis = BasisMeasured
	}
	return u
}

func boundaryUse(c Context, f Facts, tail, spread float64, est Estimator) fill {
	body, s := est.Tokens(c.Model, c.Body)
	client := float64(c.BodyClient)
	restored := 0.0
	if c.Ground == GroundBoundary {
		restored = est.Restored(c)
	}
	if c.Compaction.Post > 0 {
		body, client = float64(c.Compaction.Post), float64(c.Compaction.Post)
	}
	overhead := 0.0
	if f.First.Prompt > 0 {
		first, _ := est.Tokens(c.Model, f.First.Text)
		overhead = max(float64(f.First.Prompt)-first, 0)
	}
	u := fill{known: body+overhead+tail > 0, basis: BasisEstimate}
	u.used = overhead + body + tail + restored
	u.client = overhead + client + float64(c.Client)
	u.spread = spread + s + boundarySpread*u.used
	if overhead == 0 {
		u.spread += startSpread * u.used
	}
	return u
}
