package calibrate

import (
	"testing"

	"github.com/ctxmeter/ctxmeter/meter"
	"github.com/ctxmeter/ctxmeter/meter/tail"
)

func TestFamiliesByModelName(t *testing.T) {
	for model, want := range map[string]family{
		"claude-opus-4-5-20251101":        claudeOld,
		"claude-sonnet-4-5-20250929":      claudeOld,
		"claude-sonnet-4-20250514":        claudeOld,
		"claude-opus-4-6":                 claudeOld,
		"claude-haiku-4-5-20251001":       claudeOld,
		"claude-3-5-sonnet-20241022":      claudeOld,
		"us.anthropic.claude-opus-4-6-v1": claudeOld,
		"claude-opus-4-7":                 claudeNew,
		"claude-opus-4-8":                 claudeNew,
		"claude-opus-5":                   claudeNew,
		"claude-sonnet-5":                 claudeNew,
		"claude-fable-5-1":                claudeNew,
		"gpt-5.5":                         gpt,
		"gpt-5.3-codex":                   gpt,
		"codex-auto-review":               gpt,
		"kimi-k2":                         claudeNew, // unknown: the family that needs most
		"":                                claudeNew,
	} {
		if got := familyOf(model); got != want {
			t.Errorf("%q is of family %d, want %d", model, got, want)
		}
	}
}

func TestTokensAreSaneForEveryKindOfText(t *testing.T) {
	for name, c := range map[string]tail.Counts{
		"letters":  {Chars: 1000, Letters: 1000},
		"digits":   {Chars: 1000, Digits: 1000},
		"code":     {Chars: 1000, Letters: 600, Spaces: 150, Newlines: 50, Punct: 150, Digits: 50},
		"japanese": {Chars: 1000, Wide: 1000},
		"emoji":    {Chars: 1000, Signs: 1000},
		"base64":   {Chars: 1000, Letters: 800, Digits: 160, Punct: 40},
		"blank":    {Chars: 1000, Spaces: 1000},
	} {
		for _, model := range []string{"claude-opus-4-6", "claude-opus-4-8", "gpt-5.5"} {
			got, spread := Builtin().Tokens(model, meter.Text{Tool: c})
			if got <= 0 || got > 1500 || spread <= 0 {
				t.Errorf("1000 characters of %s for %s: %.0f tokens, spread %.0f", name, model, got, spread)
			}
		}
	}
}

func TestNothingIsNoTokens(t *testing.T) {
	if got, spread := Builtin().Tokens("claude-opus-4-6", meter.Text{}); got != 0 || spread != 0 {
		t.Errorf("%.1f tokens, spread %.1f", got, spread)
	}
}

func TestPlaceholderOutputsAreReplacedByTheReplysContent(t *testing.T) {
	body := meter.Text{Reply: tail.Counts{Chars: 4000, Letters: 3200, Spaces: 800}}
	for name, tc := range map[string]struct {
		c    meter.Context
		kept bool
	}{
		"a stop reason vouches for it": {meter.Context{Model: "claude-opus-4-5", Ended: true, Usage: meter.Usage{Output: 8}, Body: body}, true},
		"a first number of the stream": {meter.Context{Model: "claude-opus-4-5", Usage: meter.Usage{Output: 8}, Body: body}, false},
		"a plausible number":           {meter.Context{Model: "claude-opus-4-5", Usage: meter.Usage{Output: 800}, Body: body}, true},
		"codex states it always":       {meter.Context{Model: "gpt-5.5", Usage: meter.Usage{Output: 8}, Body: body}, true},
	} {
		t.Run(name, func(t *testing.T) {
			got, _ := Builtin().Reply(tc.c)
			if kept := got == float64(tc.c.Usage.Output); kept != tc.kept {
				t.Errorf("%.0f tokens for an output of %d", got, tc.c.Usage.Output)
			}
		})
	}
}

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
