package codex

import (
	"strings"

	"github.com/ctxmeter/ctxmeter/meter"
	"github.com/ctxmeter/ctxmeter/meter/tail"
	"github.com/ctxmeter/ctxmeter/meter/transcript"
)

// Decoder reads the records of the thread s.
func (c *Client) Decoder(s meter.Session) transcript.Decoder { return newDecoder(s) }

type decoder struct {
	thread string
	alone  bool // the transcript is one file
	fields *fields
}

func newDecoder(s meter.Session) *decoder {
	return &decoder{thread: strings.ToLower(s.ID), alone: len(s.Segments) <= 1, fields: newFields()}
}

// Schema implements transcript.Decoder.
func (d *decoder) Schema() *tail.Schema { return d.fields.schema }

// Handler implements transcript.Decoder.
func (d *decoder) Handler(emit func(meter.Event)) tail.Handler {
	h := &handler{fields: d.fields, decoder: d, emit: emit}
	h.item.itemFields = &d.fields.item
	h.bare.itemFields = &d.fields.bare
	h.kept.itemFields = &d.fields.kept
	return h
}

// handler turns one record after the other into events. What it keeps belongs
// to the record at hand.
type handler struct {
	*fields
	decoder *decoder
	emit    func(meter.Event)

	item, bare, kept itemReader
	sum              item // the replacement_history, added up
}

// Begin implements tail.Handler.
func (h *handler) Begin(_ *tail.Record, a tail.Array) {
	if a == h.replacement {
		h.sum = item{}
		return
	}
	h.item.begin(a)
	h.bare.begin(a)
	h.kept.begin(a)
}

// Element implements tail.Handler.
func (h *handler) Element(r *tail.Record, a tail.Array) {
	if a == h.replacement {
		if it := h.kept.end(r); it.known && !r.Is(h.kept.contentKind, baseKind) {
			h.sum.text.Add(it.text)
			h.sum.client += it.client
		}
		return
	}
	h.item.element(r, a)
	h.bare.element(r, a)
	h.kept.element(r, a)
}

// Record implements tail.Handler.
func (h *handler) Record(r *tail.Record) {
	e := meter.Event{Offset: r.Offset, Time: r.Time(h.timestamp)}
	if r.Kind(h.payload) == tail.Object {
		h.enveloped(r, e)
	} else {
		h.naked(r, e)
	}
	h.item = itemReader{itemFields: h.item.itemFields}
	h.bare = itemReader{itemFields: h.bare.itemFields}
	h.sum = item{}
}

// enveloped decodes a line {"type","payload"}. Types that it does not know mean
// nothing.
func (h *handler) enveloped(r *tail.Record, e meter.Event) {
	switch string(r.Raw(h.typ)) {
	case "response_item":
		if r.Is(h.item.contentKind, baseKind) {
			return
		}
		h.add(h.item.end(r), e)
	case "event_msg":
		h.event(r, e)
	case "token_usage_record":
		h.usageRecord(r, e)
	case "turn_context":
		// thread_settings_applied may name the model of the next turn already,
		// but that model's window is stated only when its turn starts.
		if e.Model = r.Text(h.model); e.Model != "" {
			e.Kind = meter.KindModel
			h.emit(e)
		}
	case "compacted":
		h.compacted(r, e)
	case "session_meta":
		h.meta(r, e)
	}
}

// event decodes the events that carry more than a copy of an item.
func (h *handler) event(r *tail.Record, e meter.Event) {
	switch string(r.Raw(h.payloadType)) {
	case "token_count":
		h.tokenCount(r, e)
	case "task_started":
		e.Kind, e.TurnStart = meter.KindModel, true
		e.Window, _ = r.Amount(h.startedWindow)
		h.emit(e)
	case "thread_rolled_back":
		// In histories that are not paginated a rewind takes the newest turns
		// back in place. The client's recount stands just before the record
		// (observed in 0.130.0).
		e.Kind = meter.KindRewind
		h.emit(e)
	}
}

func (h *handler) add(it item, e meter.Event) {
	if !it.known {
		return
	}
	e.Kind = meter.KindContent
	if it.reply {
		e.Kind = meter.KindReply
	}
	e.Text, e.Client = it.text, it.client
	e.Reasoning, e.UserTurn, e.Searches = it.reasoning, it.userTurn, it.searches
	h.emit(e)
}

// compacted decodes a compaction. What replaces the history is estimated as
// the client does, but for the base instructions, which are sent besides or,
// with code-mode models, stand in it: the client's recount, which follows
// within milliseconds, includes them. Manual and automatic compactions look
// the same on disk. Up to 0.80 there is only the summary, and the recount
// stands before the record.
func (h *handler) compacted(r *tail.Record, e meter.Event) {
	e.Kind = meter.KindBoundary
	e.Text, e.Client = h.sum.text, h.sum.client
	if r.Kind(h.keptList) != tail.List {
		e.Text.User = r.Counts(h.message)
		e.Text.Blocks = 1
		e.Client = quarter(e.Text.User.Bytes)
		e.Compaction.Recounted = true
	}
	h.emit(e)
}

// meta decodes what a file says of itself. Later lines of this type are
// copies of an ancestor's (forks up to 0.14x, subagents that get their
// parent's context), or repeat the thread's own: the thread's id tells.
//
// The base instructions are what the context starts from, but for a file that
// goes on from another: there the base has said so already. (The field
// instructions, before 0.111, is another text: the user's own, which the first
// message repeats.)
func (h *handler) meta(r *tail.Record, e meter.Event) {
	e.Kind = meter.KindModel
	if strings.EqualFold(r.Text(h.metaID), h.decoder.thread) || h.decoder.alone && isFirst(r) {
		e.Project, e.Version = r.Text(h.cwd), r.Text(h.version)
	}
	if isFirst(r) && r.Kind(h.base) != tail.Object {
		h.prefix(r.Counts(h.baseInstructions), &e)
	}
	h.emit(e)
}

func (h *handler) prefix(text tail.Counts, e *meter.Event) {
	if text.Chars == 0 {
		return
	}
	e.Kind, e.Prefix = meter.KindContent, true
	e.Text = meter.Text{User: text, Blocks: 1}
	e.Client = quarter(text.Bytes)
}

// isFirst says whether r is the first line; a byte order mark is 3 bytes.
func isFirst(r *tail.Record) bool { return r.Offset <= 3 }

// naked decodes a line from before there were envelopes: the metadata first,
// then items; {"record_type":"state"} lines mean nothing.
func (h *handler) naked(r *tail.Record, e meter.Event) {
	switch r.Kind(h.typ) {
	case tail.String:
		h.add(h.bare.end(r), e)
	case tail.Missing:
		if isFirst(r) && r.Kind(h.legacyID) == tail.String {
			e.Kind = meter.KindModel
			h.prefix(r.Counts(h.legacyInstructions), &e)
			h.emit(e)
		}
	}
}
