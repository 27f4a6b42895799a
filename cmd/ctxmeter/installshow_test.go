package main

import (
	"strings"
	"testing"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/paths"
)

// The state of Claude Code holds more than anybody should see who only wants
// to know what would change.
func TestNothingAroundAChangeOfTheStateIsShown(t *testing.T) {
	s := newShop(t)
	s.write(claudeState, "{\n  \"oauthAccount\": \"private\",\n  \"mcpServers\": {\n    \"x\": {}\n  },\n  \"primaryApiKey\": \"private\"\n}\n")
	got := s.good("install", "claude-code", "--mcp").stdout
	if strings.Contains(got, "private") || !strings.Contains(got, "+    \"ctxmeter\": {\n") {
		t.Errorf("%s", got)
	}
}

// Settings hold keys and tokens: what stays is not read out, in whichever way a
// file is laid out, and what changes is exact.
func TestADifferenceTellsNoSecrets(t *testing.T) {
	settings := "{\n  \"apiKeyHelper\": \"echo SECRET\",\n  \"env\": {\n    \"TOKEN\": \"SECRET \\\" SECRET\"\n  },\n  \"n\": 7\n}"
	state := `{"primaryApiKey":"SECRET", "n": 7, "mcpServers":{"x":{"command":"SECRET"}},"z":"SECRET"}`
	conf := "# SECRET\n[mcp_servers.x]\ncommand='SECRET'\nn = 7\nargs = [\n  'SECRET', # SECRET\n]\n[mcp_servers.x.env]\nTOKEN = \"SECRET\""
	hooks := `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"SECRET"}]}]}}`
	spread := strings.NewReplacer("{", "{\n", ",", ",\n", "}", "\n}")
	for name, lay := range map[string]func(string) string{
		"as they are":      func(s string) string { return s },
		"ends of line":     func(s string) string { return s + "\n" },
		"carriage returns": func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") },
	} {
		for _, spread := range []func(string) string{lay, func(s string) string { return lay(spread.Replace(s)) }} {
			s := newShop(t)
			s.write(claudeSettings, spread(settings))
			s.write(claudeState, spread(state))
			s.write(codexConfig, lay(conf))
			s.write(codexHookFile, spread(hooks))
			got := s.good("install").stdout
			s.good("install", "--apply")
			for _, file := range []string{claudeSettings, claudeState, codexHookFile} {
				s.write(file, strings.Replace(s.read(file), "{", "{\"k\":\"SECRET\",", 1))
			}
			s.write(codexConfig, s.read(codexConfig)+"\n[x]\ny = 'SECRET'\n")
			got += s.good("uninstall").stdout
			if strings.Contains(got, "SECRET") {
				t.Errorf("%s:\n%s", name, got)
			}
			word := paths.Quoted(s.exe)
			for _, want := range []string{word + " statusline", word + " hook", "\"n\": …", "[mcp_servers.ctxmeter]", "\"command\": \"" + s.exe} {
				if !strings.Contains(strings.ReplaceAll(got, "\":\"", "\": \""), want) {
					t.Errorf("%s: no %s in\n%s", name, want, got)
				}
			}
		}
	}
}

// What is put in or taken out is shown as it is.
func TestADifferenceIsExact(t *testing.T) {
	s := newShop(t)
	s.write(claudeSettings, "{\n  \"model\": \"opus\",\n  \"hooks\": {}\n}\n")
	got := s.good("install", "claude-code", "--statusline").stdout
	want := "@@ -1,4 +1,8 @@\n {\n   \"model\": \"…\",\n-  \"hooks\": {}\n+  \"hooks\": {},\n+  \"statusLine\": {\n+    \"command\": \"" + paths.Quoted(s.exe) + " statusline\",\n+    \"type\": \"command\"\n+  }\n }\n"
	if !strings.Contains(got, want) {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	s.write(claudeSettings, "{\"model\": \"opus\", \"statusLine\": {\"command\": \"/old/ctxmeter statusline\", \"x\": \"y\"}}")
	got = s.good("install", "claude-code", "--statusline").stdout
	for _, want := range []string{
		"-{\"model\": \"…\", \"statusLine\": {\"command\": \"/old/ctxmeter statusline\", \"x\": \"…\"}}\n",
		"+{\"model\": \"…\", \"statusLine\": {\"command\": \"" + paths.Quoted(s.exe) + " statusline\", \"x\": \"…\"}}\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s\nwant\n%s", got, want)
		}
	}
}
