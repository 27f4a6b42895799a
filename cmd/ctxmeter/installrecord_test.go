package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// manifestOf is where the manifest of a file is.
func (s *shop) manifestOf(file string) string {
	s.t.Helper()
	for _, name := range s.records() {
		var m struct{ Path string }
		name = s.path("state/ctxmeter/installed/" + name)
		if json.Unmarshal([]byte(s.read(name)), &m) == nil && m.Path == s.path(file) {
			return name
		}
	}
	s.t.Fatal("no manifest of " + file)
	return ""
}

// manifest changes the manifest of a file.
func (s *shop) manifest(file, change string) {
	s.t.Helper()
	name := s.manifestOf(file)
	var m map[string]any
	if err := json.Unmarshal([]byte(s.read(name)), &m); err != nil {
		s.t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(change), &m); err != nil {
		s.t.Fatal(err)
	}
	text, _ := json.Marshal(m)
	s.write(name, string(text))
}

// A manifest that names what ctxmeter never puts in is damaged: ours is
// recognized without it, and nothing else is touched.
func TestADamagedManifestLeadsNowhere(t *testing.T) {
	for _, change := range []string{
		`{"entries":[{"part":"hooks","at":["hooks"],"command":"ctxmeter hook"}]}`,
		`{"entries":[{"part":"statusline","at":[],"command":"ctxmeter statusline"}]}`,
		`{"entries":[{"part":"statusline","at":["model"],"command":""}]}`,
		`{"entries":[{"part":"statusline","at":["model"],"command":"ctxmeter statusline"}]}`,
		`{"entries":[{"part":"hooks","at":["hooks","Stop"],"command":""}]}`,
		`{"entries":[{"part":"hooks","at":["hooks","Stop"],"command":"say done"}]}`,
		`{"entries":[{"part":"mcp","at":["hooks","Stop"],"command":"ctxmeter mcp"}]}`,
		`{"entries":[{"part":"else","at":["model"],"command":"ctxmeter else"}]}`,
		`{"entries":[{"part":"statusline","at":["statusLine"],"command":"ctxmeter statusline","was":{"command":"}}}rubbish"}}]}`,
		`{"entries":[{"part":"statusline","at":["statusLine"],"command":"ctxmeter statusline","was":{"model":"1"}}]}`,
		`{"entries":[{"part":"statusline","at":["statusLine"],"command":"ctxmeter statusline","seam":{"before":"x","after":""}}]}`,
		`{"undo":{"empty":{"/":"}}rubbish"}}}`,
		`{"undo":{"made":["/model"]}}`,
		`{"folders":["/"],"made":true}`,
		`{"folders":["relative"]}`,
		`{"before":"../../../../../etc/passwd"}`,
		`{"client":"other"}`,
	} {
		s := newShop(t)
		text := "{\n  \"model\": \"opus\",\n  \"hooks\": {\n    \"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"say done\"}]}]\n  }\n}\n"
		s.write(claudeSettings, text)
		s.good("install", "claude-code", "--statusline", "--hooks", "--apply")
		s.write(claudeSettings, strings.Replace(s.read(claudeSettings), "opus", "sonnet", 1))
		s.manifest(claudeSettings, change)
		got := s.do("uninstall", "--apply")
		if want := strings.Replace(text, "opus", "sonnet", 1); got.code != 0 || s.read(claudeSettings) != want || !strings.Contains(got.stdout, "is damaged") {
			t.Errorf("%s: status %d, %s%s%s", change, got.code, got.stdout, got.stderr, s.read(claudeSettings))
		}
	}
}

// What a newer ctxmeter wrote down, or what cannot be read, is left to it, with
// its backup.
func TestAManifestThatIsNotUnderstoodIsKept(t *testing.T) {
	s := newShop(t)
	s.write(claudeSettings, "{\"a\":1}")
	s.good("install", "claude-code", "--statusline", "--apply")
	s.manifest(claudeSettings, `{"version":2}`)
	kept := s.records()
	s.refused("a newer version of ctxmeter", "install", "claude-code", "--statusline", "--hooks", "--apply")
	s.refused("a newer version of ctxmeter", "uninstall", "claude-code", "--apply")
	s.good("install", "codex", "--apply")
	s.good("uninstall", "codex", "--apply")
	if got := s.records(); strings.Join(got, " ") != strings.Join(kept, " ") {
		t.Errorf("%v are kept, of %v", got, kept)
	}
	name := s.manifestOf(claudeSettings)
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	s.write(filepath.Join(name, "x"), "") // a folder in its place
	s.refused(name, "uninstall", "claude-code", "--apply")
}

// A damaged manifest is not overwritten: its backup is still there.
func TestADamagedManifestIsPutAside(t *testing.T) {
	s := newShop(t)
	s.write(claudeSettings, "{\"a\":1}")
	s.good("install", "claude-code", "--statusline", "--apply")
	s.manifest(claudeSettings, `{"entries":[{}]}`)
	s.good("install", "claude-code", "--hooks", "--apply")
	damaged, backups := 0, 0
	for _, name := range s.records() {
		switch filepath.Ext(name) {
		case ".damaged":
			damaged++
		case ".backup":
			backups++
		}
	}
	if damaged != 1 || backups != 1 {
		t.Errorf("%v", s.records())
	}
}

// The same file by another path has one manifest; and of what is no more,
// nothing is said or kept.
func TestManifestsFollowTheirFiles(t *testing.T) {
	s := newShop(t)
	s.write("real/x", "")
	s.link("real", "other")
	s.set("CLAUDE_CONFIG_DIR", s.path("other"))
	s.good("install", "claude-code", "--apply")
	s.set("CLAUDE_CONFIG_DIR", s.path("real"))
	if got := s.good("uninstall", "--apply"); strings.Contains(got.stdout, "elsewhere") {
		t.Error(got.stdout)
	}
	if got := s.records(); len(got) > 0 {
		t.Errorf("left: %v", got)
	}
	s.set("CLAUDE_CONFIG_DIR", "")
	s.write("project/x", "")
	s.dir = s.path("project")
	s.good("install", "claude-code", "--project", "--apply")
	s.good("install", "codex", "--apply")
	if err := os.RemoveAll(s.path("project")); err != nil {
		t.Fatal(err)
	}
	s.dir = s.home
	if got := s.good("uninstall", "--apply"); strings.Contains(got.stdout, "elsewhere") {
		t.Error(got.stdout)
	}
	if got := s.records(); len(got) > 0 {
		t.Errorf("left: %v", got)
	}
}

// A full circle leaves nothing in the state folder, and what changes nothing
// makes nothing there.
func TestTheStateFolderGoesWithTheLast(t *testing.T) {
	s := newShop(t)
	for _, args := range [][]string{{"uninstall", "--apply"}, {"install"}} {
		s.good(args...)
		if _, err := os.Stat(s.path("state")); err == nil {
			t.Errorf("%v made the state folder", args)
		}
	}
	s.write(claudeSettings, "{\"a\":1}")
	s.good("install", "--apply")
	s.good("uninstall", "claude-code", "--apply")
	if len(s.records()) == 0 {
		t.Error("what is known of Codex is gone, too")
	}
	old := time.Now().Add(-20 * time.Minute)
	left := "state/ctxmeter/installed/.ctxmeter-1.tmp"
	s.write(left, "x")
	if err := os.Chtimes(s.path(left), old, old); err != nil {
		t.Fatal(err)
	}
	s.good("uninstall", "--apply")
	if list, err := os.ReadDir(s.path("state")); err == nil && len(list) > 0 {
		t.Errorf("%v is left", list)
	}
	s.write("state/ctxmeter/sidecars/x", "x")
	s.good("install", "--apply")
	s.good("uninstall", "--apply")
	s.read("state/ctxmeter/sidecars/x")
}
