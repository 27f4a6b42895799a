package codex

import (
	"io"
	"strings"

	"github.com/ctxmeter/ctxmeter/meter/files"
	"github.com/ctxmeter/ctxmeter/meter/tail"
)

// head is what a rollout says of itself: its own session_meta, which is its
// first line, or a later one if the first is damaged.
type head struct {
	id      string // of the thread
	parent  string // the thread that started this one
	helper  bool   // a subagent, reviewer or guardian: no session of its own
	project string
	base    *base // what the file goes on from
}

// base names the prefix of another file.
type base struct {
	rollout string // the last UUID of that file's name
	end     int64  // bytes that belong to the history; negative is unstated
}

// headReader reads the heads of many files with one scanner.
type headReader struct {
	scanner                            *tail.Scanner
	typ, payload, legacyID             tail.Field
	id, session, parent, spawner, cwd  tail.Field
	source, subagent                   tail.Field
	history, historyThread, historyEnd tail.Field

	want  string // the thread that the file's name states, if any
	found *head
	seen  int
}

func newHeadReader() *headReader {
	s := tail.NewSchema()
	h := &headReader{
		typ:      s.Capture("type", 40),
		payload:  s.Capture("payload", 0),
		legacyID: s.Capture("id", 64),

		id:      s.Capture("payload.id", 64),
		session: s.Capture("payload.session_id", 64),
		parent:  s.Capture("payload.parent_thread_id", 64),
		cwd:     s.Capture("payload.cwd", 4096),

		// "exec", {"subagent":"review"}, {"subagent":{"other":"guardian"}} or
		// {"subagent":{"thread_spawn":{…}}}; the labels of thread_source
		// change from version to version (testdata/cases/D09).
		source:   s.Capture("payload.source", 64),
		subagent: s.Capture("payload.source.subagent", 64),
		spawner:  s.Capture("payload.source.subagent.thread_spawn.parent_thread_id", 64),

		history:       s.Capture("payload.history_base", 0),
		historyThread: s.Capture("payload.history_base.thread_id", 64),
		historyEnd:    s.Capture("payload.history_base.end_byte_offset", 24),
	}
	h.scanner = tail.NewScanner(s)
	h.scanner.SetCounting(false)
	return h
}

// Where the own metadata is looked for: the first line is 22 kB long with the
// instructions of 0.171.0.
const (
	firstBytes  = 64 << 10
	headBytes   = 16 << 20
	headRecords = 100
)

// read returns the head of the file at path; thread is what its name says, or
// "". A file without one has an empty head: what is in it is found out when
// it is loaded.
func (h *headReader) read(path, thread string) (head, error) {
	h.want, h.found, h.seen = strings.ToLower(thread), nil, 0
	err := h.scan(path)
	out := head{id: h.want}
	if h.found != nil {
		out = *h.found
		if h.want != "" {
			out.id = h.want
		}
	}
	return out, err
}

func (h *headReader) scan(path string) error {
	if isPacked(path) {
		r, err := unpack(path)
		if err != nil {
			return err
		}
		defer r.Close()
		_, err = h.scanner.Stream(io.LimitReader(r, headBytes), 0, h)
		return err
	}
	f, _, err := files.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err = h.scanner.Scan(f, 0, firstBytes, h); err != nil || h.found != nil {
		return err
	}
	h.seen = 0
	_, err = h.scanner.Scan(f, 0, headBytes, h)
	return err
}

// Begin and Element implement tail.Handler.
func (h *headReader) Begin(*tail.Record, tail.Array) {}

// Element is never called: no array is asked for.
func (h *headReader) Element(*tail.Record, tail.Array) {}

// Record implements tail.Handler.
func (h *headReader) Record(r *tail.Record) {
	if h.found != nil {
		return
	}
	first := r.Offset <= 3 // after a byte order mark
	switch {
	case r.Is(h.typ, "session_meta") && r.Kind(h.payload) == tail.Object:
		id := idAt(r, h.id)
		if first || id == "" || id == h.want || h.want == "" {
			h.found = h.own(r, id)
		}
	case first && r.Kind(h.typ) == tail.Missing && r.Kind(h.legacyID) == tail.String:
		h.found = &head{id: idAt(r, h.legacyID)} // before there was an envelope
	}
	if h.seen++; h.found != nil || h.seen >= headRecords || r.End > headBytes {
		h.scanner.Stop()
	}
}

func (h *headReader) own(r *tail.Record, id string) *head {
	out := &head{id: id, project: r.Text(h.cwd), parent: idAt(r, h.parent)}
	if out.parent == "" {
		out.parent = idAt(r, h.spawner)
	}
	agent := r.Kind(h.subagent)
	out.helper = r.Kind(h.parent) == tail.String || out.parent != "" || agent == tail.String || agent == tail.Object || r.Is(h.source, "subagent")
	if root := idAt(r, h.session); out.helper && out.parent == "" && root != id {
		out.parent = root // the root of the tree of agents
	}
	if r.Kind(h.history) == tail.Object {
		out.base = &base{rollout: idAt(r, h.historyThread), end: -1}
		if end, ok := r.Int(h.historyEnd); ok && end >= 0 {
			out.base.end = end
		}
	}
	return out
}

// idAt returns the id at f, lower case; text that is no id is none, so that
// nothing else can get into a message.
func idAt(r *tail.Record, f tail.Field) string {
	id := strings.ToLower(r.Text(f))
	if !isID(id) {
		return ""
	}
	return id
}
