package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/doctor"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wiring"
	"github.com/ctxmeter/ctxmeter/meter"
	"github.com/ctxmeter/ctxmeter/meter/sidecar"
)

// ward is a home with both clients, a ctxmeter on the PATH, and a doctor whose
// trials go as asked.
type ward struct {
	*shop
	trials  []doctor.Trial
	managed []string                 // settings of an administrator
	results map[string]doctor.Result // by part; the zero one is that it works
}

func newWard(t *testing.T) *ward {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("files have no modes here, by which a program is known and a folder is one's own")
	}
	w := &ward{shop: newShop(t), results: map[string]doctor.Result{}}
	w.set("PATH", filepath.Dir(w.exe))
	w.set("XDG_CACHE_HOME", filepath.Join(w.home, "cache"))
	w.set("XDG_CONFIG_HOME", filepath.Join(w.home, "config"))
	if err := os.Chmod(w.exe, 0o700); err != nil {
		t.Fatal(err)
	}
	return w
}

// doctor runs 'ctxmeter doctor', as if the program were the one in the shop.
func (w *ward) doctor(args ...string) result {
	w.t.Helper()
	var stdout, stderr bytes.Buffer
	p := w.program(&stdout, &stderr)
	p.executable = func() (string, error) { return w.exe, nil }
	p.version = func() string { return "1.0.0" }
	p.managed = func(meter.Env) []string { return w.managed }
	p.trial = func(_ context.Context, t doctor.Trial) doctor.Result {
		w.trials = append(w.trials, t)
		return w.results[t.Part]
	}
	code := p.run(context.Background(), append([]string{"ctxmeter", "doctor"}, args...))
	return result{stdout.String(), stderr.String(), code}
}

// findings are what 'doctor --json' finds.
func (w *ward) findings(args ...string) []doctor.Finding {
	w.t.Helper()
	got := w.doctor(append(args, "--json")...)
	var out doctor.Report
	if err := json.Unmarshal([]byte(got.stdout), &out); err != nil || out.SchemaVersion != 1 {
		w.t.Fatalf("%v: %s%s", err, got.stdout, got.stderr)
	}
	sick := false
	for _, f := range out.Findings {
		sick = sick || f.Status == doctor.Problem
		if f.Check == "" || f.Text == "" || f.Status == doctor.Problem && f.Mend == "" {
			w.t.Errorf("incomplete: %+v", f)
		}
	}
	if sick != (got.code == 1) || !sick && got.code != 0 {
		w.t.Errorf("status %d, problems: %v", got.code, sick)
	}
	return out.Findings
}

// age makes a file or folder so old.
func (w *ward) age(name string, old time.Duration) {
	w.t.Helper()
	if err := os.Chtimes(w.path(name), w.now.Add(-old), w.now.Add(-old)); err != nil {
		w.t.Fatal(err)
	}
}

const (
	// marker stands wherever something private may be.
	marker  = "MARKER"
	hookOld = `{"hooks":{"UserPromptSubmit":[{"hooks":[{"type":"command","command":"/gone/ctxmeter hook"}]}]}}`
)

func (w *ward) session(model string) {
	w.t.Helper()
	w.dir = sampleProject
	dir := modelFolder(w.t, model, 20)
	w.set("CLAUDE_CONFIG_DIR", dir)
}

func TestDoctorFindings(t *testing.T) {
	for _, tt := range []struct {
		name                string
		with                func(w *ward)
		check, status, text string // a finding that there is
		mend                string // part of what is to be done
	}{
		{"on the PATH", func(*ward) {}, "program", "ok", "the one on the PATH", ""},
		{"not on the PATH", func(w *ward) { w.set("PATH", "") }, "program", "note", "none is on the PATH", "whole path"},
		{"another one first on the PATH", func(w *ward) {
			other := filepath.Join(w.home, "bin")
			w.write(filepath.Join(other, "ctxmeter"), "#!other")
			_ = os.Chmod(filepath.Join(other, "ctxmeter"), 0o700)
			w.set("PATH", other+string(filepath.ListSeparator)+w.env["PATH"])
		}, "program", "note", "another one is found: ~", "remove one"},
		{"made by go run", func(w *ward) { w.exe = "/tmp/go-build1/b001/exe/ctxmeter" }, "program", "note", "go run", "go install"},

		{"no configuration", func(*ward) {}, "configuration", "ok", "none is needed", ""},
		{"good configuration", func(w *ward) { w.write("config/ctxmeter/config.toml", "stale_after = 60\n") }, "configuration", "ok", "is valid", ""},
		{"bad configuration", func(w *ward) { w.write("config/ctxmeter/config.toml", "stale = 60\n") }, "configuration", "problem", "stale", "correct it"},
		{"unknown variable", func(w *ward) { w.set("CTXMETER_STALE_AFTR", marker) }, "configuration", "note", "did you mean CTXMETER_STALE_AFTER", "ctxmeter config"},

		{"no client", func(w *ward) { _ = os.Remove(w.path(".claude")) }, "claude-code", "ok", "not found", ""},
		{"no Codex", func(w *ward) { _ = os.Remove(w.path(".codex")) }, "codex", "ok", "not found", ""},
		{"version of Claude Code in the transcript", func(w *ward) {
			w.write(".claude/projects/-p/a.jsonl", `{"type":"user","version":"2.1.197","message":"`+marker+`"}`+"\n")
			w.age(".claude/projects/-p/a.jsonl", time.Hour)
		}, "claude-code", "ok", "version 2.1.197", ""},
		{"version of Claude Code in the registry", func(w *ward) {
			w.write(".claude/sessions/999999999.json", `{"pid":999999999,"sessionId":"`+sampleID+`","version":"2.1.99","name":"`+marker+`"}`)
		}, "claude-code", "ok", "version 2.1.99", ""},
		{"version that is none", func(w *ward) {
			w.write(".claude/projects/-p/a.jsonl", `{"version":"a `+marker+`"}`+"\n")
		}, "claude-code", "ok", "~/.claude", ""},
		{"version of Codex", func(w *ward) {
			w.write(".codex/sessions/2026/01/15/rollout-a.jsonl", `{"type":"session_meta","payload":{"cli_version":"0.171.0","instructions":"`+marker+`"}}`+"\n")
			w.age(".codex/sessions/2026/01/15/rollout-a.jsonl", time.Hour)
		}, "codex", "ok", "version 0.171.0", ""},

		{"no transcripts", func(*ward) {}, "transcripts", "note", "claude-code has written none", "start a session"},
		{"transcripts", func(w *ward) {
			w.write(".codex/sessions/2026/01/15/rollout-a.jsonl", "{}\n")
			w.age(".codex/sessions/2026/01/15/rollout-a.jsonl", 2*time.Hour)
		}, "transcripts", "ok", "codex last wrote one 2 h ago", ""},
		{"old transcripts", func(w *ward) {
			w.write(".claude/projects/-p/a.jsonl", "{}\n")
			w.age(".claude/projects/-p/a.jsonl", 40*24*time.Hour)
		}, "transcripts", "note", "claude-code last wrote one 40 days ago", "elsewhere"},
		{"a number of days that the client does not take", func(w *ward) { w.write(".claude/settings.json", `{"cleanupPeriodDays":0}`) }, "settings", "problem", "is refused as a whole, and nothing in it counts: cleanupPeriodDays has to be a whole number from 1 on", "correct cleanupPeriodDays"},
		{"kept for a day", func(w *ward) { w.write(".claude/settings.json", `{"cleanupPeriodDays":1}`) }, "transcripts", "note", "very soon", "some days"},
		{"a live client without a transcript", func(w *ward) {
			started := w.now.Add(-time.Hour).UnixMilli()
			w.write(fmt.Sprintf(".claude/sessions/%d.json", os.Getpid()), fmt.Sprintf(`{"pid":%d,"sessionId":"%s","startedAt":%d}`, os.Getpid(), sampleID, started))
		}, "transcripts", "note", "started 1 h ago, has no transcript", "first prompt"},

		{"status line of somebody else", func(w *ward) {
			w.write(".claude/settings.json", `{"statusLine":{"type":"command","command":"`+marker+` --token x"}}`)
		}, "status line", "note", "somebody else's", "install claude-code --statusline"},
		{"status line among other things", func(w *ward) {
			w.write(".claude/settings.json", `{"statusLine":{"type":"command","command":"`+marker+` | ctxmeter statusline"}}`)
		}, "status line", "note", "among other things", ""},
		{"nothing installed", func(*ward) {}, "status line", "note", "not installed in claude-code", "'ctxmeter install claude-code --statusline --apply'"},
		{"no server", func(*ward) {}, "MCP server", "note", "not installed in codex", "'ctxmeter install codex --mcp --apply'"},
		{"installed", func(w *ward) { w.good("install", "--apply") }, "status line", "ok", "works (0s)", ""},
		{"installed hooks", func(w *ward) { w.good("install", "--apply") }, "hooks", "ok", "hooks.json, works", ""},
		{"installed server", func(w *ward) { w.good("install", "--apply") }, "MCP server", "ok", "in ~", ""},
		{"installed for the project", func(w *ward) { w.good("install", "--project", "--apply") }, "status line", "ok", ".claude/settings.json, works", ""},
		{"for a person in the project", func(w *ward) {
			w.write(filepath.Join(w.dir, ".claude", "settings.local.json"), hookOld)
		}, "hooks", "problem", "settings.local.json starts a program that is not there: /gone/ctxmeter", "by hand: let the hook of ctxmeter in hooks.UserPromptSubmit start ctxmeter"},
		{"gone", func(w *ward) { w.write(".claude/settings.json", hookOld) }, "hooks", "problem", "is not there: /gone/ctxmeter", "'ctxmeter install claude-code --hooks --apply'"},
		{"gone, in a folder of the configuration", func(w *ward) {
			w.write("config/ctxmeter/config.toml", "claude_dirs = ['~/other']\n")
			w.write("other/settings.json", hookOld)
		}, "hooks", "problem", "~/other/settings.json", "--hooks --claude-dir ~/other --apply'"},
		{"by a name that is not on the PATH", func(w *ward) {
			w.good("install", "--apply")
			w.set("PATH", "")
		}, "MCP server", "problem", "none on the PATH", "PATH"},
		{"an older one", func(w *ward) {
			w.write("old/ctxmeter", "#!old")
			_ = os.Chmod(w.path("old/ctxmeter"), 0o700)
			w.write(".codex/config.toml", "[mcp_servers.ctxmeter]\ncommand = '"+w.path("old/ctxmeter")+"'\nargs = ['mcp']\n")
		}, "MCP server", "note", "starts another ctxmeter than this one: ~", "install codex --mcp"},
		{"not for all events", func(w *ward) {
			w.write(".claude/settings.json", strings.ReplaceAll(hookOld, "/gone/", ""))
		}, "hooks", "note", "none for PostToolUse, PreToolUse and SessionStart", "adds them"},
		{"hooks of Codex in config.toml", func(w *ward) {
			w.write(".codex/config.toml", "[[hooks.UserPromptSubmit]]\n[[hooks.UserPromptSubmit.hooks]]\ntype = 'command'\ncommand = 'ctxmeter hook'\n")
		}, "hooks", "note", "config.toml are none for PostToolUse and SessionStart", "adds them"},
		{"hooks of Codex twice", func(w *ward) {
			w.write(".codex/config.toml", "[[hooks.UserPromptSubmit]]\n[[hooks.UserPromptSubmit.hooks]]\ntype = 'command'\ncommand = 'ctxmeter hook'\n")
			w.write(".codex/hooks.json", hookOld)
		}, "hooks", "note", "complains at every start", "one of the two"},
		{"trust", func(w *ward) { w.good("install", "codex", "--apply") }, "hook trust", "note", "trusted", "start codex"},
		{"does not work", func(w *ward) {
			w.good("install", "--apply")
			w.results[wiring.PartStatusLine] = doctor.Result{Fault: "it ends with an error"}
		}, "status line", "problem", "does not work: it ends with an error", "demo"},
		{"is slow", func(w *ward) {
			w.good("install", "--apply")
			w.results[wiring.PartHooks] = doctor.Result{Took: time.Second}
		}, "hooks", "note", "slow (1s)", "busy"},
		{"broken settings", func(w *ward) { w.write(".claude/settings.json", `{"a": `+marker) }, "settings", "problem", "no valid JSON", "mend it"},
		{"broken settings of Codex", func(w *ward) { w.write(".codex/config.toml", marker) }, "settings", "problem", "no valid TOML", "mend it"},
		{"hooks turned off", func(w *ward) { w.write(".claude/settings.json", `{"disableAllHooks":true}`) }, "settings", "problem", "disableAllHooks", "take it out"},

		{"no session", func(*ward) {}, "session", "note", "no session of this folder", "start one here"},
		{"a session", func(w *ward) { w.session("claude-sonnet-4-6") }, "session", "ok", "claude-sonnet-4-6, the only session here", ""},
		{"window of the settings", func(w *ward) { w.session("claude-sonnet-4-6") }, "window", "ok", "200,000 tokens: the configuration or the client's settings say so", ""},
		{"unknown window", func(w *ward) { w.session("somebody-else-9") }, "window", "note", "not known", `"somebody-else-9" = 200000`},
		{"assumed window", func(w *ward) {
			w.session("claude-3-5-haiku-20241022")
			w.write(filepath.Join(w.env["CLAUDE_CONFIG_DIR"], "settings.json"), "{}")
		}, "window", "note", "assumed from the model's name", "ctxmeter install claude-code --statusline"},
		{"stated window", func(w *ward) { w.session("somebody-else-9"); w.set("CTXMETER_WINDOW", "300000") }, "window", "ok", "300,000 tokens: stated by you", ""},
		{"trigger of the settings", func(w *ward) { w.session("claude-sonnet-4-6") }, "compaction", "ok", "autoCompactWindow in the client's settings says so", ""},
		{"assumed trigger", func(w *ward) {
			w.session("claude-sonnet-4-6")
			w.write(filepath.Join(w.env["CLAUDE_CONFIG_DIR"], "settings.json"), "{}")
		}, "compaction", "note", "tokens: assumed", "--compact-threshold"},
		{"stated trigger", func(w *ward) {
			w.session("claude-sonnet-4-6")
			w.set("CTXMETER_COMPACT_THRESHOLD", "150000")
		}, "compaction", "ok", "at 150,000 tokens: stated by you", ""},

		{"sidecars", func(w *ward) { w.sidecar("/a", time.Hour) }, "cache", "ok", "of 1 transcript", ""},
		{"damaged sidecar", func(w *ward) { w.write("cache/ctxmeter/sidecars/"+sidecar.Key("/a"), marker) }, "cache", "note", "1 file damaged", "--clean"},
		{"unused sidecar", func(w *ward) { w.sidecar("/a", 31*24*time.Hour) }, "cache", "note", "1 file not used for 30 days", "--clean"},
		{"half a sidecar", func(w *ward) {
			name := "cache/ctxmeter/sidecars/" + sidecar.Key("/a") + ".1.tmp"
			w.write(name, marker)
			w.age(name, 2*time.Hour)
		}, "cache", "note", "1 file half written", "--clean"},
		{"half a state", func(w *ward) {
			w.write("state/ctxmeter/told/claude-code-a.1.tmp", marker)
			w.age("state/ctxmeter/told/claude-code-a.1.tmp", 2*time.Hour)
		}, "state", "note", "1 file half written", "--clean"},
		{"state in the way", func(w *ward) { w.write("state/ctxmeter", "") }, "state", "problem", "is no folder", "move away"},
		{"state open to others", func(w *ward) {
			w.write("state/ctxmeter/told/a.json", "{}")
			_ = os.Chmod(w.path("state/ctxmeter"), 0o755)
		}, "state", "note", "open to others (mode 0755)", "chmod 700"},
		{"state that cannot be written", func(w *ward) {
			w.write("state/ctxmeter/told/a.json", "{}")
			_ = os.Chmod(w.path("state/ctxmeter"), 0o500)
			w.t.Cleanup(func() { _ = os.Chmod(w.path("state/ctxmeter"), 0o700) })
		}, "state", "problem", "cannot be written", "chmod u+rwx"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWard(t)
			tt.with(w)
			found := w.findings()
			for _, f := range found {
				if f.Check == tt.check && f.Status == tt.status && strings.Contains(f.Text, tt.text) && strings.Contains(f.Mend, tt.mend) {
					return
				}
			}
			for _, f := range found {
				t.Logf("%+v", f)
			}
			t.Errorf("no such finding: %s %s %q %q", tt.check, tt.status, tt.text, tt.mend)
		})
	}
}

// sidecar makes a sound one that was last used so long ago.
func (w *ward) sidecar(path string, old time.Duration) {
	w.t.Helper()
	s := sidecar.Store{Dir: w.path("cache/ctxmeter")}
	if err := s.Save(sidecar.Key(path), sidecar.Entry{}); err != nil {
		w.t.Fatal(err)
	}
	w.age("cache/ctxmeter/sidecars/"+sidecar.Key(path), old)
}

// full is a home with much in it, all of which may be private.
func full(t *testing.T) *ward {
	w := newWard(t)
	w.write(".claude/settings.json", `{"statusLine":{"type":"command","command":"`+marker+`"},"env":{"KEY":"`+marker+`"},"cleanupPeriodDays":1}`)
	w.write(".claude/projects/-p/a.jsonl", `{"type":"user","version":"2.1.197","message":"`+marker+`"}`+"\n")
	w.age(".claude/projects/-p/a.jsonl", time.Hour)
	w.write(".claude/sessions/999999999.json", `{"pid":999999999,"sessionId":"`+sampleID+`","version":"2.1.197","name":"`+marker+`"}`)
	w.write(".claude.json", `{"mcpServers":{"`+marker+`":{"command":"`+marker+`"},"ctxmeter":{"command":"ctxmeter","args":["mcp"]}}}`)
	w.write(".codex/config.toml", "instructions = '"+marker+"'\n[mcp_servers."+marker+"]\ncommand = '"+marker+"'\n")
	w.write(".codex/hooks.json", strings.ReplaceAll(hookOld, "/gone/", "/gone/bin/"))
	w.write(".codex/sessions/2026/01/15/rollout-a.jsonl", `{"type":"session_meta","payload":{"cli_version":"0.171.0","instructions":"`+marker+`"}}`+"\n")
	w.age(".codex/sessions/2026/01/15/rollout-a.jsonl", time.Hour)
	w.write("state/ctxmeter/told/a.json", `{"version":2}`)
	w.set("CTXMETER_WINDOWS", marker)
	w.exe = filepath.Join(w.home, "bin", "ctxmeter")
	w.write(w.exe, "#!")
	if err := os.Chmod(w.exe, 0o700); err != nil {
		t.Fatal(err)
	}
	w.set("PATH", filepath.Dir(w.exe))
	for _, dir := range []string{"bin", "state/ctxmeter"} {
		if err := os.Chmod(w.path(dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

func TestDoctorReport(t *testing.T) {
	for name, args := range map[string][]string{"doctor.txt": nil, "doctor.json": {"--pretty"}} {
		got := full(t).doctor(args...)
		if got.code != 1 || got.stderr != "" {
			t.Errorf("%v: status %d, %s", args, got.code, got.stderr)
		}
		golden(t, "doctor/"+name, got.stdout)
	}
}

func TestDoctorTellsNothingPrivate(t *testing.T) {
	for _, args := range [][]string{nil, {"--json"}, {"--clean"}} {
		w := full(t)
		w.dir = sampleProject
		got := w.doctor(args...)
		for _, secret := range []string{marker, w.home, sampleID} {
			if strings.Contains(got.stdout+got.stderr, secret) {
				t.Errorf("%v tells %q:\n%s%s", args, secret, got.stdout, got.stderr)
			}
		}
	}
}

func TestDoctorOnlyLooks(t *testing.T) {
	w := full(t)
	w.good("install", "--statusline=no", "--mcp", "--apply")
	w.session("claude-sonnet-4-6")
	w.sidecar("/a", 31*24*time.Hour)
	before := w.whole()
	w.doctor()
	if after := w.whole(); after != before {
		t.Errorf("before:\n%s\nafter:\n%s", before, after)
	}
}

// whole is every file below the home, with its size.
func (w *ward) whole() string {
	w.t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(w.home, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			info, e := d.Info()
			if e != nil {
				return e
			}
			fmt.Fprintln(&b, path, info.Size(), info.ModTime())
		}
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return b.String()
}

func TestDoctorCleansOnlyWhatIsItsOwn(t *testing.T) {
	w := newWard(t)
	key := sidecar.Key("/damaged")
	gone := []string{
		"cache/ctxmeter/sidecars/" + key, "cache/ctxmeter/sidecars/" + key + ".1.tmp", "state/ctxmeter/told/claude-code-a.1.tmp", "state/ctxmeter/hooks/codex-a.2.tmp", "state/ctxmeter/installed/.ctxmeter-3.tmp",
		".claude/.ctxmeter-1.tmp", ".codex/.ctxmeter-18446744073709551615.tmp", ".ctxmeter-2.tmp",
		"state/ctxmeter/told/claude-code-c.json", "state/ctxmeter/hooks/codex-c.json",
	}
	kept := []string{
		"cache/ctxmeter/sidecars/notes.txt", "cache/ctxmeter/other.tmp", "state/ctxmeter/told/a.json", "state/ctxmeter/hooks/a.json",
		"state/ctxmeter/installed/a.backup", "state/ctxmeter/installed/lock", ".claude/a.tmp",
		"state/ctxmeter/told/notes.tmp", ".claude/.ctxmeter-x.tmp", ".claude/ctxmeter-1.tmp", ".codex/.ctxmeter-.tmp", ".claude/projects/.ctxmeter-1.tmp",
		"state/ctxmeter/hooks/a.lock", "state/ctxmeter/hooks/lock-0", "state/ctxmeter/installed/x.tmp",
	}
	for _, name := range append(gone, kept...) {
		w.write(name, "x")
		w.age(name, 48*time.Hour)
	}
	young := []string{".claude/.ctxmeter-3.tmp", "state/ctxmeter/told/claude-code-b.2.tmp", "cache/ctxmeter/sidecars/" + key + ".2.tmp"}
	for _, name := range young {
		w.write(name, "x")
		w.age(name, time.Minute)
	}
	other := "state/ctxmeter/told/claude-code-d.json"
	w.write(other, `{"version":99}`) // which another ctxmeter may need
	w.age(other, 48*time.Hour)
	kept = append(kept, other)
	if err := os.Mkdir(w.path(".codex/.ctxmeter-7.tmp"), 0o700); err != nil {
		t.Fatal(err)
	}
	kept = append(kept, ".codex/.ctxmeter-7.tmp")
	w.sidecar("/sound", time.Hour)
	kept = append(append(kept, young...), "cache/ctxmeter/sidecars/"+sidecar.Key("/sound"))
	w.findings()
	for _, name := range append(gone, kept...) {
		if _, err := os.Stat(w.path(name)); err != nil {
			t.Errorf("%s went without --clean", name)
		}
	}
	w.findings("--clean")
	for _, name := range gone {
		if _, err := os.Stat(w.path(name)); err == nil {
			t.Errorf("%s is still there", name)
		}
	}
	for _, name := range kept {
		if _, err := os.Stat(w.path(name)); err != nil {
			t.Errorf("%s is gone", name)
		}
	}
}

// What lies behind a link is somebody else's, whatever it is called.
func TestDoctorCleansNothingBehindLinks(t *testing.T) {
	w := newWard(t)
	key := sidecar.Key("/gone")
	for link, name := range map[string]string{
		"cache/ctxmeter/sidecars": key + ".1.tmp", "state/ctxmeter/told": "claude-code-a.1.tmp",
		"state/ctxmeter/hooks": "codex-a.1.tmp", "state/ctxmeter/installed": ".ctxmeter-1.tmp",
		"other": ".ctxmeter-1.tmp",
	} {
		file := "elsewhere/" + filepath.Base(link) + "/" + name
		w.write(file, "x")
		w.age(file, 48*time.Hour)
		w.write(filepath.Dir(link)+"/x", "x")
		if err := os.Symlink(w.path(filepath.Dir(file)), w.path(link)); err != nil {
			t.Skip(err)
		}
		defer func() {
			if _, err := os.Lstat(w.path(file)); err != nil {
				t.Errorf("%s is gone", file)
			}
		}()
	}
	w.set("CODEX_HOME", w.path("other"))
	w.findings("--clean")
}

// What a project brings along may be anything, whatever it is called.
func TestDoctorStartsNothingOfAProject(t *testing.T) {
	w := newWard(t)
	evil := filepath.Join(w.dir, "ctxmeter")
	w.write(evil, "#!evil")
	if err := os.Chmod(evil, 0o700); err != nil {
		t.Fatal(err)
	}
	w.write(filepath.Join(w.dir, ".claude", "settings.json"), strings.ReplaceAll(hookOld, "/gone/ctxmeter", filepath.ToSlash(evil)))
	w.findings()
	if len(w.trials) != 0 {
		t.Errorf("%+v", w.trials)
	}
}

func TestDoctorRefusesWhatItDoesNotTake(t *testing.T) {
	for _, args := range [][]string{{"all"}, {"--planned", "1k"}, {"--window", "x"}, {"--cwd", "/nowhere/at/all"}} {
		if got := newWard(t).doctor(args...); got.code != exitNoReading {
			t.Errorf("%v: status %d, %s", args, got.code, got.stdout)
		}
	}
}
