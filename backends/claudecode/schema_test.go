package claudecode

import "testing"

// What 2.1.197 made of a settings file with this in it.
func TestRefusedIsWhatTheClientRefuses(t *testing.T) {
	hook := func(h string) string { return `{"hooks":{"PostToolUse":[` + h + `]}}` }
	handler := func(h string) string { return hook(`{"hooks":[` + h + `]}`) }
	for text, want := range map[string]string{
		`{"model":5}`:                                 "model",
		`{"model":null}`:                              "model",
		`{"autoCompactEnabled":"x"}`:                  "autoCompactEnabled",
		`{"env":"x"}`:                                 "env",
		`{"disableAllHooks":"yes"}`:                   "disableAllHooks",
		`{"disableAllHooks":null}`:                    "disableAllHooks",
		`{"cleanupPeriodDays":"30"}`:                  "cleanupPeriodDays",
		`{"cleanupPeriodDays":null}`:                  "cleanupPeriodDays",
		`{"cleanupPeriodDays":0}`:                     "cleanupPeriodDays",
		`{"cleanupPeriodDays":-1}`:                    "cleanupPeriodDays",
		`{"cleanupPeriodDays":0.5}`:                   "cleanupPeriodDays",
		`{"cleanupPeriodDays":1.5}`:                   "cleanupPeriodDays",
		`{"enabledMcpjsonServers":"x"}`:               "enabledMcpjsonServers",
		`{"enableAllProjectMcpServers":"x"}`:          "enableAllProjectMcpServers",
		`{"permissions":[]}`:                          "permissions",
		`{"hooks":[]}`:                                "hooks",
		`{"hooks":null}`:                              "hooks",
		`{"statusLine":null}`:                         "statusLine",
		`{"statusLine":{}}`:                           "statusLine.type",
		`{"statusLine":{"command":"x"}}`:              "statusLine.type",
		`{"statusLine":{"type":"text","command":""}}`: "statusLine.type",
		`{"statusLine":{"type":"command"}}`:           "statusLine.command",
		`{"statusLine":{"type":"command","command":"x","padding":"x"}}`:              "statusLine.padding",
		`{"statusLine":{"type":"command","command":"x","hideVimModeIndicator":"x"}}`: "statusLine.hideVimModeIndicator",
		hook(`{}`):                                                "hooks.PostToolUse.hooks",
		hook(`{"hooks":{}}`):                                      "hooks.PostToolUse.hooks",
		hook(`{"matcher":5,"hooks":[]}`):                          "hooks.PostToolUse.matcher",
		handler(`{"command":"x"}`):                                "hooks.PostToolUse.hooks.type",
		handler(`{"type":"command"}`):                             "hooks.PostToolUse.hooks.command",
		`{"hooks":{"a b":[{"matcher":5}]}}`:                       "hooks.matcher",
		handler(`{"type":"command","command":"x","timeout":"5"}`): "hooks.PostToolUse.hooks.timeout",
		handler(`{"type":"command","command":"x","timeout":0}`):   "hooks.PostToolUse.hooks.timeout",
		handler(`{"type":"command","command":"x","async":"x"}`):   "hooks.PostToolUse.hooks.async",

		`{}`:                                                 "",
		`{"unknownKey":1}`:                                   "",
		`{"cleanupPeriodDays":1}`:                            "",
		`{"autoCompactWindow":"x"}`:                          "",
		`{"env":{"A":1,"B":null}}`:                           "",
		`{"hooks":{"UserPromptSubmit":{}}}`:                  "",
		`{"hooks":{"Nonsense":[{"hooks":[]}]}}`:              "",
		handler(`{"type":"mcp_tool","server":"x"}`):          "",
		handler(`{"type":"command","command":"x","more":1}`): "",
		`{"statusLine":{"type":"command","command":"","padding":-1,"more":1}}`:  "",
		`{"statusLine":{"type":"command","command":"x","refreshInterval":"x"}}`: "",
		"\ufeff" + `{"model":5}`: "model",
		`[]`:                     "",
		`{"model":`:              "",
	} {
		if got, kind := Refused([]byte(text)); got != want || (got == "") != (kind == "") {
			t.Errorf("%s: %q (%q), want %q", text, got, kind, want)
		}
	}
}
