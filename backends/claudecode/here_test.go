package claudecode

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ctxmeter/ctxmeter/meter"
)

// Every folder of one run of the real client is found by its path, with all
// of its sessions and no others.
func TestHereFindsRecordedFolders(t *testing.T) {
	c := recorded(t)
	base := "/home/dev/claude/proj/s15-dirs/"
	for dir, want := range map[string]int{
		"plain": 3, "with space": 1, "dots.and_under-score": 1, "ünïcödé-Ж-日本": 1, "emoji-😀": 1,
		"UPPER": 1, "a+b@c,d=e(f)": 1, "trail-": 1, "real": 1, "lower": 0, "emoji-🚀": 0, "": 0, "plain/": 3,
	} {
		got, err := c.Here(base + dir)
		if err != nil || len(got) != want {
			t.Errorf("Here(%s) = %q, %v", dir, names(got), err)
		}
		for _, s := range got {
			if s.Project != base+strings.TrimSuffix(dir, "/") || s.AgentID != "" {
				t.Errorf("Here(%s): session %+v", dir, s)
			}
		}
	}
}

// The order is that of the last records; the fixture's file times are those of
// a checkout.
func TestHereStandsNewestFirst(t *testing.T) {
	got, err := recorded(t).Here("/home/dev/claude/proj/s15-dirs/plain")
	want := "11111111-2222-4333-8444-666666666666.jsonl 11111111-2222-4333-8444-555555555555.jsonl a5cf62fd-30a6-446b-a907-fa7659d54b9e.jsonl"
	if err != nil || names(got) != want {
		t.Errorf("Here = %q, %v", names(got), err)
	}
}

// Report E01: both folders have the same name.
func TestHereTellsProjectsWithOneFolderNameApart(t *testing.T) {
	p := newPlace(t)
	p.write(".claude/projects/-home-dev-projects----app/"+idA+".jsonl", talk(idA, "/home/dev/projects/외주/app", "2026-09-10T09:00:00Z", "hi"))
	p.write(".claude/projects/-home-dev-projects----app/"+idB+".jsonl", talk(idB, "/home/dev/projects/개인/app", "2026-09-10T10:00:00Z", "hi"))
	got, err := p.client().Here("/home/dev/projects/외주/app")
	if err != nil || names(got) != idA+".jsonl" {
		t.Errorf("Here = %q, %v", names(got), err)
	}
}

// Report D05 and Claude Code 2.1.197: a cd changes the folder in later
// records; the session stays where it was started.
func TestHereGoesByTheFirstFolder(t *testing.T) {
	p := newPlace(t)
	p.write(".claude/projects/-home-dev-shop/"+idA+".jsonl",
		talk(idA, "/home/dev/shop", "2026-09-10T09:00:00Z", "hi")+talk(idA, "/home/dev/shop/web", "2026-09-10T10:00:00Z", "hi"))
	for dir, want := range map[string]string{"/home/dev/shop": idA + ".jsonl", "/home/dev/shop/web": "", "/home/dev": ""} {
		if got, err := p.client().Here(dir); err != nil || names(got) != want {
			t.Errorf("Here(%s) = %q, %v", dir, names(got), err)
		}
	}
}

func TestHereLeavesOut(t *testing.T) {
	p := newPlace(t)
	folder := ".claude/projects/-a/"
	p.write(folder+idA+".jsonl", talk(idA, "/a", "2026-09-10T09:00:00Z", "hi"))
	p.write(folder+idC+".jsonl", strings.ReplaceAll(stub, "%s", idC))
	p.write(folder+"agent-1a2b3c4d.jsonl", talk(idA, "/a", "2026-09-10T09:00:00Z", "hi"))
	p.write(folder+idA+"/subagents/agent-a7f31c0.jsonl", talk(idA, "/a", "2026-09-10T09:00:00Z", "hi"))
	p.write(folder+"notes.txt", "hi")
	p.write(folder+"not an id.jsonl", talk(idB, "/a", "2026-09-10T09:00:00Z", "hi"))
	p.write(folder+"00000000-0000-4000-8000-000000000000.jsonl/x", "")
	p.write("elsewhere/x.jsonl", talk(idB, "/a", "2026-09-10T09:00:00Z", "hi"))
	p.link(filepath.Join(p.home, "elsewhere", "x.jsonl"), folder+idB+".jsonl")
	got, err := p.client().Here("/a")
	if err != nil || names(got) != idA+".jsonl" {
		t.Errorf("Here = %q, %v", names(got), err)
	}
}

// Report E07: the records hold the real path of a folder that has a link.
func TestHereComparesRealPaths(t *testing.T) {
	p := newPlace(t)
	folder := filepath.Join(p.home, "real")
	p.write("real/x", "")
	p.link(folder, "link")
	p.write(".claude/projects/"+Encode(folder)+"/"+idA+".jsonl", talk(idA, folder, "2026-09-10T09:00:00Z", "hi"))
	for _, dir := range []string{folder, filepath.Join(p.home, "link")} {
		if got, err := p.client().Here(dir); err != nil || names(got) != idA+".jsonl" {
			t.Errorf("Here(%s) = %q, %v", dir, names(got), err)
		}
	}
}

func TestHereElsewhereMindsCase(t *testing.T) {
	c := recorded(t)
	for _, os := range []string{"linux", "darwin"} {
		c.env.OS = os
		if got, err := c.Here("/home/dev/claude/proj/s15-dirs/PLAIN"); len(got) != 0 || err != nil {
			t.Errorf("%s: Here = %q, %v", os, names(got), err)
		}
	}
}

// Report E05: a drive letter is written in either case, in folder names and in
// records.
func TestHereOnWindowsIgnoresCase(t *testing.T) {
	p := newPlace(t)
	p.os = "windows"
	p.write(".claude/projects/C--Users-me-proj/"+idA+".jsonl", talk(idA, `C:\Users\me\proj`, "2026-09-10T09:00:00Z", "hi"))
	p.write(".claude/projects/c--users-me-proj/"+idB+".jsonl", talk(idB, `c:/users/me/proj/`, "2026-09-10T10:00:00Z", "hi"))
	p.write(".claude/projects/C--Users-me-other/"+idC+".jsonl", talk(idC, `C:\Users\me\other`, "2026-09-10T10:00:00Z", "hi"))
	got, err := p.client().Here(`c:\Users\Me\proj`)
	if err != nil || names(got) != idB+".jsonl "+idA+".jsonl" {
		t.Errorf("Here = %q, %v", names(got), err)
	}
}

func TestHereTakesTheNewestTimeOfAnyRecord(t *testing.T) {
	p := newPlace(t)
	long := strings.Repeat("x", 600<<10)
	a := p.write(".claude/projects/-a/"+idA+".jsonl", talk(idA, "/a", "2026-09-10T09:00:00Z", long)+`{"type":"mode","mode":"default","sessionId":"x"}`+"\n")
	b := p.write(".claude/projects/-a/"+idB+".jsonl", talk(idB, "/a", "2026-09-10T08:00:00Z", "hi"))
	p.touch(a, time.Unix(1e9, 0))
	p.touch(b, time.Unix(2e9, 0))
	got, err := p.client().Here("/a")
	if err != nil || names(got) != idA+".jsonl "+idB+".jsonl" {
		t.Errorf("Here = %q, %v", names(got), err)
	}
}

// A record whose text comes first may hide its folder behind megabytes.
func TestHeadReadsPastLongLines(t *testing.T) {
	p := newPlace(t)
	long := fmt.Sprintf(`{"type":"file-history-snapshot","snapshot":{"x":%q}}`, strings.Repeat("y", 3<<20)) + "\n"
	p.write(".claude/projects/-a/"+idA+".jsonl", long+talk(idA, "/a", "2026-09-10T09:00:00Z", strings.Repeat("z", 1<<20)))
	got, err := p.client().Here("/a")
	if err != nil || names(got) != idA+".jsonl" {
		t.Errorf("Here = %q, %v", names(got), err)
	}
}

// Report D02: an old build's registry keeps the session that /clear has ended.
func TestHereAfterClearWithAStaleRegistry(t *testing.T) {
	shop := func(t *testing.T, next string, entries map[string]string) *place {
		p := newPlace(t)
		p.write(".claude/projects/-home-dev-shop/"+idA+".jsonl", talk(idA, "/home/dev/shop", "2026-09-10T09:00:00Z", "hi"))
		p.write(".claude/projects/-home-dev-shop/"+idB+".jsonl", talk(idB, "/home/dev/shop", "2026-09-10T09:41:00Z", next))
		for name, entry := range entries {
			p.write(".claude/sessions/"+name, entry)
		}
		return p
	}
	const cleared = "<command-name>/clear</command-name>\n<command-message>clear</command-message>"
	old := fmt.Sprintf(`{"pid":45152,"sessionId":%q,"cwd":"/home/dev/shop","startedAt":1789030000000,"updatedAt":1789032900000}`, idA)
	for _, tt := range []struct {
		name     string
		next     string
		entry    map[string]string
		pid      pidState
		newLive  meter.Liveness // of the session that follows
		pastLive meter.Liveness
	}{
		{"its process has ended", cleared, map[string]string{"45152.json": old}, pidState{alive: meter.LiveNo}, meter.LiveUnknown, meter.LiveNo},
		{"its process runs", cleared, map[string]string{"45152.json": old}, pidState{alive: meter.LiveYes}, meter.LiveYes, meter.LiveNo},
		{"its process may run", cleared, map[string]string{"45152.json": old}, pidState{alive: meter.LiveYes, start: "5"}, meter.LiveUnknown, meter.LiveNo},
		{"no /clear", "hi", map[string]string{"45152.json": old}, pidState{alive: meter.LiveYes}, meter.LiveUnknown, meter.LiveYes},
		{"the next has an entry of its own", cleared, map[string]string{
			"45152.json": old, "45153.json": strings.NewReplacer("45152", "45153", idA, idB).Replace(old),
		}, pidState{alive: meter.LiveYes}, meter.LiveNo, meter.LiveYes},
		{"a new build follows", cleared, map[string]string{
			"45152.json": strings.Replace(old, `"cwd"`, `"procStart":"5","cwd"`, 1),
		}, pidState{alive: meter.LiveYes, start: "5"}, meter.LiveNo, meter.LiveYes},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := shop(t, tt.next, tt.entry)
			p.pids[45152] = tt.pid
			got, err := p.client().Here("/home/dev/shop")
			if err != nil || names(got) != idB+".jsonl "+idA+".jsonl" {
				t.Fatalf("Here = %q, %v", names(got), err)
			}
			if got[0].Live != tt.newLive || got[1].Live != tt.pastLive {
				t.Errorf("live: %v then %v, want %v then %v", got[1].Live, got[0].Live, tt.pastLive, tt.newLive)
			}
		})
	}
}
