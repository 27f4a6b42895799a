package claudecode

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctxmeter/ctxmeter/meter"
)

// claims writes claims as "1000000 settings, 200000 assumed".
func claims(list []meter.Claim) string {
	var out []string
	for _, c := range list {
		out = append(out, fmt.Sprintf("%d %s", c.Tokens, c.Source))
	}
	return strings.Join(out, ", ")
}

func TestWindows(t *testing.T) {
	const assumed = "200000 assumed"
	for _, tt := range []struct {
		name     string
		model    string
		settings string
		env      string // NAME=VALUE
		subagent bool
		largest  int64
		stated   int64
		want     string
	}{
		// Cases B01 and A29, reports B02, B05, B08 and B11.
		{name: "nothing known but the model", model: "claude-sonnet-4-6", want: assumed},
		{name: "alias with [1m]", model: "claude-sonnet-4-6", settings: `{"model":"sonnet[1m]"}`, want: "1000000 settings, " + assumed},
		{name: "full name with [1m]", model: "claude-opus-4-8", settings: `{"model":"claude-opus-4-8[1m]"}`, want: "1000000 settings, " + assumed},
		{name: "vendor prefix", model: "claude-sonnet-4-6", settings: `{"model":"global.anthropic.claude-sonnet-4-6[1m]"}`, want: "1000000 settings, " + assumed},
		{name: "date in the transcript", model: "claude-sonnet-4-5-20250929", settings: `{"model":"claude-sonnet-4-5[1M]"}`, want: "1000000 settings, " + assumed},
		{name: "bedrock in the transcript", model: "us.anthropic.claude-opus-4-8-v1:0", settings: `{"model":"opus[1m]"}`, want: "1000000 settings, " + assumed},
		{name: "alias without [1m]", model: "claude-opus-4-8", settings: `{"model":"opus"}`, want: "200000 settings, " + assumed},
		{name: "another family", model: "claude-haiku-4-5-20251001", settings: `{"model":"opus[1m]"}`, want: assumed},
		{name: "another version", model: "claude-opus-4-8", settings: `{"model":"claude-opus-4-6[1m]"}`, want: assumed},
		{name: "default depends on the account", model: "claude-opus-4-8", settings: `{"model":"default"}`, want: assumed},
		{name: "opusplan planning", model: "claude-opus-4-8", settings: `{"model":"opusplan"}`, want: "200000 settings, " + assumed},
		{name: "opusplan working", model: "claude-sonnet-4-6", settings: `{"model":"opusplan"}`, want: "200000 settings, " + assumed},
		{name: "opusplan with haiku", model: "claude-haiku-4-5", settings: `{"model":"opusplan"}`, want: assumed},
		{name: "opusplan[1m] planning", model: "claude-opus-4-8", settings: `{"model":"opusplan[1m]"}`, want: "1000000 settings, " + assumed},
		{name: "opusplan[1m] working", model: "claude-sonnet-4-6", settings: `{"model":"opusplan[1m]"}`, want: assumed},
		{name: "an alias of the user's choice", model: "claude-opus-4-6", settings: `{"model":"opus","env":{"ANTHROPIC_DEFAULT_OPUS_MODEL":"claude-opus-4-6[1m]"}}`, want: "1000000 settings, " + assumed},
		{name: "the choice is another model", model: "claude-opus-4-8", settings: `{"model":"opus[1m]","env":{"ANTHROPIC_DEFAULT_OPUS_MODEL":"kimi-k2"}}`, want: assumed},
		{name: "third party model", model: "gpt-5.5-via-proxy"},
		{name: "third party model with [1m]", model: "kimi-k2", settings: `{"model":"kimi-k2[1m]"}`, want: "1000000 settings"},
		{name: "third party model in settings", model: "kimi-k2", settings: `{"model":"kimi-k2"}`},
		{name: "settings of a third party model", model: "kimi-k2", settings: `{"model":"opus[1m]"}`},
		{name: "third party model over 200,000", model: "kimi-k2", largest: 230_000},
		{name: "unknown claude model", model: "claude-fable-5-1"},
		{name: "unknown claude model with [1m]", model: "claude-fable-5-1", settings: `{"model":"claude-fable-5-1[1m]"}`, want: "1000000 settings"},
		{name: "unknown claude model over 200,000", model: "claude-opus-5", largest: 257_041, want: "1000000 transcript"},
		{name: "arn", model: "arn:aws:bedrock:us-east-1:1:application-inference-profile/abc"},
		{name: "no model yet", settings: `{"model":"opus[1m]"}`},
		{name: "base url alone changes nothing", model: "claude-opus-4-8", env: "ANTHROPIC_BASE_URL=http://127.0.0.1:1", want: assumed},

		{name: "env", model: "claude-opus-4-8", env: "ANTHROPIC_MODEL=claude-opus-4-8[1m]", want: "1000000 env, " + assumed},
		{name: "settings env", model: "claude-opus-4-8", settings: `{"env":{"ANTHROPIC_MODEL":"opus[1m]"}}`, want: "1000000 settings, " + assumed},
		{name: "settings env before the model key", model: "claude-opus-4-8", settings: `{"model":"opus","env":{"ANTHROPIC_MODEL":"opus[1m]"}}`, want: "1000000 settings, " + assumed},
		{name: "settings before env", model: "claude-opus-4-8", settings: `{"model":"opus"}`, env: "ANTHROPIC_MODEL=opus[1m]", want: "200000 settings, 1000000 env, " + assumed},
		{name: "1M switched off by env", model: "claude-opus-4-8", settings: `{"model":"opus[1m]"}`, env: "CLAUDE_CODE_DISABLE_1M_CONTEXT=1", want: "200000 env, 1000000 settings, " + assumed},
		{name: "1M switched off by settings", model: "claude-opus-4-8", settings: `{"model":"opus[1m]","env":{"CLAUDE_CODE_DISABLE_1M_CONTEXT":"1"}}`, want: "200000 settings, 1000000 settings, " + assumed},
		{name: "1M not switched off", model: "claude-opus-4-8", settings: `{"model":"opus[1m]","env":{"CLAUDE_CODE_DISABLE_1M_CONTEXT":"0"}}`, env: "CLAUDE_CODE_DISABLE_1M_CONTEXT=1", want: "1000000 settings, " + assumed},
		{name: "context tokens alone", model: "claude-opus-4-8", env: "CLAUDE_CODE_MAX_CONTEXT_TOKENS=150000", want: assumed},
		{name: "context tokens without compaction", model: "claude-opus-4-8", settings: `{"env":{"DISABLE_COMPACT":"1"}}`, env: "CLAUDE_CODE_MAX_CONTEXT_TOKENS=150000", want: "150000 env, " + assumed},
		{name: "context tokens of an unknown model", model: "claude-mystery-9", settings: `{"env":{"DISABLE_COMPACT":"1","CLAUDE_CODE_MAX_CONTEXT_TOKENS":"150000"}}`},

		{name: "switch notice", model: "claude-opus-4-8", stated: window1M, want: "1000000 transcript, " + assumed},
		{name: "switch notice of a model that is never marked", model: "claude-sonnet-5", stated: window200k, want: assumed},
		{name: "switch notice of one that would be", model: "claude-sonnet-4-6", stated: window200k, want: "200000 transcript, " + assumed},
		{name: "prompt over 200,000", model: "claude-opus-4-8", largest: 312_480, want: "1000000 transcript, " + assumed},
		{name: "settings disproved", model: "claude-opus-4-8", settings: `{"model":"opus"}`, largest: 312_480, want: "200000 settings, 1000000 transcript, " + assumed},
		{name: "subagents run their own model", model: "claude-opus-4-8", settings: `{"model":"opus[1m]"}`, env: "ANTHROPIC_MODEL=opus[1m]", subagent: true, want: assumed},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newPlace(t)
			if tt.settings != "" {
				p.write(".claude/settings.json", tt.settings)
			} else {
				p.write(".claude/x", "")
			}
			if name, value, ok := strings.Cut(tt.env, "="); ok {
				p.env[name] = value
			}
			s := meter.Session{ID: idA, Root: p.root()}
			if tt.subagent {
				s.AgentID = "a7f31c0"
			}
			state := meter.State{Model: tt.model, Version: "2.1.197", Largest: tt.largest}
			if tt.stated > 0 {
				state.Window = meter.Claim{Tokens: tt.stated, Source: meter.SourceTranscript}
			}
			l := p.client().Limits(s, state)
			if got := claims(l.Windows); got != tt.want {
				t.Errorf("windows %q, want %q", got, tt.want)
			}
			if tt.largest > window200k && len(l.Windows) > 0 {
				best, disproved := l.Window(tt.largest)
				if best.Tokens != window1M || best.Source != meter.SourceTranscript || (disproved.Tokens > 0) != (tt.settings != "") {
					t.Errorf("window %+v, disproved %+v", best, disproved)
				}
			}
		})
	}
}

// Only Claude's models are known to come in two sizes (report B08).
func TestSizesAreThoseOfClaude(t *testing.T) {
	c := newPlace(t).client()
	for model, want := range map[string]int{"claude-opus-4-8": 2, "claude-opus-5": 2, "kimi-k2": 0, "": 0} {
		if got := c.Limits(meter.Session{}, meter.State{Model: model}).Sizes; len(got) != want {
			t.Errorf("%q: sizes %v", model, got)
		}
	}
}

// The records tell where the client was started: a state that was scanned from
// the end has the folder of the last cd, and a subagent that of its task.
func TestLimitsTakesTheSettingsOfTheLaunchFolder(t *testing.T) {
	p := newPlace(t)
	shop := filepath.Join(p.home, "shop")
	p.write("shop/.claude/settings.local.json", `{"autoCompactWindow":180000}`)
	p.write("shop/web/.claude/settings.json", `{"autoCompactWindow":500000}`)
	folder := ".claude/projects/" + Encode(shop) + "/"
	p.write(folder+idA+".jsonl", talk(idA, shop, "2026-09-10T09:00:00Z", "hi")+talk(idA, shop+"/web", "2026-09-10T10:00:00Z", "hi"))
	p.write(folder+idA+"/subagents/agent-a7f31c0.jsonl", talk(idA, shop+"/web", "2026-09-10T09:00:00Z", "hi"))
	c := p.client()
	for _, id := range []string{idA, "a7f31c0"} {
		found, err := c.Find(id)
		if err != nil || len(found) != 1 {
			t.Fatal(found, err)
		}
		l := c.Limits(found[0], meter.State{Model: "claude-opus-4-8", From: 4096, Project: filepath.Join(shop, "web")})
		if got := l.Trigger(meter.Claim{Tokens: window200k}); got.Tokens != 147_000 || got.Source != "settings.autoCompactWindow" {
			t.Errorf("%s: trigger %+v", id, got)
		}
	}
}
