package doctor

import (
	"fmt"
	"strings"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wiring"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wording"
	"github.com/ctxmeter/ctxmeter/config"
	"github.com/ctxmeter/ctxmeter/meter"
)

// checkSession says which window and trigger apply to the session that a
// reading would be of, and why.
func (d *doctor) checkSession() {
	const check = "session"
	s := d.Session()
	switch {
	case s.Unfound:
		d.noSession(s)
		return
	case s.Fault != nil:
		d.problem(check, s.Fault.Message, "")
		return
	}
	r := s.Reading
	model := "no model yet"
	if r.Session.Model != nil {
		model = wording.Name(*r.Session.Model)
	}
	d.ok(check, "%s of %s, %s, %s", wording.ShortIDs([]meter.Candidate{{ID: s.Info.ID}})[0], s.Client.Name(), model, identityWords(s.Identity))
	d.window(r)
	d.trigger(r, s.agrees())
	for _, w := range r.Warnings {
		d.note("reading", w.Text, "")
	}
}

const stateWindow = "state it with --window, or for good under [windows] in the configuration"

func (d *doctor) window(r *meter.Reading) {
	const check = "window"
	if r.WindowTokens == nil || r.WindowSource == nil {
		model := config.WindowExample
		if r.Session.Model != nil {
			model = wording.Name(*r.Session.Model)
		}
		d.note(check, "not known: no source tells it, and the model is in no table", stateWindow+", such as "+config.Quote(model)+" = 200000")
		return
	}
	text := fmt.Sprintf("%s tokens: %s", wording.Number(*r.WindowTokens), windowWhy(*r.WindowSource))
	if *r.WindowSource != meter.SourceAssumed {
		d.ok(check, "%s", text)
		return
	}
	mend := stateWindow
	if r.Session.Backend == wiring.ClientClaude && !d.parts[wiring.PartStatusLine] {
		mend += "; with the status line installed, Claude Code tells it: " + d.typed("install claude-code --statusline --apply")
	}
	d.note(check, text, mend)
}

// windowWhy says where a window comes from.
func windowWhy(s meter.Source) string {
	switch s {
	case meter.SourceCaller:
		return "stated by you"
	case meter.SourceRollout:
		return "Codex wrote it into the session's rollout"
	case meter.SourceStatusline:
		return "Claude Code told the status line"
	case meter.SourceHook:
		return "the client told a hook"
	case meter.SourceTranscript:
		return "the transcript shows it, by a notice, the model's name or the size of a request"
	case meter.SourceAssumed:
		return "assumed from the model's name, and nothing better is known"
	}
	return sourceWhy(s)
}

// sourceWhy says where a setting comes from.
func sourceWhy(s meter.Source) string {
	kind, key, _ := strings.Cut(string(s), ".")
	switch {
	case kind == string(meter.SourceEnv) && key != "":
		return "the variable " + key + " says so"
	case kind == string(meter.SourceSettings) && key != "":
		return key + " in the client's settings says so"
	case kind == string(meter.SourceSettings):
		return "the configuration or the client's settings say so"
	case s == meter.SourceCaller:
		return "stated by you"
	case s == meter.SourceObserved:
		return "your own compactions with this model and window were there"
	case s == meter.SourceRollout:
		return "it follows from the window in the session's rollout; a limit given on Codex's command line cannot be seen"
	case s == meter.SourceAssumed:
		return "assumed, as the rule is for such clients and models"
	}
	return "the client's surroundings say so"
}

// trigger says when the client compacts; agreed is that it has done so there.
func (d *doctor) trigger(r *meter.Reading, agreed bool) {
	const (
		check = "compaction"
		state = "state it with --compact-threshold, or compact_threshold in the configuration"
	)
	c := r.Compaction
	source, why := meter.Source(""), ""
	if c.TriggerSource != nil {
		source = *c.TriggerSource
		why = ": " + wording.Name(sourceWhy(source))
	}
	assumed := source == meter.SourceAssumed
	switch {
	case c.TriggerTokens != nil && assumed && agreed:
		d.ok(check, "at %s tokens%s, and the session's own compaction agrees", wording.Number(*c.TriggerTokens), why)
	case c.TriggerTokens != nil && assumed:
		d.note(check, "at "+wording.Number(*c.TriggerTokens)+" tokens"+why, state+", if you know better")
	case c.TriggerTokens != nil:
		d.ok(check, "at %s tokens%s", wording.Number(*c.TriggerTokens), why)
	case c.Mode == meter.ModeReactive && assumed:
		d.note(check, "only when the provider refuses a prompt"+why, state+", if you know better")
	case c.Mode == meter.ModeReactive:
		d.ok(check, "only when the provider refuses a prompt%s", why)
	case c.Mode == meter.ModeOff:
		d.ok(check, "off%s", why)
	default:
		d.note(check, "when the client compacts is not known; levels go by the window instead", state)
	}
}

// How far from its trigger an automatic compaction may be recorded, tokens: see
// backends/claudecode, observed.
const (
	agreesBelow = 200
	agreesAbove = 20_000
)

// agrees reports whether an automatic compaction of the session itself, with
// the same model, was where the trigger is.
func (s Session) agrees() bool {
	at := s.Reading.Compaction.TriggerTokens
	for _, a := range s.State.Facts.Autos {
		if at != nil && a.Pre >= *at-agreesBelow && a.Pre <= *at+agreesAbove && s.Client.SameModel(a.Model, s.State.Model) {
			return true
		}
	}
	return false
}
