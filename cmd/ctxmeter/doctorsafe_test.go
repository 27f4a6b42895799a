package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/doctor"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wiring"
)

// program makes one by the name of ctxmeter.
func (w *ward) other(path string) string {
	w.t.Helper()
	w.write(path, "#!other")
	if err := os.Chmod(w.path(path), 0o700); err != nil {
		w.t.Fatal(err)
	}
	return w.path(path)
}

// servers are settings with a server for each list of arguments.
func servers(program string, args ...[]string) string {
	list := map[string]any{}
	for n, a := range args {
		list[fmt.Sprintf("s%04d", n)] = map[string]any{"command": program, "args": a}
	}
	text, err := json.Marshal(map[string]any{"mcpServers": list})
	if err != nil {
		panic(err)
	}
	return string(text)
}

// hooksOf are settings with these commands at one event.
func hooksOf(event string, commands ...string) string {
	var list []any
	for _, c := range commands {
		list = append(list, map[string]any{"type": "command", "command": c})
	}
	text, err := json.Marshal(map[string]any{"hooks": map[string]any{event: []any{map[string]any{"hooks": list}}}})
	if err != nil {
		panic(err)
	}
	return string(text)
}

// In whichever way the flag is written that the real command line takes: no
// server is started that would listen, not even the user's own.
func TestDoctorOpensNoPort(t *testing.T) {
	for _, args := range [][]string{
		{"mcp", "--http", "127.0.0.1:0"},
		{"mcp", "-http", "127.0.0.1:0"},
		{"mcp", "--http=127.0.0.1:0"},
		{"mcp", "-http=127.0.0.1:0"},
		{"mcp", "--no-cache", "-http", "127.0.0.1:0"},
	} {
		w := newWard(t)
		w.write(".claude.json", servers("ctxmeter", args))
		w.inProject(".mcp.json", servers("ctxmeter", args))
		w.write(".claude/settings.json", `{"enableAllProjectMcpServers":true}`)
		found := w.findings()
		if len(w.trials) != 0 || !(expected{"MCP server", "ok", "~/.claude.json, not tried: it serves HTTP", ""}).in(found) {
			t.Errorf("%q: tried %+v, %+v", args, w.trials, found)
		}
	}
}

// A project has the running program started as 'install' would, and in no other
// way.
func TestDoctorStartsAProjectsCommandsOnlyAsInstalled(t *testing.T) {
	for command, tried := range map[string]bool{
		"ctxmeter statusline": true, "ctxmeter statusline --config /dev/zero": false, "ctxmeter statusline --session-file x": false,
	} {
		w := newWard(t)
		w.inProject(".claude/settings.json", `{"statusLine":{"type":"command","command":"`+command+`"}}`)
		if w.findings(); (len(w.trials) == 1) != tried {
			t.Errorf("%s: %+v", command, w.trials)
		}
	}
	for _, tt := range []struct {
		args  []string
		tried bool
	}{
		{[]string{"mcp"}, true},
		{[]string{"mcp", "--footer"}, true},
		{[]string{"mcp", "--token-file", "x"}, false},
		{[]string{"mcp", "--config", "x"}, false},
		{[]string{"mcp", "--footer", "--footer"}, false},
	} {
		w := newWard(t)
		w.inProject(".mcp.json", servers("ctxmeter", tt.args))
		w.write(".claude/settings.json", `{"enableAllProjectMcpServers":true}`)
		if w.findings(); (len(w.trials) == 1) != tt.tried {
			t.Errorf("%q: %+v", tt.args, w.trials)
		}
	}
}

// Nothing that lies in the project is started, however the doctor is led there;
// nor anything in a client's folder.
func TestDoctorStartsNoProgramOfAProject(t *testing.T) {
	line := func(program string) string {
		return `{"statusLine":{"type":"command","command":"` + program + ` statusline"}}`
	}
	for name, with := range map[string]func(w *ward){
		"a client's folder in the project": func(w *ward) {
			w.inProject(".claude/settings.json", line(w.other(filepath.Join(w.dir, "evil", "ctxmeter"))))
			w.set("CLAUDE_CONFIG_DIR", filepath.Join(w.dir, ".claude"))
		},
		"a home of Codex in the project": func(w *ward) {
			w.inProject("c/config.toml", "[mcp_servers.ctxmeter]\ncommand = '"+w.other(filepath.Join(w.dir, "evil", "ctxmeter"))+"'\nargs = ['mcp']\n")
			w.set("CODEX_HOME", filepath.Join(w.dir, "c"))
		},
		"another project's client's folder": func(w *ward) {
			dir := filepath.Dir(w.dir)
			w.write(filepath.Join(dir, "p", ".claude", "settings.json"), line(w.other(filepath.Join(dir, "p", "evil", "ctxmeter"))))
			w.set("CLAUDE_CONFIG_DIR", filepath.Join(dir, "p", ".claude"))
		},
		"the repository around it": func(w *ward) {
			w.inProject(".git/HEAD", "")
			w.write(".claude/settings.json", line(w.other(filepath.Join(w.dir, "evil", "ctxmeter"))))
			w.dir = filepath.Join(w.dir, "sub")
			if err := os.Mkdir(w.dir, 0o700); err != nil {
				w.t.Fatal(err)
			}
		},
		"the user's own settings": func(w *ward) {
			w.write(".claude/settings.json", line(w.other(filepath.Join(w.dir, "ctxmeter"))))
		},
		"by its name, from the PATH": func(w *ward) {
			w.write(".claude/settings.json", line("ctxmeter"))
			w.set("PATH", filepath.Dir(w.other(filepath.Join(w.dir, "bin", "ctxmeter"))))
		},
		"behind a link": func(w *ward) {
			evil := w.other(filepath.Join(w.dir, "evil", "ctxmeter"))
			w.write(".claude/settings.json", line(w.path("bin/ctxmeter")))
			w.write("bin/x", "")
			if err := os.Symlink(evil, w.path("bin/ctxmeter")); err != nil {
				w.t.Skip(err)
			}
		},
		"a link in the project that leads out": func(w *ward) {
			w.other("old/ctxmeter")
			if err := os.Symlink(w.path("old/ctxmeter"), filepath.Join(w.dir, "ctxmeter")); err != nil {
				w.t.Skip(err)
			}
			w.write(".claude/settings.json", line(filepath.Join(w.dir, "ctxmeter")))
		},
		"a plugin": func(w *ward) {
			w.withPlugin(wiring.ClientClaude)
			w.set("PATH", filepath.Dir(w.other(filepath.Join(w.dir, "bin", "ctxmeter"))))
		},
	} {
		w := newWard(t)
		with(w)
		found := w.findings()
		for _, tried := range w.trials {
			t.Errorf("%s: %s is tried\n%+v", name, tried.Words[0], found)
		}
		if !(expected{"", "", "not tried: ", ""}).anywhere(found) && !(expected{"", "", "were not tried", ""}).anywhere(found) {
			t.Errorf("%s: that it was not tried is not said: %+v", name, found)
		}
	}
	w := newWard(t)
	w.write(".claude/settings.json", line(w.other("old/ctxmeter")))
	w.dir = w.home // what lies in the home folder is the user's own
	if w.findings(); len(w.trials) != 1 {
		t.Errorf("%+v", w.trials)
	}
}

// anywhere is in for any check.
func (e expected) anywhere(found []doctor.Finding) bool {
	for _, f := range found {
		if strings.Contains(f.Text, e.text) {
			return true
		}
	}
	return false
}

// However much there is in a settings file, trials and report stay short.
func TestDoctorIsBounded(t *testing.T) {
	var many []string
	var args [][]string
	for n := range 1500 {
		many = append(many, fmt.Sprintf("ctxmeter hook --cwd /%d", n))
		args = append(args, []string{"mcp", "--cwd", fmt.Sprint(n)})
	}
	for name, with := range map[string]func(w *ward){
		"hooks of a project":  func(w *ward) { w.inProject(".claude/settings.json", hooksOf("PostToolUse", many...)) },
		"hooks of the user":   func(w *ward) { w.write(".claude/settings.json", hooksOf("PostToolUse", many...)) },
		"servers of the user": func(w *ward) { w.write(".claude.json", servers("ctxmeter", args...)) },
		"programs that are gone": func(w *ward) {
			var gone []string
			for n := range 1500 {
				gone = append(gone, fmt.Sprintf("/gone/%d/ctxmeter hook", n))
			}
			w.write(".claude/settings.json", hooksOf("PostToolUse", gone...))
		},
	} {
		w := newWard(t)
		with(w)
		found := w.findings()
		if len(w.trials) > 12 || len(found) > 40 {
			t.Errorf("%s: %d trials, %d findings", name, len(w.trials), len(found))
		}
		if !(expected{text: "more like that"}).anywhere(found) || !(expected{text: "the last 1,300 were not looked at"}).anywhere(found) {
			t.Errorf("%s: what is left out is not said: %+v", name, found)
		}
	}
	w := newWard(t)
	w.write(".claude.json", servers("ctxmeter", args[:12]...))
	w.results[wiring.PartMCP] = doctor.Result{Took: 2 * time.Second, Fault: "no answer within 2s"}
	if found := w.findings(); len(w.trials) != 3 || !(expected{"MCP server", "ok", "not tried: the others took too long; and 6 more", ""}).in(found) {
		t.Errorf("%d trials: %+v", len(w.trials), found)
	}
}

func TestDoctorTriesACommandOnce(t *testing.T) {
	w := newWard(t)
	w.write(".claude/settings.json", `{"statusLine":{"type":"command","command":"ctxmeter statusline"}}`)
	w.inProject(".claude/settings.json", `{"statusLine":{"type":"command","command":"ctxmeter statusline"}}`)
	found := w.findings()
	if len(w.trials) != 1 || !(expected{"status line", "ok", "in ~/.claude/settings.json, works", ""}).in(found) || !(expected{"status line", "ok", filepath.Base(w.dir) + "/.claude/settings.json, works", ""}).in(found) {
		t.Errorf("%d trials: %+v", len(w.trials), found)
	}
}

// What was looked at is what a shell starts, whatever it would find by the name.
func TestDoctorHasTheShellStartWhatItLookedAt(t *testing.T) {
	w := newWard(t)
	w.write(".claude/settings.json", `{"statusLine":{"type":"command","command":"ctxmeter statusline --no-cache"}}`)
	if w.findings(); len(w.trials) != 1 || w.trials[0].Shell != w.exe+" statusline --no-cache" {
		t.Errorf("%+v", w.trials)
	}
}
