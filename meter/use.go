package meter

// fill is what the next request will carry.
type fill struct {
	known    bool
	basis    Basis
	used     Estimate
	floor    int64   // tokens: the band does not begin below this
	measured int64   // as the client counts it; 0 is none
	client   float64 // tokens, in the client's own arithmetic
}

// estimate adds up a context: the measured request, its reply, and what was
// appended; or, after a compaction, the fixed overhead, the summary and what
// was attached again.
func estimate(c Context, f Facts, est Estimator) fill {
	tail := est.Tokens(c.Model, c.Tail)
	switch c.Ground {
	case GroundMeasured:
		return measuredUse(c, tail, est)
	case GroundBoundary:
		return boundaryUse(c, f, tail, est)
	case GroundStart:
		if f.First.Prompt > 0 { // taken back to the beginning
			return boundaryUse(c, f, tail, est)
		}
		return startUse(c, tail, est)
	}
	return fill{}
}

// startUse is what is known before the first reply. What the client sends with
// the first message is mostly not in the transcript.
func startUse(c Context, tail Estimate, est Estimator) fill {
	u := fill{known: true, basis: BasisEstimate, client: float64(c.BodyClient + c.Client)}
	if over := est.Overhead(c); over.Tokens > 0 {
		u.used = tail.plus(over)
		return u
	}
	if c.Body == (Text{}) {
		return fill{}
	}
	u.used = tail.plus(est.Tokens(c.Model, c.Body))
	u.used = u.used.wider(startSpread * u.used.Tokens)
	return u
}

// Relative half-widths where no measurement stands behind a number: tool
// schemas and the like are not in the transcript.
const (
	startSpread    = 0.5
	boundarySpread = 0.2
)

// searchFinds is what a web search of the provider finds, in tokens: in 8
// replies of 4 real sessions (codex-cli 0.120 to 0.142) 1,455 to 7,071 each,
// 3,800 at the median; in others nothing. It is in the prompt of the very
// reply that searches, and no record holds it. Of the 8, it left 4 times with
// the next request or turn and stayed 4 times: only the band can say so.
const searchFinds = 4000

func measuredUse(c Context, tail Estimate, est Estimator) fill {
	u := fill{known: true, basis: BasisBoth, measured: c.Usage.Total}
	if c.Usage.Estimated || c.Usage.Full {
		u.basis = BasisEstimate
		u.used = tail.plus(Estimate{Tokens: float64(c.Usage.Total)}).wider(boundarySpread * float64(c.Usage.Total))
		u.client = float64(c.Usage.Total + c.Client)
		if !c.Usage.Full {
			u.used = u.used.plus(est.Restored(c))
		}
		return u
	}
	reply := est.Reply(c)
	dropped := 0.0
	if c.Turn && !c.Usage.Dropped {
		dropped = est.Dropped(c)
	}
	earlier := float64(c.Earlier)
	u.used = tail.beside(reply).wider(dropped/4 + earlier) // whether the provider counts it is not known
	u.used.Tokens = max(u.used.Tokens+float64(c.Usage.Prompt)+earlier-dropped, 1)
	u.client = float64(c.Usage.Prompt+c.Usage.Output+c.Client) + earlier
	if c.Clears > 0 {
		u.used = u.used.cleared(c)
	}
	u.used.Below += min(searchFinds*float64(c.Searches), u.used.Tokens/2)
	if dropped == 0 && c.Tail.Fixed >= 0 && c.Clears == 0 && c.Searches == 0 && !c.Usage.Bound {
		u.floor = c.Usage.Prompt // what was measured is sent again
	}
	switch {
	case c.Usage.Bound: // several passes may be added up in it
		u.used = Estimate{Tokens: u.used.Tokens}.wider(u.used.Tokens * 0.7)
		u.basis = BasisEstimate
	case c.Tail == (Text{}) && earlier == 0 && c.Clears == 0 && c.Searches == 0 && reply.Tokens == float64(c.Usage.Output):
		u.basis = BasisMeasured
	}
	return u
}

func boundaryUse(c Context, f Facts, tail Estimate, est Estimator) fill {
	body := est.Tokens(c.Model, c.Body)
	client := float64(c.BodyClient)
	var restored, over Estimate
	if c.Ground == GroundBoundary {
		restored = est.Restored(c)
	}
	if c.Compaction.Post > 0 {
		body.Tokens, client = float64(c.Compaction.Post), float64(c.Compaction.Post)
	}
	if f.First.Prompt > 0 {
		first := est.Tokens(c.Model, f.First.Text)
		over.Tokens = max(float64(f.First.Prompt)-first.Tokens, 0)
	} else {
		over = est.Overhead(c)
	}
	u := fill{known: body.Tokens+over.Tokens+tail.Tokens > 0, basis: BasisEstimate}
	u.used = tail.plus(body).plus(over).plus(restored)
	u.client = over.Tokens + client + float64(c.Client)
	u.used = u.used.wider(boundarySpread * u.used.Tokens)
	if over.Tokens == 0 {
		u.used = u.used.wider(startSpread * u.used.Tokens)
	}
	return u
}
