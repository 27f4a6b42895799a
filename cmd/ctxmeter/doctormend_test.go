package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/doctor"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wiring"
)

// illHomes are homes in which something does not work.
func illHomes() map[string]func(w *ward) {
	link := func(w *ward, to, name string) {
		if err := os.Symlink(to, w.path(name)); err != nil {
			w.t.Skip(err)
		}
	}
	line := func(command string) string {
		return `{"statusLine":{"type":"command","command":"` + command + `"}}`
	}
	record := func(text string) func(w *ward) {
		return func(w *ward) {
			w.write(".claude/settings.json", line("/gone/ctxmeter statusline"))
			w.good("install", "--statusline", "--apply")
			list, err := filepath.Glob(w.path("state/ctxmeter/installed/*.json"))
			if err != nil || len(list) != 1 {
				w.t.Fatal(list, err)
			}
			w.write(list[0], text)
			w.write(".claude/settings.json", line("/gone/ctxmeter statusline"))
		}
	}
	return map[string]func(w *ward){
		"gone":                             func(w *ward) { w.write(".claude/settings.json", hookOld) },
		"gone, of the project":             func(w *ward) { w.inProject(".claude/settings.json", hookOld) },
		"gone, of a person in the project": func(w *ward) { w.inProject(".claude/settings.local.json", hookOld) },
		"gone, a status line":              func(w *ward) { w.write(".claude/settings.json", line("/gone/ctxmeter statusline")) },
		"gone, a server":                   func(w *ward) { w.write(".claude.json", servers("/gone/ctxmeter", []string{"mcp"})) },
		"gone, a server called ctxmeter": func(w *ward) {
			w.write(".claude.json", `{"mcpServers":{"ctxmeter":{"command":"/gone/ctxmeter","args":["mcp"]}}}`)
		},
		"gone, a server of Codex": func(w *ward) {
			w.write(".codex/config.toml", "[mcp_servers.ctxmeter]\ncommand = '/gone/ctxmeter'\nargs = ['mcp']\n")
		},
		"gone, a server of Codex with another name": func(w *ward) {
			w.write(".codex/config.toml", "[mcp_servers.ctx]\ncommand = '/gone/ctxmeter'\nargs = ['mcp']\n")
		},
		"gone, a server of Codex in one line": func(w *ward) {
			w.write(".codex/config.toml", "[mcp_servers]\nctxmeter = { command = '/gone/ctxmeter', args = ['mcp'] }\n")
		},
		"gone, the second hook of an event": func(w *ward) {
			w.write(".claude/settings.json", hooksOf("PostToolUse", "ctxmeter hook", "/gone/ctxmeter hook"))
		},
		"gone, the same hook twice": func(w *ward) {
			w.write(".claude/settings.json", hooksOf("PostToolUse", "/gone/ctxmeter hook", "/gone/ctxmeter hook"))
		},
		"gone, at an event that is not installed": func(w *ward) { w.write(".claude/settings.json", hooksOf("Stop", "/gone/ctxmeter hook")) },
		"gone, in hooks.json":                     func(w *ward) { w.write(".codex/hooks.json", hookOld) },
		"gone, in config.toml": func(w *ward) {
			w.write(".codex/config.toml", "[[hooks.PostToolUse]]\n[[hooks.PostToolUse.hooks]]\ntype = 'command'\ncommand = '/gone/ctxmeter hook'\n")
		},
		"gone, the second hook of an event of Codex": func(w *ward) {
			w.write(".codex/config.toml", "[[hooks.PostToolUse]]\n[[hooks.PostToolUse.hooks]]\ncommand = 'ctxmeter hook'\n[[hooks.PostToolUse.hooks]]\ncommand = '/gone/ctxmeter hook'\n")
		},
		"gone, at another event of Codex": func(w *ward) {
			w.write(".codex/config.toml", "[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ncommand = '/gone/ctxmeter hook'\n")
		},
		"gone, in config.toml in one line": func(w *ward) {
			w.write(".codex/config.toml", "hooks.PostToolUse = [{ hooks = [{ type = 'command', command = '/gone/ctxmeter hook' }] }]\n")
		},
		"gone, in config.toml beside hooks.json": func(w *ward) {
			w.write(".codex/config.toml", "[[hooks.PostToolUse]]\n[[hooks.PostToolUse.hooks]]\ntype = 'command'\ncommand = '/gone/ctxmeter hook'\n")
			w.write(".codex/hooks.json", hooksOf("PostToolUse", "ctxmeter hook"))
		},
		"gone, in a file that is read-only": func(w *ward) {
			w.write(".claude/settings.json", hookOld)
			if err := os.Chmod(w.path(".claude/settings.json"), 0o400); err != nil {
				w.t.Fatal(err)
			}
		},
		"gone, in a file with two names": func(w *ward) {
			w.write(".claude/settings.json", hookOld)
			if err := os.Link(w.path(".claude/settings.json"), w.path("second")); err != nil {
				w.t.Skip(err)
			}
		},
		"gone, in a project's file elsewhere": func(w *ward) {
			w.write("elsewhere.json", hookOld)
			w.inProject(".claude/x", "")
			link(w, w.path("elsewhere.json"), filepath.Join(w.dir, ".claude", "settings.json"))
		},
		"gone, and a record of another version": record(`{"version":2}`),
		"gone, and a record that is null":       record("null"),
		"gone, and a record that is damaged":    record("{"),
		"gone, and a record that is too large":  record(strings.Repeat(" ", 5<<20)),
		"gone, and a file in the place of the records": func(w *ward) {
			w.write(".claude/settings.json", hookOld)
			w.write("state/ctxmeter/installed", "")
		},
		"gone, and a folder in the place of the lock": func(w *ward) {
			w.write(".claude/settings.json", hookOld)
			w.write("state/ctxmeter/installed/lock/x", "")
		},
		"not to be run": func(w *ward) {
			w.write("q/ctxmeter", "#!")
			w.write(".claude/settings.json", line(w.path("q/ctxmeter")+" statusline"))
		},
		"arguments of a status line": func(w *ward) {
			w.write(".claude/settings.json", line("ctxmeter statusline --nonsense"))
			w.results[wiring.PartStatusLine] = doctor.Result{Fault: "it ends with an error"}
		},
		"arguments of a server": func(w *ward) {
			w.write(".claude.json", `{"mcpServers":{"ctxmeter":{"command":"ctxmeter","args":["mcp","--nope"]}}}`)
			w.results[wiring.PartMCP] = doctor.Result{Fault: "it ends with an error"}
		},
		"arguments of another ctxmeter": func(w *ward) {
			w.write(".claude/settings.json", line(w.other("old/ctxmeter")+" statusline --nonsense"))
			w.results[wiring.PartStatusLine] = doctor.Result{Fault: "it ends with an error"}
		},
		"this very program": func(w *ward) {
			w.write(".claude/settings.json", line("ctxmeter statusline"))
			w.results[wiring.PartStatusLine] = doctor.Result{Fault: "it ends with an error"}
		},
		"no temporary folder": func(w *ward) {
			w.good("install", "--apply")
			for _, part := range wiring.Parts() {
				w.results[part] = doctor.Result{Unready: true}
			}
		},
		"a large file":         func(w *ward) { w.write(".claude/settings.json", `{"a":"`+strings.Repeat("x", 17<<20)+`"}`) },
		"a link to nothing":    func(w *ward) { link(w, "nothing", ".claude/settings.json") },
		"a circle of links":    func(w *ward) { link(w, "settings.json", ".claude/settings.json") },
		"a folder":             func(w *ward) { w.write(".claude/settings.json/x", "") },
		"no JSON":              func(w *ward) { w.write(".claude/settings.json", "{\n\n\"a\":") },
		"no object":            func(w *ward) { w.write(".claude.json", "[]") },
		"no TOML":              func(w *ward) { w.write(".codex/config.toml", "a = 1\nb =\n") },
		"no table":             func(w *ward) { w.write(".codex/config.toml", "mcp_servers = 3\n") },
		"no table of ours":     func(w *ward) { w.write(".codex/config.toml", "[mcp_servers]\nctxmeter = 3\n") },
		"no object of hooks":   func(w *ward) { w.write(".codex/hooks.json", `{"hooks": []}`) },
		"no array of hooks":    func(w *ward) { w.write(".codex/hooks.json", `{"hooks": {"PostToolUse": {}}}`) },
		"no object of servers": func(w *ward) { w.write(".claude.json", `{"mcpServers": null}`) },
		"hooks turned off":     func(w *ward) { w.write(".claude/settings.json", `{"disableAllHooks":true}`) },
		"a state folder that cannot be written": func(w *ward) {
			w.write("state/ctxmeter/told/a.json", "{}")
			_ = os.Chmod(w.path("state/ctxmeter"), 0o500)
			w.t.Cleanup(func() { _ = os.Chmod(w.path("state/ctxmeter"), 0o700) })
		},
	}
}

var ownCommand = regexp.MustCompile("'ctxmeter ((?:install|uninstall|doctor) [^']*)'")

// A mend that is a command makes the problem go away; where none does, the mend
// says what to do by hand.
func TestDoctorMendsMend(t *testing.T) {
	for name, with := range illHomes() {
		t.Run(name, func(t *testing.T) {
			w := newWard(t)
			with(w)
			before, found := problems(w.findings()), false
			for problem, mend := range before {
				found = true
				for _, command := range ownCommand.FindAllStringSubmatch(mend, -1) {
					copied := newWard(t)
					with(copied)
					if args := strings.Fields(command[1]); args[0] == "doctor" {
						copied.findings(args[1:]...)
					} else {
						copied.do(args...)
					}
					if after := problems(copied.findings()); after[problem] != "" {
						t.Errorf("%q is still there after %q", problem, command[1])
					}
				}
			}
			if !found {
				t.Error("no problem is found")
			}
		})
	}
}

// problems are the mends of the problems.
func problems(found []doctor.Finding) map[string]string {
	out := map[string]string{}
	for _, f := range found {
		if f.Status == doctor.Problem {
			out[f.Check+": "+inTests.ReplaceAllString(f.Text, "")] = f.Mend
		}
	}
	return out
}

// inTests is the beginning of a path in a test's folder.
var inTests = regexp.MustCompile(`/[^ ]*/\d\d\d(/|$)`)

// Where 'install' would put in another program, it is what the mend says, and
// not more work by hand than there has to be.
func TestDoctorSaysByHandOnlyWhatInstallDoesNot(t *testing.T) {
	for name, key := range map[string]string{
		"gone": "", "gone, of the project": "", "gone, a status line": "", "gone, a server called ctxmeter": "", "gone, a server of Codex": "",
		"gone, in hooks.json": "", "gone, in config.toml": "", "not to be run": "",
		"gone, of a person in the project":          "hooks.UserPromptSubmit",
		"gone, a server":                            "mcpServers.s0000.command",
		"gone, a server of Codex with another name": "mcp_servers.ctx.command",
		"gone, a server of Codex in one line":       "mcp_servers.ctxmeter.command",
		"gone, the second hook of an event":         "hooks.PostToolUse",
		"gone, at an event that is not installed":   "hooks.Stop",
		"gone, in config.toml in one line":          "hooks.PostToolUse",
		"gone, in config.toml beside hooks.json":    "hooks.PostToolUse",
		"arguments of a status line":                "statusLine.command",
		"arguments of a server":                     "mcpServers.ctxmeter.args",
	} {
		w := newWard(t)
		illHomes()[name](w)
		for problem, mend := range problems(w.findings()) {
			if strings.HasPrefix(problem, "hook trust") {
				continue
			}
			if byHand := strings.Contains(mend, "by hand"); byHand != (key != "") || !strings.Contains(mend, key) {
				t.Errorf("%s: %q -> %q", name, problem, mend)
			}
		}
	}
}

func TestDoctorSaysWhatIsInTheWay(t *testing.T) {
	b := illHomes()
	visits(t, []visit{
		{"where JSON is broken", b["no JSON"], expected{"settings", "problem", "~/.claude/settings.json: no valid JSON in line 3", "mend it"}},
		{"what is JSON and no object", b["no object"], expected{"settings", "problem", "~/.claude.json: there is no object in it", "mend it"}},
		{"where TOML is broken", b["no TOML"], expected{"settings", "problem", "~/.codex/config.toml: no valid TOML in line 2", "mend it"}},
		{"a circle of links", b["a circle of links"], expected{"settings", "problem", "its links lead in a circle", "remove the link"}},
		{"a link to nothing", b["a link to nothing"], expected{"settings", "problem", "it is a link to nothing", "lead to a file again"}},
		{"a large file", b["a large file"], expected{"settings", "problem", "larger than 16 MB", "so much room"}},
		{"servers that are no table", b["no table"], expected{"settings", "problem", "mcp_servers in ~/.codex/config.toml is no table", "take mcp_servers out"}},
		{"and then none is to be installed", b["no table"], expected{"MCP server", "", "not installed in codex", ""}},
		{"hooks that are no object", b["no object of hooks"], expected{"settings", "problem", "hooks in ~/.codex/hooks.json is no object", "take hooks out"}},
		{"servers that are null", b["no object of servers"], expected{"settings", "problem", "mcpServers in ~/.claude.json is no object", ""}},
		{"servers in one line", func(w *ward) {
			w.write(".codex/config.toml", "mcp_servers = { other = { command = 'x' } }\n")
		}, expected{"settings", "note", "mcp_servers in ~/.codex/config.toml is written in one line", "by hand: add ctxmeter ="}},
		{"a server of somebody else's by the name", func(w *ward) {
			w.write(".claude.json", `{"mcpServers":{"ctxmeter":{"command":"`+marker+`"}}}`)
		}, expected{"MCP server", "note", "in ~/.claude.json is somebody else's", "another name"}},
		{"which is not missing", func(w *ward) {
			w.write(".claude.json", `{"mcpServers":{"ctxmeter":{"command":"`+marker+`"}}}`)
		}, expected{"MCP server", "", "not installed in claude-code", ""}},
		{"nor is one of Codex", func(w *ward) {
			w.write(".codex/config.toml", "[mcp_servers.ctxmeter]\nurl = '"+marker+"'\n")
		}, expected{"MCP server", "", "not installed in codex", ""}},
		{"a file that may not be run", b["not to be run"], expected{"status line", "problem", "starts a file that may not be run: ~/q/ctxmeter", "chmod u+x ~/q/ctxmeter"}},
		{"no temporary folder, once", b["no temporary folder"], expected{"trials", "problem", "no temporary folder", "TMPDIR"}},
		{"and nothing else of it", b["no temporary folder"], expected{"status line", "", "does not work", ""}},
		{"no records", b["gone, and a file in the place of the records"], expected{"state", "problem", "~/state/ctxmeter/installed is no folder", "move away"}},
		{"no lock", b["gone, and a folder in the place of the lock"], expected{"state", "problem", "~/state/ctxmeter/installed/lock is no file", "move away"}},
		{"no folder of hooks", func(w *ward) { w.write("state/ctxmeter/hooks", "") }, expected{"state", "problem", "~/state/ctxmeter/hooks is no folder", "move away"}},
		{"the cache by its name", func(w *ward) { w.write("cache/ctxmeter", "") }, expected{"cache", "problem", "~/cache/ctxmeter is no folder", ""}},
		{"neither client", func(w *ward) { _ = os.Remove(w.path(".claude")); _ = os.Remove(w.path(".codex")) }, expected{"clients", "note", "neither Claude Code nor Codex was found", "--codex-home"}},
		{"which configuration", func(w *ward) { w.write("config/ctxmeter/config.toml", "stale = 60\n") }, expected{"configuration", "problem", "~/config/ctxmeter/config.toml, line 1: unknown key", ""}},
		{"what a killed installation left", func(w *ward) {
			w.write(".claude/.ctxmeter-1.tmp", marker)
			w.age(".claude/.ctxmeter-1.tmp", 3600e9)
		}, expected{"settings", "note", "1 file left in ~/.claude by an 'install' that was killed", "doctor --clean"}},
	})
}

// disableAllHooks of a project counts for each folder of Claude Code, and is
// said once.
func TestDoctorSaysOnceWhatTurnsAllOff(t *testing.T) {
	w := newWard(t)
	w.write("config/ctxmeter/config.toml", "claude_dirs = ['~/other']\n")
	w.write("other/settings.json", "{}")
	w.inProject(".claude/settings.json", `{"disableAllHooks":true}`)
	n := 0
	for _, f := range w.findings() {
		if strings.HasPrefix(f.Text, "disableAllHooks") {
			n++
		}
	}
	if n != 1 {
		t.Errorf("%d times", n)
	}
}

func TestDoctorSeesHalfAFooter(t *testing.T) {
	const (
		features = "[features]\ntui_extensions_statusline = true\n"
		provider = "[tui]\nstatus_line_provider = { server = 'ctxmeter', tool = '" + toolName + "' }\n"
		server   = "[mcp_servers.ctxmeter]\ncommand = 'ctxmeter'\nargs = ['mcp', '--footer']\n"
	)
	as := func(text string) func(w *ward) { return func(w *ward) { w.write(".codex/config.toml", text) } }
	const check = "footer of Codex"
	visits(t, []visit{
		{"whole", as(features + provider + server), expected{check, "ok", "drawn by the server ctxmeter", ""}},
		{"not turned on", as(provider + server), expected{check, "problem", "tui_extensions_statusline is not turned on", "set it to true"}},
		{"turned off", as("[features]\ntui_extensions_statusline = false\n" + provider + server), expected{check, "problem", "tui_extensions_statusline is not turned on", "set it to true"}},
		{"without --footer", as(features + provider + strings.Replace(server, ", '--footer'", "", 1)), expected{check, "problem", "is started without --footer", "mcp_servers.ctxmeter.args"}},
		{"no server", as(features + provider), expected{check, "problem", "names the server ctxmeter, and there is none", "mcp --footer"}},
		{"a server that is turned off", as(features + provider + server + "enabled = false\n"), expected{check, "problem", "is turned off", "enabled"}},
		{"another tool", as(features + strings.Replace(provider, toolName, marker, 1) + server), expected{check, "problem", "names a tool that ctxmeter does not have", toolName}},
		{"not asked", as(server), expected{check, "note", "is not asked to", "status_line_provider"}},
		{"somebody else's", as(features + strings.NewReplacer("'ctxmeter'", "'x'", toolName, "y").Replace(provider)), expected{check, "", "", ""}},
		{"none", as(strings.Replace(server, ", '--footer'", "", 1)), expected{check, "", "", ""}},
	})
}
