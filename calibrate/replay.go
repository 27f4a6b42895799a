package calibrate

import (
	"cmp"
	"context"

	"github.com/ctxmeter/ctxmeter/meter"
	"github.com/ctxmeter/ctxmeter/meter/transcript"
)

// Replay predicts every request of a session with est and reports each to fn.
func Replay(s meter.Session, d transcript.Decoder, est meter.Estimator, fn func(Step)) error {
	return ReplayContext(context.Background(), s, d, est, fn)
}

// ReplayContext is Replay, and ends with the error of ctx soon after that is
// done.
func ReplayContext(ctx context.Context, s meter.Session, d transcript.Decoder, est meter.Estimator, fn func(Step)) error {
	r := replay{session: s, est: est, report: fn}
	_, err := transcript.WalkContext(ctx, s, d, func(before *meter.State, e meter.Event) {
		r.event(before, &e)
		r.rough.see(before, &e)
	})
	return err
}

// replay is what a replay remembers from one event to the next.
type replay struct {
	session meter.Session
	est     meter.Estimator
	report  func(Step)
	brief   bool // nothing needs to be predicted but what follows a compaction

	ask   Step // made when the reply began to be written
	asked bool
	chars int64 // of the context then, if known
	known bool

	last      int64  // prompt measured last, tokens
	key       uint64 // of the measurement seen last
	compacted bool   // nothing was measured since a compaction
	back      bool   // nor since turns were taken back in place
	rough     rough
}

func (r *replay) event(before *meter.State, e *meter.Event) {
	switch e.Kind {
	case meter.KindBoundary:
		r.compacted, r.back, r.asked = true, false, false
	case meter.KindRewind:
		r.back, r.asked = true, false
	case meter.KindContent, meter.KindModel:
		if e.UserTurn || e.TurnStart { // the reply before was cut off, and never measured
			r.asked = false
		}
	case meter.KindReply, meter.KindUsage:
		if e.ID == 0 {
			r.line(before, e)
		} else if e.Usage.Known() && !before.Holds(e.Usage) {
			r.begin(before, e.Offset)
			r.measure(before, e)
		}
	}
}

// line takes a reply or a measurement of a transcript that is no tree: there
// the reply stands before its measurement, or behind it (codex-cli 0.40).
func (r *replay) line(before *meter.State, e *meter.Event) {
	if !e.Usage.Known() {
		if !r.asked && !before.Line.Pending {
			r.begin(before, e.Offset)
		}
		return
	}
	if e.Usage.Key == r.key {
		return
	}
	r.key = e.Usage.Key
	if !r.asked {
		now := before.Context()
		if u := now.Usage; now.Ground == meter.GroundMeasured && u.Prompt == e.Usage.Prompt && u.Output == e.Usage.Output && u.Total == e.Usage.Total {
			return // the same measurement in another form
		}
		r.begin(before, e.Offset)
	}
	r.measure(before, e)
}

// begin predicts: the next that is measured is what is asked for.
func (r *replay) begin(before *meter.State, offset int64) {
	now := before.Context()
	step := &r.ask
	*step = newStep(before, now, r.est, offset, r.brief)
	step.now = now
	step.Session, step.Agent, step.Client = r.session.ID, r.session.AgentID, r.session.Backend
	step.Last = r.last
	if before.Line.Base != 0 { // no tree: only what happened tells
		switch {
		case r.compacted:
			step.After = AfterCompaction
		case r.back:
			step.After = AfterRewind
		}
	}
	r.asked = true
	if r.brief {
		return
	}
	r.chars, r.known = r.rough.context(now)
	if r.known {
		step.Rough.Quarter = (r.chars + 2) / 4
	}
	step.Rough.Bytes = r.rough.byBytes()
}

// measure reports the prediction with what was measured. A recount by the
// client is no truth.
func (r *replay) measure(before *meter.State, e *meter.Event) {
	step := &r.ask
	r.asked = false
	r.rough.measured(e.Offset, r.chars, r.known)
	if e.Usage.Estimated || e.Usage.Full || e.Usage.Bound {
		return
	}
	r.last = e.Usage.Prompt
	r.compacted, r.back = false, false
	step.Truth, step.Model = e.Usage.Prompt, cmp.Or(e.Model, before.Model)
	r.report(*step)
}
