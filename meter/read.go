package meter

import (
	"math"
	"time"
)

// Estimator turns counts of characters into tokens, by model.
type Estimator interface {
	// Tokens estimates what t adds to a prompt.
	Tokens(model string, t Text) Estimate
	// Reply estimates what a measured reply adds to the next prompt. Its
	// stated output may be a placeholder.
	Reply(c Context) Estimate
	// Dropped estimates the reasoning that the provider leaves out of the
	// next prompt because a new turn begins.
	Dropped(c Context) float64
	// Restored estimates what comes back after a compaction without being
	// recorded.
	Restored(c Context) Estimate
	// Overhead estimates what a session's first request carries beside the
	// text that the transcript shows before it; 0 tokens is not known.
	Overhead(c Context) Estimate
}

// Input is everything a reading depends on.
type Input struct {
	Session  Session
	Identity Identity
	State    State
	Limits   Limits
	View     func(s State, window int64) ClientView // nil: nothing to show

	Window  int64 // tokens, from the caller; 0 is none
	Trigger int64 // tokens, from the caller; 0 is none
	Planned *Planned
	Cutoffs Cutoffs // zero: DefaultCutoffs

	Now        time.Time
	StaleAfter time.Duration // zero: never stale
}

// Planned is a read that the caller has in mind.
type Planned struct {
	Source  string // "path" or "size"
	Text    Text   // what it would add
	Tokens  int64  // if the caller knows; then Text is ignored
	Limits  []Cut  // of the client that cut it
	Whole   Text   // all of it, where a limit cuts it
	Files   *int64 // that are read, if it is a folder or a glob
	Skipped int64  // files among them that are binary or cannot be read
	AtLeast bool   // it is larger, by how much is not known
}

// Read computes the reading. It is pure: the clock is in.Now.
func Read(in Input, est Estimator) Reading {
	ctx := in.State.Context()
	use := estimate(ctx, in.State.Facts, est)
	r := Reading{
		SchemaVersion: SchemaVersion,
		Level:         LevelUnknown,
		ObservedAt:    in.Now.UTC(),
		Session:       sessionView(in),
		Warnings:      []Warning{},
	}
	r.Warnings = append(r.Warnings, in.Limits.Notes...)
	r.Warnings = append(r.Warnings, stateWarnings(in.State, ctx)...)
	setTime(&r, in)
	setUse(&r, use)
	window := setWindow(&r, in, ctx)
	setCompaction(&r, in, ctx, use, window)
	if in.State.FactsFrom > 0 && guessed(r.WindowSource, r.Compaction.TriggerSource) {
		r.Warnings = append(r.Warnings, Warning{"facts_incomplete", "the beginning of this long transcript is not read yet: another window or trigger may show; --max-scan-bytes 0 reads all of it"})
	}
	setLevel(&r, in.Cutoffs)
	setPlanned(&r, in, ctx, use, window.Tokens, est)
	if in.View != nil {
		r.ClientView = in.View(in.State, window.Tokens)
	}
	r.Status = status(r, in, use)
	return r
}

func sessionView(in Input) SessionView {
	v := SessionView{
		ID: in.Session.ID, Backend: in.Session.Backend,
		Segments: len(in.Session.Segments), Identity: in.Identity,
	}
	project := in.Session.Project
	if project == "" {
		project = in.State.Project
	}
	for _, f := range []struct {
		to   **string
		from string
	}{
		{&v.Model, in.State.Model},
		{&v.AgentID, in.Session.AgentID},
		{&v.ParentID, in.Session.ParentID},
		{&v.Project, project},
	} {
		if f.from != "" {
			*f.to = &f.from
		}
	}
	return v
}

func setTime(r *Reading, in Input) {
	if in.State.Last.IsZero() {
		return
	}
	at := in.State.Last.UTC()
	age := max(in.Now.Sub(at).Seconds(), 0)
	age = math.Round(age*10) / 10
	r.EventAt, r.EventAgeSeconds = &at, &age
}

func setUse(r *Reading, use fill) {
	if use.known {
		used := round(use.used.Tokens)
		r.UsedTokens = &used
		low, high := max(round(use.used.Tokens-use.used.Below), use.floor), round(use.used.Tokens+use.used.Above)
		r.UsedRange = &[2]int64{min(low, used), max(high, used)}
		r.Basis = &use.basis
		r.EstimatedFrom = use.used.Learned.names()
		if use.measured > 0 {
			measured := use.measured
			diff := used - measured
			r.MeasuredTokens, r.UnmeasuredTokens = &measured, &diff
		} else {
			r.UnmeasuredTokens = &used
		}
	}
}

// setWindow chooses the window and returns it, the zero Claim if it is unknown.
func setWindow(r *Reading, in Input, ctx Context) Claim {
	limits := in.Limits
	if in.Window > 0 {
		limits.Windows = append([]Claim{{Tokens: in.Window, Source: SourceCaller}}, limits.Windows...)
	}
	best, disproved := limits.Window(in.State.Largest)
	switch {
	case disproved.Tokens == 0:
	case disproved == best:
		r.Warnings = append(r.Warnings, Warning{"over_window", "a request was larger than the window that the client goes by: it keeps a reserve beyond it"})
	case best.Tokens > 0:
		r.Warnings = append(r.Warnings, Warning{"window_disproved", "a request was larger than the window stated by " + string(disproved.Source) + "; " + string(best.Source) + " has a larger one"})
	default:
		r.Warnings = append(r.Warnings, Warning{"window_disproved", "a request was larger than the window stated by " + string(disproved.Source) + "; name the right one with --window"})
	}
	if best.Tokens <= 0 {
		return Claim{}
	}
	r.WindowTokens, r.WindowSource = &best.Tokens, &best.Source
	if ctx.Usage.Full && r.UsedRange != nil {
		r.UsedRange[1] = min(r.UsedRange[1], max(best.Tokens, *r.UsedTokens)) // full is full
	}
	if r.UsedTokens != nil {
		used := percent(float64(*r.UsedTokens), best.Tokens)
		left := max(best.Tokens-*r.UsedTokens, 0)
		leftPercent := math.Round((100-used)*10) / 10
		leftPercent = max(leftPercent, 0)
		r.UsedPercent, r.RemainingTokens, r.RemainingPercent = &used, &left, &leftPercent
	}
	return best
}

// setCompaction fills the distance to the trigger, in the client's own
// arithmetic.
func setCompaction(r *Reading, in Input, ctx Context, use fill, window Claim) {
	c := &r.Compaction
	c.Mode = ModeUnknown
	t := Trigger{}
	if in.Limits.Trigger != nil {
		t = in.Limits.Trigger(window)
	}
	if in.Trigger > 0 {
		t = Trigger{Mode: ModeAuto, Tokens: in.Trigger, Source: SourceCaller}
	}
	if t.Mode != "" {
		c.Mode = t.Mode
	}
	if t.Source != "" {
		c.TriggerSource = &t.Source
	}
	if t.Mode == ModeAuto && t.Tokens > 0 {
		c.TriggerTokens = &t.Tokens
		if use.known {
			p := percent(use.client, t.Tokens)
			left := max(t.Tokens-round(use.client), 0)
			c.Percent, c.RemainingTokens = &p, &left
		}
	}
	if in.State.FactsFrom == 0 {
		n := in.State.Facts.Compactions
		c.Count = &n
	}
	if at := in.State.Facts.LastAt; !at.IsZero() {
		at = at.UTC()
		c.LastAt = &at
	}
	c.AwaitingUsage = ctx.Ground == GroundBoundary || ctx.Recount
}

// guessed reports a source that the rest of the transcript could correct.
func guessed(sources ...*Source) bool {
	for _, s := range sources {
		if s == nil || *s == SourceAssumed || *s == SourceObserved {
			return true
		}
	}
	return false
}

// setLevel goes by the distance to the trigger. A trigger beyond the window is
// never reached: then the window counts.
func setLevel(r *Reading, c Cutoffs) {
	if c == (Cutoffs{}) {
		c = DefaultCutoffs
	}
	t, w := r.Compaction.TriggerTokens, r.WindowTokens
	beyond := t != nil && w != nil && *t > *w
	if beyond {
		r.Warnings = append(r.Warnings, Warning{"trigger_over_window", "the point of compaction lies beyond the window: the level goes by the window"})
	}
	switch {
	case r.Compaction.Percent != nil && !beyond:
		r.Level = c.Level(*r.Compaction.Percent)
	case r.UsedPercent != nil:
		r.Level = c.Level(*r.UsedPercent)
	}
}

// mostPlanned is beyond any window, in tokens, and safe to add.
const mostPlanned = 1 << 48

func setPlanned(r *Reading, in Input, ctx Context, use fill, window int64, est Estimator) {
	if in.Planned == nil {
		return
	}
	p := PlannedView{
		Source: in.Planned.Source, Tokens: in.Planned.Tokens, Limits: in.Planned.Limits,
		Files: in.Planned.Files, Skipped: in.Planned.Skipped, AtLeast: in.Planned.AtLeast,
	}
	tokens := func(t Text) int64 {
		return round(math.Ceil(min(est.Tokens(ctx.Model, t).Tokens, mostPlanned)))
	}
	if p.Tokens == 0 {
		p.Tokens = tokens(in.Planned.Text)
	}
	p.Tokens = min(max(p.Tokens, 0), mostPlanned)
	if in.Planned.Whole != (Text{}) {
		p.WholeTokens = max(tokens(in.Planned.Whole), p.Tokens)
	}
	if use.known && window > 0 {
		after := percent(use.used.Tokens+float64(p.Tokens), window)
		fits := round(use.used.Tokens)+p.Tokens <= window
		p.UsedPercentAfter, p.FitsWindow = &after, &fits
	}
	if t := r.Compaction.TriggerTokens; use.known && t != nil {
		sets := round(use.client)+p.Tokens >= *t
		p.TriggersCompaction = &sets
	}
	if p.AtLeast { // what would be fine may not be
		if p.FitsWindow != nil && *p.FitsWindow {
			p.FitsWindow = nil
		}
		if p.TriggersCompaction != nil && !*p.TriggersCompaction {
			p.TriggersCompaction = nil
		}
	}
	r.Planned = &p
}

func status(r Reading, in Input, use fill) Status {
	switch {
	case !use.known:
		return StatusNoReading
	case r.Compaction.AwaitingUsage:
		return StatusAwaiting
	case r.WindowTokens == nil:
		return StatusWindowUnknown
	case r.EventAt == nil:
		return StatusTimeUnknown
	case in.StaleAfter > 0 && in.Now.Sub(*r.EventAt) > in.StaleAfter:
		return StatusStale
	}
	return StatusOK
}

func percent(part float64, whole int64) float64 {
	return math.Round(part/float64(whole)*1000) / 10
}

func round(f float64) int64 { return int64(math.Round(f)) }
