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
