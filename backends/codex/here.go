package codex

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/ctxmeter/ctxmeter/meter"
)

// How far Here looks back: a home may hold years of rollouts.
const (
	recentDays  = 30  // day folders, the newest
	recentHeads = 200 // rollouts, those written last
)

// Here implements backends.Client. The client keeps no register of live
// threads, so none is known to be live; archived ones are over.
func (c *Client) Here(dir string) ([]meter.Session, error) {
	type found struct {
		home
		file
		at time.Time
	}
	var recent []found
	seen := map[string]bool{}
	for _, h := range c.homes() {
		var files []file
		for _, day := range days(h.sessions, "", recentDays) {
			files = appendFiles(files, filepath.Join(h.sessions, filepath.FromSlash(day)), false, func(name) bool { return true })
		}
		for _, files := range byThread(files) {
			f := live(files)
			info, err := os.Stat(f.path)
			if err != nil || seen[f.thread] {
				continue
			}
			seen[f.thread] = true
			recent = append(recent, found{h, f, info.ModTime()})
		}
	}
	slices.SortFunc(recent, func(a, b found) int {
		return cmp.Or(b.at.Compare(a.at), cmp.Compare(b.stamp, a.stamp), cmp.Compare(b.thread, a.thread))
	})

	var out []meter.Session
	here := c.places(dir)
	r := newHeadReader()
	for _, f := range recent[:min(len(recent), recentHeads)] {
		if !f.holds(f.path) {
			continue
		}
		hd, at, err := readHead(r, f.file)
		if err != nil || hd.helper || hd.project == "" || !c.isOne(here, hd.project) {
			continue
		}
		if s, err := c.assemble(f.home, f.file, r, hd, at); err == nil {
			out = append(out, s)
		}
	}
	return out, nil
}

// places lists the names of a folder: as given, and with its links resolved.
func (c *Client) places(dir string) []string {
	dir = c.abs(dir)
	out := []string{dir}
	if real, err := filepath.EvalSymlinks(dir); err == nil && real != dir {
		out = append(out, real)
	}
	return out
}

func (c *Client) isOne(places []string, project string) bool {
	for _, name := range c.places(project) {
		for _, p := range places {
			if p == name || c.env.OS == "windows" && strings.EqualFold(p, name) {
				return true
			}
		}
	}
	return false
}
