package claudecode

import (
	"os"
	"strings"
	"time"

	"github.com/ctxmeter/ctxmeter/meter/files"
	"github.com/ctxmeter/ctxmeter/meter/tail"
)

// head is what the first records of a transcript tell of it.
type head struct {
	session string    // as the records name it: a subagent's parent
	agent   string    // "" in a main conversation
	cwd     string    // of the first record that has one: the launch folder
	start   time.Time // of the first record that has one
	records int       // records of the client
	talk    bool      // there is a user or assistant record: the file is no stub
}

// done reports whether further records would add nothing.
func (h *head) done() bool { return h.cwd != "" && h.session != "" && h.talk }

// Lengths in bytes: how much of a file is looked at, little at first, since
// the first and the last lines tell nearly always.
const (
	peekFirst = 4 << 10
	headMost  = 64 << 20
	tailMost  = 4 << 20
	endRead   = 64 << 10
)

// peeker reads the ends of transcripts.
type peeker struct {
	scanner *tail.Scanner
	head    head
	last    time.Time // newest of all records
	each    func(r *tail.Record)

	typ, uuid, session, agent, cwd, timestamp, content, stop tail.Field
}

func newPeeker() *peeker {
	s := tail.NewSchema()
	p := &peeker{
		typ:       s.Capture("type", 32),
		uuid:      s.Capture("uuid", 64),
		session:   s.Capture("sessionId", 128),
		agent:     s.Capture("agentId", 128),
		cwd:       s.Capture("cwd", 4096),
		timestamp: s.Capture("timestamp", 40),
		content:   s.Capture("message.content", 64),
		stop:      s.Capture("message.stop_reason", 32),
	}
	p.scanner = tail.NewScanner(s)
	p.scanner.SetCounting(false)
	return p
}

// readHead reads the first records of the file at path, which is a regular one.
func (p *peeker) readHead(path string) (head, error) {
	f, size, err := files.Open(path)
	if err != nil {
		return head{}, err
	}
	defer f.Close()
	return p.headOf(f, size)
}

// readEnds also returns the newest time that the last records state; zero if
// none does.
func (p *peeker) readEnds(path string) (h head, last time.Time, err error) {
	f, size, err := files.Open(path)
	if err != nil {
		return head{}, time.Time{}, err
	}
	defer f.Close()
	if h, err = p.headOf(f, size); err != nil {
		return h, time.Time{}, err
	}
	return h, p.lastOf(f, size), nil
}

func (p *peeker) headOf(f *os.File, size int64) (head, error) {
	p.each = p.opening
	for n := int64(peekFirst); ; n *= 16 {
		p.head = head{}
		_, err := p.scanner.Scan(f, 0, min(n, size), p)
		if err != nil || n >= size || n >= headMost || p.head.done() {
			return p.head, err
		}
	}
}

func (p *peeker) lastOf(f *os.File, size int64) time.Time {
	p.each = p.closing
	for n := int64(peekFirst); ; n *= 16 {
		from, ok, err := tail.LineStart(f, size, n, n)
		if err != nil || n > tailMost {
			return time.Time{}
		}
		p.last = time.Time{}
		if ok {
			if _, err := p.scanner.Scan(f, from, size, p); err != nil || !p.last.IsZero() || from == 0 {
				return p.last
			}
		}
	}
}

// cleared reports whether a transcript opens with the command /clear: in one of
// its first user records, since a notice of the client may stand before it.
func (p *peeker) cleared(path string) bool {
	f, size, err := files.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	users, found := 0, false
	p.each = func(r *tail.Record) {
		if r.Is(p.typ, "user") {
			users++
			found = found || strings.HasPrefix(r.Text(p.content), "<command-name>/clear</command-name>")
		}
		if found || users > 2 || r.Is(p.typ, "assistant") {
			p.scanner.Stop()
		}
	}
	_, err = p.scanner.Scan(f, 0, min(size, tailMost), p)
	return err == nil && found
}

// finished reports whether the last words of a transcript end a turn, so that
// nothing is being called. Versions that write no reason (up to 2.1.5 at least)
// leave that open.
func (p *peeker) finished(path string) bool {
	f, size, err := files.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	from, ok, err := tail.LineStart(f, size, endRead, tailMost)
	if err != nil || !ok {
		return false
	}
	ended := false
	p.each = func(r *tail.Record) {
		if reply := r.Is(p.typ, "assistant"); reply || r.Is(p.typ, "user") {
			ended = reply && r.Is(p.stop, "end_turn")
		}
	}
	_, err = p.scanner.Scan(f, from, size, p)
	return err == nil && ended
}

// Begin implements tail.Handler.
func (p *peeker) Begin(*tail.Record, tail.Array) {}

// Element implements tail.Handler.
func (p *peeker) Element(*tail.Record, tail.Array) {}

// Record implements tail.Handler.
func (p *peeker) Record(r *tail.Record) { p.each(r) }

func (p *peeker) closing(r *tail.Record) {
	if at := r.Time(p.timestamp); at.After(p.last) {
		p.last = at
	}
}

func (p *peeker) opening(r *tail.Record) {
	h := &p.head
	session, agent := r.Text(p.session), r.Text(p.agent)
	if !isID(session) {
		session = "" // text that poses as an id
	}
	if !isID(agent) {
		agent = ""
	}
	if r.Kind(p.typ) == tail.String && (session != "" || r.Kind(p.uuid) == tail.String) {
		h.records++
	}
	if h.session == "" {
		h.session, h.agent = session, agent
	}
	if h.cwd == "" {
		h.cwd = r.Text(p.cwd)
	}
	if h.start.IsZero() {
		h.start = r.Time(p.timestamp)
	}
	h.talk = h.talk || r.Is(p.typ, "user") || r.Is(p.typ, "assistant")
	if h.done() {
		p.scanner.Stop()
	}
}
