package codex

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/ctxmeter/ctxmeter/meter"
)

func TestSettings(t *testing.T) {
	for text, want := range map[string]settings{
		"": {},
		"model_context_window = 100_000 # tokens\nmodel_auto_compact_token_limit=50000\n":                                             {window: 100_000, limit: 50_000},
		"\"model_context_window\" = 5\r\n[features]\nmodel_context_window = 6\n[mcp_servers.x]\nlimit = 7":                            {window: 5},
		"model_auto_compact_token_limit_scope = \"body_after_prefix\" # \"x\"":                                                        {scope: scopeBody},
		"profile='big'\nmodel_context_window=1\n[profiles.\"big\"]\nmodel_context_window=2\n[profiles.small]\nmodel_context_window=3": {window: 2},
		"profile='big'\nmodel_context_window=1\nmodel_auto_compact_token_limit=9\n[profiles.big]\nmodel_context_window=2":             {window: 2, limit: 9},
		"notes = \"\"\"\nmodel_context_window = 1\n\"\"\"\nmodel_auto_compact_token_limit = 2":                                        {limit: 2},
		"notes = '''one line'''\nmodel_context_window = 1":                                                                            {window: 1},
		"#model_context_window = 1\nmodel_context_window = -5\nmodel_auto_compact_token_limit = \"no\"":                               {},
		"[[profiles]]\nmodel_context_window = 1\n[\n]\n=\n\x00":                                                                       {},
		"model_context_window = 99999999999999999999":                                                                                 {},
	} {
		if got := parseSettings(text); got != want {
			t.Errorf("%q: %+v, want %+v", text, got, want)
		}
	}
}

func config(t *testing.T, text string) meter.Session {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "config.toml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return meter.Session{Root: dir}
}

func TestWindows(t *testing.T) {
	rollout := meter.Claim{Tokens: 475_000, Source: meter.SourceRollout}
	set := func(n int64) meter.Claim { return meter.Claim{Tokens: n, Source: sourceWindow} }
	assumed := func(n int64) meter.Claim { return meter.Claim{Tokens: n, Source: meter.SourceAssumed} }
	for _, c := range []struct {
		config, model string
		rollout       meter.Claim
		want          []meter.Claim
	}{
		{"", "gpt-6.2-sol", rollout, []meter.Claim{rollout, assumed(475_000)}},
		{"", "gpt-5.5", meter.Claim{}, []meter.Claim{assumed(258_400)}},
		{"", "gpt-daybreak-red-latest", meter.Claim{}, []meter.Claim{assumed(353_400)}},
		{"", "some-model", meter.Claim{}, nil},
		{"model_context_window = 1000000", "gpt-5.5", meter.Claim{}, []meter.Claim{set(258_400), assumed(258_400)}},
		{"model_context_window = 872000", "gpt-5.6-sol", meter.Claim{}, []meter.Claim{set(828_400), assumed(258_400)}},
		{"model_context_window = 100000", "gpt-5.5", rollout, []meter.Claim{rollout, set(95_000), assumed(258_400)}},
		{"model_context_window = 100000", "some-model", meter.Claim{}, []meter.Claim{set(95_000)}},
	} {
		got := New(meter.Env{}).Limits(config(t, c.config), meter.State{Model: c.model, Window: c.rollout})
		if len(got.Windows) != len(c.want) {
			t.Errorf("%q, %s: %v", c.config, c.model, got.Windows)
			continue
		}
		for i, w := range c.want {
			if got.Windows[i] != w {
				t.Errorf("%q, %s: %v, want %v", c.config, c.model, got.Windows, c.want)
			}
		}
	}
}

func TestTrigger(t *testing.T) {
	rollout := func(n int64) meter.Claim { return meter.Claim{Tokens: n, Source: meter.SourceRollout} }
	auto := func(n int64, s meter.Source) meter.Trigger {
		return meter.Trigger{Mode: meter.ModeAuto, Tokens: n, Source: s}
	}
	for _, c := range []struct {
		config, model string
		rollout       meter.Claim
		window        int64
		want          meter.Trigger
		note          string
	}{
		{"", "gpt-5.5", rollout(258_400), 258_400, auto(244_800, meter.SourceRollout), ""},
		{"", "gpt-6.2-sol", rollout(475_000), 475_000, auto(450_000, meter.SourceRollout), ""},
		{"", "gpt-5.6-sol", rollout(828_400), 828_400, auto(784_800, meter.SourceRollout), ""},
		{"", "gpt-5.5", rollout(258_400), 400_000, auto(244_800, meter.SourceRollout), ""},
		{"", "gpt-5.5", meter.Claim{}, 258_400, auto(244_800, meter.SourceAssumed), ""},
		{"", "some-model", meter.Claim{}, 190_000, auto(180_000, meter.SourceCaller), ""},
		{"", "some-model", meter.Claim{}, 0, meter.Trigger{Mode: meter.ModeUnknown}, ""},
		{"model_context_window = 100000", "gpt-5.5", meter.Claim{}, 95_000, auto(90_000, sourceWindow), ""},
		{"model_auto_compact_token_limit = 50000", "gpt-5.5", rollout(258_400), 258_400, auto(50_000, sourceLimit), ""},
		{"model_auto_compact_token_limit = 50000", "some-model", meter.Claim{}, 0, auto(50_000, sourceLimit), ""},
		{"model_auto_compact_token_limit = 250000", "gpt-5.5", rollout(258_400), 258_400, auto(244_800, meter.SourceRollout), ""},
		{"model_auto_compact_token_limit = 350000", "gpt-5.5", rollout(258_400), 258_400, auto(244_800, meter.SourceRollout), noteLimitOverWindow},
		{"model_auto_compact_token_limit = 50000\nmodel_auto_compact_token_limit_scope = 'total'", "gpt-5.5", rollout(258_400), 258_400, auto(50_000, sourceLimit), ""},
		{"model_auto_compact_token_limit = 50000\nmodel_auto_compact_token_limit_scope = 'body_after_prefix'", "gpt-5.5", rollout(258_400), 258_400, meter.Trigger{Mode: meter.ModeUnknown}, noteLimitScope},
	} {
		got := New(meter.Env{}).Limits(config(t, c.config), meter.State{Model: c.model, Window: c.rollout})
		claim := meter.Claim{Tokens: c.window, Source: meter.SourceCaller}
		if c.window == 0 {
			claim = meter.Claim{}
		}
		for _, w := range got.Windows {
			if w.Tokens == c.window {
				claim = w
				break
			}
		}
		if tr := got.Trigger(claim); tr != c.want {
			t.Errorf("%q, %s, %d: %+v, want %+v", c.config, c.model, c.window, tr, c.want)
		}
		note := ""
		for _, n := range got.Notes {
			note += n.Code
		}
		if note != c.note {
			t.Errorf("%q, %s: notes %q, want %q", c.config, c.model, note, c.note)
		}
	}
}

// With a limit of 50,000 on what follows the beginning, codex-cli 0.171.0
// compacted at 56,774 in a session like this one, whose first message is a few
// characters shorter.
func TestTriggerAfterPrefix(t *testing.T) {
	path, err := filepath.Abs("../../testdata/codex/s05_threshold/N244800/sessions/2026/11/30/rollout-2026-11-30T14-53-31-01a22cf2-616a-7e40-badb-d540fe200c55.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	end := 0
	for n := 0; n < 13; n++ { // the first turn
		for text[end] != '\n' {
			end++
		}
		end++
	}
	st := fold(t, string(text[:end]))
	s := config(t, "model_auto_compact_token_limit = 50_000\nmodel_auto_compact_token_limit_scope = \"body_after_prefix\"")
	got := New(meter.Env{}).Limits(s, st)
	if tr := got.Trigger(st.Window); tr.Mode != meter.ModeAuto || tr.Tokens < 56_769 || tr.Tokens > 56_779 || len(got.Notes) != 0 {
		t.Errorf("%+v, %v", tr, got.Notes)
	}
	st = fold(t, string(text))
	if tr := New(meter.Env{}).Limits(s, st).Trigger(st.Window); tr.Mode != meter.ModeUnknown {
		t.Errorf("after a compaction: %+v", tr)
	}
}

func TestView(t *testing.T) {
	for _, c := range []struct{ total, window, percent int64 }{
		{125_011, 258_400, 46}, {60_016, 258_400, 19}, {9_641, 258_400, 0}, {300_000, 258_400, 100}, {5, 12_000, 100},
	} {
		st := fold(t, response(int(c.total)-1, 1))
		st.Window = meter.Claim{Tokens: c.window, Source: meter.SourceRollout}
		v := New(meter.Env{}).View(st, 0)
		if v.UsedTokens == nil || *v.UsedTokens != c.total || v.UsedPercent == nil || int64(*v.UsedPercent) != c.percent {
			t.Errorf("%+v: %v %v", c, *v.UsedTokens, *v.UsedPercent)
		}
	}
	if v := New(meter.Env{}).View(meter.State{}, 258_400); v.UsedTokens != nil || v.UsedPercent != nil {
		t.Errorf("nothing measured: %+v", v)
	}
	st := fold(t, response(10, 1))
	st.Window = meter.Claim{}
	if v := New(meter.Env{}).View(st, 0); v.UsedTokens == nil || v.UsedPercent != nil {
		t.Errorf("window unknown: %+v", v)
	}
}
