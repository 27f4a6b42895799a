package codex

import (
	"fmt"

	"github.com/ctxmeter/ctxmeter/meter"
)

// Where values of config.toml come from.
const (
	sourceWindow = meter.Source("settings.model_context_window")
	sourceLimit  = meter.Source("settings.model_auto_compact_token_limit")
)

// Codes of the warnings of Limits.
const (
	noteLimitOverWindow = "compact_limit_over_window"
	noteLimitScope      = "compact_limit_scope"
)

// Limits implements backends.Client. The rollout states the window of the
// turn (task_started, token_count), after everything that the client was
// configured with; only for the time before that do config.toml and the
// catalogue help. The trigger is in no record: it is 90 % of the window
// unless config.toml lowers it.
func (c *Client) Limits(s meter.Session, st meter.State) meter.Limits {
	set := readSettings(s.Root)
	l := meter.Limits{Windows: windows(set, st)}
	t := trigger{settings: set, windows: l.Windows}
	if set.scope == scopeBody {
		t.body = true
		t.prefix, t.prefixed = prefix(st)
		if !t.prefixed || set.limit == 0 {
			l.Notes = append(l.Notes, meter.Warning{Code: noteLimitScope, Text: "config.toml charges the compaction limit on what follows the beginning of the context (model_auto_compact_token_limit_scope), and how long that is cannot be told for this session"})
		}
	}
	if best, _ := l.Window(0); set.limit > best.Tokens && best.Tokens > 0 {
		l.Notes = append(l.Notes, meter.Warning{Code: noteLimitOverWindow, Text: fmt.Sprintf("model_auto_compact_token_limit in config.toml (%d) is more than the window (%d) and has no effect", set.limit, best.Tokens)})
	}
	l.Trigger = t.at
	return l
}

// windows lists what is known of the window, best first. A window from
// config.toml replaces the catalogue's, up to the most that the catalogue
// allows (codex-cli 0.171.0: 1,000,000 on gpt-5.5 is still 258,400 shown,
// 100,000 is 95,000).
func windows(set settings, st meter.State) []meter.Claim {
	var out []meter.Claim
	if st.Window.Tokens > 0 {
		out = append(out, st.Window)
	}
	m, known := models[st.Model]
	if set.window > 0 {
		w := set.window
		if known {
			w = min(w, m.most)
		}
		out = append(out, meter.Claim{Tokens: shown(w), Source: sourceWindow})
	}
	if known {
		out = append(out, meter.Claim{Tokens: shown(m.window), Source: meter.SourceAssumed})
	}
	return out
}

// scopeBody is the value of model_auto_compact_token_limit_scope under which
// growth after the beginning of the context is charged, not all of it.
const scopeBody = "body_after_prefix"

// trigger tells where the client compacts.
type trigger struct {
	settings
	windows []meter.Claim

	body     bool  // scopeBody
	prefix   int64 // tokens that are not charged
	prefixed bool  // prefix is known
}

// at returns the trigger in a window of the given size. What the rollout
// states of the window holds for the trigger whatever the caller says, since
// the client goes by it.
func (t trigger) at(claim meter.Claim) meter.Trigger {
	for _, c := range t.windows {
		if c.Source == meter.SourceRollout {
			claim = c
			break
		}
	}
	window, source := claim.Tokens, claim.Source
	if window <= 0 {
		if t.limit > 0 && !t.body {
			return meter.Trigger{Mode: meter.ModeAuto, Tokens: t.limit, Source: sourceLimit}
		}
		return meter.Trigger{Mode: meter.ModeUnknown}
	}
	out := meter.Trigger{Mode: meter.ModeAuto, Tokens: limitOf(window), Source: source}
	if t.limit > 0 && t.limit < out.Tokens {
		out.Tokens, out.Source = t.limit, sourceLimit
	}
	if !t.body {
		return out
	}
	if t.limit == 0 || !t.prefixed {
		return meter.Trigger{Mode: meter.ModeUnknown}
	}
	// 90 % of the window does not end this (0.171.0: limit 240,000, compacted
	// at 246,800 with a beginning of 6,774).
	out.Tokens, out.Source = out.Tokens+t.prefix, sourceLimit
	return out
}

// prefix is the client's estimate of what the context begins with: base
// instructions, the client's own messages and the first message of the user.
// After a compaction another beginning counts, which is not known.
func prefix(st meter.State) (tokens int64, ok bool) {
	if st.Facts.Compactions > 0 || st.Facts.First.Prompt == 0 {
		return 0, false
	}
	for _, b := range st.Bases {
		if b.Seq == st.Root && b.BodyClient > 0 {
			t := st.Facts.First.Text
			return b.BodyClient + quarter(t.User.Bytes+t.Tool.Bytes), true
		}
	}
	return 0, false
}
