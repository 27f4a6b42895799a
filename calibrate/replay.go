package calibrate

import (
	"github.com/ctxmeter/ctxmeter/meter"
	"github.com/ctxmeter/ctxmeter/meter/transcript"
)

// Step is one request of a replayed session: what would have been said just
// before it, from what stood in the transcript until then, and what it
// measured. Amounts are tokens.
type Step struct {
	Session   string
	Model     string
	Offset    int64 // of the request's first own record, bytes
	Truth     int64 // the prompt that was measured
	Predicted int64
	Range     [2]int64
	Last      int64 // the last measured prompt before it; 0 is none
	After     After
}

// After tells what a request followed.
type After string

// The kinds of requests.
const (
	AfterReply      After = "reply"
	AfterCompaction After = "compaction"
	AfterStart      After = "start" // nothing was measured before
)

// Replay predicts every request of a session with est and reports each to fn.
func Replay(s meter.Session, d transcript.Decoder, est meter.Estimator, fn func(Step)) error {
	var ask *Step // the state when the reply began to be written
	var lastKey uint64
	_, err := transcript.Walk(s, d, func(before *meter.State, e meter.Event) {
		if e.Kind != meter.KindReply && e.Kind != meter.KindUsage {
			return
		}
		if e.Usage.Known() && e.Usage.Key == lastKey {
			return
		}
		if ask == nil && !before.Line.Pending {
			ask = predict(before, est, e.Offset)
		}
		if !e.Usage.Known() {
			return
		}
		lastKey = e.Usage.Key
		if ask != nil && !e.Usage.Estimated {
			ask.Session, ask.Truth = s.ID, e.Usage.Prompt
			ask.Model = e.Model
			fn(*ask)
		}
		ask = nil
	})
	return err
}

func predict(st *meter.State, est meter.Estimator, offset int64) *Step {
	ctx := st.Context()
	r := meter.Read(meter.Input{State: *st}, est)
	step := &Step{Offset: offset, After: AfterStart}
	switch ctx.Ground {
	case meter.GroundMeasured:
		step.After, step.Last = AfterReply, ctx.Usage.Prompt
		if ctx.Usage.Estimated {
			step.After, step.Last = AfterCompaction, ctx.Usage.Total
		}
	case meter.GroundBoundary:
		step.After = AfterCompaction
	}
	if r.UsedTokens != nil {
		step.Predicted, step.Range = *r.UsedTokens, *r.UsedRange
	}
	return step
}
