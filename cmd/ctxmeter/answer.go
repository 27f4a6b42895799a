package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/urfave/cli/v3"

	"github.com/ctxmeter/ctxmeter/config"
	"github.com/ctxmeter/ctxmeter/meter"
	"github.com/ctxmeter/ctxmeter/meter/transcript"
)

// reading is the root command: the reading of one session.
func (p *program) reading(_ context.Context, cmd *cli.Command) error {
	if cmd.Args().Present() {
		return p.stray(cmd)
	}
	if cmd.Bool("version") {
		p.print("ctxmeter " + p.version() + "\n")
		return nil
	}
	s, err := p.settings(cmd)
	if err != nil {
		return err
	}
	if p.screen(p.stderr).terminal {
		p.sayUnknownVariables()
	}
	if err := p.answer(s); err != nil {
		return p.settle(err, s)
	}
	return nil
}

// settle reports an error in the form that the settings ask for.
func (p *program) settle(err error, s *config.Settings) error {
	if errors.Is(err, errLimit) {
		return err
	}
	p.fail(err, s.Output)
	return errReported
}

// sayUnknownVariables tells a person of variables that would set nothing, once.
func (p *program) sayUnknownVariables() {
	if p.variables {
		return
	}
	p.variables = true
	for _, text := range config.UnknownVariables(p.environ()) {
		p.say(text)
	}
}

func (p *program) answer(s *config.Settings) error {
	w, err := p.planned(s.Planned)
	if err != nil {
		return err
	}
	f, err := p.finder(s)
	if err != nil {
		return err
	}
	hit, err := f.find(s)
	if err != nil {
		if p.form(s) == config.OutputText {
			p.board(err, f, s)
		}
		return err
	}
	r, err := p.read(hit, s, w)
	if err != nil {
		return err
	}
	p.show(&r, s)
	return p.limit(&r, s.FailAt)
}

// read takes the road from the session's files to the reading. w is a read that
// the caller has in mind, nil if none.
func (p *program) read(hit found, s *config.Settings, w *want) (meter.Reading, error) {
	state, err := p.load(hit, s)
	if err != nil {
		return meter.Reading{}, err
	}
	t := p.tellings(s).load(hit.session).about(hit.client, state)
	var est meter.Estimator
	hit.session, est = p.fit(t.environment(hit.session))
	in := p.input(hit, s, t.on(hit.client, state), t)
	r := meter.Read(in, est)
	if w == nil {
		return r, nil
	}
	if in.Planned, err = w.size(p.newSizing(in, &r, est, hit.client.ReadLimit(hit.session, in.State))); err != nil {
		return meter.Reading{}, err
	}
	return meter.Read(in, est), nil
}

// load brings the state of a session's transcript up to date.
func (p *program) load(hit found, s *config.Settings) (meter.State, error) {
	opts := transcript.Options{MaxScan: s.MaxScanBytes}
	if !s.NoCache {
		opts.Cache = config.FindPlaces(p.getenv, p.home(), p.goos).Cache
	}
	return transcript.Load(hit.session, hit.client.Decoder(hit.session), opts)
}

// input is what the reading of a state depends on, with what the client told
// beside the transcript.
func (p *program) input(hit found, s *config.Settings, state meter.State, t told) meter.Input {
	return meter.Input{
		Session:    hit.session,
		Identity:   hit.identity,
		State:      state,
		Limits:     configured(t.claims(hit.client.Limits(hit.session, state)), state.Model, s),
		View:       hit.client.View,
		Window:     s.Window,
		Trigger:    s.CompactThreshold,
		Cutoffs:    meter.Cutoffs(s.Cutoffs),
		Now:        p.now().UTC().Truncate(time.Millisecond),
		StaleAfter: s.StaleAfter,
	}
}

// configured adds the window that the configuration names for the model. Its
// source is called settings, like the client's own, and it comes before them;
// what the provider or the client says of this very session comes first.
func configured(l meter.Limits, model string, s *config.Settings) meter.Limits {
	tokens := s.WindowFor(model)
	if tokens == 0 {
		return l
	}
	at := 0
	for at < len(l.Windows) && ofThisSession(l.Windows[at].Source) {
		at++
	}
	windows := append([]meter.Claim{}, l.Windows[:at]...)
	windows = append(windows, meter.Claim{Tokens: tokens, Source: meter.SourceSettings})
	l.Windows = append(windows, l.Windows[at:]...)
	return l
}

func ofThisSession(s meter.Source) bool {
	return s == meter.SourceRollout || s == meter.SourceStatusline || s == meter.SourceHook
}

// limit tells whether the reading is at or over --fail-at. What the reading
// does not know cannot be over.
func (p *program) limit(r *meter.Reading, at config.FailAt) error {
	var over, known bool
	switch {
	case at.Level != "":
		known = r.Level.Rank() >= 0
		over = known && r.Level.Rank() >= meter.Level(at.Level).Rank()
	case at.Percent > 0:
		known = r.UsedPercent != nil
		over = known && *r.UsedPercent >= at.Percent
	case at.Tokens > 0:
		known = r.UsedTokens != nil
		over = known && *r.UsedTokens >= at.Tokens
	default:
		return nil
	}
	if !known {
		p.say(fmt.Sprintf("--fail-at %s could not be checked, and the exit status is 0: %s", at, whyUnchecked(r)))
	}
	if over {
		return errLimit
	}
	return nil
}

// whyUnchecked tells why a reading cannot be compared with a limit.
func whyUnchecked(r *meter.Reading) string {
	if r.UsedTokens == nil {
		return "nothing is measured in this session yet"
	}
	return "the window of this model is not known; give --window TOKENS, or name it under [windows] in the configuration"
}

// form is the form of the answer: as asked, else text for a terminal and JSON
// for a program.
func (p *program) form(s *config.Settings) config.Output {
	switch {
	case s.Output != "":
		return s.Output
	case p.screen(p.stdout).terminal:
		return config.OutputText
	}
	return config.OutputJSON
}

func (p *program) show(r *meter.Reading, s *config.Settings) {
	switch p.form(s) {
	case config.OutputText:
		p.print(p.style(s).text(r, s))
	case config.OutputLine:
		p.print(p.style(s).line(r))
	case config.OutputPretty:
		p.printJSON(r, true)
	default:
		p.printJSON(r, false)
	}
}
