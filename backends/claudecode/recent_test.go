package claudecode

import (
	"errors"
	"testing"
	"time"

	"github.com/ctxmeter/ctxmeter/meter"
)

// The newest transcripts of all folders, a copy once, subagents too; one that
// leads out of the client's folder is listed with its fault.
func TestRecent(t *testing.T) {
	const a, b, out = "11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222", "33333333-3333-4333-8333-333333333333"
	p := newPlace(t)
	day := func(n int) time.Time { return p.now.Add(-time.Duration(n) * 24 * time.Hour) }
	for name, at := range map[string]time.Time{
		".claude/projects/-home-x/" + a + ".jsonl":                   day(3),
		".claude/projects/-home-y/" + a + ".jsonl":                   day(5), // a copy
		".claude/projects/-home-y/" + b + ".jsonl":                   day(1),
		".claude/projects/-home-x/" + a + "/subagents/agent-7.jsonl": day(2),
		".claude/projects/-home-x/agent-8.jsonl":                     day(4),
		".claude/projects/-home-x/notes.txt":                         day(0),
		"elsewhere.jsonl":                                            day(6),
	} {
		p.touch(p.write(name, talk(a, "/home/x", "2026-11-30T12:00:00Z", "hello")), at)
	}
	p.link(p.home+"/elsewhere.jsonl", ".claude/projects/-home-x/"+out+".jsonl")
	for _, tt := range []struct {
		most  int
		since time.Time
		want  []string
	}{
		{0, time.Time{}, []string{b, "7", a, "8", out}},
		{2, time.Time{}, []string{b, "7"}},
		{0, day(3), []string{b, "7", a}},
		{0, p.now, nil},
	} {
		got := p.client().Recent(tt.most, tt.since)
		var ids []string
		for _, l := range got {
			id := l.Session.ID
			if l.Session.AgentID != "" {
				id = l.Session.AgentID
			}
			ids = append(ids, id)
			fault, bad := errors.AsType[*meter.Fault](l.Err)
			if bad != (id == out) || bad && (fault.Code != meter.CodeOutsideRoot || len(l.Session.Segments) != 0) {
				t.Errorf("%s: %v", id, l.Err)
			}
		}
		if len(ids) != len(tt.want) {
			t.Errorf("%d since %v: %q, want %q", tt.most, tt.since, ids, tt.want)
			continue
		}
		for i := range ids {
			if ids[i] != tt.want[i] {
				t.Errorf("%d since %v: %q, want %q", tt.most, tt.since, ids, tt.want)
				break
			}
		}
	}
}
