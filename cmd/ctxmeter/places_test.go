package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/paths"
	"github.com/ctxmeter/ctxmeter/meter"
)

// Relative names are relative to where the user is, whatever --cwd says.
func TestRelativeNamesStartAtTheWorkingFolder(t *testing.T) {
	claude := sampleFolder(t, 30)
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "claude"), os.DirFS(claude)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "notes.md"), []byte("some words\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := newRig(t)
	r.dir = dir
	for _, args := range [][]string{
		{"--claude-dir", "claude", "--cwd", sampleProject},
		{"--session-file", "claude/projects/-home-demo-flower-shop/" + sampleID + ".jsonl", "--cwd", t.TempDir()},
		{"--claude-dir", "claude", "-t", sampleID, "--planned", "notes.md", "--cwd", t.TempDir()},
	} {
		got := r.run(append(args, "--no-cache")...).reading(t)
		if got.Session.ID != sampleID || len(args) > 6 && (got.Planned == nil || got.Planned.Source != "path") {
			t.Errorf("%q: session %s, planned %+v", args, got.Session.ID, got.Planned)
		}
	}
	r.set("CLAUDE_CONFIG_DIR", "claude")
	if got := r.run("--no-cache", "--cwd", sampleProject).reading(t); got.Session.ID != sampleID {
		t.Errorf("a relative variable: %+v", got.Session)
	}
}

// Folders of variables and of the file may be for other machines: they are
// searched where they exist.
func TestOnlyFlagsMustNameFoldersThatExist(t *testing.T) {
	r := newRig(t).set("CLAUDE_CONFIG_DIR", sampleFolder(t, 5)).set("CTXMETER_CODEX_HOME", "/nonexistent").set("CTXMETER_CLAUDE_DIR", "/nonexistent")
	if got := r.run("--no-cache", "-t", sampleID); got.code != 0 {
		t.Errorf("status %d: %s", got.code, got.stderr)
	}
}

func TestAFolderWithoutSessionsTellsOfThoseAbove(t *testing.T) {
	claude := sampleFolder(t, 5)
	home := filepath.Dir(sampleProject)
	for _, tt := range []struct{ dir, home, want string }{
		{sampleProject + "/src", home, "the folder above, /home/demo/flower-shop, has 1: --cwd /home/demo/flower-shop; "},
		{sampleProject + "/src/cmd/x", home, "a folder above, /home/demo/flower-shop, has 1: --cwd /home/demo/flower-shop; "},
		{sampleProject + "/src", sampleProject, "has 1"}, // the home folder itself counts
		{sampleProject + "/src", "/home/other", "has 1"},
		{sampleProject + "/src", sampleProject + "/src", ""}, // above the home folder nothing does
		{"/srv/elsewhere", home, ""},
	} {
		r := newRig(t).set("CLAUDE_CONFIG_DIR", claude).set("HOME", tt.home)
		r.dir = tt.dir
		f := r.run("--no-cache").fault(t)
		if f.Code != meter.CodeSessionNotFound || tt.want == "" && strings.Contains(f.Message, "above") || !strings.Contains(f.Message, tt.want) {
			t.Errorf("in %s with home %s: %s", tt.dir, tt.home, f.Message)
		}
	}
}

func TestWithoutAHomeTheMessageSaysSo(t *testing.T) {
	r := newRig(t)
	delete(r.env, "HOME")
	for _, args := range [][]string{nil, {"--latest"}, {"-t", sampleID}} {
		if f := r.run(args...).fault(t); f.Code != meter.CodeSessionNotFound || !strings.Contains(f.Message, "no home folder is known to search in: set HOME, or name a client's folder with --claude-dir or --codex-home") {
			t.Errorf("%v: %v", args, f)
		}
	}
}

func TestShellWord(t *testing.T) {
	for text, want := range map[string]string{"/home/x-y/a.b": "/home/x-y/a.b", "/home/my shop": "'/home/my shop'", "it's": `'it'\''s'`, "$x": "'$x'"} {
		if got := paths.Quoted(text); got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
}
