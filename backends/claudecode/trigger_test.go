package claudecode

import (
	"strings"
	"testing"

	"github.com/ctxmeter/ctxmeter/meter"
)

func TestTrigger(t *testing.T) {
	const (
		lab      = "2.1.197"
		reported = "2.1.232"
		assumed  = meter.SourceAssumed
		compact  = meter.Source("env.CLAUDE_CODE_AUTO_COMPACT_WINDOW")
		pct      = meter.Source("env.CLAUDE_AUTOCOMPACT_PCT_OVERRIDE")
	)
	at := func(tokens int64, source meter.Source) meter.Trigger {
		return meter.Trigger{Mode: meter.ModeAuto, Tokens: tokens, Source: source}
	}
	off := func(source meter.Source) meter.Trigger { return meter.Trigger{Mode: meter.ModeOff, Source: source} }
	reactive := meter.Trigger{Mode: meter.ModeReactive, Source: assumed}
	unknown := meter.Trigger{Mode: meter.ModeUnknown}
	for _, tt := range []struct {
		name     string
		model    string
		version  string
		window   int64
		settings string
		env      string // NAME=VALUE, several by blanks
		app      string // .claude.json
		want     meter.Trigger
	}{
		// Bisected with Claude Code 2.1.197; the names are those of the runs.
		{name: "w200", model: "claude-opus-4-8", version: lab, window: window200k, env: "CLAUDE_CODE_AUTO_COMPACT_WINDOW=200000", want: at(167_000, compact)},
		{name: "hkset", model: "claude-haiku-4-5", version: lab, window: window200k, settings: `{"autoCompactWindow":200000}`, want: at(167_000, "settings.autoCompactWindow")},
		{name: "setw180", model: "claude-opus-4-8", version: lab, window: window200k, settings: `{"autoCompactWindow":180000}`, want: at(147_000, "settings.autoCompactWindow")},
		{name: "setenv", model: "claude-opus-4-8", version: lab, window: window200k, settings: `{"env":{"CLAUDE_CODE_AUTO_COMPACT_WINDOW":"180000"}}`, want: at(147_000, "settings.env.CLAUDE_CODE_AUTO_COMPACT_WINDOW")},
		{name: "set500k", model: "claude-opus-4-8", version: lab, window: window1M, settings: `{"autoCompactWindow":500000}`, want: at(467_000, "settings.autoCompactWindow")},
		{name: "m1-500k", model: "claude-opus-4-8", version: lab, window: window1M, env: "CLAUDE_CODE_AUTO_COMPACT_WINDOW=500000", want: at(467_000, compact)},
		{name: "m1-1000k", model: "claude-opus-4-8", version: lab, window: window1M, env: "CLAUDE_CODE_AUTO_COMPACT_WINDOW=1000000", want: at(967_000, compact)},
		{name: "cap", model: "claude-opus-4-8", version: lab, window: window200k, env: "CLAUDE_CODE_AUTO_COMPACT_WINDOW=900000", want: at(167_000, compact)},
		{name: "small", model: "claude-opus-4-8", version: lab, window: window200k, env: "CLAUDE_CODE_AUTO_COMPACT_WINDOW=60000", want: at(67_000, compact)},
		{name: "w180mo8", model: "claude-opus-4-8", version: lab, window: window200k, env: "CLAUDE_CODE_AUTO_COMPACT_WINDOW=180000 CLAUDE_CODE_MAX_OUTPUT_TOKENS=8000", want: at(159_000, compact)},
		{name: "w180pct50", model: "claude-opus-4-8", version: lab, window: window200k, env: "CLAUDE_CODE_AUTO_COMPACT_WINDOW=180000 CLAUDE_AUTOCOMPACT_PCT_OVERRIDE=50", want: at(80_000, pct)},
		{name: "w180dis", model: "claude-opus-4-8", version: lab, window: window200k, env: "CLAUDE_CODE_AUTO_COMPACT_WINDOW=180000 DISABLE_AUTO_COMPACT=1", want: off("env.DISABLE_AUTO_COMPACT")},
		{name: "w180off", model: "claude-opus-4-8", version: lab, window: window200k, settings: `{"autoCompactEnabled":false}`, env: "CLAUDE_CODE_AUTO_COMPACT_WINDOW=180000", want: off("settings.autoCompactEnabled")},
		{name: "pct95", model: "claude-opus-4-8", version: lab, window: window200k, env: "CLAUDE_CODE_AUTO_COMPACT_WINDOW=200000 CLAUDE_AUTOCOMPACT_PCT_OVERRIDE=95", want: at(167_000, compact)},
		{name: "s46pct50", model: "claude-sonnet-4-6", version: lab, window: window200k, env: "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE=50", want: at(90_000, pct)},
		{name: "s46mo30", model: "claude-sonnet-4-6", version: lab, window: window200k, env: "CLAUDE_CODE_MAX_OUTPUT_TOKENS=30000", want: at(167_000, assumed)},
		{name: "s46off", model: "claude-sonnet-4-6", version: lab, window: window200k, settings: `{"autoCompactEnabled":false}`, want: off("settings.autoCompactEnabled")},
		{name: "s46cjoff", model: "claude-sonnet-4-6", version: lab, window: window200k, app: `{"projects":{},"autoCompactEnabled":false}`, want: off("settings.autoCompactEnabled")},
		{name: "s46dis", model: "claude-sonnet-4-6", version: lab, window: window200k, env: "DISABLE_COMPACT=1", want: off("env.DISABLE_COMPACT")},
		{name: "opus46-200k", model: "claude-opus-4-6", version: lab, window: window200k, want: at(167_000, assumed)},
		{name: "opus46-1m", model: "claude-opus-4-6", version: lab, window: window1M, want: reactive},
		{name: "opus47-1m", model: "claude-opus-4-7", version: lab, window: window1M, want: reactive},
		{name: "opus48-1m", model: "claude-opus-4-8", version: lab, window: window1M, want: reactive},
		{name: "fable5-1m", model: "claude-fable-5", version: lab, window: window1M, want: reactive},
		{name: "sonnet46-1m", model: "claude-sonnet-4-6", version: lab, window: window1M, want: reactive},
		{name: "sonnet5-200k", model: "claude-sonnet-5", version: lab, window: window200k, want: at(167_000, assumed)},
		{name: "sonnet5-1m", model: "claude-sonnet-5", version: lab, window: window1M, want: at(934_000, assumed)},
		{name: "default200k", model: "claude-opus-4-8", version: lab, window: window200k, want: reactive},
		{name: "ac1", model: "claude-opus-4-8", version: lab, window: window200k, settings: `{"autoCompactEnabled":true}`, want: reactive},
		{name: "op45", model: "claude-opus-4-5", version: lab, window: window200k, want: reactive},
		{name: "hk", model: "claude-haiku-4-5-20251001", version: lab, window: window200k, want: reactive},
		{name: "sn", model: "claude-sonnet-4-5", version: lab, window: window200k, want: reactive},
		{name: "models: a percentage arms nothing", model: "claude-opus-4-8", version: lab, window: window200k, env: "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE=50", want: reactive},
		{name: "models: an unknown id", model: "claude-mystery-9", version: lab, window: window200k, want: unknown},
		{name: "armed by a window, an unknown id", model: "claude-mystery-9", version: lab, window: window200k, settings: `{"autoCompactWindow":200000}`, want: at(167_000, "settings.autoCompactWindow")},

		// Cases A05, B01, B17, C13 and report C17.
		{name: "A05", model: "claude-sonnet-4-5-20250929", version: reported, window: window200k, want: at(167_000, assumed)},
		{name: "B01", model: "claude-sonnet-4-6", version: reported, window: window1M, settings: `{"model":"sonnet[1m]"}`, want: at(967_000, assumed)},
		{name: "B17", model: "claude-haiku-4-5-20251001", version: reported, window: window200k, want: at(167_000, assumed)},
		{name: "C13", model: "claude-opus-4-7", version: reported, window: window1M, settings: `{"model":"opus[1m]","autoCompactWindow":200000}`, want: at(167_000, "settings.autoCompactWindow")},
		{name: "C13 disabled", model: "claude-opus-4-7", version: reported, window: window1M, settings: `{"model":"opus[1m]","autoCompactWindow":200000}`, env: "DISABLE_AUTO_COMPACT=1", want: off("env.DISABLE_AUTO_COMPACT")},
		{name: "C17", model: "claude-opus-4-6", version: "2.1.45", window: window200k, env: "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE=70", want: at(126_000, pct)},
		{name: "a percentage at a place of its own", model: "claude-sonnet-5", version: reported, window: window1M, env: "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE=50", want: at(473_500, pct)},

		// Public sessions.
		{name: "2.0.67", model: "claude-opus-4-6", version: "2.0.67", window: window200k, want: at(155_000, assumed)},
		{name: "2.1.20", model: "claude-opus-4-5-20251101", version: "2.1.20", window: window200k, want: at(155_000, assumed)},
		{name: "2.1.25", model: "claude-opus-4-5-20251101", version: "2.1.25", window: window200k, want: at(167_000, assumed)},
		{name: "2.1.56", model: "claude-opus-4-6", version: "2.1.56", window: window200k, want: at(167_000, assumed)},
		{name: "2.1.109", model: "claude-opus-4-7", version: "2.1.109", window: window200k, want: reactive},
		{name: "2.1.109, not in the lab", model: "claude-opus-4-1-20250805", version: "2.1.109", window: window200k, want: unknown},
		{name: "no version", model: "claude-opus-4-8", window: window200k, want: at(167_000, assumed)},

		{name: "window unknown", model: "claude-opus-4-6", version: lab, want: unknown},
		{name: "window unknown, one set", model: "kimi-k2", version: lab, settings: `{"autoCompactWindow":250000}`, want: at(217_000, "settings.autoCompactWindow")},
		{name: "third party", model: "kimi-k2", version: reported, window: 262_144, want: unknown},
		{name: "window too small for any trigger", model: "claude-opus-4-6", version: lab, window: 30_000, want: unknown},
		{name: "settings env before env", model: "claude-opus-4-8", version: lab, window: window200k, settings: `{"env":{"CLAUDE_CODE_AUTO_COMPACT_WINDOW":"180000"},"autoCompactWindow":150000}`, env: "CLAUDE_CODE_AUTO_COMPACT_WINDOW=190000", want: at(147_000, "settings.env.CLAUDE_CODE_AUTO_COMPACT_WINDOW")},
		{name: "settings env switches back on", model: "claude-opus-4-6", version: lab, window: window200k, settings: `{"env":{"DISABLE_COMPACT":"0"}}`, env: "DISABLE_COMPACT=1", want: at(167_000, assumed)},
		{name: "settings before the client's state", model: "claude-opus-4-6", version: lab, window: window200k, settings: `{"autoCompactEnabled":true}`, app: `{"autoCompactEnabled":false}`, want: at(167_000, assumed)},
		{name: "what is no number", model: "claude-opus-4-6", version: lab, window: window200k, env: "CLAUDE_CODE_AUTO_COMPACT_WINDOW=180k CLAUDE_AUTOCOMPACT_PCT_OVERRIDE=x CLAUDE_CODE_MAX_OUTPUT_TOKENS=-1", want: at(167_000, assumed)},
		{name: "a percentage over 100", model: "claude-opus-4-6", version: lab, window: window200k, env: "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE=150", want: at(167_000, assumed)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newPlace(t)
			p.write(".claude/x", "")
			if tt.settings != "" {
				p.write(".claude/settings.json", tt.settings)
			}
			if tt.app != "" {
				p.write(".claude.json", tt.app)
			}
			for v := range strings.FieldsSeq(tt.env) {
				name, value, _ := strings.Cut(v, "=")
				p.env[name] = value
			}
			l := p.client().Limits(meter.Session{ID: idA, Root: p.root()}, meter.State{Model: tt.model, Version: tt.version})
			if got := l.Trigger(meter.Claim{Tokens: tt.window}); got != tt.want {
				t.Errorf("trigger %+v, want %+v", got, tt.want)
			}
		})
	}
}

// With CLAUDE_CONFIG_DIR the client's state lies inside of the folder.
func TestTheClientsStateStandsWithItsRoot(t *testing.T) {
	for _, tt := range []struct {
		file, config string
		want         meter.Mode
	}{
		{".claude.json", "", meter.ModeOff},
		{".claude/.claude.json", "", meter.ModeAuto},
		{".claude.json", "~/.claude", meter.ModeAuto},
		{".claude/.claude.json", "~/.claude", meter.ModeOff},
	} {
		p := newPlace(t)
		p.write(".claude/x", "")
		p.write(tt.file, `{"autoCompactEnabled":false}`)
		p.env["CLAUDE_CONFIG_DIR"] = tt.config
		l := p.client().Limits(meter.Session{Root: p.root()}, meter.State{Model: "claude-opus-4-6"})
		if got := l.Trigger(meter.Claim{Tokens: window200k}).Mode; got != tt.want {
			t.Errorf("%s with %q: %s", tt.file, tt.config, got)
		}
	}
}

func TestEras(t *testing.T) {
	for version, want := range map[string]era{
		"1.0.80": eraOld, "2.0.67": eraOld, "2.1.20": eraOld, "2.1.24": eraOld,
		"2.1.25": eraArmed, "2.1.56": eraArmed, "2.1.103": eraArmed,
		"2.1.104": eraTable, "2.1.197": eraTable, "2.1.197-beta.1": eraTable,
		"2.1.198": eraReported, "2.2.0": eraReported, "3.0.0": eraReported,
		"": eraReported, "2.1": eraReported, "x.y.z": eraReported, "2.1.-5": eraReported,
	} {
		if got := eraOf(version); got != want {
			t.Errorf("eraOf(%q) = %d, want %d", version, got, want)
		}
	}
}
