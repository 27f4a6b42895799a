package main

import (
	"slices"
	"time"

	"github.com/ctxmeter/ctxmeter/config"
	"github.com/ctxmeter/ctxmeter/meter"
	"github.com/ctxmeter/ctxmeter/meter/transcript"
)

// joined is the reading of a session by its transcript and by what the client
// says of it now; nil if there is no reading. Where the two do not agree and
// nothing tells why, the transcript is right.
func (p *program) joined(hit found, said meter.Payload, s *config.Settings) (*meter.Reading, error) {
	st := meter.State{Model: said.Model, Version: said.Version}
	if len(hit.session.Segments) > 0 {
		var err error
		if st, err = p.load(hit, s); err != nil {
			return nil, err
		}
	}
	keep := p.tellings(s)
	before := keep.load(hit.session)
	t := p.tell(hit, said, st, before)
	holding := t.about(hit.client, st)
	var est meter.Estimator
	hit.session, est = p.fit(hit.session)
	in := p.input(hit, s, holding.on(hit.client, st), holding)
	r := meter.Read(in, est)
	now, how := caughtUp(in, &r, said)
	if how != stays {
		in = p.input(hit, s, holding.on(hit.client, now), holding)
		r = meter.Read(in, est)
	}
	switch how {
	case goneBack:
		t.Back, t.Used, t.Output = st.Offset, said.Used, said.Output
	case restarts:
		t.Back, t.Used, t.Output = st.Offset, 0, 0
	}
	if err := keep.save(hit.session, before, t); err != nil {
		p.debug(err)
	}
	return &r, nil
}

// tell is what a payload tells, and what is remembered if it tells nothing.
func (p *program) tell(hit found, said meter.Payload, st meter.State, before told) told {
	vars := varsOf(hit.client, p.getenv)
	if said.Window <= 0 || said.Model == "" {
		before.Version, before.Vars = toldVersion, vars
		return before
	}
	t := told{Version: toldVersion, Model: said.Model, Window: said.Window, Named: st.Model, Vars: vars}
	if st.Window.Source == meter.SourceTranscript {
		t.Stated = st.Window.Tokens
	}
	t.Windows = before.began(said.Window, p.now().Unix())
	if before.Back != 0 && said.Used != st.Context().Usage.Prompt {
		t.Back, t.Used, t.Output = before.Back, before.Used, before.Output
	}
	switch {
	case before.Model == "" || !hit.client.SameModel(before.Model, said.Model):
	case before.Window == said.Window:
		t.Before = before.Before
	case before.Window > said.Window && st.Largest > said.Window && before.on(hit.client, st).Largest <= before.Window:
		// The same model goes on with a smaller window than the one that held
		// what was sent, as after a resume without the mark for 1,000,000
		// (2.1.197, recorded).
		t.Before = st.Context().Usage.Prompt
	}
	return t
}

// settled is how old the newest measurement has to be for a client that states
// an older one to have gone back to it.
const settled = 2 * time.Second

// move is where the client is, seen from its transcript.
type move uint8

const (
	stays     move = iota
	goneAhead      // a reply is on its way
	goneBack       // at an earlier turn
	restarts       // where nothing was sent since the newest compaction, or the beginning
)

// caughtUp returns the state as the client has it now, where its usage of the
// newest request tells more than the transcript: it went back to an earlier
// turn, or a reply is on its way that is not written yet. It is believed only
// where it fits what the transcript shows.
func caughtUp(in meter.Input, r *meter.Reading, said meter.Payload) (meter.State, move) {
	u := meter.Usage{Prompt: said.Used, Total: said.Used, Output: said.Output}
	c := in.State.Context()
	if said.Used <= 0 || in.State.Kept(u) {
		return restarted(in, said)
	}
	if c.Ground != meter.GroundMeasured && slices.Contains(in.State.Notes, transcript.NoteScanLimit) {
		u.Estimated = true // what follows on it was not read
		return in.State.Ahead(u), goneAhead
	}
	switch c.Ground {
	case meter.GroundStart:
		if in.State.Facts.First.Prompt > 0 || in.State.Measured(said.Used) {
			return in.State, stays // gone back to the beginning
		}
		return in.State.Ahead(u), goneAhead
	case meter.GroundMeasured:
		if st, ok := in.State.Back(u); ok && in.Now.Sub(c.At) > settled {
			return st, goneBack
		}
		fits := said.Used > c.Usage.Prompt && r.UsedRange != nil && said.Used <= r.UsedRange[1]+r.UsedRange[1]/10
		if fits && c.Tail != (meter.Text{}) && !c.Usage.Bound && !in.State.Measured(said.Used) {
			return in.State.Ahead(u), goneAhead
		}
	}
	if len(in.State.Nodes) == 0 && in.State.Records == 0 { // no transcript
		return in.State.Ahead(u), goneAhead
	}
	return in.State, stays
}

// restarted is caughtUp where the client states no usage although requests were
// measured, or the usage of one before the newest compaction: it went back to
// before the first of them, or to right after that compaction (2.1.197,
// observed).
func restarted(in meter.Input, said meter.Payload) (meter.State, move) {
	c := in.State.Context()
	if c.Tail != (meter.Text{}) { // a reply is on its way, and may not be counted yet
		return in.State, stays
	}
	unstated := said.Used <= 0 && said.Unused == meter.UnusedUnstated
	zeros := said.Unused == meter.UnusedSinceBoundary && !in.State.Compacted()
	if unstated || zeros || in.Now.Sub(c.At) <= settled {
		return in.State, stays
	}
	st, ok := in.State.Restart()
	if !ok {
		return in.State, stays
	}
	return st, restarts
}
