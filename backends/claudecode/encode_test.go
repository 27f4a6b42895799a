package claudecode

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Reports E01 to E05, and what Claude Code 2.1.197 made of the folders of one
// recorded run.
func TestEncodeNamesFoldersAsTheClientDoes(t *testing.T) {
	for dir, want := range map[string]string{
		"/home/dev/shop":               "-home-dev-shop",
		"/home/dev/projects/외주/app":    "-home-dev-projects----app",
		"/home/dev/projects/개인/app":    "-home-dev-projects----app",
		"/home/dev/my.app_v2":          "-home-dev-my-app-v2",
		"/home/dev/🚀x":                 "-home-dev---x",
		`C:\Users\me\proj`:             "C--Users-me-proj",
		`c:\Users\me\proj`:             "c--Users-me-proj",
		"/home/dev/a b+c":              "-home-dev-a-b-c",
		"/home/dev/bad\xffbyte":        "-home-dev-bad-byte",
		"":                             "",
		"/" + strings.Repeat("x", 199): "-" + strings.Repeat("x", 199),
	} {
		if got := Encode(dir); got != want {
			t.Errorf("Encode(%q) = %q, want %q", dir, got, want)
		}
	}
}

func TestEncodeAgreesWithRecordedFolders(t *testing.T) {
	folders, err := filepath.Glob(filepath.Join(fixtures(t), "locate", "projects", "*s15*"))
	if err != nil || len(folders) < 9 {
		t.Fatal("no recorded folders", err)
	}
	for _, folder := range folders {
		files, err := filepath.Glob(filepath.Join(folder, "*.jsonl"))
		if err != nil || len(files) == 0 {
			t.Fatal("no transcript in", folder, err)
		}
		h, err := newPeeker().readHead(files[0])
		if err != nil {
			t.Fatal(err)
		}
		if got := Encode(h.cwd); got != filepath.Base(folder) {
			t.Errorf("Encode(%q) = %q, recorded as %q", h.cwd, got, filepath.Base(folder))
		}
	}
}

// The folder of this session was "…-yyy-7oqizt".
func TestEncodeCutsLongNamesAndHashesThePath(t *testing.T) {
	h, err := newPeeker().readHead(filepath.Join(fixtures(t), "locate-long.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	got := Encode(h.cwd)
	if len(got) != 200+len("-7oqizt") || !strings.HasSuffix(got, "y-7oqizt") {
		t.Errorf("Encode = %q", got)
	}
}

// From 2.1.224 on the hash is another one (report E02): only the first 200
// units can be relied on, and the records decide.
func TestHereFindsLongFoldersWhateverTheirHash(t *testing.T) {
	b, err := os.ReadFile(filepath.Join(fixtures(t), "locate-long.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	h, err := newPeeker().readHead(filepath.Join(fixtures(t), "locate-long.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	prefix := Encode(h.cwd)[:200]
	for _, folder := range []string{prefix + "-7oqizt", prefix + "-0a1b2c3d4e5f"} {
		p := newPlace(t)
		p.write(".claude/projects/"+folder+"/"+h.session+".jsonl", string(b))
		p.write(".claude/projects/"+prefix+"-other/"+idB+".jsonl", talk(idB, h.cwd+"/deeper", "2026-09-10T09:00:00Z", "hi"))
		got, err := p.client().Here(h.cwd)
		if err != nil || names(got) != h.session+".jsonl" {
			t.Errorf("%s: Here = %v, %v", folder[200:], names(got), err)
		}
	}
}
