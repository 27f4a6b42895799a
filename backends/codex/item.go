package codex

import (
	"strings"

	"github.com/ctxmeter/ctxmeter/meter"
	"github.com/ctxmeter/ctxmeter/meter/tail"
)

// item is what one item of the history means to the meter.
type item struct {
	known     bool
	reply     bool // written by the model
	reasoning bool
	userTurn  bool
	searches  bool // by the provider
	text      meter.Text
	client    int64 // tokens, as the client estimates it
}

// itemReader reads the items at one place of a record: the payload of a
// response_item, an item of a replacement_history, or a whole line of a
// rollout without envelopes.
type itemReader struct {
	*itemFields

	// What the elements of the item's arrays said so far.
	content, sealed, out tail.Counts
	images, outImages    int64
	context              bool // a part is no person's text
}

func (t *itemReader) begin(a tail.Array) {
	switch a {
	case t.parts:
		t.content, t.sealed, t.images, t.context = tail.Counts{}, tail.Counts{}, 0, false
	case t.outputs:
		t.out, t.outImages = tail.Counts{}, 0
	}
}

func (t *itemReader) element(r *tail.Record, a tail.Array) {
	switch a {
	case t.parts:
		t.content.Add(r.Counts(t.text))
		t.sealed.Add(r.Counts(t.sealedText))
		t.context = t.context || isContext(r.Raw(t.contentText))
		if isImage(r, t.contentType) {
			t.images++
		}
	case t.outputs:
		t.out.Add(r.Counts(t.outputPart))
		if isImage(r, t.outputType) {
			t.outImages++
		}
	}
}

// end returns the item that is complete and makes ready for the next.
func (t *itemReader) end(r *tail.Record) item {
	it := t.read(r)
	*t = itemReader{itemFields: t.itemFields}
	return it
}

// read applies the client's own arithmetic: it estimates each item on its
// own, a quarter of the UTF-8 bytes of what the item says, rounded up; role,
// ids and JSON around it do not count, the call id of an output does. (Exact
// in codex-cli 0.171.0 over 36 compactions; up to 0.15x the serialised item
// was counted, for which 0.171's rules are a lower bound.)
func (t *itemReader) read(r *tail.Record) item {
	it := item{known: true}
	switch string(r.Raw(t.typ)) {
	case "message":
		t.message(r, &it)
	case "agent_message": // between the agents of one tree; opens a turn
		t.toModel(&it, t.content)
		it.userTurn = true
	case "reasoning":
		it.reply, it.reasoning = true, true
		it.text.Signature = r.Counts(t.encrypted).Chars
		it.client = reasoningTokens(it.text.Signature)
		if it.text.Signature == 0 {
			it.text.Thinking = t.content
			it.text.Thinking.Add(r.Counts(t.summary))
		}
	case "function_call_output", "custom_tool_call_output", "local_shell_call_output", "tool_search_output":
		t.toolOutput(r, &it)
	case "function_call", "custom_tool_call", "local_shell_call", "web_search_call", "tool_search_call", "image_generation_call":
		it.reply = true
		it.searches = r.Is(t.typ, "web_search_call")
		it.text.Calls = 1
		for _, c := range []tail.Counter{t.name, t.namespace, t.arguments, t.input, t.action} {
			it.text.Call.Add(r.Counts(c))
		}
		it.client = quarter(it.text.Call.Bytes + r.Counts(t.callID).Bytes)
	case "compaction", "context_compaction", "compaction_summary": // the provider's own summary
		it.reply = true
		it.text.Signature = r.Counts(t.encrypted).Chars
		it.client = quarter(it.text.Signature / 3)
	case "additional_tools": // code-mode models
		it.text.User, it.text.Blocks = r.Counts(t.tools), 1
		// The client counts the JSON text, in which a newline takes two bytes.
		it.client = quarter(it.text.User.Bytes + it.text.User.Newlines)
	default: // of a newer client: what it says is sent all the same
		t.toModel(&it, t.content)
		it.known = it.client > 0
	}
	return it
}

// baseKind marks the message that carries the base instructions in the
// history of code-mode models (gpt-5.6 and later). session_meta holds the same
// text, for all models, and counts as the session's prefix.
const baseKind = "model.base_instructions"

func (t *itemReader) message(r *tail.Record, it *item) {
	text := t.content
	text.Add(r.Counts(t.bareText))
	t.toModel(it, text)
	if it.reply = r.Is(t.role, "assistant"); it.reply {
		it.text.User, it.text.Reply = tail.Counts{}, text
	}
	it.userTurn = r.Is(t.role, "user") && !t.context
}

// toModel books the content of a message to the model.
func (t *itemReader) toModel(it *item, text tail.Counts) {
	it.text = meter.Text{User: text, Signature: t.sealed.Chars, Images: t.images, Blocks: 1}
	it.client = quarter(text.Bytes + t.sealed.Bytes + t.images*imageBytes)
}

func (t *itemReader) toolOutput(r *tail.Record, it *item) {
	it.text.Tool, it.text.Results = t.out, 1
	for _, c := range []tail.Counter{t.output, t.outputContent, t.tools} {
		it.text.Tool.Add(r.Counts(c))
	}
	it.text.Images = t.outImages
	it.client = quarter(it.text.Tool.Bytes + r.Counts(t.callID).Bytes + t.outImages*imageBytes)
}

// quarter is the client's tokens for a number of UTF-8 bytes.
func quarter(n int64) int64 { return (n + 3) / 4 }

// reasoningTokens is the client's estimate for encrypted reasoning of n
// base64 characters: what they decode to, less 650 bytes of packing.
func reasoningTokens(n int64) int64 { return quarter(max(n*3/4-650, 0)) }

// imageBytes stands for an image, whatever its size (openai/codex,
// core/src/context_manager/history.rs; not tried out).
const imageBytes = 7373

func isImage(r *tail.Record, f tail.Field) bool {
	return r.Is(f, "input_image") || r.Is(f, "image")
}

// contextMarks begin the messages in the user's role that the client itself
// writes; they open no turn.
var contextMarks = []string{
	"<environment_context>", "<user_instructions>", "# AGENTS.md instructions", "<skill>",
	"<user_shell_command>", "<turn_aborted>", "<subagent_notification>",
}

func isContext(raw []byte) bool {
	if len(raw) == 0 || raw[0] != '<' && raw[0] != '#' {
		return false
	}
	for _, mark := range contextMarks {
		if strings.HasPrefix(string(raw), mark) {
			return true
		}
	}
	return false
}
