package calibrate

import "testing"

func TestFamiliesByModelName(t *testing.T) {
	for model, want := range map[string]struct {
		name string
		sure bool
	}{
		"claude-opus-4-5-20251101":         {Claude, true},
		"claude-sonnet-4-5-20250929":       {Claude, true},
		"claude-sonnet-4-20250514":         {Claude, true},
		"claude-opus-4-6":                  {Claude, true},
		"claude-opus-4-6[1m]":              {Claude, true},
		"claude-haiku-4-5-20251001":        {Claude, true},
		"claude-3-5-sonnet-20241022":       {Claude, true},
		"claude-2.1":                       {Claude, true},
		"us.anthropic.claude-opus-4-6-v1":  {Claude, true},
		"us.anthropic.claude-opus-4-7-v10": {Claude47, true},
		"claude-sonnet-4-5@20250929":       {Claude, true},
		"claude-opus-4-7":                  {Claude47, true},
		"claude-opus-4-8":                  {Claude47, true},
		"claude-opus-5":                    {Claude47, true},
		"claude-sonnet-5":                  {Claude47, true},
		"claude-fable-5-1":                 {Claude47, true},
		"claude-opus-6":                    {Claude47, false}, // not known yet
		"claude-opus-10-1":                 {Claude47, false},
		"opus":                             {Claude47, false},
		"gpt-5.5":                          {GPT, true},
		"gpt-5.3-codex":                    {GPT, true},
		"codex-auto-review":                {GPT, true},
		"kimi-k2":                          {GPT, false},
		"":                                 {Claude47, false}, // the family that needs most
	} {
		if name, sure := FamilyOf(model); name != want.name || sure != want.sure {
			t.Errorf("%q is of family %s (sure: %t), want %s (%t)", model, name, sure, want.name, want.sure)
		}
	}
}
