package calibrate

import (
	"testing"

	"github.com/ctxmeter/ctxmeter/meter"
)

func TestReasoningIsForgottenByTheModelsThatForgetIt(t *testing.T) {
	thought := meter.Text{Signature: 1000}
	for model, forgets := range map[string]bool{
		"claude-sonnet-4-5-20250929": true,
		"claude-opus-4-1-20250805":   true,
		"claude-haiku-4-5-20251001":  true,
		"claude-opus-4-5-20251101":   false,
		"claude-opus-4-8":            false,
		"gpt-5.5":                    true,
		"gpt-5.6-sol":                false,
		"gpt-6.1-sol":                false,
	} {
		got := Builtin().Dropped(meter.Context{Model: model, Thought: thought, ThoughtTokens: 280})
		if (got > 0) != forgets {
			t.Errorf("%s drops %.0f tokens", model, got)
		}
	}
}

// What comes back after a compaction without a record of it differs by version;
// where a record shows it, or the client recounts, nothing is added.
func TestWhatComesBackDependsOnTheVersion(t *testing.T) {
	for version, want := range map[string]float64{
		"1.0.89": 9500, "2.0.67": 9500, "2.1.5": 14_000, "2.1.17": 14_000,
		"2.1.19": 1500, "2.1.29": 1500, "2.1.33": 9500, "2.1.197": 9500, "": 9500,
	} {
		c := meter.Context{Ground: meter.GroundBoundary, Model: "claude-opus-4-5-20251101", Version: version}
		if got := Builtin().Restored(c).Tokens; got != want {
			t.Errorf("%q: %.0f tokens, want %.0f", version, got, want)
		}
		c.Compaction.Post = 4000
		if got := Builtin().Restored(c).Tokens; got != 0 {
			t.Errorf("%q: %.0f tokens beside what the record states", version, got)
		}
	}
}
