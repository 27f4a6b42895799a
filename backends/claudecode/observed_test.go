package claudecode

import (
	"testing"

	"github.com/ctxmeter/ctxmeter/meter"
)

func TestObservedCompactionsCorrectTheTable(t *testing.T) {
	const lab = "2.1.197"
	pres := func(version, model string, tokens ...int64) (out []meter.Auto) {
		for _, n := range tokens {
			out = append(out, meter.Auto{Pre: n, Model: model, Version: version})
		}
		return out
	}
	at := func(tokens int64, source meter.Source) meter.Trigger {
		return meter.Trigger{Mode: meter.ModeAuto, Tokens: tokens, Source: source}
	}
	reactive := meter.Trigger{Mode: meter.ModeReactive, Source: meter.SourceAssumed}
	unknown := meter.Trigger{Mode: meter.ModeUnknown}
	for _, tt := range []struct {
		name    string
		model   string
		version string
		window  int64
		autos   []meter.Auto
		largest int64
		env     string
		want    meter.Trigger
	}{
		{name: "none", model: "claude-opus-4-6", version: lab, window: window200k, want: at(167_000, "assumed")},
		{
			name: "within one turn the table is the better number", model: "claude-opus-4-6", version: lab, window: window200k,
			autos: pres(lab, "claude-opus-4-6", 170_431, 167_515), largest: 167_300, want: at(167_000, "assumed"),
		},
		{
			name: "a token below is no proof", model: "claude-sonnet-5", version: lab, window: window200k,
			autos: pres(lab, "claude-sonnet-5", 166_999), largest: 166_985, want: at(167_000, "assumed"),
		},
		{
			name: "nor where the table says that nothing fires", model: "claude-opus-4-8", version: lab, window: window200k,
			autos: pres(lab, "claude-opus-4-8", 166_870), largest: 166_985, want: at(167_000, "observed"),
		},
		{
			name: "a giant last turn says nothing", model: "claude-opus-4-5", version: "2.1.19", window: window200k,
			autos: pres("2.1.19", "claude-opus-4-5-20251101", 188_424), largest: 150_210, want: at(155_000, "assumed"),
		},
		{
			name: "below the table it stands itself", model: "claude-opus-4-6", version: lab, window: window200k,
			autos: pres(lab, "claude-opus-4-6", 148_000, 146_105, 147_200), largest: 145_000, want: at(146_105, "observed"),
		},
		{
			name: "armed against the table", model: "claude-opus-4-8", version: lab, window: window200k,
			autos: pres(lab, "claude-opus-4-8", 168_345, 167_024), largest: 166_900, want: at(167_000, "observed"),
		},
		{
			name: "armed against the table, at a place of its own", model: "claude-opus-4-8", version: lab, window: window200k,
			autos: pres(lab, "claude-opus-4-8", 147_052), largest: 146_946, want: at(147_052, "observed"),
		},
		{
			name: "the provider refused", model: "claude-opus-4-8", version: lab, window: window200k,
			autos: pres(lab, "claude-opus-4-8", 199_120), largest: 196_000, want: reactive,
		},
		{
			name: "no table", model: "kimi-k2", version: "2.1.232", window: 262_144,
			autos: pres("2.1.232", "kimi-k2", 210_000, 205_000), largest: 204_000, want: at(205_000, "observed"),
		},
		{name: "no table and no window", model: "kimi-k2", version: "2.1.232", autos: pres("2.1.232", "kimi-k2", 205_000), want: unknown},
		{
			name: "another model", model: "claude-opus-4-6", version: lab, window: window200k,
			autos: pres(lab, "claude-sonnet-4-6", 90_000), want: at(167_000, "assumed"),
		},
		{
			name: "the same model by another name", model: "claude-opus-4-6", version: lab, window: window200k,
			autos: pres(lab, "us.anthropic.claude-opus-4-6-v1:0", 90_000), largest: 89_000, want: at(90_000, "observed"),
		},
		{
			name: "a version of other rules", model: "claude-opus-4-6", version: "2.1.56", window: window200k,
			autos: pres("2.1.20", "claude-opus-4-6", 155_003), want: at(167_000, "assumed"),
		},
		{
			name: "of a larger window", model: "claude-opus-4-6", version: "2.1.56", window: window200k,
			autos: pres("2.1.56", "claude-opus-4-6", 967_100), want: at(167_000, "assumed"),
		},
		{
			name: "larger prompts were sent since", model: "claude-opus-4-6", version: "2.1.56", window: window1M,
			autos: pres("2.1.56", "claude-opus-4-6", 167_100), largest: 420_000, want: at(967_000, "assumed"),
		},
		{
			name: "larger prompts than the table allows", model: "claude-sonnet-4-5", version: "2.1.232", window: window200k,
			largest: 191_000, want: unknown,
		},
		{
			name: "a prompt one turn over the trigger", model: "claude-opus-4-6", version: "2.0.67", window: window200k,
			largest: 170_833, want: at(155_000, "assumed"),
		},
		{
			name: "a setting beats it", model: "claude-opus-4-6", version: lab, window: window200k,
			autos: pres(lab, "claude-opus-4-6", 90_000), largest: 89_000, env: "180000", want: at(147_000, "env.CLAUDE_CODE_AUTO_COMPACT_WINDOW"),
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newPlace(t)
			p.env["CLAUDE_CODE_AUTO_COMPACT_WINDOW"] = tt.env
			state := meter.State{Model: tt.model, Version: tt.version, Largest: tt.largest, Facts: meter.Facts{Autos: tt.autos}}
			if got := p.client().Limits(meter.Session{}, state).Trigger(meter.Claim{Tokens: tt.window}); got != tt.want {
				t.Errorf("trigger %+v, want %+v", got, tt.want)
			}
		})
	}
}
