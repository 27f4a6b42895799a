package claudecode

import (
	"strings"

	"github.com/ctxmeter/ctxmeter/meter"
	"github.com/ctxmeter/ctxmeter/meter/tail"
	"github.com/ctxmeter/ctxmeter/meter/transcript"
)

// Decoder reads the records of the session s. A subagent's records are all
// marked as a sidechain and stand in a file of their own; in a main
// transcript (of old builds) they are foreign.
func (c *Client) Decoder(s meter.Session) transcript.Decoder {
	return newDecoder(s.AgentID != "")
}

type decoder struct {
	subagent bool
	fields   fields
}

func newDecoder(subagent bool) *decoder {
	return &decoder{subagent: subagent, fields: newFields()}
}

// Schema implements transcript.Decoder.
func (d *decoder) Schema() *tail.Schema { return d.fields.schema }

// Handler implements transcript.Decoder.
func (d *decoder) Handler(emit func(meter.Event)) tail.Handler {
	return &handler{fields: &d.fields, subagent: d.subagent, emit: emit}
}

// handler turns one record after the other into events. images, blocks and
// iteration belong to the record at hand.
type handler struct {
	*fields
	subagent bool
	emit     func(meter.Event)

	block                  // of the content
	iteration  meter.Usage // of the last message iteration
	iterations int
	seen       clearingVersion
}

// block counts the blocks of a record's content by kind.
type block struct {
	texts, calls, results, images, inner, references int64
	call                                             uint64 // that is made or answered, if its result can be cleared
}

// Begin implements tail.Handler.
func (h *handler) Begin(_ *tail.Record, a tail.Array) {
	switch a {
	case h.content:
		h.block = block{}
	case h.iters:
		h.iteration, h.iterations = meter.Usage{}, 0
	}
}

// Element implements tail.Handler.
func (h *handler) Element(r *tail.Record, a tail.Array) {
	switch a {
	case h.content:
		switch r.Text(h.blockType) {
		case "text":
			h.texts++
		case "tool_use":
			h.calls++
			if clearable(r.Raw(h.calledName)) {
				h.call = r.Hash(h.callID)
			}
		case "tool_result":
			h.results++
			h.call = r.Hash(h.answered)
		case "image", "document":
			h.images++
		}
	case h.nested:
		switch r.Text(h.nestedType) {
		case "image":
			h.inner++
		case "tool_reference":
			h.references++
		}
	case h.iters:
		// An adviser's pass may stand between two passes of the model itself:
		// only those of type "message" carry this conversation (testdata/cases/A24).
		if r.Kind(h.iterType) == tail.Missing || r.Is(h.iterType, "message") {
			h.iteration = usageOf(r, h.iterIn, h.iterCreate, h.iterRead, h.iterOut)
		}
		h.iterations++
	}
}

// Record implements tail.Handler.
func (h *handler) Record(r *tail.Record) {
	defer h.reset()
	e := meter.Event{
		Offset:  r.Offset,
		Time:    r.Time(h.timestamp),
		ID:      meter.Link(r.Hash(h.uuid)),
		Parent:  meter.Link(r.Hash(h.parent)),
		Version: r.Text(h.version),
		Project: r.Text(h.cwd),
	}
	if e.Clears = h.clears(e.Version); e.Clears {
		e.Call = meter.Link(h.call)
	}
	if r.Is(h.typ, "last-prompt") {
		if leaf := meter.Link(r.Hash(h.leaf)); leaf != 0 {
			h.emit(meter.Event{Kind: meter.KindLeaf, Offset: r.Offset, Parent: leaf})
		}
		return
	}
	side, _ := r.Bool(h.sidechain)
	if e.ID == 0 || side != h.subagent { // testdata/cases/A20
		// Bookkeeping (mode, titles, queue, snapshots) is re-appended at any
		// time and no part of the tree. All it says is that this is a
		// transcript of the client.
		if r.Kind(h.sessionID) == tail.String {
			h.emit(meter.Event{Kind: meter.KindModel, Offset: r.Offset})
		}
		return
	}
	switch {
	case r.Is(h.typ, "assistant"):
		h.assistant(r, &e)
	case r.Is(h.typ, "user"):
		h.user(r, &e)
	case r.Is(h.typ, "attachment"):
		h.attachment(r, &e)
	case r.Is(h.typ, "system"):
		h.system(r, &e)
	}
	h.emit(e)
}

func (h *handler) reset() {
	h.block = block{}
	h.iteration, h.iterations = meter.Usage{}, 0
}

// assistant decodes one line of a reply: one content block, and the usage of
// the whole reply (Claude Code 2.1.197, observed; older versions wrote partial
// usage on the earlier lines).
func (h *handler) assistant(r *tail.Record, e *meter.Event) {
	e.Kind = meter.KindReply
	e.Text = h.replyText(r)
	if failed, _ := r.Bool(h.apiError); failed {
		e.Kind, e.Text = meter.KindLink, meter.Text{} // made by the client, not sent again
		return
	}
	if r.Is(h.model, synthetic) {
		e.Client = quarter(e.Text)
		return // "No response requested.": sent again, measures nothing
	}
	e.Model = r.Text(h.model)
	_, sound := r.Amount(h.out)
	e.Ended = sound && r.Kind(h.stop) == tail.String
	e.Usage = h.usage(r)
	if e.Usage.Known() {
		e.Usage.Key = r.Hash(h.messageID)*31 + r.Hash(h.requestID)
	}
	e.Client = quarter(e.Text)
}

const synthetic = "<synthetic>"

// usage is what the reply measured. Its context is the prompt side alone
// (Claude Code 2.1.197, observed): input, cache creation and cache read. The
// provider adds up the passes of a server tool; the last message iteration is
// the real prompt, and without iterations the sum is an upper bound (A24).
func (h *handler) usage(r *tail.Record) meter.Usage {
	u := usageOf(r, h.in, h.create, h.read, h.out)
	if h.iteration.Known() {
		out := u.Output
		u = h.iteration
		if h.iterations == 1 {
			u.Output = max(u.Output, out)
		}
		return u
	}
	if n, _ := r.Amount(h.searches); n > 0 {
		u.Bound = u.Known()
	}
	return u
}

// usageOf reads one usage. It is all or nothing: with a part that makes no
// sense the sum would be a confident wrong number.
func usageOf(r *tail.Record, in, create, read, out tail.Field) meter.Usage {
	sum := int64(0)
	for _, f := range []tail.Field{in, create, read} {
		n, sound := r.Amount(f)
		if !sound {
			return meter.Usage{}
		}
		sum += n
	}
	if sum == 0 {
		return meter.Usage{} // all zero: no data (gateways, cut streams)
	}
	u := meter.Usage{Prompt: sum, Total: sum}
	u.Output, _ = r.Amount(out)
	return u
}

// user decodes what people, tools and the client itself say to the model.
func (h *handler) user(r *tail.Record, e *meter.Event) {
	e.Kind = meter.KindContent
	e.Text = h.userText(r)
	e.Client = quarter(e.Text)
	e.Side = h.results > 0
	meta, _ := r.Bool(h.meta)
	e.UserTurn = h.results == 0 && !meta
	e.Prefix, _ = r.Bool(h.summary)
	if e.Prefix && strings.HasPrefix(e.Version, "1.") {
		// These clients wrote no boundary record: the summary is the boundary
		// (real sessions of Claude Code 1.0.80 to 1.0.90).
		e.Kind, e.Prefix = meter.KindBoundary, false
	}
	if window, ok := modelNotice(r.Text(h.contentText)); ok {
		e.Window = window
	}
	// A subagent's result names its model with the mark that replies lack. One
	// that ran the session's own model inherited it (2.1.197, observed).
	if base, million := cutMillion(r.Text(h.resolved)); million {
		e.Window, e.WindowFor = window1M, base
	}
}

// system decodes the client's own notices. Only the output of local commands
// is sent to the model.
func (h *handler) system(r *tail.Record, e *meter.Event) {
	switch {
	case r.Is(h.subtype, "compact_boundary"):
		e.Kind = meter.KindBoundary
		e.Compaction.Auto = r.Is(h.trigger, "auto")
		e.Compaction.Pre, _ = r.Amount(h.preTokens)
		e.Compaction.Post, _ = r.Amount(h.postTokens)
	case r.Is(h.subtype, "microcompact_boundary"):
		e.Kind = meter.KindMicro
		if n, _ := r.Amount(h.saved); n > 0 {
			e.Text.Fixed = -n
		}
	case r.Is(h.subtype, "local_command"):
		e.Kind = meter.KindContent
		e.Text.User = r.Counts(h.systemText)
		e.Text.Blocks = 1
		e.Client = quarter(e.Text)
		if window, ok := modelNotice(r.Text(h.systemCapture)); ok {
			e.Window = window
		}
	}
}

// quarter is the client's own estimate: a token for four characters, rounded
// (Claude Code 2.1.197: preTokens minus the last usage, over 60 compactions).
func quarter(t meter.Text) int64 {
	chars := t.User.Chars + t.Tool.Chars + t.Call.Chars + t.Reply.Chars + t.Thinking.Chars + t.Attachment.Chars
	return (chars+2)/4 + t.Fixed
}
