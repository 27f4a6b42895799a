package claudecode

import (
	"io"
	"os"
	"strings"
	"time"

	"github.com/ctxmeter/ctxmeter/meter/tail"
)

// head is what the first records of a transcript tell of it.
type head struct {
	session string    // as the records name it: a subagent's parent
	agent   string    // "" in a main conversation
	cwd     string    // of the first record that has one: the launch folder
	start   time.Time // of the first record that has one
	records int       // records of the client
	users   int       // user records
	answer  bool      // there is an assistant record
	cleared bool      // it opens with the command /clear
}

// talk reports whether there is a conversation: the file is no stub.
func (h *head) talk() bool { return h.users > 0 || h.answer }

// done reports whether further records would add nothing. The command /clear
// may stand behind a notice of the client.
func (h *head) done() bool {
	return h.cwd != "" && h.session != "" && (h.answer || h.users > 2)
}

// Lengths in bytes: how much of a file is looked at, little at first, since
// the first lines tell nearly always.
const (
	headFirst = 32 << 10
	headMost  = 64 << 20
	tailFirst = 16 << 10
	tailMost  = 4 << 20
)

// peeker reads the ends of transcripts.
type peeker struct {
	scanner *tail.Scanner
	head    *head // nil while the end of a file is read
	last    time.Time

	typ, uuid, session, agent, cwd, timestamp, content tail.Field
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
	}
	p.scanner = tail.NewScanner(s)
	p.scanner.SetCounting(false)
	return p
}

// readHead reads the first records of the file at path, which is a regular one.
func (p *peeker) readHead(path string) (head, error) {
	f, size, err := open(path)
	if err != nil {
		return head{}, err
	}
	defer f.Close()
	for n := int64(headFirst); ; n *= 16 {
		var h head
		p.head = &h
		if _, err := p.scanner.Scan(f, 0, min(n, size), p); err != nil {
			return h, err
		}
		if n >= size || n >= headMost || h.done() {
			return h, nil
		}
	}
}

// lastTime is the newest time that the last records of the file state; zero if
// none does.
func (p *peeker) lastTime(path string) time.Time {
	f, size, err := open(path)
	if err != nil {
		return time.Time{}
	}
	defer f.Close()
	p.head = nil
	for n := int64(tailFirst); ; n *= 16 {
		from, ok, err := tail.LineStart(f, size, n, tailMost)
		if err != nil || !ok {
			return time.Time{}
		}
		p.last = time.Time{}
		if _, err := p.scanner.Scan(f, from, size, p); err != nil || !p.last.IsZero() || from == 0 || n >= tailMost {
			return p.last
		}
	}
}

func open(path string) (f *os.File, size int64, err error) {
	if f, err = os.Open(path); err != nil {
		return nil, 0, err
	}
	if size, err = f.Seek(0, io.SeekEnd); err != nil {
		f.Close()
		return nil, 0, err
	}
	return f, size, nil
}

// Begin implements tail.Handler.
func (p *peeker) Begin(*tail.Record, tail.Array) {}

// Element implements tail.Handler.
func (p *peeker) Element(*tail.Record, tail.Array) {}

// Record implements tail.Handler.
func (p *peeker) Record(r *tail.Record) {
	at := timeOf(r, p.timestamp)
	if at.After(p.last) {
		p.last = at
	}
	h := p.head
	if h == nil {
		return
	}
	session := r.Text(p.session)
	if r.Kind(p.typ) == tail.String && (session != "" || r.Kind(p.uuid) == tail.String) {
		h.records++
	}
	if h.session == "" {
		h.session, h.agent = session, r.Text(p.agent)
	}
	if h.cwd == "" {
		h.cwd = r.Text(p.cwd)
	}
	if h.start.IsZero() {
		h.start = at
	}
	switch {
	case r.Is(p.typ, "user"):
		h.users++
		if strings.HasPrefix(r.Text(p.content), "<command-name>/clear</command-name>") {
			h.cleared = true
		}
	case r.Is(p.typ, "assistant"):
		h.answer = true
	}
	if h.done() {
		p.scanner.Stop()
	}
}
