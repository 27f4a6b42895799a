package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ctxmeter/ctxmeter/backends/codex"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/doctor"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wiring"
)

// expected is a finding that there is, or with status "" one that there is not.
type expected struct{ check, status, text, mend string }

func (e expected) in(found []doctor.Finding) bool {
	return slices.ContainsFunc(found, func(f doctor.Finding) bool {
		return f.Check == e.check && (e.status == "" || f.Status == e.status) && strings.Contains(f.Text, e.text) && strings.Contains(f.Mend, e.mend)
	})
}

type visit struct {
	name string
	with func(w *ward)
	want expected
}

func visits(t *testing.T, list []visit) {
	t.Helper()
	for _, tt := range list {
		t.Run(tt.name, func(t *testing.T) {
			w := newWard(t)
			tt.with(w)
			found := w.findings()
			if tt.want.in(found) != (tt.want.status != "") {
				for _, f := range found {
					t.Logf("%+v", f)
				}
				t.Errorf("want %+v", tt.want)
			}
		})
	}
}

// merged puts keys into the user's settings of Claude Code.
func (w *ward) merged(keys string) {
	w.t.Helper()
	text := strings.TrimSpace(w.read(".claude/settings.json"))
	w.write(".claude/settings.json", strings.TrimSuffix(text, "}")+","+keys+"}")
}

func (w *ward) inProject(name, text string) { w.t.Helper(); w.write(filepath.Join(w.dir, name), text) }

func TestDoctorKnowsWhatTurnsClaudeCodeOff(t *testing.T) {
	installed := func(then func(w *ward)) func(w *ward) {
		return func(w *ward) { w.good("install", "--apply"); then(w) }
	}
	visits(t, []visit{
		{"a refused file", installed(func(w *ward) { w.merged(`"model":5`) }), expected{"settings", "problem", "~/.claude/settings.json is refused as a whole, and nothing in it counts: model has to be a text", "correct model"}},
		{"a status line in a refused file does not work", installed(func(w *ward) { w.merged(`"model":5`) }), expected{"status line", "", "works", ""}},
		{"nor do the hooks", installed(func(w *ward) { w.merged(`"model":5`) }), expected{"hooks", "note", "in ~/.claude/settings.json, which Claude Code refuses", ""}},
		{"a refused file of the project leaves the user's alone", installed(func(w *ward) { w.inProject(".claude/settings.json", `{"model":5}`) }), expected{"status line", "ok", "in ~/.claude/settings.json, works", ""}},
		{"no status line to speak of is nobody's", func(w *ward) { w.write(".claude/settings.json", `{"statusLine":{}}`) }, expected{"status line", "", "somebody else's", ""}},
		{"off by the user, on in the project", installed(func(w *ward) {
			w.merged(`"disableAllHooks":true`)
			w.inProject(".claude/settings.json", `{"disableAllHooks":false}`)
		}), expected{"status line", "ok", "works", ""}},
		{"off in the project", installed(func(w *ward) { w.inProject(".claude/settings.json", `{"disableAllHooks":true}`) }), expected{"settings", "problem", "/.claude/settings.json turns hooks and status lines off", "take it out"}},
		{"on in the project, off for the person", installed(func(w *ward) {
			w.inProject(".claude/settings.json", `{"disableAllHooks":false}`)
			w.inProject(".claude/settings.local.json", `{"disableAllHooks":true}`)
		}), expected{"status line", "note", "which disableAllHooks turns off", ""}},
		{"no transcripts by the settings", func(w *ward) { w.write(".claude/settings.json", `{"env":{"CLAUDE_CODE_SKIP_PROMPT_HISTORY":"1"}}`) }, expected{"transcripts", "problem", "under env in ~/.claude/settings.json: Claude Code writes no transcripts", "take it out"}},
		{"no transcripts by the environment", func(w *ward) { w.set("CLAUDE_CODE_SKIP_PROMPT_HISTORY", "1") }, expected{"transcripts", "problem", "is set here", "unset it"}},
		{"transcripts, whatever the variable's value", func(w *ward) { w.write(".claude/settings.json", `{"env":{"CLAUDE_CODE_SKIP_PROMPT_HISTORY":"0"}}`) }, expected{"transcripts", "", "CLAUDE_CODE_SKIP_PROMPT_HISTORY under", ""}},
	})
}

func TestDoctorReadsManagedSettings(t *testing.T) {
	for _, tt := range []struct {
		text string
		want expected
	}{
		{`{"disableAllHooks":true}`, expected{"settings", "problem", "managed-settings.json turns hooks and status lines off", "whoever administers"}},
		{`{"disableAllHooks":true}`, expected{"hooks", "note", "in ~/.claude/settings.json, which disableAllHooks turns off", ""}},
		{`{"allowManagedHooksOnly":true}`, expected{"settings", "problem", "that file only", "whoever administers"}},
		{`{"allowManagedHooksOnly":true}`, expected{"status line", "note", "which allowManagedHooksOnly turns off", ""}},
		{`{"allowManagedHooksOnly":true,"statusLine":{"type":"command","command":"ctxmeter statusline"}}`, expected{"status line", "ok", "managed-settings.json, works", ""}},
		{`{"statusLine":{"type":"command","command":"/gone/ctxmeter statusline"}}`, expected{"status line", "problem", "/gone/ctxmeter", "whoever administers"}},
		{`{}`, expected{"status line", "ok", "in ~/.claude/settings.json, works", ""}},
	} {
		w := newWard(t)
		w.good("install", "--apply")
		w.managed = []string{filepath.Join(w.home, "etc", "managed-settings.json")}
		w.write("etc/managed-settings.json", tt.text)
		if found := w.findings(); !tt.want.in(found) {
			t.Errorf("%s: no %+v in %+v", tt.text, tt.want, found)
		}
	}
}

func TestDoctorSeesThatASessionCalledNothing(t *testing.T) {
	for _, tt := range []struct {
		name    string
		with    func(w *ward, told string)
		told    bool
		wanting bool
	}{
		{"nothing told", func(*ward, string) {}, false, true},
		{"told", func(w *ward, told string) { w.write(told, "{}") }, true, false},
		{"installed since", func(w *ward, _ string) { w.age(".claude/settings.json", 5*time.Second) }, false, false},
		{"one that prints", func(w *ward, _ string) { w.registered("sdk-cli") }, false, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWard(t)
			w.good("install", "--apply")
			w.age(".claude/settings.json", 2*time.Hour)
			transcript := ".claude/projects/-p/" + sampleID + ".jsonl"
			w.write(transcript, sampleText(t, 20))
			w.age(transcript, time.Second)
			w.registered("cli")
			tt.with(w, "state/ctxmeter/told/claude-code-"+sampleID+".json")
			if got := (expected{"status line", "note", "has not called it", "--safe-mode"}).in(w.findings()); got != tt.wanting {
				t.Errorf("reported: %v", got)
			}
		})
	}
}

// registered is a live Claude Code with the sample session: this process.
func (w *ward) registered(entry string) {
	w.t.Helper()
	stat, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		w.t.Skip("when this process started is told elsewhere here")
	}
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	w.write(fmt.Sprintf(".claude/sessions/%d.json", os.Getpid()), fmt.Sprintf(`{"pid":%d,"sessionId":"%s","startedAt":%d,"entrypoint":"%s","cwd":%q,"procStart":"%s"}`, os.Getpid(), sampleID, w.now.Add(-time.Minute).UnixMilli(), entry, w.dir, fields[22-3]))
}

func sampleText(t *testing.T, records int) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(sampleFolder(t, records), "projects", "-home-demo-flower-shop", sampleID+".jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestDoctorSeesHookTrust(t *testing.T) {
	type change = func(h codex.Hook, entry string) string
	as := func(c change) func(w *ward) { return func(w *ward) { w.trusted(c) } }
	same := func(_ codex.Hook, entry string) string { return entry }
	visits(t, []visit{
		{"trusted", as(same), expected{"hook trust", "ok", "those in ~/.codex/hooks.json are trusted", ""}},
		{"not trusted", as(func(codex.Hook, string) string { return "" }), expected{"hook trust", "problem", "those for PostToolUse, SessionStart and UserPromptSubmit in ~/.codex/hooks.json are not trusted yet", "start codex"}},
		{"one not trusted", as(func(h codex.Hook, entry string) string {
			if h.Event == "PostToolUse" {
				return ""
			}
			return entry
		}), expected{"hook trust", "problem", "those for PostToolUse in ~/.codex/hooks.json are not trusted yet", ""}},
		{"changed", func(w *ward) {
			w.trusted(same)
			w.write(".codex/hooks.json", strings.ReplaceAll(w.read(".codex/hooks.json"), `"timeout": 5`, `"timeout": 6`))
		}, expected{"hook trust", "problem", "have changed since you trusted them", "start codex"}},
		{"switched off", as(func(_ codex.Hook, entry string) string { return entry + "enabled = false\n" }), expected{"hook trust", "note", "switched off", "/hooks"}},
		{"of another version", func(w *ward) {
			w.trusted(func(codex.Hook, string) string { return "" })
			w.write(".codex/sessions/2026/01/15/rollout-a.jsonl", `{"type":"session_meta","payload":{"cli_version":"0.200.0"}}`+"\n")
			w.age(".codex/sessions/2026/01/15/rollout-a.jsonl", time.Minute)
		}, expected{"hook trust", "note", "another version may have others", ""}},
		{"in config.toml", func(w *ward) {
			w.write(".codex/config.toml", "[[hooks.UserPromptSubmit]]\n[[hooks.UserPromptSubmit.hooks]]\ntype = 'command'\ncommand = 'ctxmeter hook'\n"+
				entryOf(codex.Hook{Event: "UserPromptSubmit", Command: "ctxmeter hook"}, w.path(".codex/config.toml")))
		}, expected{"hook trust", "ok", "those in ~/.codex/config.toml are trusted", ""}},
		{"no hooks at all", func(w *ward) {
			w.trusted(same)
			w.write(".codex/config.toml", w.read(".codex/config.toml")+"[features]\nhooks = false\n")
		}, expected{"settings", "problem", "hooks = false under [features] in ~/.codex/config.toml", "take it out"}},
		{"nor a word on trust then", func(w *ward) {
			w.trusted(same)
			w.write(".codex/config.toml", w.read(".codex/config.toml")+"[features]\nhooks = false\n")
		}, expected{"hook trust", "", "", ""}},
	})
}

// trusted has the hooks of Codex installed and trusted, the entries changed.
func (w *ward) trusted(change func(h codex.Hook, entry string) string) {
	w.t.Helper()
	w.good("install", "codex", "--apply")
	w.write(".codex/sessions/2026/01/15/rollout-a.jsonl", `{"type":"session_meta","payload":{"cli_version":"0.171.0"}}`+"\n")
	w.age(".codex/sessions/2026/01/15/rollout-a.jsonl", time.Hour)
	text := w.read(".codex/config.toml")
	for _, e := range wiring.CodexHooks() {
		h := codex.Hook{Event: e.Event, Command: "ctxmeter hook", Timeout: wiring.HookTimeout}
		text += change(h, entryOf(h, w.path(".codex/hooks.json")))
	}
	w.write(".codex/config.toml", text)
}

func entryOf(h codex.Hook, file string) string {
	return "\n[hooks.state." + fmt.Sprintf("%q", h.Key(file)) + "]\ntrusted_hash = \"" + h.Hash() + "\"\n"
}

func TestDoctorKnowsWhichProjectsAreTrusted(t *testing.T) {
	trust := func(dir string) string { return fmt.Sprintf("[projects.%q]\ntrust_level = \"trusted\"\n", dir) }
	project := func(w *ward) { w.good("install", "codex", "--project", "--apply") }
	visits(t, []visit{
		{"not trusted", project, expected{"MCP server", "problem", "but Codex does not trust that folder", "start codex in"}},
		{"untrusted hooks", project, expected{"hooks", "problem", "but Codex does not trust that folder", ""}},
		{"and no more of them", project, expected{"hook trust", "", "", ""}},
		{"trusted", func(w *ward) { project(w); w.write(".codex/config.toml", trust(w.dir)) }, expected{"MCP server", "ok", ".codex/config.toml, works", ""}},
		{"the repository is trusted", func(w *ward) {
			w.inProject(".git/HEAD", "")
			root := w.dir
			w.dir = filepath.Join(w.dir, "sub")
			if err := os.Mkdir(w.dir, 0o700); err != nil {
				w.t.Fatal(err)
			}
			project(w)
			w.write(".codex/config.toml", trust(root))
		}, expected{"MCP server", "ok", "sub/.codex/config.toml, works", ""}},
		{"trusted by its real name", func(w *ward) {
			project(w)
			real, link := w.dir, filepath.Join(w.home, "link")
			if err := os.Symlink(real, link); err != nil {
				w.t.Skip(err)
			}
			if resolved, err := filepath.EvalSymlinks(real); err == nil {
				real = resolved
			}
			w.dir = link
			w.write(".codex/config.toml", trust(real))
		}, expected{"MCP server", "ok", "link/.codex/config.toml, works", ""}},
		{"the folder above is trusted", func(w *ward) { project(w); w.write(".codex/config.toml", trust(filepath.Dir(w.dir))) }, expected{"MCP server", "problem", "does not trust", ""}},
	})
}

func TestDoctorReadsApprovalsOfServers(t *testing.T) {
	project := func(text string) func(w *ward) {
		return func(w *ward) {
			w.good("install", "claude-code", "--project", "--mcp", "--apply")
			w.inProject(".claude/settings.local.json", text)
		}
	}
	visits(t, []visit{
		{"none", project("{}"), expected{"MCP server", "note", "waits for your approval", "start claude"}},
		{"approved", project(`{"enabledMcpjsonServers":["ctxmeter"]}`), expected{"MCP server", "ok", ".mcp.json, works", ""}},
		{"all approved", project(`{"enableAllProjectMcpServers":true}`), expected{"MCP server", "ok", ".mcp.json, works", ""}},
		{"another approved", project(`{"enabledMcpjsonServers":["other"]}`), expected{"MCP server", "note", "waits for your approval", ""}},
		{"refused", project(`{"enableAllProjectMcpServers":true,"disabledMcpjsonServers":["ctxmeter"]}`), expected{"MCP server", "note", "was refused here", "take it out"}},
		{"approved by the user, refused here", func(w *ward) {
			project(`{"disabledMcpjsonServers":["ctxmeter"]}`)(w)
			w.write(".claude/settings.json", `{"enabledMcpjsonServers":["ctxmeter"]}`)
		}, expected{"MCP server", "note", "was refused here", ""}},
		{"approved in the client's state", func(w *ward) {
			project("{}")(w)
			w.write(".claude.json", fmt.Sprintf(`{"projects":{%q:{"enabledMcpjsonServers":["ctxmeter"]}}}`, w.dir))
		}, expected{"MCP server", "ok", ".mcp.json, works", ""}},
		{"turned off in /mcp", func(w *ward) {
			w.write(".claude.json", fmt.Sprintf(`{"mcpServers":{"ctxmeter":{"command":"ctxmeter","args":["mcp"]}},"projects":{%q:{"disabledMcpServers":["ctxmeter"]}}}`, w.dir))
		}, expected{"MCP server", "note", "turned off for this folder", "/mcp"}},
		{"turned off in Codex", func(w *ward) {
			w.write(".codex/config.toml", "[mcp_servers.ctxmeter]\ncommand = 'ctxmeter'\nargs = ['mcp']\nenabled = false\n")
		}, expected{"MCP server", "note", "enabled = false", "set it to true"}},
		{"does not answer", func(w *ward) {
			w.good("install", "--apply")
			w.results[wiring.PartMCP] = doctor.Result{Fault: "it does not offer its tool"}
		}, expected{"MCP server", "problem", "does not work: it does not offer its tool", ""}},
		{"another one that does not answer, once", func(w *ward) {
			w.write("old/ctxmeter", "#!old")
			_ = os.Chmod(w.path("old/ctxmeter"), 0o700)
			w.write(".claude.json", `{"mcpServers":{"ctxmeter":{"command":"`+w.path("old/ctxmeter")+`","args":["mcp"]}}}`)
			w.results[wiring.PartMCP] = doctor.Result{Fault: "it does not offer its tool"}
		}, expected{"MCP server", "problem", "another ctxmeter than this one: ~/old/ctxmeter, and that does not work", "install claude-code --mcp"}},
		{"over HTTP", func(w *ward) {
			w.write(".claude.json", `{"mcpServers":{"ctxmeter":{"command":"ctxmeter","args":["mcp","--http","8765"]}}}`)
		}, expected{"MCP server", "ok", "not tried", ""}},
	})
}

func TestDoctorLooksAboveAsTheClientsDo(t *testing.T) {
	below := func(git bool, args ...string) func(w *ward) {
		return func(w *ward) {
			if git {
				w.inProject(".git/HEAD", "")
			}
			w.good(append(args, "--project", "--apply")...)
			w.write(".codex/config.toml", fmt.Sprintf("[projects.%q]\ntrust_level = \"trusted\"\n", w.dir))
			w.dir = filepath.Join(w.dir, "a", "sub")
			if err := os.MkdirAll(w.dir, 0o700); err != nil {
				w.t.Fatal(err)
			}
		}
	}
	visits(t, []visit{
		{"settings of Claude Code", below(true, "install", "claude-code"), expected{"status line", "note", "which Claude Code reads only when it is started in", ""}},
		{"servers of Claude Code", below(false, "install", "claude-code"), expected{"MCP server", "note", ".mcp.json, which waits for your approval", ""}},
		{"Codex in a repository", below(true, "install", "codex"), expected{"hooks", "ok", "/.codex/hooks.json, works", ""}},
		{"Codex without one", below(false, "install", "codex"), expected{"hooks", "", "/.codex/hooks.json, works", ""}},
	})
}

func TestDoctorMendsAreTheOnesThatHelp(t *testing.T) {
	away := func(w *ward) {
		w.exe = w.path("my bin/ctxmeter")
		w.write(w.exe, "#!")
		if err := os.Chmod(w.exe, 0o700); err != nil {
			w.t.Fatal(err)
		}
		w.set("PATH", "")
	}
	twice := func(event string) func(w *ward) {
		return func(w *ward) {
			w.good("install", "codex", "--hooks", "--apply")
			w.write(".codex/config.toml", "[[hooks."+event+"]]\n[[hooks."+event+".hooks]]\ntype = 'command'\ncommand = 'ctxmeter hook'\n")
		}
	}
	visits(t, []visit{
		{"by the whole path where the name finds nothing", away, expected{"hooks", "note", "not installed in codex", "`~/'my bin/ctxmeter' install codex --hooks --apply`"}},
		{"in the folder that was asked for", func(w *ward) {
			w.write("config/ctxmeter/config.toml", "codex_homes = ['~/other']\n")
			_ = os.Remove(w.path(".codex"))
			w.write("other/auth.json", "")
		}, expected{"hooks", "note", "not installed in codex", "install codex --hooks --codex-home ~/other --apply"}},
		{"not into a broken file", func(w *ward) { w.write(".codex/hooks.json", "{") }, expected{"hooks", "", "not installed in codex", ""}},
		{"nor into a broken one of Claude Code", func(w *ward) { w.write(".claude/settings.json", "// hi\n{}") }, expected{"status line", "", "not installed", ""}},
		{"what is in the other file is not missing", twice("UserPromptSubmit"), expected{"hooks", "", "are none for", ""}},
		{"no problem in the shell of an agent", func(w *ward) {
			w.good("install", "--apply")
			w.set("PATH", "").set("CLAUDECODE", "1")
		}, expected{"status line", "note", "none on the PATH of this shell", "another PATH"}},
		{"the program in the shell of an agent", func(w *ward) { w.set("PATH", "").set("CODEX_CI", "1") }, expected{"program", "note", "none is on the PATH of this shell", "another PATH"}},
		{"whose PATH it was", func(w *ward) { w.good("install", "--apply") }, expected{"status line", "ok", "with this shell's PATH", ""}},
		{"which session", func(w *ward) {
			folder := strings.Map(func(r rune) rune {
				if r < 0x80 && strings.ContainsRune(nameAlphabet, r) && r != '_' {
					return r
				}
				return '-'
			}, w.dir)
			file := ".claude/projects/" + folder + "/" + sampleID + ".jsonl"
			w.write(file, strings.ReplaceAll(sampleText(w.t, 5), sampleProject, w.dir))
			w.age(file, 100*time.Hour)
		}, expected{"session", "note", "", "'ctxmeter doctor --thread-id " + sampleID[:8]}},
		{"an unwritten session of Claude Code", func(w *ward) { w.set("CLAUDECODE", "1").set("CLAUDE_CODE_SESSION_ID", sampleID) }, expected{"session", "note", "has no transcript yet", "--no-session-persistence"}},
		{"an unwritten session of Codex", func(w *ward) { w.set("CODEX_THREAD_ID", "01a22e75-66ba-7000-8000-000000000001") }, expected{"session", "note", "has no transcript yet", "--ephemeral"}},
		{"a client here without a transcript, at once", func(w *ward) { w.registered("cli") }, expected{"transcripts", "note", "runs here and has no transcript", "--no-session-persistence"}},
		{"damaged records", func(w *ward) { w.write("state/ctxmeter/installed/0123456789abcdef.json", "{") }, expected{"state", "note", "1 record of an installation damaged", "0123456789abcdef.json"}},
		{"damaged tellings", func(w *ward) {
			w.write("state/ctxmeter/told/claude-code-a.json", "{")
			w.age("state/ctxmeter/told/claude-code-a.json", 2*time.Hour)
		}, expected{"state", "note", "1 file about sessions damaged", "doctor --clean"}},
		{"tellings of another version", func(w *ward) { w.write("state/ctxmeter/told/claude-code-a.json", `{"version":99}`) }, expected{"state", "note", "1 file about sessions of another version", "nothing needs to be done"}},
	})
}

// A damaged one is neither counted nor weighed.
func TestDoctorCountsWhatIsOfUse(t *testing.T) {
	w := newWard(t)
	w.write("cache/ctxmeter/sidecars/"+strings.Repeat("0", 24), marker)
	if want := (expected{"cache", "ok", "nothing of transcripts is remembered yet", ""}); !want.in(w.findings("--clean")) {
		t.Errorf("no %+v", want)
	}
	w.sidecar("/a", time.Hour)
	if found := w.findings(); !(expected{"cache", "ok", "of 1 transcript, ", ""}).in(found) || (expected{"cache", "ok", ", 0 bytes", ""}).in(found) {
		t.Errorf("%+v", found)
	}
}

func TestDoctorComparesTheSessionsOwnCompactions(t *testing.T) {
	for text, want := range map[string]expected{
		`{"autoCompactWindow": 200000}`: {"compaction", "ok", "at 167,000 tokens: autoCompactWindow", ""},
		`{}`:                            {"compaction", "ok", "and the session's own compaction agrees", ""},
	} {
		w := newWard(t)
		w.dir = sampleProject
		dir := sampleFolder(t, 37)
		w.set("CLAUDE_CONFIG_DIR", dir)
		w.write(filepath.Join(dir, "settings.json"), text)
		if found := w.findings(); !want.in(found) {
			t.Errorf("%s: no %+v in %+v", text, want, found)
		}
	}
}
