package codex

import (
	"cmp"
	"os"
	"slices"
	"time"

	"github.com/ctxmeter/ctxmeter/meter"
)

// Recent implements backends.Client. A thread of several files counts once;
// archived ones and subagents are threads like any other.
func (c *Client) Recent(most int, since time.Time) []meter.Listed {
	type dated struct {
		home
		file
		at time.Time
	}
	var all []dated
	seen := map[string]bool{}
	for _, h := range c.homes() {
		for _, files := range byThread(h.all("", func(name) bool { return true })) {
			f := live(files)
			info, err := os.Stat(f.path)
			if err != nil || seen[f.thread] || info.ModTime().Before(since) {
				continue
			}
			seen[f.thread] = true
			all = append(all, dated{h, f, info.ModTime()})
		}
	}
	slices.SortFunc(all, func(a, b dated) int {
		return cmp.Or(b.at.Compare(a.at), cmp.Compare(b.stamp, a.stamp), cmp.Compare(b.thread, a.thread))
	})
	if most > 0 {
		all = all[:min(len(all), most)]
	}
	var out []meter.Listed
	for _, d := range all {
		s, err := c.session(d.home, d.file)
		if err != nil {
			s = meter.Session{ID: d.thread, Backend: Backend, Modified: d.at}
		}
		out = append(out, meter.Listed{Session: s, Err: err})
	}
	return out
}
