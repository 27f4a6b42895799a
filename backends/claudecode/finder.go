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
	dirs   map[string]string   // folders without symbolic links
}

// candidate is a session that can be read, with what tells it from others.
type candidate struct {
	session meter.Session
	head    head
	last    time.Time // of its newest record, or else of its file
}

func (c *Client) finder() *finder {
	return &finder{client: c, live: map[string]liveness{}, dirs: map[string]string{}}
}

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
		if broken == nil {
			_, broken = readable(h.path, h.called())
		}
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
			_ = f.look(&found[i]) // an error leaves it a stub
		}
		slices.SortStableFunc(found, byConversation)
	}
	return found[0].session, nil
}

// look reads both ends of a candidate's file. Copies and checkouts give files
// times of their own: what the records say counts first.
func (f *finder) look(c *candidate) error {
	c.last = c.session.Modified
	h, last, err := f.peek().readEnds(fileOf(c.session))
	if err != nil {
		return err
	}
	if c.head = h; !last.IsZero() {
		c.last = last
	}
	return nil
}

// byConversation puts stubs last, and else the newest first.
func byConversation(a, b candidate) int {
	switch {
	case a.head.talk == b.head.talk:
		return b.last.Compare(a.last)
	case a.head.talk:
		return -1
	}
	return 1
}

// open makes the session of a hit, if its file can be used.
func (f *finder) open(h hit) (meter.Session, *meter.Fault) {
	info, fault := f.check(h, h.called())
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
			return meter.Session{}, meter.Unreadable(h.called(), err)
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

func (f *finder) cleared(c candidate) bool { return f.peek().cleared(fileOf(c.session)) }
