package claudecode

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ctxmeter/ctxmeter/meter"
)

// Report D02: an old build's registry keeps the session that /clear has ended.
func TestCallerAfterClearWithAStaleRegistry(t *testing.T) {
	const cleared = "<command-name>/clear</command-name>"
	old := func(pid int, session string) string {
		return fmt.Sprintf(`{"pid":%d,"sessionId":%q,"cwd":"/a","startedAt":1789030000000}`, pid, session)
	}
	for _, tt := range []struct {
		name string
		next string // how the session opens that follows
		set  func(p *place)
		want string
		code meter.Code
	}{
		{"followed", cleared, func(*place) {}, idB, ""},
		{"another session, not followed", "hi", func(*place) {}, idA, ""},
		{"another client of an old build here", cleared, func(p *place) {
			p.run(9, 1, "claude")
			p.write(".claude/sessions/9.json", old(9, idC))
		}, "", meter.CodeAmbiguousSession},
		{"another one elsewhere", cleared, func(p *place) {
			p.run(9, 1, "claude")
			p.write(".claude/sessions/9.json", strings.Replace(old(9, idC), "/a", "/b", 1))
		}, idB, ""},
		{"another one that was killed", cleared, func(p *place) { p.write(".claude/sessions/9.json", old(9, idC)) }, idB, ""},
		{"another one of a new build", cleared, func(p *place) {
			p.run(9, 1, "claude")
			p.enter(".claude", 9, idC)
		}, idB, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := shop(t)
			p.write(".claude/sessions/7.json", old(7, idA))
			p.write(".claude/projects/-a/"+idB+".jsonl", talk(idB, "/a", "2026-09-10T10:00:00Z", tt.next))
			tt.set(p)
			got, err := p.client().Caller(without)
			if faultCode(t, err) != tt.code || got.Session.ID != tt.want {
				t.Errorf("Caller = %+v, %v", got, err)
			}
			if got, err := p.client().Caller(withUse); faultCode(t, err) != tt.code || got.Session.ID != tt.want || len(got.Watch) == 0 {
				t.Errorf("with an id: Caller = %+v, %v", got, err)
			}
		})
	}
}
