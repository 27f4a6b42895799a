package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/ctxmeter/ctxmeter/backends"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wording"
	"github.com/ctxmeter/ctxmeter/meter"
)

// Whatever is wrong: a code for programs, a sentence for people, status 2.
func TestEveryErrorHasACodeAndASentence(t *testing.T) {
	const secret = "whispered-words"
	write := func(path, text string, mode os.FileMode) string {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	dir := t.TempDir()
	notes := write(filepath.Join(dir, "notes.txt"), secret+"\n", 0o600)
	badConfig := write(filepath.Join(dir, "config.toml"), "stale_after = 3\nwindwo = 4\n", 0o600)
	gone := filepath.Join(dir, "gone.jsonl")
	colored := filepath.Join(dir, "\x1b[31mgone.jsonl")
	claude := filepath.Join(dir, "claude")
	write(filepath.Join(claude, "projects", "-x", "11111111-2222-4333-8444-555555555555.jsonl"), secret+" and not a record\n", 0o600)

	for _, tt := range []struct {
		name string
		code meter.Code
		says string
		args []string
	}{
		{"no session", meter.CodeSessionNotFound, "ctxmeter demo", nil},
		{"unknown id", meter.CodeSessionNotFound, "--claude-dir", []string{"-t", "99999999-2222-4333-8444-555555555555"}},
		{"short id", meter.CodeBadArgument, "at least 8 characters", []string{"-t", "123"}},
		{"empty id", meter.CodeBadArgument, "--thread-id is empty", []string{"-t", ""}},
		{"not a transcript by id", meter.CodeNotATranscript, "11111111-2222", []string{"-t", "11111111-2222-4333-8444-555555555555"}},
		{"not a transcript by file", meter.CodeNotATranscript, "transcript", []string{"--session-file", notes}},
		{"no such file", meter.CodeUnreadable, "--session-file names no file: " + gone, []string{"--session-file", gone}},
		{"no such file of a client", meter.CodeUnreadable, "--session-file names no file: ", []string{"--session-file", gone, "--backend", "codex"}},
		{"no such colored file", meter.CodeUnreadable, "--session-file names no file: ", []string{"--session-file", colored}},
		{"a folder as file", meter.CodeUnreadable, "--session-file names a folder, not a transcript", []string{"--session-file", dir}},
		{"no such Claude folder", meter.CodeBadArgument, "--claude-dir names no folder: " + gone, []string{"--claude-dir", gone}},
		{"a Claude folder without sessions", meter.CodeBadArgument, "there is no projects folder in it: " + dir, []string{"--claude-dir", dir}},
		{"the folder in a Claude folder", meter.CodeBadArgument, "--claude-dir wants the folder that projects is in: " + claude, []string{"--claude-dir", filepath.Join(claude, "projects")}},
		{"no such Codex home", meter.CodeBadArgument, "--codex-home names no folder: " + gone, []string{"--codex-home", gone}},
		{"a Codex home without sessions", meter.CodeBadArgument, "there is no sessions folder in it: " + claude, []string{"--codex-home", claude}},
		{"no such folder", meter.CodeBadArgument, "--cwd names no folder: " + gone, []string{"--cwd", gone}},
		{"no such folder, with an id", meter.CodeBadArgument, "--cwd names no folder", []string{"--cwd", gone, "-t", sampleID}},
		{"unknown flag", meter.CodeBadArgument, "did you mean --window", []string{"--windwo", "3"}},
		{"flag without value", meter.CodeBadArgument, "--window needs a value", []string{"--window"}},
		{"flag of a truth value", meter.CodeBadArgument, "--json wants yes or no, or nothing, not \"perhaps\"", []string{"--json=perhaps"}},
		{"flag that is like none", meter.CodeBadArgument, "there is no flag --zebra: 'ctxmeter --help' lists them", []string{"--zebra"}},
		{"beginning of a flag", meter.CodeBadArgument, "did you mean --compact-threshold?", []string{"--compact", "3"}},
		{"command that is like none", meter.CodeBadArgument, "there is no command \"zebra\": 'ctxmeter --help' lists them", []string{"zebra"}},
		{"several planned files", meter.CodeBadArgument, "--planned takes one file only, and more words follow it: 2", []string{"--planned", "a.md", "b.md", "c.md"}},
		{"dashes alone", meter.CodeBadArgument, "a flag has a name behind its dashes", []string{"---"}},
		{"dashes with a value", meter.CodeBadArgument, "a flag has a name behind its dashes", []string{"--=3"}},
		{"flag without dashes", meter.CodeBadArgument, "there is no command \"version\"; did you mean --version?", []string{"version"}},
		{"help of no command", meter.CodeBadArgument, "there is no command \"watch\"", []string{"watch", "--help"}},
		{"help before no command", meter.CodeBadArgument, "there is no command \"watch\"", []string{"--help", "watch"}},
		{"help of nothing below config", meter.CodeBadArgument, "takes no \"pth\"", []string{"config", "pth", "--help"}},
		{"beginning of a client", meter.CodeBadArgument, "there is no client \"claude\"; did you mean claude-code?", []string{"install", "codex", "claude"}},
		{"client in capitals", meter.CodeBadArgument, "did you mean codex?", []string{"uninstall", "Codex"}},
		{"no client", meter.CodeBadArgument, "there is no client \"emacs\": claude-code or codex", []string{"install", "emacs"}},
		{"flag that a command refuses", meter.CodeBadArgument, "there is no flag --windw: 'ctxmeter install --help' lists them", []string{"install", "--windw", "3"}},
		{"file without flag", meter.CodeBadArgument, "ctxmeter --planned " + notes, []string{notes}},
		{"unknown command", meter.CodeBadArgument, "did you mean config", []string{"confg"}},
		{"id without flag", meter.CodeBadArgument, "--thread-id 11111111", []string{"11111111-2222-4333-8444-555555555555"}},
		{"unknown help topic", meter.CodeBadArgument, "there is no command \"nothing\" to help with", []string{"help", "nothing"}},
		{"unknown client", meter.CodeBadArgument, "auto or one of claude-code, codex", []string{"--backend", "emacs"}},
		{"bad number", meter.CodeBadArgument, "200k", []string{"--window", "lots"}},
		{"contradiction of ids", meter.CodeBadArgument, "cannot be combined", []string{"-t", "12345678", "--session-file", notes}},
		{"contradiction of forms", meter.CodeBadArgument, "cannot be combined", []string{"--json", "--format", "text"}},
		{"planned nothing", meter.CodeBadArgument, "--planned names no file, and is no size such as 40KiB or 12000t (tokens): gone.txt", []string{"--planned", "gone.txt"}},
		{"bad configuration", meter.CodeBadConfig, badConfig + `, line 2: unknown key "windwo"; did you mean "window"?`, []string{"--config", badConfig}},
		{"no configuration", meter.CodeBadConfig, "--config names no file: " + gone, []string{"--config", gone}},
		{"config of something", meter.CodeBadArgument, "takes no \"stale_after\"", []string{"config", "stale_after"}},
		{"config path of something", meter.CodeBadArgument, "'ctxmeter config path' takes no \"extra\"", []string{"config", "path", "extra"}},
		{"config path of a session", meter.CodeBadArgument, "'ctxmeter config path' takes no --latest", []string{"config", "path", "--latest"}},
		{"pretty line", meter.CodeBadArgument, "--pretty cannot be combined with --format line", []string{"--pretty", "--format", "line"}},
		{"demo of something", meter.CodeBadArgument, "demo", []string{"demo", "fast"}},
		{"demo too slow", meter.CodeBadArgument, "--speed", []string{"demo", "--speed", "0"}},
		{"demo of a session", meter.CodeBadArgument, "'ctxmeter demo' takes no --thread-id", []string{"demo", "-t", sampleID}},
		{"demo of a window", meter.CodeBadArgument, "'ctxmeter demo' takes no --window", []string{"--window", "3", "demo"}},
		{"completion of nothing", meter.CodeBadArgument, "fish", []string{"completion"}},
		{"completion of something", meter.CodeBadArgument, "fish", []string{"completion", "csh"}},
		{"completion of more", meter.CodeBadArgument, "takes no \"zsh\"", []string{"completion", "bash", "zsh"}},
	} {
		t.Run(strings.ReplaceAll(tt.name, " ", "_"), func(t *testing.T) {
			got := newRig(t).set("CLAUDE_CONFIG_DIR", claude).set("CTXMETER_NO_CACHE", "yes").run(tt.args...)
			f := got.fault(t)
			if f.Code != tt.code || !strings.Contains(f.Message, tt.says) {
				t.Errorf("%s: %s; want %s with %q", f.Code, f.Message, tt.code, tt.says)
			}
			told := got.stderr
			for _, typed := range tt.args { // nothing but that may be repeated
				told = strings.ReplaceAll(strings.ReplaceAll(told, wording.Clean(typed), ""), filepath.Dir(typed), "")
			}
			if strings.Contains(got.stdout+got.stderr, secret) || strings.Contains(told, dir) {
				t.Errorf("the error tells too much: %s", got.stderr)
			}
			if strings.Contains(got.stdout+got.stderr, "\x1b") {
				t.Errorf("the error can steer a terminal: %q", got.stderr)
			}
			if strings.Contains(f.Message, "rollout") {
				t.Errorf("a rollout is what only Codex has: %s", f.Message)
			}
		})
	}
}

func TestUnreadableSessionIsNamedByItsID(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need rights on Windows")
	}
	dir, outside := sampleFolder(t, 5), t.TempDir()
	project := filepath.Join(dir, "projects", "-home-demo-flower-shop")
	const linked, lost = "22222222-2222-4333-8444-555555555555", "33333333-2222-4333-8444-555555555555"
	data, err := os.ReadFile(filepath.Join(project, sampleID+".jsonl"))
	if err == nil {
		err = os.WriteFile(filepath.Join(outside, "elsewhere.jsonl"), data, 0o600)
	}
	if err == nil {
		err = os.Symlink(filepath.Join(outside, "elsewhere.jsonl"), filepath.Join(project, linked+".jsonl"))
	}
	if err == nil {
		err = os.Symlink(filepath.Join(outside, "gone.jsonl"), filepath.Join(project, lost+".jsonl"))
	}
	if err != nil {
		t.Fatal(err)
	}
	r := newRig(t).set("CLAUDE_CONFIG_DIR", dir)
	for id, code := range map[string]meter.Code{linked: meter.CodeOutsideRoot, lost: meter.CodeUnreadable} {
		got := r.run("--no-cache", "-t", id)
		f := got.fault(t)
		if f.Code != code || !strings.Contains(f.Message, id) || strings.Contains(got.stdout, outside) || strings.Contains(got.stdout, project) {
			t.Errorf("%s: %s: %s", id, f.Code, f.Message)
		}
	}
	if got := r.run("--no-cache", "--cwd", sampleProject).reading(t); got.Session.ID != sampleID {
		t.Errorf("broken neighbours hide the session: found %s", got.Session.ID)
	}
}

func TestATerminalIsSparedTheJSONOfAnError(t *testing.T) {
	r := newRig(t).terminal(80)
	if got := r.run(); got.stdout != "" || got.code != exitNoReading || !strings.HasPrefix(got.stderr, "ctxmeter: no session") {
		t.Errorf("status %d, %q, %q", got.code, got.stdout, got.stderr)
	}
	if f := r.run("--json").fault(t); f.Code != meter.CodeSessionNotFound {
		t.Errorf("%v", f)
	}
}

func TestErrorsFitTheScreen(t *testing.T) {
	for _, args := range [][]string{nil, {"--fail-at", "0.85"}, {"-t", "99999999"}} {
		for _, width := range []int{40, 80} {
			for line := range strings.SplitSeq(newRig(t).terminal(width).run(args...).stderr, "\n") {
				if columns(line) > width {
					t.Errorf("%v: %d columns on a screen of %d: %q", args, columns(line), width, line)
				}
			}
		}
	}
}

func TestAPanicIsAFaultThatQuotesNothing(t *testing.T) {
	r := newRig(t)
	r.clients = func(meter.Env) []backends.Client { panic(fmt.Sprint("the words of ", "a conversation")) }
	got := r.run()
	if f := got.fault(t); f.Code != meter.CodeInternal || strings.Contains(got.stdout+got.stderr, "conversation") {
		t.Errorf("%v: %s", f, got.stderr)
	}
	if got := r.set("CTXMETER_DEBUG", "1").run(); !strings.Contains(got.stderr, "goroutine") {
		t.Errorf("no trace on request: %s", got.stderr)
	}
}
