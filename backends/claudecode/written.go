package claudecode

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// written is a transcript and when it was last written to.
type written struct {
	hit
	at time.Time
}

// newest are those of the hits that were written to since a time, the newest
// first.
func newest(hits []hit, since time.Time) (out []written) {
	for _, h := range hits {
		if info, err := os.Stat(h.path); err == nil && info.Mode().IsRegular() && !info.ModTime().Before(since) {
			out = append(out, written{h, info.ModTime()})
		}
	}
	slices.SortStableFunc(out, func(a, b written) int { return b.at.Compare(a.at) })
	return out
}

// agents are the subagents of a main conversation that lie in its folder.
func (h hit) agents() []hit {
	return agentsBelow(hit{root: h.root, session: h.session}, filepath.Join(h.folder(), "subagents"), agentDepth)
}

// folder is where a main conversation keeps what belongs to it.
func (h hit) folder() string { return strings.TrimSuffix(h.path, extension) }

// busy reports whether a subagent of a main conversation was written to since
// a time and has not ended. Older builds keep subagents beside their parents,
// whom only their records name.
func (f *finder) busy(main hit, since time.Time) bool {
	working := func(w written) bool { return !f.peek().finished(w.path) }
	if slices.ContainsFunc(newest(main.agents(), since), working) {
		return true
	}
	_, flat := transcriptsIn(main.root, filepath.Dir(main.path))
	return slices.ContainsFunc(newest(flat, since), func(w written) bool {
		s, fault := f.open(w.hit)
		return fault == nil && strings.EqualFold(s.ID, main.session) && working(w)
	})
}

// transcriptsIn are the main conversations in a project folder, and the
// subagents beside them.
func transcriptsIn(r root, folder string) (mains, agents []hit) {
	for _, e := range entries(folder) {
		path := filepath.Join(folder, e.Name())
		if agent, ok := agentOf(e.Name()); ok {
			agents = append(agents, hit{root: r, agent: agent, path: path})
			continue
		}
		if id, ok := strings.CutSuffix(e.Name(), extension); ok && isID(id) && !strings.HasPrefix(id, agentPrefix) {
			mains = append(mains, hit{root: r, session: id, path: path})
		}
	}
	return mains, agents
}
