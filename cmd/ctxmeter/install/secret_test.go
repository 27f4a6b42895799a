package install

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wiring"
	"github.com/ctxmeter/ctxmeter/config"
	"github.com/ctxmeter/ctxmeter/meter"
)

// marker makes up settings in which all that is somebody's own has a mark in
// it: MARK in texts, 77077 in numbers.
type marker struct{ *rand.Rand }

func (m marker) pick(of ...string) string { return of[m.IntN(len(of))] }

// text is what a string says.
func (m marker) text() string {
	return m.pick("MARK", "MARK=", "a MARK==", "[MARK]", "MARK = true", "# MARK", `x":"MARK`, `C:\MARK`, "MARK\\", "'MARK'", "{MARK}", "MARK,", "/home/MARK/ctxmeter", "ctxmeter hook --token MARK", "MARK ctxmeter mcp", "MARK\nx = MARK\n[MARK]\n", "tab\tMARK", "\u00e9MARK\u202e", "--header=MARK", `\"MARK\"`, `"""MARK`, "MARK"+strings.Repeat("x", m.IntN(300)))
}

func (m marker) json(depth int) any {
	switch n := m.IntN(8); {
	case n < 4 || depth == 0:
		return m.text()
	case n == 4:
		return json.Number(m.pick("77077", "-77077.5", "1.77077e9"))
	case n == 5:
		return []any{m.json(depth - 1), m.json(depth - 1)}
	default:
		return map[string]any{"k": m.json(depth - 1), m.pick("x MARK", "/MARK/x", "n", "MARK.MARK", "MARK77"+strings.Repeat("M", 40)): m.json(depth - 1)}
	}
}

// handler is a command, of ctxmeter or somebody else's.
func (m marker) handler(sub string) map[string]any {
	h := map[string]any{"type": "command", "command": m.text()}
	switch m.IntN(4) {
	case 0:
		h["command"] = "/old/ctxmeter " + sub + " --color MARK"
	case 1:
		h["command"] = "ctxmeter " + sub
	case 2:
		h["type"] = m.text()
	}
	if m.IntN(2) == 0 {
		h[m.pick("env", "timeout", "padding", "note")] = m.json(1)
	}
	return h
}

func (m marker) server() map[string]any {
	s := map[string]any{"command": m.text(), "args": []any{"--header", m.text()}, "env": map[string]any{"T": m.text()}, "headers": m.json(1)}
	switch m.IntN(4) {
	case 0:
		s["command"], s["args"] = "/old/ctxmeter", []any{"mcp", "MARK", m.text()}
	case 1:
		s["command"], s["args"] = "/old/ctxmeter", []any{"mcp"}
	case 2:
		s["command"], s["args"] = "/MARK/ctxmeter", []any{"MARK"}
	}
	return s
}

func (m marker) settings() []byte {
	doc := map[string]any{"env": map[string]any{"T": m.text()}, "apiKeyHelper": m.text(), "x": m.json(3)}
	if m.IntN(3) > 0 {
		hooks := map[string]any{}
		for _, event := range []string{"Stop", "PostToolUse", "UserPromptSubmit", "SessionStart", "PreToolUse"} {
			if m.IntN(2) == 0 {
				hooks[event] = []any{map[string]any{"matcher": m.text(), "hooks": []any{m.handler("hook"), m.handler("hook")}}}
			}
		}
		doc["hooks"] = hooks
	}
	if m.IntN(3) == 0 {
		doc["statusLine"] = m.handler("statusline")
	}
	if m.IntN(2) == 0 {
		doc["mcpServers"] = map[string]any{"ctxmeter": m.server(), "a": m.server()}
	}
	text, _ := json.Marshal(doc)
	switch m.IntN(3) {
	case 0:
		text, _ = json.MarshalIndent(doc, "", "  ")
	case 1: // several things on a line, but not all
		out := strings.ReplaceAll(string(text), `},"`, "},\n \"")
		text = []byte(out)
	}
	if m.IntN(4) == 0 {
		text = append(text, '\n')
	}
	return text
}

// value is a value of TOML, in any of its forms.
func (m marker) value(depth int) string {
	line := func(text string) string {
		return strings.NewReplacer("\n", "", "'", "", "\t", " ", "\u202e", "").Replace(text)
	}
	plain := line(m.text())
	switch n := m.IntN(9); {
	case n < 2:
		return config.Quote(m.text())
	case n == 2:
		return "'" + plain + "'"
	case n == 3:
		return "'''\n" + plain + "\n[MARK]\nMARK = 'x'\n# MARK\nMIIMARK==\n'''"
	case n == 4:
		return "\"\"\"\n[MARK]\na = \"MARK\"\n\"MARK\" \\\n   MARK\\\"\\\"\\\"MARK\n\"\"\""
	case n == 5:
		return m.pick("77077", "-77_077.5", "7707-07-07", "7707-07-07 07:07:07Z", "0x77077")
	case n == 6 && depth > 0:
		return "[ # MARK\n  " + m.value(depth-1) + ",\n\n  # MARK ]\n  " + m.value(depth-1) + " # MARK\n]"
	case n == 7 && depth > 0:
		return "[" + m.value(depth-1) + ", [" + m.value(depth-1) + "]]"
	case n == 8 && depth > 0:
		return "{ k = " + m.value(0) + ", \"x MARK\".y = " + m.value(0) + " }"
	}
	return config.Quote("MARK")
}

func (m marker) toml() []byte {
	note := func() string { return m.pick("", "", " # MARK", "\t# [MARK] = MARK") }
	eol := m.pick("\n", "\n", "\r\n")
	var lines []string
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	for n := range m.IntN(3) {
		add("k%d = %s%s", n, m.value(2), note())
	}
	for n := range m.IntN(4) {
		switch m.IntN(5) {
		case 0:
			add("# MARK")
			add("[t%d]%s", n, note())
			add("  \"a MARK\".b = %s%s", m.value(2), note())
		case 1:
			add("[mcp_servers.s%d]", n)
			add("command = %s%s", m.value(0), note())
			add("args = %s", m.value(2))
			add("[mcp_servers.s%d.env]", n)
			add("T = %s", config.Quote(m.text()))
		case 2:
			add("[p.\"/home/MARK/%d\"]%s", n, note())
			add("k = %s", m.value(1))
		case 3:
			add("[[hooks.%s]]", m.pick("PostToolUse", "Stop"))
			add("matcher = %s", config.Quote(m.text()))
			add("hooks = [{ type = \"command\", command = %s }, { command = %s }]", config.Quote(m.text()), config.Quote(m.pick("/old/ctxmeter hook", "MARK hook")))
		case 4:
			add("[[hooks.%s]]%s", m.pick("PostToolUse", "SessionStart"), note())
			add("[[hooks.%s.hooks]]", strings.TrimSuffix(strings.TrimPrefix(strings.Fields(lines[len(lines)-1])[0], "[[hooks."), "]]"))
			add("command = %s%s", config.Quote(m.pick("/old/ctxmeter hook", "ctxmeter hook --x MARK", "MARK")), note())
			add("timeout = 77077")
		}
	}
	switch m.IntN(4) {
	case 0:
		add("[mcp_servers.ctxmeter]%s", note())
		add("command = \"/old/ctxmeter\"%s", note())
		add("args = [%s \"mcp\", %s ]", m.pick("", "# MARK\n"), config.Quote(m.text()))
		add("env = { T = %s }", config.Quote(m.text()))
	case 1:
		add("[mcp_servers]")
		add("ctxmeter = { command = \"/old/ctxmeter\", args = [\"mcp\", \"MARK\"], env = { T = \"MARK\" } }%s", note())
	}
	return []byte(strings.ReplaceAll(strings.Join(lines, "\n"), "\n", eol) + m.pick("", eol))
}

// Nothing of a user's values is in any output, in whatever form it stands.
func TestNoOutputHasAnythingOfTheUsers(t *testing.T) {
	m := marker{rand.New(rand.NewPCG(11, 5))}
	var out strings.Builder
	changed := 0
	for n := range 90 {
		home := t.TempDir()
		files := map[string][]byte{".claude/settings.json": m.settings(), ".claude.json": m.settings(), ".codex/config.toml": m.toml(), ".codex/hooks.json": m.settings()}
		for name, text := range files {
			path := filepath.Join(home, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if strings.HasSuffix(name, ".toml") {
				if _, err := config.DecodeTOML(string(text)); err != nil {
					text = []byte(fmt.Sprintf("a = %s\n", m.value(2)))
				}
			}
			if n%10 == 0 { // broken ones are told of
				text = append(text, "{ MARK"...)
			}
			if err := os.WriteFile(path, text, 0o600); err != nil {
				t.Fatal(err)
			}
			files[name] = text
		}
		out.Reset()
		run := func(install, apply bool) {
			err := Run(context.Background(), Options{
				Selection: wiring.Selection{
					Env:   meter.Env{OS: "linux", Home: home, Getenv: func(string) string { return "" }},
					Parts: wiring.Parts(), Roots: []string{filepath.Join(home, ".claude")}, Homes: []string{filepath.Join(home, ".codex")},
				},
				Install: install, Apply: apply, State: filepath.Join(home, "state"),
				Now:        time.Now,
				Executable: func() (string, error) { return "/opt/ctxmeter", nil },
				Try:        func(context.Context, wiring.Self, string) error { return nil },
				Accepts:    func([]string) error { return nil },
				Print:      func(text string) { out.WriteString(text) },
				Line:       func(text string) { out.WriteString(text + "\n") },
				Say:        func(text string) { out.WriteString(text + "\n") },
			})
			if err != nil && err != ErrIncomplete {
				out.WriteString(err.Error())
			}
		}
		run(true, false)
		changed += strings.Count(out.String(), "@@ -")
		run(true, true)
		run(false, false)
		if n%3 == 0 {
			_ = os.RemoveAll(filepath.Join(home, "state"))
			run(true, false)
			run(false, false)
		}
		if n%2 == 0 {
			run(false, true)
			run(false, true)
		}
		if text := out.String(); strings.Contains(text, "MARK") || strings.Contains(text, "77077") || strings.Contains(text, "7707-07") || strings.Contains(text, "77_077") {
			for _, line := range strings.Split(text, "\n") {
				if strings.Contains(line, "MARK") || strings.Contains(line, "770") {
					t.Errorf("%d: %.300s", n, line)
				}
			}
			for name, text := range files {
				t.Logf("%s:\n%s", name, text)
			}
			t.FailNow()
		}
	}
	if changed < 100 {
		t.Errorf("only %d changes were shown", changed)
	}
}

// And the same of many more texts, as they would be shown.
func TestNothingThatIsShownIsTheUsers(t *testing.T) {
	m := marker{rand.New(rand.NewPCG(12, 5))}
	valid := 0
	for range 4000 {
		jsonPlace, tomlPlace := target{Place: wiring.Place{Parts: wiring.Parts()}}, target{Place: wiring.Place{Parts: wiring.Parts(), TOML: true}}
		json, toml := m.settings(), m.toml()
		shown := append(jsonPlace.shown(json), tomlPlace.shown(toml)...)
		if text := strings.Join(shown, "\n"); strings.Contains(text, "MARK") || strings.Contains(text, "770") {
			t.Fatalf("%s\n\nshown of\n%s\n%s", text, json, toml)
		}
		if _, err := config.DecodeTOML(string(toml)); err == nil {
			valid++
			if got, want := len(shown)-strings.Count(string(json), "\n")-1, strings.Count(string(toml), "\n")+1; got != want {
				t.Fatalf("%d lines are shown of %d:\n%s", got, want, toml)
			}
		}
	}
	if valid < 2000 {
		t.Errorf("only %d texts were valid", valid)
	}
}
