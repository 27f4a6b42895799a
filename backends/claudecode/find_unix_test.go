//go:build unix

package claudecode

import (
	"path/filepath"
	"syscall"
	"testing"

	"github.com/ctxmeter/ctxmeter/meter"
)

// To open a pipe would wait for a writer: this test would never end.
func TestPipesAreNotOpened(t *testing.T) {
	p := newPlace(t)
	p.write(".claude/projects/-a/x.jsonl", "")
	for _, name := range []string{"projects/-a/" + idA + ".jsonl", "projects/-pipe", "settings.json", ".claude.json"} {
		if err := syscall.Mkfifo(filepath.Join(p.root(), name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p.link(filepath.Join(p.root(), "projects", "-pipe"), ".claude/projects/-linked")
	p.env["CLAUDE_CONFIG_DIR"] = p.root()
	c := p.client()
	if _, err := c.Find(idA); faultCode(t, err) != meter.CodeUnreadable {
		t.Errorf("Find: %v", err)
	}
	if _, err := c.Find(idA[:8]); faultCode(t, err) != meter.CodeUnreadable {
		t.Errorf("Find: %v", err)
	}
	if got, err := c.Here("/a"); len(got) != 0 || err != nil {
		t.Errorf("Here = %v, %v", got, err)
	}
	if _, err := c.File(filepath.Join(p.root(), "projects/-a/"+idA+".jsonl")); faultCode(t, err) != meter.CodeUnreadable {
		t.Errorf("File: %v", err)
	}
	l := c.Limits(meter.Session{ID: idA, Root: p.root()}, meter.State{Model: "claude-opus-4-6", Version: "2.1.197"})
	if len(l.Notes) != 1 || l.Trigger(meter.Claim{Tokens: window200k}).Tokens != 167_000 {
		t.Errorf("Limits = %+v", l)
	}
}
