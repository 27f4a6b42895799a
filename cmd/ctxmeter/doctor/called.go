package doctor

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/ctxmeter/ctxmeter/backends/claudecode"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wiring"
	"github.com/ctxmeter/ctxmeter/meter"
)

// checkCalled looks whether the live sessions of Claude Code have called the
// status line: switches of its command line (--safe-mode, --setting-sources)
// leave no other trace. Of the hooks that cannot be told: one with nothing to
// say may leave nothing.
func (d *doctor) checkCalled() {
	client := claudecode.New(d.env)
	for _, root := range d.Selection.Roots {
		info, err := os.Stat(d.lines[root])
		if err != nil {
			continue
		}
		for _, p := range client.Registry(root) {
			since := p.Started
			if info.ModTime().After(since) { // the client takes it up while it runs
				since = info.ModTime()
			}
			if p.Alive != meter.LiveYes || p.Entry != "cli" || d.Now().Sub(since) < calledWithin {
				continue // one that prints has no status line
			}
			s, ok := ownSession(client, p.SessionID)
			if !ok || !s.Modified.After(since) || d.Told(s) == "" || !d.replied(client, s) {
				continue
			}
			if _, err := os.Stat(d.Told(s)); !os.IsNotExist(err) {
				continue
			}
			d.note(wiring.PartName(wiring.PartStatusLine), fmt.Sprintf("installed, but the session of process %d has not called it", p.PID),
				"it may have been started with --safe-mode or --setting-sources, or before its settings were mended: start it anew")
		}
	}
}

// calledWithin is how long a client may take to call its status line, at most:
// it does so as it starts, and with every reply.
const calledWithin = 10 * time.Second

func ownSession(client *claudecode.Client, id string) (meter.Session, bool) {
	sessions, err := client.Find(id)
	for _, s := range sessions {
		if s.AgentID == "" && strings.EqualFold(s.ID, id) {
			return s, err == nil
		}
	}
	return meter.Session{}, false
}

// replied reports whether a session has had a reply.
func (d *doctor) replied(client *claudecode.Client, s meter.Session) bool {
	st, err := d.Load(client, s)
	return err == nil && st.Model != ""
}
