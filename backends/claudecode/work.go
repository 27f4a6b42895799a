package claudecode

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ctxmeter/ctxmeter/meter"
)

// work is the session that a worker works on.
type work struct {
	root    root
	session meter.Session // zero if there is none that can be read
	// unwritten: there is one, but its transcript is not there yet.
	unwritten bool
}

func (w work) known() bool { return w.session.ID != "" }

func (w work) hit() hit {
	return hit{root: w.root, session: w.session.ID, path: fileOf(w.session)}
}

// session finds the transcript of the session that the worker's entry names, in
// the worker's own root. Without it there is no answer: a neighbour's would be
// a wrong one.
func (i *inquiry) session() (work, *meter.Fault) {
	w := i.worker
	if !w.known() {
		return work{}, nil
	}
	id, fault := i.current()
	if fault != nil {
		return work{}, fault
	}
	hits := slices.DeleteFunc(search(w.root, query{session: id}), func(h hit) bool { return !h.whole })
	if len(hits) == 0 {
		return work{root: w.root, unwritten: true}, &meter.Fault{
			Code: meter.CodeSessionNotFound,
			Message: fmt.Sprintf("session %s is the one that Claude Code works on, but its transcript is not written yet; "+
				"ask again after the next reply (with --no-session-persistence none is written)", id),
		}
	}
	s, fault := i.choose(hits)
	if fault != nil {
		return work{}, fault
	}
	return work{root: w.root, session: s}, nil
}

// current is the session that the worker is at. The entry tells, but for that of
// an old build, which keeps the first session: then it may be the one that
// followed (testdata/cases/D02). Two such clients in one folder cannot be told
// apart.
func (i *inquiry) current() (id string, fault *meter.Fault) {
	w := i.worker
	id = w.entry.SessionID
	if w.entry.Follows {
		return id, nil
	}
	found := i.conversations(w.root, i.client.places(w.entry.Dir))
	slices.SortStableFunc(found, byConversation)
	at := slices.IndexFunc(found, func(c candidate) bool { return strings.EqualFold(c.session.ID, id) })
	if at < 0 {
		return id, nil
	}
	live := i.liveness(w.root)
	next := live.successor(found, at, i.cleared)
	if next < 0 {
		return id, nil
	}
	for _, p := range live.named {
		if p.PID != w.entry.PID && !p.Follows && p.Alive != meter.LiveNo && i.client.samePath(p.Dir, w.entry.Dir) {
			return "", &meter.Fault{
				Code: meter.CodeAmbiguousSession,
				Message: "several clients of an old build of Claude Code run in this folder, and nothing tells which of them " +
					"works on the session that followed the last /clear; name the session",
			}
		}
	}
	return found[next].session.ID, nil
}
