package claudecode

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/ctxmeter/ctxmeter/meter"
)

// worker is the client that a server works for, as the processes around the
// server tell. It is zero if they tell none.
type worker struct {
	root  root
	entry entry
	// registry is set where the client's entry is there but cannot be read at
	// the moment: the folder in which it stands.
	registry string
}

func (w worker) known() bool { return w.entry.SessionID != "" }

// mostAncestors bounds the way up.
const mostAncestors = 256

// above looks for the nearest client among a process and those that started
// it: the client starts its servers itself (2.1.197), but a command may stand
// between that starts the server in turn (npx, sh, uv). What is above the
// nearest client is another one, in whose shell this one was started, so that
// the way ends at every sign of a client, whether its session is known or not.
func (c *Client) above(pid int, roots []root) worker {
	var child pidState
	if c.windows() { // the only system on which a parent may be none
		child = c.kin(os.Getpid())
	}
	for range mostAncestors {
		if pid <= 0 {
			break
		}
		p := c.kin(pid)
		program := programOf(p.name)
		if p.alive == meter.LiveNo || program == "codex" || p.follows(child) {
			break
		}
		w, found := c.entryOf(pid, p, roots)
		if found || program == "claude" {
			return w
		}
		child, pid = p, p.parent
	}
	return worker{}
}

// entryOf is the entry that a process made about itself in one of the roots.
// One of another process, which had the id before and was killed, is none.
func (c *Client) entryOf(pid int, p pidState, roots []root) (w worker, found bool) {
	for _, r := range roots {
		dir := filepath.Join(r.dir, "sessions")
		path := filepath.Join(dir, strconv.Itoa(pid)+".json")
		e, ok := readEntry(path)
		if ok && e.PID == pid {
			if p.wrote(e) {
				return worker{root: r, entry: e}, true
			}
			continue
		}
		if _, err := os.Lstat(path); err == nil {
			w.registry = dir // half written: another root may hold a whole one
		}
	}
	return w, w.registry != ""
}

// follows reports whether p started after its child, and so is not its parent:
// on Windows a process keeps the id of a parent that has ended, and the id may
// be used again. The second is for clocks that count in ticks: a shell starts
// its command in the same one.
func (p pidState) follows(child pidState) bool {
	return !p.began.IsZero() && !child.began.IsZero() && p.began.After(child.began.Add(time.Second))
}

// programOf is the name of a program without what systems add to it. The
// client's own is "claude" (2.1.197), that of Codex "codex" (0.171.0).
func programOf(name string) string {
	return strings.TrimSuffix(strings.ToLower(name), ".exe")
}
