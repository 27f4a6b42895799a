package claudecode

import (
	"strings"

	"github.com/ctxmeter/ctxmeter/meter"
)

// limiter is what window and trigger of one session follow from.
type limiter struct {
	model    modelID
	known    bool // the table has the model
	row      modelRow
	version  string
	subagent bool
	facts    meter.Facts
	seen     []meter.Auto // of the user's other sessions
	largest  int64        // prompt that the model took, tokens
	stated   meter.Claim

	settings settings
	vars     vars
	off      bool // the client's own state turns compaction off
}

// Limits implements backends.Client. The settings are those of the folder the
// client was started in; they are read anew every time, since a person may
// change them at any time.
func (c *Client) Limits(s meter.Session, state meter.State) meter.Limits {
	set := readSettings(c.layers(s.Root, c.launchFolder(s, state)))
	l := limiter{
		model:    parseModel(state.Model),
		version:  state.Version,
		subagent: s.AgentID != "",
		facts:    state.Facts,
		seen:     s.Seen,
		largest:  state.Largest,
		stated:   state.Window,
		settings: set,
		vars:     c.varsOf(s, set),
		off:      set.autoCompact == nil && compactionOff(c.appState(s.Root)),
	}
	l.row, l.known = modelOf(l.model)
	out := meter.Limits{Windows: l.windows(), Trigger: l.trigger, Notes: set.notes}
	if l.model.family != "" {
		out.Sizes = []int64{window200k, window1M}
	}
	return out
}

// launchFolder is where the client was started. A state that was scanned from
// the end, and a subagent, know only where work is done by now.
func (c *Client) launchFolder(s meter.Session, state meter.State) string {
	if s.AgentID == "" {
		if s.Project != "" {
			return s.Project
		}
		if state.From == 0 && state.Project != "" {
			return state.Project
		}
	}
	if len(s.Segments) > 0 {
		file := fileOf(s)
		if _, transcript := parentOf(file); s.AgentID != "" && transcript != "" {
			file = transcript
		}
		if _, fault := readable(file, s.ID); fault == nil {
			if h, err := newPeeker().readHead(file); err == nil && h.cwd != "" {
				return h.cwd
			}
		}
	}
	return state.Project
}

// windows returns what is known of the window, best first.
func (l *limiter) windows() (out []meter.Claim) {
	add := func(tokens int64, source meter.Source) {
		if tokens > 0 {
			out = append(out, meter.Claim{Tokens: tokens, Source: class(source)})
		}
	}
	// CLAUDE_CODE_MAX_CONTEXT_TOKENS acts on models that the client knows, and
	// only where compaction is off (2.1.197, observed).
	if _, off := l.vars.on("DISABLE_COMPACT"); off && l.known {
		add(l.vars.number("CLAUDE_CODE_MAX_CONTEXT_TOKENS"))
	}
	if source, on := l.vars.on("CLAUDE_CODE_DISABLE_1M_CONTEXT"); on && l.known {
		add(window200k, source)
	}
	if l.stated.Source == meter.SourceHook {
		add(l.stated.Tokens, meter.SourceHook)
	}
	if !l.subagent { // they run a model of their own
		setting := l.settings.model
		if v := l.settings.env[modelVar]; v != "" { // stronger than the model key, as documented
			setting = v
		}
		add(l.claim(setting), meter.SourceSettings)
		add(l.claim(l.vars.getenv(modelVar)), meter.SourceEnv)
	}
	// A notice without the mark for 1,000,000 tells the window only of a model
	// that the client knows, and marks.
	if l.stated.Source == meter.SourceTranscript && (l.known && !l.row.unmarked || l.stated.Tokens == window1M) {
		add(l.stated.Tokens, meter.SourceTranscript)
	}
	if l.model.family != "" && l.largest > window200k {
		add(window1M, meter.SourceTranscript) // no other window of a Claude model takes such a prompt
	}
	if l.known {
		add(window200k, meter.SourceAssumed)
	}
	return out
}

const modelVar = "ANTHROPIC_MODEL"

// claim is the window that a model setting states for the model at hand; 0 if
// it speaks of another model. The mark for 1,000,000 goes with any model, the
// lack of it says something only of one that the client knows (2.1.197).
func (l *limiter) claim(setting string) int64 {
	id, million := cutMillion(setting)
	if id == "" || l.model.base == "" {
		return 0
	}
	switch alias := strings.ToLower(id); alias {
	case "opus", "sonnet", "haiku", "fable":
		// An alias may stand for a model of the user's choice (documented for
		// opus, sonnet and haiku).
		chosen, _ := l.vars.get("ANTHROPIC_DEFAULT_" + strings.ToUpper(alias) + "_MODEL")
		if chosen, more := cutMillion(chosen); chosen != "" {
			million = million || more
			if parseModel(chosen) != l.model {
				return 0
			}
		} else if l.model.family != alias {
			return 0
		}
	case "opusplan": // opus to plan, then sonnet (documented)
		if l.model.family != "opus" && (l.model.family != "sonnet" || million) {
			return 0
		}
	default: // "default" among them: it depends on the account
		if parseModel(id) != l.model {
			return 0
		}
	}
	switch {
	case million:
		return window1M
	case l.known:
		return window200k
	}
	return 0
}
