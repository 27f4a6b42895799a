package claudecode

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ctxmeter/ctxmeter/meter"
)

// giant makes a session of 1 GB, most of it a hole, with a call at its end,
// among 200 sessions and with 300 subagents.
func giant(b *testing.B, end string) *Client {
	b.Helper()
	p := &place{home: b.TempDir(), env: map[string]string{}, os: "linux", pids: map[int]pidState{}, dir: "/a", now: time.Now()}
	write := func(name, text string) {
		path := filepath.Join(p.home, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	for n := range 200 {
		session := fmt.Sprintf("00000000-0000-4000-8000-%012d", n)
		write(".claude/projects/-a/"+session+".jsonl", strings.Repeat(answered("toolu_b"), 2000))
	}
	for n := range 300 {
		write(fmt.Sprintf(".claude/projects/-a/%s/subagents/agent-a%d.jsonl", idA, n), strings.Repeat(answered("toolu_b"), 2000))
	}
	p.run(7, 1, "claude")
	write(".claude/sessions/7.json", registered(7, idA))
	path := filepath.Join(p.home, ".claude/projects/-a/"+idA+".jsonl")
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	tail := "\n" + strings.Repeat(talk(idA, "/a", "2026-09-10T09:00:00Z", strings.Repeat("x", 2000)), 200) + end
	if _, err := f.WriteAt([]byte(tail), 1<<30-int64(len(tail))); err != nil {
		b.Fatal(err)
	}
	return p.client()
}

func BenchmarkCaller(b *testing.B) {
	for _, bb := range []struct {
		name string
		end  string
		call meter.Call
		want meter.Identity
	}{
		{"found", called(use), withUse, meter.IdentityCall},
		{"not written yet", "", withUse, meter.IdentityProcess},
		{"no id", "", without, meter.IdentityProcess},
	} {
		b.Run(bb.name, func(b *testing.B) {
			c := giant(b, bb.end)
			b.ReportAllocs()
			for b.Loop() {
				if got, err := c.Caller(bb.call); err != nil || got.Identity != bb.want {
					b.Fatal(got, err)
				}
			}
		})
	}
}
