package claudecode

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/ctxmeter/ctxmeter/meter"
)

// Recent implements backends.Client. Only names and times are looked at until
// it is known which transcripts are meant; a copy in another folder counts once,
// the newest.
func (c *Client) Recent(most int, since time.Time) []meter.Listed {
	type dated struct {
		hit
		at time.Time
	}
	var all []dated
	for _, r := range c.roots() {
		for _, h := range everything(r) {
			if info, err := os.Stat(h.path); err == nil && !info.ModTime().Before(since) {
				all = append(all, dated{h, info.ModTime()})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b dated) int { return b.at.Compare(a.at) })
	var out []meter.Listed
	seen := map[string]bool{}
	f := c.finder()
	for _, d := range all {
		id := strings.ToLower(d.session + "/" + d.agent)
		if seen[id] {
			continue
		}
		if most > 0 && len(out) == most {
			break
		}
		seen[id] = true
		s, fault := f.open(d.hit)
		if fault != nil {
			s = meter.Session{ID: d.session, AgentID: d.agent, Backend: backend, Modified: d.at}
			out = append(out, meter.Listed{Session: s, Err: fault})
			continue
		}
		out = append(out, meter.Listed{Session: s})
	}
	return out
}

// everything lists all transcripts of a root by their names, subagents' too.
func everything(r root) (hits []hit) {
	for _, project := range entries(r.projects()) {
		dir := filepath.Join(r.projects(), project.Name())
		for _, e := range entries(dir) {
			path := filepath.Join(dir, e.Name())
			id, isTranscript := strings.CutSuffix(e.Name(), extension)
			agent, isAgent := strings.CutPrefix(id, agentPrefix)
			switch {
			case isTranscript && isAgent && isID(agent):
				hits = append(hits, hit{root: r, agent: agent, path: path})
			case isTranscript && !isAgent && isID(id):
				hits = append(hits, hit{root: r, session: id, path: path})
			case !isTranscript && isID(e.Name()):
				hits = append(hits, agentsBelow(hit{root: r, session: e.Name()}, filepath.Join(path, "subagents"), agentDepth)...)
			}
		}
	}
	return hits
}
