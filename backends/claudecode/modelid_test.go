package claudecode

import "testing"

// Reports B02 and B11, and the ids of the recorded sessions.
func TestParseModel(t *testing.T) {
	for id, want := range map[string]modelID{
		"claude-opus-4-8":                              {"claude-opus-4-8", "opus"},
		"claude-opus-4-8[1m]":                          {"claude-opus-4-8", "opus"},
		"Claude-Opus-4-8":                              {"claude-opus-4-8", "opus"},
		"claude-sonnet-4-5-20250929":                   {"claude-sonnet-4-5", "sonnet"},
		"claude-sonnet-4-20250514":                     {"claude-sonnet-4", "sonnet"},
		"claude-haiku-4-5@20251001":                    {"claude-haiku-4-5", "haiku"},
		"claude-haiku-4-5@default":                     {"claude-haiku-4-5", "haiku"},
		"claude-3-7-sonnet-latest":                     {"claude-3-7-sonnet", "sonnet"},
		"global.anthropic.claude-sonnet-4-6[1m]":       {"claude-sonnet-4-6", "sonnet"},
		"us.anthropic.claude-sonnet-4-5-20250929-v1:0": {"claude-sonnet-4-5", "sonnet"},
		"anthropic.claude-opus-4-6-v1":                 {"claude-opus-4-6", "opus"},
		"anthropic/claude-opus-4-8":                    {"claude-opus-4-8", "opus"},
		"openrouter/anthropic/claude-fable-5":          {"claude-fable-5", "fable"},
		"claude-fable-5-1":                             {"claude-fable-5-1", "fable"},
		"claude-opus-4-8-vision":                       {"claude-opus-4-8-vision", "opus"},
		"claude-mystery-9":                             {"claude-mystery-9", ""},
		"gpt-5.5-via-proxy":                            {"gpt-5.5-via-proxy", ""},
		"my-claude-opus-4-8":                           {"my-claude-opus-4-8", ""},
		"arn:aws:bedrock:us-east-1:1:inference-profile/us.anthropic.claude-opus-4-8": {"arn:aws:bedrock:us-east-1:1:inference-profile/us.anthropic.claude-opus-4-8", ""},
		"arn:aws:bedrock:us-east-1:1:application-inference-profile/abc":              {"arn:aws:bedrock:us-east-1:1:application-inference-profile/abc", ""},
		"":   {},
		"-v": {base: "-v"}, "claude-": {base: "claude-"}, "claude--v1": {base: "claude-"},
	} {
		if got := parseModel(id); got != want {
			t.Errorf("parseModel(%q) = %+v, want %+v", id, got, want)
		}
	}
}
