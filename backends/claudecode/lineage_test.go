package claudecode

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/ctxmeter/ctxmeter/meter"
)

// run adds a process to a place. Its start is its id and a zero.
func (p *place) run(pid, parent int, name string) {
	p.pids[pid] = pidState{alive: meter.LiveYes, start: fmt.Sprint(pid, "0"), parent: parent, name: name}
}

// enter writes the registry entry of a process, as Claude Code 2.1.197 does,
// into a root below the home folder.
func (p *place) enter(root string, pid int, session string) {
	p.write(fmt.Sprintf("%s/sessions/%d.json", root, pid), registered(pid, session))
}

func registered(pid int, session string) string {
	return fmt.Sprintf(`{"pid":%d,"sessionId":%q,"cwd":"/a","startedAt":1796050394534,"procStart":"%d0","version":"2.1.197","kind":"interactive"}`, pid, session, pid)
}

func TestNearestClientAboveTheServer(t *testing.T) {
	for _, tt := range []struct {
		name     string
		set      func(p *place)
		want     string // session
		registry bool   // its entry cannot be read
	}{
		{"the client itself", func(p *place) {
			p.run(7, 1, "claude")
			p.enter(".claude", 7, idA)
		}, idA, false},
		{"five wrappers between", func(p *place) {
			for n, name := range []string{"sh", "node", "npm exec ctxmet", "sh", "uv"} {
				p.run(7+n, 8+n, name)
			}
			p.run(12, 1, "claude")
			p.enter(".claude", 12, idA)
		}, idA, false},
		{"a client in another's shell", func(p *place) {
			p.run(7, 8, "claude")
			p.run(8, 9, "bash")
			p.run(9, 1, "claude")
			p.enter(".claude", 7, idA)
			p.enter(".claude", 9, idB)
		}, idA, false},
		{"a client in another's shell, without an entry", func(p *place) {
			p.run(7, 8, "claude")
			p.run(8, 9, "bash")
			p.run(9, 1, "claude")
			p.enter(".claude", 9, idB)
		}, "", false},
		{"a client in another's shell, its entry half written", func(p *place) {
			p.run(7, 8, "node")
			p.run(8, 9, "bash")
			p.run(9, 1, "claude")
			p.write(".claude/sessions/7.json", registered(7, idA)[:60])
			p.enter(".claude", 9, idB)
		}, "", true},
		{"an entry that is empty", func(p *place) {
			p.run(7, 1, "claude")
			p.write(".claude/sessions/7.json", "")
		}, "", true},
		{"an entry that names another process", func(p *place) {
			p.run(7, 1, "claude")
			p.write(".claude/sessions/7.json", registered(8, idA))
		}, "", true},
		{"an entry that is no file", func(p *place) {
			p.run(7, 1, "claude")
			p.write(".claude/sessions/7.json/x", "")
		}, "", true},
		{"Codex in a client's shell", func(p *place) {
			p.run(7, 8, "node")
			p.run(8, 9, "codex")
			p.run(9, 1, "claude")
			p.enter(".claude", 9, idB)
		}, "", false},
		{"Codex on Windows", func(p *place) {
			p.run(7, 8, "Codex.exe")
			p.run(8, 1, "claude.exe")
			p.enter(".claude", 8, idB)
		}, "", false},
		{"Codex has the id of a killed client of an old build", func(p *place) {
			p.run(7, 1, "codex")
			p.write(".claude/sessions/7.json", fmt.Sprintf(`{"pid":7,"sessionId":%q,"cwd":"/a"}`, idA))
		}, "", false},
		{"the id of a killed client is a wrapper's now", func(p *place) {
			p.run(7, 8, "sh")
			p.run(8, 1, "claude")
			p.write(".claude/sessions/7.json", strings.Replace(registered(7, idB), `"70"`, `"69"`, 1))
			p.enter(".claude", 8, idA)
		}, idA, false},
		{"the client has ended", func(p *place) {
			p.pids[7] = pidState{alive: meter.LiveNo}
			p.enter(".claude", 7, idA)
		}, "", false},
		{"an old build", func(p *place) {
			p.run(7, 1, "node")
			p.write(".claude/sessions/7.json", fmt.Sprintf(`{"pid":7,"sessionId":%q,"cwd":"/a"}`, idA))
		}, idA, false},
		{"several roots", func(p *place) {
			p.env["CLAUDE_CONFIG_DIR"] = p.home + "/one," + p.home + "/two"
			p.run(7, 1, "claude")
			p.write("one/sessions/7.json", registered(7, idB)[:40])
			p.enter("two", 7, idA)
		}, idA, false},
		{"a linked root", func(p *place) {
			p.run(7, 1, "claude")
			p.enter("real", 7, idA)
			p.link(p.home+"/real", ".claude")
		}, idA, false},
		{"no registry", func(p *place) { p.run(7, 1, "claude") }, "", false},
		{"started by the system", func(p *place) { p.run(7, 0, "systemd") }, "", false},
		{"a circle", func(p *place) {
			p.run(7, 8, "a")
			p.run(8, 7, "b")
		}, "", false},
		{"too far up", func(p *place) {
			for n := range mostAncestors {
				p.run(7+n, 8+n, "sh")
			}
			p.run(7+mostAncestors, 1, "claude")
			p.enter(".claude", 7+mostAncestors, idA)
		}, "", false},
		{"wrappers that start in one tick", func(p *place) {
			for n, began := range []int{5, 10, 15} { // milliseconds: the clock of the parent's look is later
				p.pids[7+n] = pidState{alive: meter.LiveYes, parent: 8 + n, name: "sh", began: p.now.Add(time.Duration(began) * time.Millisecond)}
			}
			p.run(10, 1, "claude")
			p.enter(".claude", 10, idA)
		}, idA, false},
		{"an entry of long ago, and no start that compares", func(p *place) {
			p.pids[7] = pidState{alive: meter.LiveYes, parent: 1, start: "4711", began: p.now.Add(-time.Hour)}
			p.write(".claude/sessions/7.json", fmt.Sprintf(`{"pid":7,"sessionId":%q,"startedAt":%d}`, idA, p.now.Add(-7*24*time.Hour).UnixMilli()))
		}, "", false},
		{"a start that compares counts before the clock", func(p *place) {
			p.pids[7] = pidState{alive: meter.LiveYes, parent: 1, start: "4711", began: p.now}
			p.write(".claude/sessions/7.json", fmt.Sprintf(`{"pid":7,"sessionId":%q,"procStart":"4711","startedAt":%d}`, idA, p.now.Add(-time.Hour).UnixMilli()))
		}, idA, false},
		{"Windows: the parent's id belongs to a younger process", func(p *place) {
			at := p.now
			p.pids[7] = pidState{alive: meter.LiveYes, parent: 8, began: at}
			p.pids[8] = pidState{alive: meter.LiveYes, parent: 1, began: at.Add(time.Hour)}
			p.write(".claude/sessions/8.json", fmt.Sprintf(`{"pid":8,"sessionId":%q,"startedAt":%d,"procStart":"x"}`, idA, at.Add(time.Hour).UnixMilli()))
		}, "", false},
		{"macOS: the process is younger than its entry", func(p *place) {
			p.pids[7] = pidState{alive: meter.LiveYes, began: p.now}
			p.write(".claude/sessions/7.json", fmt.Sprintf(`{"pid":7,"sessionId":%q,"startedAt":%d}`, idA, p.now.Add(-time.Hour).UnixMilli()))
		}, "", false},
		{"macOS: the process is as old as its entry", func(p *place) {
			p.pids[7] = pidState{alive: meter.LiveYes, began: p.now}
			p.write(".claude/sessions/7.json", fmt.Sprintf(`{"pid":7,"sessionId":%q,"startedAt":%d}`, idA, p.now.Add(time.Second).UnixMilli()))
		}, idA, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newPlace(t)
			tt.set(p)
			c := p.client()
			w := c.above(7, c.roots())
			if w.entry.SessionID != tt.want || (w.registry != "") != tt.registry {
				t.Errorf("above = %+v, want session %q", w, tt.want)
			}
		})
	}
}

func TestNoParent(t *testing.T) {
	c := newPlace(t).client()
	c.kin = func(pid int) pidState { t.Fatal("asked for", pid); return pidState{} }
	for _, pid := range []int{0, -1} {
		if w := c.above(pid, c.roots()); w.known() {
			t.Errorf("above(%d) = %+v", pid, w)
		}
	}
}

func TestParsePS(t *testing.T) {
	at := time.Date(2026, 11, 3, 15, 7, 53, 0, time.UTC)
	for _, tt := range []struct {
		out    string
		parent int
		began  time.Time
		name   string
	}{
		{"17460 Tue Nov  3 15:07:53 2026 /opt/x y/claude\n", 17460, at, "claude"},
		{"    1 Tue Nov  3 15:07:53 2026     npm exec x\n", 1, at, "npm exec x"},
		{"1 Tue Nov  3 15:07:53 2026\n", 1, at, ""},
		{"", 0, time.Time{}, ""},
		{"-1 Tue Nov  3 15:07:53 2026 x", 0, time.Time{}, ""},
		{"1 mar. nov.  3 15:07:53 2026 x", 0, time.Time{}, ""},
	} {
		parent, began, name := parsePS(tt.out)
		if parent != tt.parent || !began.Equal(tt.began) || name != tt.name {
			t.Errorf("parsePS(%q) = %d, %v, %q", tt.out, parent, began, name)
		}
	}
}

func TestLookUpKinKnowsTheParentOfItsOwnProcess(t *testing.T) {
	own := lookUpKin(os.Getpid())
	if own.alive != meter.LiveYes || own.parent != 0 && own.parent != os.Getppid() {
		t.Errorf("own process: %+v", own)
	}
}

// The processes of this test: its parent stands for the client.
func TestRealProcesses(t *testing.T) {
	p := newPlace(t)
	c := p.client()
	c.kin, c.proc = lookUpKin, lookUp
	own := c.kin(os.Getpid())
	if own.parent == 0 {
		t.Skip("this system does not tell of parents")
	}
	parent := c.kin(own.parent)
	p.write(fmt.Sprintf(".claude/sessions/%d.json", own.parent), fmt.Sprintf(`{"pid":%d,"sessionId":%q,"procStart":%q}`, own.parent, idA, parent.start))
	if w := c.above(os.Getpid(), c.roots()); w.entry.SessionID != idA {
		t.Errorf("above = %+v; own %+v, parent %+v", w, own, parent)
	}
}
