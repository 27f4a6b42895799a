package codex

import "testing"

// The hashes are those that codex-cli 0.171.0 wrote for these hooks.
func TestHookHashIsTheClients(t *testing.T) {
	for want, h := range map[string]Hook{
		"7e55c8e8d121615289acc03297fd8767540c68f83c022e6ac820742d6c51a3e7": {Event: "PostToolUse", Command: "ctxmeter hook", Timeout: 5},
		"41e152bc17998b87d8f2242c9db64b5a2e497cb5b138e49d7b62445f324c29dd": {Event: "SessionStart", Command: "ctxmeter hook", Timeout: 5},
		"7b6073153811b63c7d37abbbad6c4e7df167ed98e3305ec9b42d602ea60858ed": {Event: "UserPromptSubmit", Command: "ctxmeter hook", Timeout: 5},
		"1bc44a1d1a7374321e35c0003b8a4ac432336d5072d062014b099909c963671f": {Event: "PostToolUse", Matcher: "shell", Command: "true", Timeout: 7, Message: "hey"},
		"9fb619015306b6cebccedda0add457683a412cab45181723c22f67cbca451d6e": {Event: "PostToolUse", Matcher: "shell", Command: "'/a b/ctxmeter' hook <&>"},
		"21ef6cede5098b705cde7429b0f76a74c30fd14fe35c11ca4629effb733eaadf": {Event: "SessionStart", Matcher: "startup", Command: "ctxmeter hook é"},
		"5ea1f4dbbb932c12039f73070460ab48b855e18df102d81e69c08de2b3dcb2fd": {Event: "UserPromptSubmit", Command: "ctxmeter hook", Async: true},
		"e3d63963e2be503cf3fbd71b3218ffa1517ec0820b3e57bc43acc9281237dd6f": {Event: "PreCompact", Command: "ctxmeter hook", Timeout: 5},
	} {
		if got := h.Hash(); got != "sha256:"+want {
			t.Errorf("%+v: %s, want %s", h, got, want)
		}
	}
}

func TestHookKeyNamesItsPlace(t *testing.T) {
	h := Hook{Event: "PostToolUse", Group: 1, Index: 2}
	if got, want := h.Key("/home/ann/.codex/hooks.json"), "/home/ann/.codex/hooks.json:post_tool_use:1:2"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
