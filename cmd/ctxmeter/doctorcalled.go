package main

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/ctxmeter/ctxmeter/backends/claudecode"
	"github.com/ctxmeter/ctxmeter/config"
	"github.com/ctxmeter/ctxmeter/meter"
)

// checkCalled looks whether the live sessions of Claude Code have called what
// is installed: switches of its command line (--safe-mode, --setting-sources)
// leave no other trace.
func (d *doctor) checkCalled() {
	state := config.FindPlaces(d.p.getenv, d.p.home(), d.p.goos).State
	if state == "" || d.settings.NoCache {
		return
	}
	client := claudecode.New(d.p.env(d.settings, d.wd))
	for _, root := range d.installer.roots {
		file := filepath.Join(root, "settings.json")
		part := d.wiredUser[file]
		info, err := os.Stat(file)
		if part == "" || err != nil {
			continue
		}
		for _, p := range client.Registry(root) {
			if p.Alive != meter.LiveYes || p.Entry != "cli" { // one that prints has no status line
				continue
			}
			s, ok := ownSession(client, p.SessionID)
			// It has gone on since, and so would have called what is there.
			if !ok || !s.Modified.After(info.ModTime()) || d.p.now().Before(s.Modified.Add(calledWithin)) || !d.replied(client, s) {
				continue
			}
			kept := d.p.tellings(d.settings).path(s)
			if part == partHooks {
				kept = filepath.Join(state, "hooks", client.Name()+"-"+s.ID+".json")
			}
			if _, err := os.Stat(kept); kept == "" || !os.IsNotExist(err) {
				continue
			}
			d.note(partName(part), fmt.Sprintf("installed, but the session of process %d has not called it", p.PID),
				"it may have been started with --safe-mode or --setting-sources, or before its settings were mended: start it anew")
		}
	}
}

// calledWithin is how long a client may take to call its status line, at most.
const calledWithin = 5 * time.Second

func ownSession(client *claudecode.Client, id string) (meter.Session, bool) {
	sessions, err := client.Find(id)
	for _, s := range sessions {
		if s.AgentID == "" && sameID(s.ID, id) {
			return s, err == nil
		}
	}
	return meter.Session{}, false
}

// replied reports whether a session has had a reply.
func (d *doctor) replied(client *claudecode.Client, s meter.Session) bool {
	looking := *d.settings
	looking.NoCache = true
	st, err := d.p.load(found{client: client, session: s}, &looking)
	return err == nil && st.Model != ""
}
