package codex

import (
	"bytes"
	"path"
	"strings"

	"github.com/ctxmeter/ctxmeter/meter"
	"github.com/ctxmeter/ctxmeter/meter/tail"
)

// Payload implements backends.Client: hooks, whose events and fields are much
// like Claude Code's (codex-cli 0.171.0, observed). What tells them apart is
// the transcript, which is a rollout here, and where none is named, the turn.
//
// session_id is the root of a tree of agents; the thread is the one whose
// rollout is named.
func (c *Client) Payload(data []byte) (meter.Payload, bool) {
	r := newPayloadReader()
	_, _ = r.scanner.Scan(bytes.NewReader(meter.PayloadLine(data)), 0, -1, r) // memory has no errors
	return r.out, r.ok
}

// SameModel implements backends.Client.
func (c *Client) SameModel(a, b string) bool { return strings.EqualFold(a, b) }

// payloadReader reads one payload. What a person, the model or a tool wrote
// has no field here, and is never kept.
type payloadReader struct {
	scanner *tail.Scanner
	out     meter.Payload
	ok      bool

	event, source, session, thread, agent, transcript, cwd, model, turn, use tail.Field
}

func newPayloadReader() *payloadReader {
	s := tail.NewSchema()
	r := &payloadReader{
		event:      s.Capture("hook_event_name", 64),
		source:     s.Capture("source", 32),
		session:    s.Capture("session_id", 64),
		thread:     s.Capture("thread_id", 64),
		agent:      s.Capture("agent_id", 64),
		transcript: s.Capture("transcript_path", 4096),
		cwd:        s.Capture("cwd", 4096),
		model:      s.Capture("model", 128),
		turn:       s.Capture("turn_id", 0),
		use:        s.Capture("tool_use_id", 160),
	}
	r.scanner = tail.NewScanner(s)
	r.scanner.SetCounting(false)
	return r
}

// Begin implements tail.Handler.
func (r *payloadReader) Begin(*tail.Record, tail.Array) {}

// Element implements tail.Handler.
func (r *payloadReader) Element(*tail.Record, tail.Array) {}

// Record implements tail.Handler.
func (r *payloadReader) Record(rec *tail.Record) {
	p := meter.Payload{
		Event:      whole(rec, r.event),
		Source:     whole(rec, r.source),
		Agent:      idOf(rec, r.agent),
		Transcript: whole(rec, r.transcript),
		Dir:        whole(rec, r.cwd),
		Model:      whole(rec, r.model),
		ToolUse:    whole(rec, r.use),
	}
	rollout, named := parseName(path.Base(strings.ReplaceAll(p.Transcript, `\`, "/")))
	switch thread := idOf(rec, r.thread); {
	case thread != "":
		p.Session = thread
	case named:
		p.Session = rollout.thread
	default:
		p.Session = idOf(rec, r.session)
	}
	r.out = p
	r.ok = (named || p.Transcript == "" && rec.Kind(r.turn) == tail.String) && (p.Agent != "" || absent(rec, r.agent))
}

// absent reports a field of which the client says nothing. A subagent whose id
// is of no known shape is not its parent.
func absent(r *tail.Record, f tail.Field) bool {
	k := r.Kind(f)
	return k == tail.Missing || k == tail.Null || k == tail.String && len(r.Raw(f)) == 0
}

// whole is the text at a field, "" unless it is all of it.
func whole(r *tail.Record, f tail.Field) string {
	if r.Truncated(f) {
		return ""
	}
	return r.Text(f)
}

func idOf(r *tail.Record, f tail.Field) string {
	if id := whole(r, f); isID(id) {
		return strings.ToLower(id)
	}
	return ""
}
