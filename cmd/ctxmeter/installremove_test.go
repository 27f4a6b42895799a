package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/paths"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wiring"
)

// A hook without a command is nobody's but its owner's, wherever it stands.
func TestHooksWithoutACommandStay(t *testing.T) {
	const mine = `{"hooks":[{"type":"prompt","prompt":"mine"}]}`
	const ours = `{"hooks":[{"command":"ctxmeter hook","timeout":5,"type":"command"}]}`
	const toml = "[[hooks.PostToolUse]]\nmatcher = \"Bash\"\n[[hooks.PostToolUse.hooks]]\ntype = \"prompt\"\nprompt = \"mine\"\n"
	const tomlOurs = "[[hooks.PostToolUse]]\n[[hooks.PostToolUse.hooks]]\ncommand = \"ctxmeter hook\"\ntimeout = 5\ntype = \"command\"\n"
	for file, tt := range map[string][2]string{
		claudeSettings: {`{"hooks":{"PostToolUse":[` + mine + `,` + ours + `]}}`, `{"hooks":{"PostToolUse":[` + mine + `]}}`},
		codexHookFile:  {`{"hooks":{"PostToolUse":[` + ours + `,` + mine + `]}}`, `{"hooks":{"PostToolUse":[` + mine + `]}}`},
		codexConfig:    {toml + "\n" + tomlOurs, toml},
	} {
		s := newShop(t)
		s.write(file, tt[0])
		s.good("uninstall", "--apply")
		if got := s.read(file); got != tt[1] {
			t.Errorf("%s: %q, want %q", file, got, tt[1])
		}
	}
	s := newShop(t)
	s.write(codexConfig, tomlOurs+"\n"+toml)
	s.good("uninstall", "--apply")
	if got := s.read(codexConfig); strings.TrimSpace(got) != strings.TrimSpace(toml) {
		t.Errorf("%q", got)
	}
}

// Parts that are taken out one after the other take no edits along.
func TestEditsStayWhenPartsGoOneByOne(t *testing.T) {
	s := newShop(t)
	s.write(claudeSettings, "{\n  \"model\": \"opus\"\n}\n")
	s.write(codexConfig, "model = \"x\"\n[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ncommand = \"mine\"\n")
	s.good("install", "--apply")
	change := func(text string) string {
		return strings.NewReplacer("opus", "sonnet", "model = \"x\"", "model = \"y\"").Replace(text)
	}
	for _, file := range []string{claudeSettings, codexConfig} {
		s.write(file, change(s.read(file)))
	}
	for _, part := range wiring.Parts() {
		s.good("uninstall", "--"+part, "--apply")
	}
	for file, want := range map[string]string{claudeSettings: "{\n  \"model\": \"sonnet\"\n}\n", codexConfig: "model = \"y\"\n[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ncommand = \"mine\"\n"} {
		if got := s.read(file); got != want {
			t.Errorf("%s: %q, want %q", file, got, want)
		}
	}
	if left := s.records(); len(left) > 0 {
		t.Errorf("%v", left)
	}
}

// What people make of the entries: copied and moved ones go; what has become
// part of something else stays, and is said to. Once or twice is the same.
func TestUninstallLooksAgain(t *testing.T) {
	type settings = map[string]any
	hooks := func(d settings, event string) []any { list, _ := d["hooks"].(settings)[event].([]any); return list }
	for name, tt := range map[string]struct {
		edit func(settings)
		left string // "" is nothing
	}{
		"copied": {func(d settings) {
			d["hooks"].(settings)["PostToolUse"] = append(hooks(d, "PostToolUse"), hooks(d, "PostToolUse")...)
		}, ""},
		"copied to other event": {func(d settings) { d["hooks"].(settings)["Stop"] = hooks(d, "PostToolUse") }, ""},
		"moved": {func(d settings) {
			d["hooks"].(settings)["Stop"] = hooks(d, "PostToolUse")
			delete(d["hooks"].(settings), "PostToolUse")
		}, ""},
		"wrapped status line": {func(d settings) { d["statusLine"].(settings)["command"] = "tee /x | ctxmeter statusline" }, "statusLine"},
		"wrapped hook": {func(d settings) {
			d["hooks"].(settings)["PostToolUse"] = []any{settings{"hooks": []any{settings{"type": "command", "command": "ctxmeter hook || true"}}}}
		}, "hooks.PostToolUse"},
	} {
		s := newShop(t)
		s.set("PATH", filepath.Dir(s.exe))
		if err := os.Chmod(s.exe, 0o700); err != nil {
			t.Fatal(err)
		}
		s.write(claudeSettings, "{\n  \"model\": \"opus\"\n}\n")
		s.good("install", "claude-code", "--statusline", "--hooks", "--apply")
		d := settings{}
		if err := json.Unmarshal([]byte(s.read(claudeSettings)), &d); err != nil {
			t.Fatal(err)
		}
		tt.edit(d)
		text, _ := json.MarshalIndent(d, "", "  ")
		s.write(claudeSettings, string(text))
		var once string
		for n := range 2 {
			got := s.do("uninstall", "--apply")
			text := s.read(claudeSettings)
			if n == 0 {
				once = text
			}
			if text != once || strings.Contains(text, "ctxmeter") != (tt.left != "") || (got.code != 0) != (tt.left != "") || !strings.Contains(got.stderr, tt.left) {
				t.Errorf("%s, %d: status %d, %s\n%s", name, n, got.code, got.stderr, text)
			}
		}
	}
}

// A status line that was there before the installation is its owner's, however
// often one uninstalls, and is said to be.
func TestWhatWasThereBeforeStays(t *testing.T) {
	s := newShop(t)
	s.write(claudeSettings, "{\n  \"statusLine\": {\"type\": \"command\", \"command\": \""+paths.Quoted(s.exe)+" statusline\", \"padding\": 0}\n}\n")
	before := s.tree()
	s.good("install", "claude-code", "--apply")
	for range 3 {
		if got := s.good("uninstall", "--apply"); !strings.Contains(got.stdout, "statusLine: not as 'ctxmeter install' writes it, and left as yours") {
			t.Errorf("%q", got.stdout)
		}
		sameTree(t, s.tree(), before)
	}
	s.write(claudeSettings, "{}")
	if got := s.good("uninstall", "--apply"); got.stdout != "There is nothing of ctxmeter to take out.\n" || len(s.records()) > 0 {
		t.Errorf("%q, %v", got.stdout, s.records())
	}
}
