package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

const keptID = "claude-code-bbbbbbbb-0000-4000-8000-000000000001"

// keptFolder makes files of an age in a folder.
func keptFolder(t *testing.T, age time.Duration, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range names {
		putFile(t, filepath.Join(dir, name), []byte("{}"))
		at := time.Now().Add(-age)
		if err := os.Chtimes(filepath.Join(dir, name), at, at); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// Of what is in the folder, only what is called as this program calls it may go.
func TestForeignFilesAreKept(t *testing.T) {
	foreign := []string{
		"notes.json", "package.json", "x.tmp", "y.lock", "claude-code.json", "claude-code-.json", "claude-code-a b.json", "claude-code-a.json.bak",
		"Claude-Code-a.json", "xclaude-code-a.json", ".json", ".tmp", "codex", "codex-a", "codex-a.txt", "codex-a.lock", "codex.1.tmp", "lock-0", "told-1.tmp",
	}
	ours := []string{keptID + ".json", keptID + ".123.tmp", "codex-a.json", "codex-01a22e2d-8629-73a2-9c63-44713a9dffcf-b_1.1.tmp"}
	dir := keptFolder(t, 1000*time.Hour, append(foreign, ours...)...)
	links := []string{"codex-link.json", "codex-folder.json", "codex-folder.1.tmp"}
	if err := os.Symlink("notes.json", filepath.Join(dir, links[0])); err != nil {
		t.Log(err)
		links = links[1:]
	}
	for _, name := range []string{"codex-folder.json", "codex-folder.1.tmp"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	rule := keeping{most: 1, left: 0, age: time.Hour, half: time.Minute}
	if err := rule.keep(filepath.Join(dir, "codex-new.json"), []byte("{}"), time.Now().Add(10_000*time.Hour)); err != nil {
		t.Fatal(err)
	}
	for _, name := range append(append(foreign, links...), "codex-new.json") {
		if _, err := os.Lstat(filepath.Join(dir, name)); err != nil {
			t.Errorf("%s is gone", name)
		}
	}
	for _, name := range ours {
		if exists(filepath.Join(dir, name)) {
			t.Errorf("%s is still there", name)
		}
	}
}

// What a killed run left behind goes though no session is new: at the first
// writing in another hour.
func TestWhatIsHalfWrittenGoesNowAndThen(t *testing.T) {
	const other = "codex-a.json"
	half := keptID + ".7.tmp"
	dir := keptFolder(t, 2*time.Hour, keptID+".json", other, half)
	rule := keeping{most: 2, left: 1, half: time.Hour}
	put := func() {
		t.Helper()
		if err := rule.keep(filepath.Join(dir, keptID+".json"), []byte("{}"), time.Now()); err != nil {
			t.Fatal(err)
		}
	}
	put()
	if exists(filepath.Join(dir, half)) || !exists(filepath.Join(dir, other)) {
		t.Error("not the one that is half written, or not it alone")
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 2 {
		t.Errorf("%v, %v", left, err)
	}
}

func TestAFileThatCannotBeKeptLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, keptID+".json")
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := (keeping{most: 2, left: 1}).keep(path, []byte("{}"), time.Now()); err == nil {
		t.Error("no error though a folder is in its place")
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("%v, %v", left, err)
	}
}
