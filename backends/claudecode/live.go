package claudecode

import (
	"slices"
	"strings"

	"github.com/ctxmeter/ctxmeter/meter"
)

// liveness is what the registry of one root says of its sessions.
type liveness struct {
	named    []Process
	complete bool // a session that is not named is not worked on
}

// live reads the registry of a root.
func (c *Client) live(r root) liveness {
	list, complete := c.registry(r.dir)
	for _, p := range list {
		// What an old build does not name may still be the session that
		// followed a /clear.
		complete = complete && p.Follows
	}
	return liveness{named: list, complete: complete}
}

// of tells whether a process works on the session.
func (l liveness) of(session string) meter.Liveness {
	best, found := meter.LiveNo, false
	for _, p := range l.named {
		if strings.EqualFold(p.SessionID, session) {
			best, found = better(best, p.Alive), true
		}
	}
	if !found && !l.complete {
		return meter.LiveUnknown
	}
	return best
}

// ofAgent is of for a subagent of the session: it may have ended long before
// its parent.
func (l liveness) ofAgent(parent string) meter.Liveness {
	if l.of(parent) == meter.LiveNo {
		return meter.LiveNo
	}
	return meter.LiveUnknown
}

// better is the higher of two in the order no, unknown, yes.
func better(a, b meter.Liveness) meter.Liveness {
	rank := func(l meter.Liveness) int {
		switch l {
		case meter.LiveYes:
			return 2
		case meter.LiveNo:
			return 0
		}
		return 1
	}
	if rank(b) > rank(a) {
		return b
	}
	return a
}

// follow hands the liveness that an old build's entry gives to a session on to
// the session that took its place: the newest of the same folder that opens
// with /clear, begins after the last record of the old one, and is named by no
// entry of its own (testdata/cases/D02; Claude Code 2.1.197 keeps its entry up to date).
// found stands newest first; cleared tells whether one opens with /clear.
func (l liveness) follow(found []candidate, cleared func(candidate) bool) {
	for _, p := range l.named {
		if p.Follows || p.Alive == meter.LiveNo {
			continue
		}
		for i := range found {
			old := &found[i]
			if !strings.EqualFold(old.session.ID, p.SessionID) {
				continue
			}
			if j := l.successor(found, i, cleared); j >= 0 {
				found[j].session.Live, old.session.Live = p.Alive, meter.LiveNo
			}
		}
	}
}

// successor is where in found the session stands that took the place of the
// one at i, or -1.
func (l liveness) successor(found []candidate, i int, cleared func(candidate) bool) int {
	return slices.IndexFunc(found, func(next candidate) bool {
		return next.head.start.After(found[i].last) && !l.names(next.session.ID) && cleared(next)
	})
}

func (l liveness) names(session string) bool {
	for _, p := range l.named {
		if strings.EqualFold(p.SessionID, session) {
			return true
		}
	}
	return false
}
