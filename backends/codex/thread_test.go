package codex

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/ctxmeter/ctxmeter/meter"
)

func one(t *testing.T, c *Client, id string) meter.Session {
	t.Helper()
	got, err := c.Find(id)
	if err != nil || len(got) != 1 {
		t.Fatalf("%s: %d sessions, %v", id, len(got), err)
	}
	return got[0]
}

func live1(s meter.Session) string { return s.Segments[len(s.Segments)-1].Path }

func wantFault(t *testing.T, err error, code meter.Code, id string) {
	t.Helper()
	var f *meter.Fault
	if !errors.As(err, &f) || f.Code != code {
		t.Fatalf("error %v, want %s", err, code)
	}
	if !strings.Contains(f.Message, id) {
		t.Errorf("%q does not name the session", f.Message)
	}
	if strings.ContainsAny(f.Message, `/\`) {
		t.Errorf("%q tells a path", f.Message)
	}
}

func TestNewestSegmentIsLive(t *testing.T) {
	h := newTree(t)
	a, b, c := id(1), id(2), id(3)
	first := meta(a, "")
	h.write(h.path("2026/11/30", a, ""), first)
	h.write(h.path("2026/12/15", a, c), meta(a, goesOn(a, len(first))))
	h.write(h.path("2026/12/01", a, b), meta(a, goesOn(a, len(first))))
	s := one(t, h.client(), a)
	if !strings.Contains(live1(s), c) || len(s.Segments) != 2 || s.Segments[0].End != int64(len(first)) || s.Segments[1].End != -1 {
		t.Errorf("segments %+v", s.Segments)
	}
	if s.ID != a || s.Project != "/home/dev/shop" || s.Root != h.dir || s.Live != meter.LiveUnknown {
		t.Errorf("session %+v", s)
	}
}

func TestPlainWinsOverCompressedAndLiveOverArchived(t *testing.T) {
	h := newTree(t)
	a, b, c := id(1), id(2), id(3)
	h.write(h.path("2026/11/30", a, "")+".zst", meta(a, ""))
	h.write(h.path("2026/11/30", a, ""), meta(a, ""))
	h.write(h.path(archiveDir, b, ""), meta(b, ""))
	h.write(h.path("2026/11/30", b, ""), meta(b, ""))
	h.write(h.path(archiveDir, c, "")+".zst", meta(c, ""))
	if s := one(t, h.client(), a); isPacked(live1(s)) || s.Segments[0].Stream != nil {
		t.Errorf("compressed: %s", live1(s))
	}
	if s := one(t, h.client(), b); strings.Contains(live1(s), archiveDir) {
		t.Errorf("archived: %s", live1(s))
	}
	if s := one(t, h.client(), c); s.Segments[0].Stream == nil || s.Project != "/home/dev/shop" {
		t.Errorf("archived and compressed: %+v", s)
	}
}

func TestPrefixOfSeveralThreadsYieldsThemAll(t *testing.T) {
	h := newTree(t)
	a, b := id(1), id(1)[:34]+"ff"
	h.write(h.path("2026/11/30", a, ""), meta(a, goesOn(id(9), 1))) // cannot be read, is meant all the same
	h.write(h.path("2026/11/30", b, ""), meta(b, ""))
	got, err := h.client().Find(a[:8])
	if err != nil || len(got) != 2 {
		t.Fatalf("%d sessions, %v", len(got), err)
	}
	for _, short := range []string{"", a[:7], a + "0", "not-an-id-at-all", "../../.."} {
		if got, err := h.client().Find(short); err != nil || len(got) != 0 {
			t.Errorf("%q: %d sessions, %v", short, len(got), err)
		}
	}
}

func TestEarlierHomeWins(t *testing.T) {
	h, other := newTree(t), newTree(t)
	h.write(h.path("2026/11/30", id(1), ""), meta(id(1), ""))
	other.write(other.path("2026/11/30", id(1), ""), meta(id(1), ""))
	c := New(meter.Env{CodexHomes: []string{h.dir, other.dir}})
	if s := one(t, c, id(1)); s.Root != h.dir {
		t.Errorf("found in %s", s.Root)
	}
}

func TestIDComesFromTheName(t *testing.T) {
	h := newTree(t)
	a, parent := id(1), id(2)
	for text, project := range map[string]string{
		"\xef\xbb\xbf" + strings.ReplaceAll(meta(a, ""), "\n", "\r\n"):              "/home/dev/shop",
		"{\"timestamp\":\"2026-11-\n" + meta(a, ""):                                 "/home/dev/shop",
		"not json\n" + meta(parent, ""):                                             "", // a copy of the parent's
		response(1, 2) + meta(a, ""):                                                "/home/dev/shop",
		meta(a, `,"base_instructions":{"text":"`+strings.Repeat("x", 300_000)+`"}`): "/home/dev/shop",
		"": "",
		`{"id":"` + a + `","timestamp":"2025-06-01T00:00:00Z","instructions":null}` + "\n": "",
	} {
		h.write(h.path("2026/11/30", a, ""), text)
		if s := one(t, h.client(), a); s.ID != a || s.Project != project {
			t.Errorf("%.40q: id %s, project %q", text, s.ID, s.Project)
		}
	}
}

func TestHelpersKnowTheirParent(t *testing.T) {
	h := newTree(t)
	a, parent := id(1), id(2)
	for more, want := range map[string]string{
		`,"parent_thread_id":"` + parent + `"`:                                                                 parent,
		`,"source":{"subagent":{"thread_spawn":{"parent_thread_id":"` + parent + `","depth":1}}}`:              parent,
		`,"source":{"subagent":"review"},"session_id":"` + parent + `"`:                                        parent,
		`,"source":{"subagent":{"other":"guardian"}},"session_id":"` + parent + `","thread_source":"guardian"`: parent,
		`,"thread_source":"subagent","session_id":"` + a + `"`:                                                 "",
		`,"forked_from_id":"` + parent + `","session_id":"` + a + `"`:                                          "",
	} {
		h.write(h.path("2026/11/30", a, ""), meta(a, more)+meta(parent, ""))
		if s := one(t, h.client(), a); s.ParentID != want {
			t.Errorf("%s: parent %q, want %q", more, s.ParentID, want)
		}
	}
}

func TestUnreadable(t *testing.T) {
	h := newTree(t)
	a, b := id(1), id(2)
	if err := os.MkdirAll(h.path("2026/11/30", a, ""), 0o700); err != nil {
		t.Fatal(err)
	}
	_, err := h.client().Find(a)
	wantFault(t, err, meter.CodeUnreadable, a)
	_, err = h.client().File(h.path("2026/11/30", b, ""))
	wantFault(t, err, meter.CodeUnreadable, b)
	h.write(h.path("2026/11/30", b, "")+".zst", "")
	if err := os.WriteFile(h.path("2026/11/30", b, "")+".zst", []byte("no zstd frame"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = h.client().Find(b)
	wantFault(t, err, meter.CodeUnreadable, b)
}

func TestLinks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege")
	}
	h, away := newTree(t), newTree(t)
	a, b, c := id(1), id(2), id(3)
	target := away.write(away.path("2026/11/30", a, ""), meta(a, ""))
	inside := h.write(h.path(archiveDir, b, ""), meta(b, ""))
	link := func(from, to string) {
		t.Helper()
		os.MkdirAll(filepath.Dir(from), 0o700)
		if err := os.Symlink(to, from); err != nil {
			t.Fatal(err)
		}
	}
	link(h.path("2026/11/30", a, ""), target)
	link(h.path("2026/11/30", b, ""), inside)
	link(h.path("2026/11/30", c, ""), filepath.Join(h.dir, "gone"))
	_, err := h.client().Find(a)
	wantFault(t, err, meter.CodeOutsideRoot, a)
	if s, err := h.client().File(h.path("2026/11/30", a, "")); err != nil || s.ID != a {
		t.Errorf("asked for by path: %+v, %v", s, err)
	}
	one(t, h.client(), b)
	_, err = h.client().Find(c)
	wantFault(t, err, meter.CodeUnreadable, c)
	if got, err := h.client().Here("/home/dev/shop"); err != nil || len(got) != 1 || got[0].ID != b {
		t.Errorf("here: %+v, %v", got, err)
	}
}

func TestFileAnywhere(t *testing.T) {
	h := newTree(t)
	a, b := id(1), id(2)
	first := meta(a, "")
	h.write(filepath.Join(h.dir, "copies", "rollout-x-"+a+".jsonl"), first)
	copied := h.write(filepath.Join(h.dir, "copies", "mine.jsonl"), meta(b, goesOn(a, len(first))))
	s, err := New(meter.Env{Dir: h.dir}).File(filepath.Join("copies", "mine.jsonl"))
	if err != nil || s.ID != b || len(s.Segments) != 2 || live1(s) != copied || s.Root != "" {
		t.Fatalf("%+v, %v", s, err)
	}
	// What is compressed or restored after the path was written down.
	packed := h.write(h.path("2026/11/30", b, "")+".zst", meta(b, ""))
	if s, err := h.client().File(strings.TrimSuffix(packed, ".zst")); err != nil || live1(s) != packed || s.Root != h.dir {
		t.Errorf("compressed since: %+v, %v", s, err)
	}
	plain := h.write(h.path("2026/11/30", a, ""), first)
	if s, err := h.client().File(plain + ".zst"); err != nil || live1(s) != plain {
		t.Errorf("restored since: %+v, %v", s, err)
	}
	// Its base may lie in a home.
	elsewhere := newTree(t)
	moved := elsewhere.write(filepath.Join(elsewhere.dir, "moved.jsonl"), meta(b, goesOn(a, len(first))))
	if s, err := h.client().File(moved); err != nil || len(s.Segments) != 2 || s.Segments[0].Path != plain {
		t.Errorf("base in a home: %+v, %v", s, err)
	}
}

func TestHere(t *testing.T) {
	h := newTree(t)
	now := time.Now()
	write := func(n int, day, text string, age time.Duration) string {
		path := h.write(h.path(day, id(n), ""), text)
		os.Chtimes(path, now.Add(-age), now.Add(-age))
		return id(n)
	}
	write(1, "2026/11/29", meta(id(1), ""), time.Hour)
	write(2, "2026/11/30", meta(id(2), ""), 2*time.Hour)
	write(3, "2026/11/30", strings.Replace(meta(id(3), ""), "shop", "shop2", 1), 0)
	write(4, "2026/11/30", meta(id(4), `,"source":{"subagent":{"other":"guardian"}}`), 0)
	write(5, "2026/11/30", "not json\n", 0)
	write(6, "2026/11/30", meta(id(6), goesOn(id(99), 5)), 0) // its base is gone
	write(7, archiveDir, meta(id(7), ""), 0)
	got, err := h.client().Here("/home/dev/x/../shop/")
	if err != nil || len(got) != 2 || got[0].ID != id(1) || got[1].ID != id(2) {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := h.client().Here("/home/dev"); err != nil || len(got) != 0 {
		t.Errorf("the folder above: %+v, %v", got, err)
	}
	c := New(meter.Env{CodexHomes: []string{h.dir}, OS: "windows"})
	if got, _ := c.Here("/Home/Dev/Shop"); len(got) != 2 {
		t.Errorf("windows: %+v", got)
	}
}

func TestHereFollowsLinks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege")
	}
	h := newTree(t)
	real := filepath.Join(h.dir, "real")
	os.Mkdir(real, 0o700)
	link := filepath.Join(h.dir, "link")
	if err := os.Symlink(real, link); err != nil {
		t.Fatal(err)
	}
	h.write(h.path("2026/11/30", id(1), ""), strings.Replace(meta(id(1), ""), "/home/dev/shop", filepath.ToSlash(link), 1))
	if got, err := h.client().Here(real); err != nil || len(got) != 1 {
		t.Errorf("%+v, %v", got, err)
	}
}
