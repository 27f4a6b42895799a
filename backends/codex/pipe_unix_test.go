//go:build unix

package codex

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/ctxmeter/ctxmeter/meter"
)

// Pipes in the places of folders and files would block: they are passed over,
// and hide nothing.
func TestPipesInAHomeBlockNothing(t *testing.T) {
	dir := t.TempDir()
	const id = "01a22cf1-07f8-7ef2-be4d-a2f7e42d3965"
	day := filepath.Join(dir, "sessions", "2026", "11", "30")
	if err := os.MkdirAll(day, 0o700); err != nil {
		t.Fatal(err)
	}
	rollout := filepath.Join(day, "rollout-2026-11-30T14-52-03-"+id+".jsonl")
	meta := `{"timestamp":"2026-11-30T14:52:03.000Z","type":"session_meta","payload":{"id":"` + id + `","cwd":"/home/dev/shop"}}` + "\n"
	if err := os.WriteFile(rollout, []byte(meta), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{
		"config.toml", "archived_sessions", "sessions/2027", "sessions/2026/12", "sessions/2026/11/29",
		"sessions/2026/11/30/rollout-2026-11-30T14-52-03-01a22cf1-07f8-7ef2-be4d-a2f7e42d3966.jsonl",
		"sessions/2026/11/30/rollout-2026-11-30T14-52-03-01a22cf1-07f8-7ef2-be4d-a2f7e42d3967.jsonl.zst",
	} {
		if err := syscall.Mkfifo(filepath.Join(dir, filepath.FromSlash(name)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c := New(meter.Env{Getenv: func(string) string { return "" }, CodexHomes: []string{dir}, Dir: "/home/dev/shop"})
	found, err := c.Find(id)
	if err != nil || len(found) != 1 {
		t.Fatalf("found %v, %v", found, err)
	}
	if here, err := c.Here("/home/dev/shop"); err != nil || len(here) != 1 || here[0].ID != id {
		t.Errorf("here %v, %v", here, err)
	}
	c.Limits(found[0], meter.State{})
	if s, err := c.Find("01a22cf1-07f8-7ef2-be4d-a2f7e42d3967"); err == nil && len(s) > 0 {
		if _, err := s[0].Segments[0].Stream(); err == nil {
			t.Error("a pipe was opened")
		}
	}
}
