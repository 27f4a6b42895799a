package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/ctxmeter/ctxmeter/calibrate"
	"github.com/ctxmeter/ctxmeter/meter"
	"github.com/ctxmeter/ctxmeter/meter/files"
)

// garden is a folder with files of all sorts.
func garden(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"a.go":                 "package a\n",
		"b.md":                 "words and more words\n",
		"src/c.go":             "package c\n",
		"src/deep/er/d.go":     "package d\n",
		"src/deep/e.txt":       "",
		"src/photo.png":        "\x89PNG\r\n\x1a\n\x00\x00",
		"src/.hidden/f.go":     "package f\n",
		"src/[id]/g.go":        "package g\n",
		".git/objects/h.go":    "package h\n",
		"src/deep/.svn/i.go":   "package i\n",
		"dist/paper.pdf":       "%PDF-1.4 text\n",
		"empty folder/.hg/j":   "nothing\n",
		"../outside/secret.go": "package secret\n",
	} {
		path := filepath.Join(dir, "in", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{
		"out":           filepath.Join("..", "outside"),
		"src/secret.go": filepath.Join("..", "..", "outside", "secret.go"),
		"src/round":     "..",
		"src/near.go":   "c.go",
	} {
		if err := os.Symlink(to, filepath.Join(dir, "in", filepath.FromSlash(link))); err != nil {
			t.Skip("no links here")
		}
	}
	return filepath.Join(dir, "in")
}

func gardenSizing(folder string) sizing {
	return sizing{folder: folder, model: "claude-sonnet-4-6", est: calibrate.Builtin(), most: mostCounted}
}

func TestPlannedPaths(t *testing.T) {
	dir := garden(t)
	home := filepath.Join(dir, "src")
	for _, tt := range []struct {
		text           string
		files, skipped int64 // files is -1 for a single one
	}{
		{"a.go", -1, 0},
		{"./src/../a.go", -1, 0},
		{"src/deep/../../../outside/secret.go", -1, 0},
		{"src/near.go", -1, 0},
		{"src/secret.go", -1, 0},
		{"src/[id]/g.go", -1, 0}, // what exists is no glob
		{dir + "/b.md", -1, 0},
		{"~/c.go", -1, 0},
		{"~", 5, 1},
		{".", 7, 2},
		{"src", 5, 1},
		{"src/", 5, 1},
		{"src/deep", 2, 0},
		{"src/round/src/deep", 2, 0}, // links on the way are followed
		{"empty folder", 0, 0},
		{".git", 1, 0}, // asked for
		{"*.go", 1, 0},
		{"*", 2, 0},
		{"**/*.go", 5, 0},
		{"**", 7, 2},
		{"**/**", 7, 2},
		{"src/**/*.go", 4, 0},
		{"src/*.go", 1, 0},
		{"src/*/*.go", 2, 0},
		{"src/**/d.go", 1, 0},
		{"./**/deep/**/?.go", 1, 0},
		{"src/[[]id]/*.go", 1, 0},
		{"src/[^a-z]*/*.go", 2, 0},
		{"**/*.png", 0, 1},
		{"~/**/[a-d].go", 2, 0},
		{"../*/secret.go", 1, 0},
		{dir + "/**/c.go", 1, 0},
	} {
		w := wantPath(tt.text)
		z := gardenSizing(dir)
		z.home = home
		got, err := w.size(z)
		if err != nil {
			t.Errorf("%s: %v", tt.text, err)
			continue
		}
		files := int64(-1)
		if got.Files != nil {
			files = *got.Files
		}
		if files != tt.files || got.Skipped != tt.skipped || got.AtLeast || got.Source != "path" {
			t.Errorf("%s: %d files, %d skipped, at least %v", tt.text, files, got.Skipped, got.AtLeast)
		}
	}
}

func TestPlannedPathsThatCannotBe(t *testing.T) {
	dir := garden(t)
	for _, tt := range []struct{ text, want string }{
		{"gone.go", "planned_path cannot be read, it is not there (relative paths begin at the session's folder): gone.go"},
		{"a.go/b", "planned_path cannot be read, not a directory: a.go/b"},
		{"gone/**/*.go", "planned_path matches no file: gone/**/*.go"},
		{"*.rs", "planned_path matches no file: *.rs"},
		{"src/*", ""},
		{".g*/**", "planned_path matches no file: .g*/**"},
		{"empty*", "planned_path matches no file: empty*"},
		{"out/*", ""},
		{"**/secret.go", "planned_path matches no file: **/secret.go"}, // links are not followed
		{"src/[", "planned_path is no valid glob, a bracket or a backslash has no end: src/["},
		{"*/../?/gone", "planned_path is no valid glob, '..' can stand before the first '*', '?', '[' or '{' only: */../?/gone"},
		{strings.Repeat("*/", 61), "planned_path is no valid glob, it has too many parts: " + strings.Repeat("*/", 50) + "…"},
		{"*.{go", "planned_path is no valid glob, a brace has no end in its part of the path, or there are too many: *.{go"},
		{"{a/b,c}", "planned_path is no valid glob, a brace has no end in its part of the path, or there are too many: {a/b,c}"},
		{strings.Repeat("{a,b}", 7), "planned_path is no valid glob, a brace has no end in its part of the path, or there are too many: " + strings.Repeat("{a,b}", 7)},
		{"12k", "planned_path names no file, and a size goes into planned_bytes: 12k"},
		{"src/photo.png", "planned_path is a binary file, and what that adds is not known: src/photo.png"},
		{"dist/paper.pdf", "planned_path is a binary file, and what that adds is not known: dist/paper.pdf"},
		{strings.Repeat("x", 200), "planned_path cannot be read, it is not there (relative paths begin at the session's folder): " + strings.Repeat("x", 100) + "…"},
	} {
		_, err := wantPath(tt.text).size(gardenSizing(dir))
		if tt.want == "" {
			if err != nil {
				t.Errorf("%s: %v", tt.text, err)
			}
			continue
		}
		if runtime.GOOS == "windows" && strings.HasPrefix(tt.want, "planned_path cannot be read") {
			continue // other reasons
		}
		if err == nil {
			t.Errorf("%s can be", tt.text)
			continue
		}
		if f := faultOf(err); f.Code != meter.CodeBadArgument || f.Message != tt.want {
			t.Errorf("%s:\n%s\nwant\n%s", tt.text, f.Message, tt.want)
		}
	}
	for _, dir := range []string{"", "gone"} {
		if _, err := wantPath("a.go").size(gardenSizing(dir)); err == nil {
			t.Errorf("a session in %q has files", dir)
		}
	}
}

// What a caller from elsewhere may ask of lies within the session's folder,
// wherever links lead.
func TestConfinedPaths(t *testing.T) {
	dir := garden(t)
	for text, fine := range map[string]bool{
		"a.go": true, ".": true, "src": true, "**/*.go": true, "src/near.go": true, "src/round": true,
		dir + "/a.go": true, "src/deep/../c.go": true, "../in/a.go": true,
		"..": false, "../outside/secret.go": false, "src/secret.go": false, "out": false, "out/*": false,
		"out/secret.go": false, "../*/secret.go": false, "../**": false, "~": false, "~/*": false,
		filepath.Dir(dir): false, "/": false, "/*": false, "src/round/..": true, "src/round/../outside": false,
	} {
		w := wantPath(text)
		w.confined = true
		z := gardenSizing(dir)
		z.home = filepath.Join(dir, "..", "outside")
		_, err := w.size(z)
		if (err == nil) != fine {
			t.Errorf("%s: %v", text, err)
		}
		if err != nil && strings.Contains(err.Error(), "outside") && !strings.Contains(text, "outside") {
			t.Errorf("%s is told: %v", text, err)
		}
	}
	w := wantPath(dir + "/a.go")
	w.confined = true
	if _, err := w.size(gardenSizing("")); err == nil {
		t.Error("a session without a folder has one")
	}
}

// What lies outside is told nothing of, not even whether it exists.
func TestNothingIsToldOfWhatLiesOutside(t *testing.T) {
	dir := garden(t)
	said := map[string]bool{}
	for _, text := range []string{
		"/etc/passwd", "/etc/nothing", "/nothing/*", "/etc/*", "../outside", "../outside/secret.go", "../outside/nothing", "../nothing",
		"out/secret.go", "out/nothing", "out/*", "out/secret.go/x", dir + "/out/../../outside/secret.go", dir + "/src/round/../../../outside/nothing", "~/x", "~/*", "../outside/*", "../nothing/*",
	} {
		w := wantPath(text)
		w.confined = true
		z := gardenSizing(dir)
		z.home = filepath.Join(dir, "..", "outside")
		_, err := w.size(z)
		said[strings.TrimSuffix(fmt.Sprint(err), ": "+text)] = true
	}
	if len(said) != 1 {
		t.Errorf("%d answers: %v", len(said), said)
	}
}

// A link that is exchanged between a look and the opening leads nowhere else.
func TestConfinedReadsDoNotFollowLinksThatAppear(t *testing.T) {
	dir := garden(t)
	tree, err := files.Below(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	for _, name := range []string{"src/secret.go", "out/secret.go"} {
		if f, _, err := tree.Open(filepath.Join(dir, filepath.FromSlash(name))); err == nil {
			f.Close()
			t.Errorf("%s was opened", name)
		}
	}
	if f, err := tree.Folder(filepath.Join(dir, "out")); err == nil {
		f.Close()
		t.Error("a folder outside was opened")
	}
}

// The clients name folders without links: one that is a link was put there.
func TestConfinedToAFolderThatIsALink(t *testing.T) {
	dir := garden(t)
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Skip("no links here")
	}
	for _, text := range []string{"a.go", dir + "/a.go", link + "/a.go", "*.go", "."} {
		w := wantPath(text)
		w.confined = true
		if _, err := w.size(gardenSizing(link)); err == nil {
			t.Errorf("%s was read", text)
		}
	}
}

// What nobody waits for any longer is not walked through.
func TestAStoppedWalk(t *testing.T) {
	stop := make(chan struct{})
	close(stop)
	w := wantPath(".")
	w.stop = stop
	got, err := w.size(gardenSizing(garden(t)))
	if err != nil || *got.Files > 0 || !got.AtLeast {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestUnreadableFiles(t *testing.T) {
	dir := garden(t)
	for _, name := range []string{"b.md", "src/deep"} {
		if err := os.Chmod(filepath.Join(dir, name), 0); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { _ = os.Chmod(filepath.Join(dir, "src", "deep"), 0o700) })
	if _, err := os.ReadFile(filepath.Join(dir, "b.md")); err == nil {
		t.Skip("permissions say nothing here")
	}
	for text, want := range map[string]string{
		"b.md": "planned_path cannot be read, permission denied: b.md", "src/deep": "planned_path cannot be read, permission denied: src/deep",
		"src/deep/e.txt": "planned_path cannot be read, permission denied: src/deep/e.txt",
	} {
		if _, err := wantPath(text).size(gardenSizing(dir)); err == nil || faultOf(err).Message != want {
			t.Errorf("%s: %v", text, err)
		}
	}
	got, err := wantPath(".").size(gardenSizing(dir))
	if err != nil || *got.Files != 5 || got.Skipped != 4 {
		t.Errorf("%d files, %d skipped, %v", *got.Files, got.Skipped, err)
	}
}

// A walk goes in the order of names, and ends when its end is certain.
func TestAWalkEndsEarly(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"b", "c", "a", "d/e", "d/f", "g"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(strings.Repeat("the peony is watered\n", 1000)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	one, err := wantPath("a").size(gardenSizing(dir))
	if err != nil {
		t.Fatal(err)
	}
	z := gardenSizing(dir)
	tokens := z.est.Tokens(z.model, one.Text).Tokens
	for _, tt := range []struct {
		name         string
		left         int64
		files, names int
		read         int64
		atLeast      bool
	}{
		{"all of it", 0, 100, 100, 6, false},
		{"no more fits", int64(tokens * 1.5), 100, 100, 2, true},
		{"exactly so many files", 0, 6, 100, 6, false},
		{"too many files", 0, 4, 100, 4, true},
		{"exactly so many names", 0, 100, 7, 6, false},
		{"too many names in all", 0, 100, 6, 3, true},
		{"too many names in one folder", 0, 100, 4, 0, true},
	} {
		z.left = tt.left
		tree := z.tree(everything())
		tree.mostFiles, tree.mostNames = tt.files, tt.names
		if err := tree.run(dir); (err == errEnough) != tt.atLeast || tree.read != tt.read {
			t.Errorf("%s: %d files, %v", tt.name, tree.read, err)
		}
	}
	z.left = int64(tokens * 1.5)
	got, err := wantPath(".").size(z)
	if err != nil || !got.AtLeast {
		t.Errorf("%+v, %v", got, err)
	}
	if all := z.est.Tokens(z.model, got.Text).Tokens; all <= float64(z.left) {
		t.Errorf("%.0f tokens are certain not to fit %d", all, z.left)
	}
}

func TestAFoldersReadsUnderTheLimit(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, lines int) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(strings.Repeat("the peony is watered\n", lines)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("long", 8000)
	write("longer", 8100)
	write("short", 100)
	r := newRig(t).set("CLAUDE_CONFIG_DIR", sampleFolder(t, 5)).set("COLUMNS", "250")
	r.dir = dir
	got := r.run("--no-cache", "-t", sampleID, "--planned", ".")
	p := got.reading(t).Planned
	if p == nil || *p.Files != 3 || len(p.Limits) != 1 || p.Limits[0] != (meter.Cut{Tool: "Read", How: meter.CutPage, Tokens: 21_250}) || p.WholeTokens < p.Tokens*3/2 || p.AtLeast {
		t.Errorf("%s", got.stdout)
	}
	var fields struct{ Planned map[string]any }
	if err := json.Unmarshal([]byte(got.stdout), &fields); err != nil {
		t.Fatal(err)
	}
	keys := []string{}
	for key := range fields.Planned {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	if want := "files fits_window limits source tokens triggers_compaction used_percent_after whole_tokens"; strings.Join(keys, " ") != want {
		t.Errorf("fields %v", keys)
	}
	text := r.run("--no-cache", "-t", sampleID, "--planned", ".", "--format", "text").stdout
	if !strings.Contains(text, "the planned read of 3 files adds about ") || !strings.Contains(text, ": it fits (Read ends after 21,250 tokens; uncut, the files are about ") {
		t.Errorf("%s", text)
	}
	for i := range 12 {
		write("z"+string(rune('a'+i)), 8000)
	}
	text = r.run("--no-cache", "-t", sampleID, "--planned", "*", "--format", "text").stdout
	if !strings.Contains(text, " adds at least about ") || !strings.Contains(text, ": it does not fit the window") || !strings.Contains(text, "uncut, the files are at least about ") {
		t.Errorf("%s", text)
	}
}

func TestPlannedSizesThatCannotBe(t *testing.T) {
	for _, n := range []int64{-1, -1 << 63, 1<<48 + 1, 1<<63 - 1} {
		if _, err := wantBytes(n).size(sizing{}); err == nil || faultOf(err).Message != "planned_bytes wants a number of bytes from 0 to 281474976710656" {
			t.Errorf("%d: %v", n, err)
		}
	}
	for _, n := range []int64{0, 1, 1 << 48} {
		got, err := wantBytes(n).size(sizing{})
		if err != nil || got.Text.Tool.Bytes != n || got.Source != "size" {
			t.Errorf("%d: %+v, %v", n, got, err)
		}
	}
}
