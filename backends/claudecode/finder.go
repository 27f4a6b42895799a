package claudecode

import (
	"slices"
	"time"

	"github.com/ctxmeter/ctxmeter/meter"
)

// finder makes sessions of hits. It serves one call: the registry of a root is
// read once, and the ends of files only where they are needed.
type finder struct {
	client *Client
	ends   *peeker
	live   map[string]liveness // by the root's real path
}

// candidate is a session that can be read, with what tells it from others.
type candidate struct {
	session meter.Session
	head    head
	last    time.Time // of its newest record, or else of its file
}

func (c *Client) finder() *finder { return &finder{client: c, live: map[string]liveness{}} }

func (f *finder) peek() *peeker {
	if f.ends == nil {
		f.ends = newPeeker()
	}
	return f.ends
}

func (f *finder) liveness(r root) liveness {
	if r.dir == "" {
		return liveness{}
	}
	l, ok := f.live[r.real]
	if !ok {
		l = f.client.live(r)
		f.live[r.real] = l
	}
	return l
}

// choose picks the file that holds a session: one with a conversation before a
// stub, the newest of several. A broken one does not stand in the way of
// another.
func (f *finder) choose(same []hit) (meter.Session, *meter.Fault) {
	var found []candidate
	var fault *meter.Fault
	for _, h := range same {
		s, broken := f.open(h)
		if broken != nil {
			fault = broken
			continue
		}
		if !slices.ContainsFunc(found, func(c candidate) bool { return sameFile(fileOf(c.session), h.path) }) {
			found = append(found, candidate{session: s})
		}
	}
	if len(found) == 0 {
		return meter.Session{}, fault
	}
	if len(found) > 1 {
		for i := range found {
			found[i].head, _ = f.peek().readHead(fileOf(found[i].session)) // an error leaves it a stub
			found[i].last = f.recency(found[i].session)
		}
		slices.SortStableFunc(found, byConversation)
	}
	return found[0].session, nil
}

// recency is the time of the newest record, or else of the file: copies and
// checkouts give files times of their own.
func (f *finder) recency(s meter.Session) time.Time {
	if at := f.peek().lastTime(fileOf(s)); !at.IsZero() {
		return at
	}
	return s.Modified
}

// byConversation puts stubs last, and else the newest first.
func byConversation(a, b candidate) int {
	switch {
	case a.head.talk() == b.head.talk():
		return b.last.Compare(a.last)
	case a.head.talk():
		return -1
	}
	return 1
}

// open makes the session of a hit, if its file can be used.
func (f *finder) open(h hit) (meter.Session, *meter.Fault) {
	called := h.session
	if h.agent != "" {
		called = agentPrefix + h.agent
	}
	info, fault := h.root.check(h.path, called)
	if fault != nil {
		return meter.Session{}, fault
	}
	s := meter.Session{
		ID:       h.session,
		AgentID:  h.agent,
		Backend:  backend,
		Root:     h.root.dir,
		Modified: info.ModTime(),
		Segments: []meter.Segment{{Path: h.path, End: -1}},
	}
	if h.agent != "" && h.session == "" {
		first, err := f.peek().readHead(h.path)
		if err != nil {
			return meter.Session{}, unreadable(called, err)
		}
		s.ID = first.session
	}
	f.settle(&s, h.root)
	return s, nil
}

// settle fills in what follows from the ids. A subagent goes by the id of its
// parent, as in the client's own records.
func (f *finder) settle(s *meter.Session, r root) {
	if s.AgentID == "" {
		s.Live = f.liveness(r).of(s.ID)
		return
	}
	s.ParentID = s.ID
	s.Live = f.liveness(r).ofAgent(s.ParentID)
}

func fileOf(s meter.Session) string { return s.Segments[0].Path }
