package claudecode

import (
	"bytes"
	"math"
	"path"
	"strconv"
	"strings"

	"github.com/ctxmeter/ctxmeter/meter"
	"github.com/ctxmeter/ctxmeter/meter/tail"
)

// Payload implements backends.Client. It knows the status line's and every
// hook's (2.1.197, recorded: testdata/statusline/payloads). Each field
// counts for itself: what has another type than the client gives it says
// nothing, and what was cut off after it takes nothing away.
//
// The totals of context_window are never looked at: before 2.1.132 they are
// sums over the session (testdata/cases/I08), later they repeat current_usage.
// The percentages are made of what stands beside them.
func (c *Client) Payload(data []byte) (meter.Payload, bool) {
	r := newPayloadReader()
	_, _ = r.scanner.Scan(bytes.NewReader(meter.PayloadLine(data)), 0, -1, r) // memory has no errors
	return r.out, r.ok
}

// SameModel implements backends.Client. Providers and routers add to an id.
func (c *Client) SameModel(a, b string) bool { return parseModel(a) == parseModel(b) }

// payloadReader reads one payload. What a person, the model or a tool wrote
// has no field here, and is never kept.
type payloadReader struct {
	scanner *tail.Scanner
	out     meter.Payload
	ok      bool

	event, source, session, agent, transcript, cwd, project, version tail.Field
	model, modelID, effort, window, cost, turn                       tail.Field
	usage, in, create, read, output, sum                             tail.Field
	tool, use, file, offset, limit                                   tail.Field
}

const longestPath = 4096 // bytes, as JSON writes them

func newPayloadReader() *payloadReader {
	s := tail.NewSchema()
	r := &payloadReader{
		event:      s.Capture("hook_event_name", 64),
		source:     s.Capture("source", 32),
		session:    s.Capture("session_id", 128),
		agent:      s.Capture("agent_id", 128),
		transcript: s.Capture("transcript_path", longestPath),
		cwd:        s.Capture("cwd", longestPath),
		project:    s.Capture("workspace.project_dir", longestPath),
		version:    s.Capture("version", 32),
		model:      s.Capture("model", 128), // of a hook
		modelID:    s.Capture("model.id", 128),
		effort:     s.Capture("effort.level", 32),
		window:     s.Capture("context_window.context_window_size", 24),
		cost:       s.Capture("cost.total_cost_usd", 32),
		turn:       s.Capture("turn_id", 0),
		usage:      s.Capture("context_window.current_usage", 0),
		in:         s.Capture("context_window.current_usage.input_tokens", 24),
		create:     s.Capture("context_window.current_usage.cache_creation_input_tokens", 24),
		read:       s.Capture("context_window.current_usage.cache_read_input_tokens", 24),
		output:     s.Capture("context_window.current_usage.output_tokens", 24),
		sum:        s.Capture("context_window.total_input_tokens", 24),
		tool:       s.Capture("tool_name", 64),
		use:        s.Capture("tool_use_id", 160),
		file:       s.Capture("tool_input.file_path", longestPath),
		offset:     s.Capture("tool_input.offset", 24),
		limit:      s.Capture("tool_input.limit", 24),
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
		Session:    idOf(rec, r.session),
		Agent:      idOf(rec, r.agent),
		Transcript: whole(rec, r.transcript),
		Dir:        whole(rec, r.project),
		Version:    whole(rec, r.version),
		Model:      whole(rec, r.modelID),
		Effort:     whole(rec, r.effort),
		Window:     amount(rec, r.window),
		ToolUse:    idOf(rec, r.use),
	}
	if p.Dir == "" {
		p.Dir = whole(rec, r.cwd)
	}
	if p.Model == "" {
		p.Model = whole(rec, r.model)
	}
	switch model, million := cutMillion(p.Model); {
	case million: // a mark that the transcript does not have (2.1.197)
		p.Model = model
		p.Window = max(p.Window, window1M)
	case p.Event != "":
		if _, known := modelOf(parseModel(model)); known { // a hook is told the model only (2.1.197, recorded)
			p.Window = window200k
		}
	}
	if usd, err := strconv.ParseFloat(string(rec.Raw(r.cost)), 64); err == nil && usd > 0 && !math.IsInf(usd, 0) {
		p.CostUSD = usd
	}
	r.usageOf(rec, &p)
	if p.Event == "PreToolUse" && rec.Is(r.tool, "Read") {
		p.Read = meter.PlannedPart{Path: whole(rec, r.file), First: amount(rec, r.offset), Lines: amount(rec, r.limit)}
	}
	r.out = p
	r.ok = !r.foreign(rec, p) && (p.Event == "" || p.Agent != "" || absent(rec, r.agent)) &&
		(p.Session != "" || p.Transcript != "" || p.Event != "" || p.Window > 0 || rec.Kind(r.usage) != tail.Missing)
}

// usageOf reads the newest request. It counts as a whole: a part that is no
// amount makes the sum one of nothing. All zero is a session that was just
// compacted, or resumed after that (2.1.197): nothing is known.
func (r *payloadReader) usageOf(rec *tail.Record, p *meter.Payload) {
	in, ok1 := rec.Amount(r.in)
	create, ok2 := rec.Amount(r.create)
	read, ok3 := rec.Amount(r.read)
	if ok1 && ok2 && ok3 {
		p.Used, p.Cached, p.Output = in+create+read, read, amount(rec, r.output)
		if p.Used+p.Output == 0 && rec.Kind(r.create) == tail.Number && rec.Kind(r.read) == tail.Number {
			p.Unused = meter.UnusedSinceBoundary
		}
	}
	// Older versions leave the usage out although their sums tell of requests.
	if rec.Kind(r.usage) == tail.Null && rec.Kind(r.sum) == tail.Number && amount(rec, r.sum) == 0 {
		p.Unused = meter.UnusedSinceStart
	}
}

// foreign reports whether another client wrote the payload. Codex has hooks of
// the same names with nearly the same fields; its transcripts are called
// rollouts, and where it names none, it still names a turn.
func (r *payloadReader) foreign(rec *tail.Record, p meter.Payload) bool {
	if p.Transcript == "" {
		return rec.Kind(r.turn) == tail.String
	}
	return strings.HasPrefix(path.Base(strings.ReplaceAll(p.Transcript, `\`, "/")), "rollout-")
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
		return id
	}
	return ""
}

// amount is the number of tokens or lines at a field, 0 unless it is one.
func amount(r *tail.Record, f tail.Field) int64 {
	n, _ := r.Amount(f)
	return n
}
