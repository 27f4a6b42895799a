package claudecode

import (
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/ctxmeter/ctxmeter/meter"
	"github.com/ctxmeter/ctxmeter/meter/files"
)

// Where a call is looked for: at the ends of the transcripts that were written
// to last. The one that calls is among them, but for a session that had waited
// for a permission ever since.
const (
	agentMost    = 256 // subagents of the process's own session
	strangerMost = 16  // other transcripts of the project
	parentMost   = 8   // of these, conversations whose subagents are looked at
	strangerAge  = 24 * time.Hour
)

// find returns the session whose transcript has the call: the process's own or
// one of its subagents, else the only other one of the project. A fork has
// copies of the calls before it; that of the process's own session counts.
func (i *inquiry) find(own work, use string) (s meter.Session, side, ok bool) {
	f := newCallFinder(use)
	if !unique(use, i.tool) {
		f.tool = i.tool
		return i.numbered(f, own)
	}
	if own.known() {
		main := own.hit()
		if s, side, ok = i.holder(f, []written{{hit: main}}); ok {
			return s, side, ok
		}
		agents := newest(main.agents(), time.Time{})
		if s, side, ok = i.holder(f, agents[:min(len(agents), agentMost)]); ok {
			return s, side, ok
		}
	}
	for _, w := range i.strangers(own) {
		if other, otherSide, found := i.holder(f, []written{w}); found {
			s, side, ok = other, otherSide, true
			i.rivals = append(i.rivals, other)
		}
	}
	if len(i.rivals) > 1 {
		return meter.Session{}, false, false
	}
	return s, side, ok
}

// severalHave is the fault of a call that stands in several transcripts, as
// after a fork in the middle of it.
func severalHave(rivals []meter.Session) *meter.Fault {
	f := &meter.Fault{Code: meter.CodeAmbiguousSession, Message: "several sessions have this call open: give session_id"}
	for _, s := range rivals {
		f.Candidates = append(f.Candidates, meter.Candidate{ID: s.ID, Backend: backend, Live: s.Live == meter.LiveYes})
	}
	return f
}

// numbered is find for an id that gateways give to one call after the other: it
// tells only which transcript of the process's own session has the call, of
// those that are being written, and only where it is a single one.
func (i *inquiry) numbered(f *callFinder, own work) (s meter.Session, side, ok bool) {
	if !own.known() {
		return s, false, false
	}
	main := own.hit()
	agents := newest(main.agents(), i.since(lately))
	list := append([]written{{hit: main}}, agents[:min(len(agents), agentMost)]...)
	found := 0
	for _, w := range list {
		if other, otherSide, has := i.holder(f, []written{w}); has {
			s, side, found = other, otherSide, found+1
		}
	}
	if found != 1 {
		return meter.Session{}, false, false
	}
	return s, side, true
}

// unique reports whether an id looks like one that is given once: those of the
// provider end in 24 letters and digits without order. Gateways number the
// calls, or name them after their tools.
func unique(id, tool string) bool {
	const most, least = 16, 8 // characters at its end, and different ones among them
	if len(id) < most || tool != "" && strings.Contains(id, tool) {
		return false
	}
	seen := map[rune]bool{}
	for _, c := range id[len(id)-most:] {
		seen[c] = true
	}
	return len(seen) >= least
}

// holder is the session of the first transcript that has the call. side is set
// if that is a conversation in whose file an old build kept its subagents, and
// one of them made the call. Transcripts in which it is answered are noted.
func (i *inquiry) holder(f *callFinder, list []written) (s meter.Session, side, ok bool) {
	for _, w := range list {
		s, fault := i.open(w.hit)
		if fault != nil {
			continue
		}
		switch open, answered := f.find(w.path); {
		case open:
			return s, f.side && w.agent == "", true
		case answered:
			i.answered = append(i.answered, work{root: w.root, session: s})
		}
	}
	return meter.Session{}, false, false
}

// late returns the session whose transcript has the call with its result
// already, as when somebody asks once more for what was asked before: the
// process's own session or a subagent of it, or else the only one that has it.
func (i *inquiry) late(own work, use string) (meter.Session, bool) {
	var found []work
	for _, w := range i.answered {
		if !own.known() || strings.EqualFold(w.session.ID, own.session.ID) {
			found = append(found, w)
		}
	}
	if len(found) != 1 || !unique(use, i.tool) {
		return meter.Session{}, false
	}
	return found[0].session, true
}

// strangers are the transcripts of the project that are not of the process's
// own session, the newest first. Where the process is known, one of them must
// have good reasons to be preferred: somebody writes it, and it is no other
// process's. A gateway may number its calls, and a call that a killed
// client has left open is found for good.
func (i *inquiry) strangers(own work) []written {
	since := i.now.Add(-strangerAge)
	if i.worker.known() {
		since = i.now.Add(-lately)
	}
	var mains, others []hit
	for _, p := range i.projects(own) {
		m, flat := transcriptsIn(p.root, p.dir)
		mains, others = append(mains, m...), append(others, flat...)
	}
	recent := newest(slices.DeleteFunc(mains, func(h hit) bool { return i.taken(own, h) }), since)
	for n, w := range recent {
		others = append(others, w.hit)
		if n < parentMost {
			others = append(others, w.agents()...)
		}
	}
	list := newest(others, since)
	return list[:min(len(list), strangerMost)]
}

// taken reports whether a conversation is the process's own or, where the
// process is known, one that another one works on.
func (i *inquiry) taken(own work, h hit) bool {
	if own.known() && h.path == fileOf(own.session) {
		return true
	}
	return i.worker.known() && slices.ContainsFunc(i.liveness(h.root).named, func(p Process) bool {
		return p.PID != i.worker.entry.PID && p.Follows && p.Alive == meter.LiveYes && strings.EqualFold(p.SessionID, h.session)
	})
}

// project is a folder of transcripts.
type project struct {
	root root
	dir  string
}

// projects are the folders that the calls of this server come from: that of
// the process's session, and those of the folder in which the server was
// started, which is the client's (2.1.197).
func (i *inquiry) projects(own work) (out []project) {
	add := func(p project) {
		if files.IsDir(p.dir) && !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	if own.known() {
		add(project{own.root, filepath.Dir(fileOf(own.session))})
	}
	for _, dir := range []string{i.client.env.Dir, i.client.env.Getenv("CLAUDE_PROJECT_DIR")} {
		if dir == "" {
			continue
		}
		for _, r := range i.roots {
			for _, folder := range i.client.folders(r, i.client.places(dir)) {
				add(project{r, folder})
			}
		}
	}
	return out
}

// watch are the folders in which the answer may appear.
func (i *inquiry) watch(own work) (out []string) {
	w := i.worker
	add := func(dir string) bool {
		ok := files.IsDir(dir)
		if ok && !slices.Contains(out, dir) {
			out = append(out, dir)
		}
		return ok
	}
	if w.registry != "" {
		add(w.registry)
	}
	if own.known() {
		h := own.hit()
		add(filepath.Dir(h.path))
		_ = add(filepath.Join(h.folder(), "subagents")) || add(h.folder())
		return out
	}
	if own.unwritten {
		made := false
		for _, folder := range i.client.folders(w.root, i.client.places(w.entry.Dir)) {
			made = add(folder) || made
		}
		_ = made || add(w.root.projects()) || add(w.root.dir)
		return out
	}
	for _, p := range i.projects(own) {
		add(p.dir)
	}
	if len(out) == 0 {
		for _, r := range i.roots {
			add(r.projects())
		}
	}
	return out
}
