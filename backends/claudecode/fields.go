package claudecode

import (
	"strings"

	"github.com/ctxmeter/ctxmeter/meter"
	"github.com/ctxmeter/ctxmeter/meter/tail"
)

// fields are the places in a record that matter (Claude Code 1.0.80 to
// 2.1.235). toolUseResult is a structured copy that is never sent and may be
// far larger than what is: nothing below it is asked for but the model that a
// subagent ran.
type fields struct {
	schema *tail.Schema

	typ, subtype, uuid, parent, sidechain, summary, apiError                     tail.Field
	timestamp, version, cwd, leaf, requestID                                     tail.Field
	trigger, preTokens, postTokens, systemCapture                                tail.Field
	meta, saved, stop, resolved, sessionID                                       tail.Field
	messageID, model, in, create, read, out, searches                            tail.Field
	iterType, iterIn, iterCreate, iterRead, iterOut                              tail.Field
	blockType, calledName, callID, answered, nestedType, contentText, attachType tail.Field

	content, nested, iters tail.Array

	text, blockText, thinking, signature, redacted, toolName, toolInput tail.Counter
	result, resultText, systemText                                      tail.Counter
	attach                                                              attachFields
}

func newFields() fields {
	s := tail.NewSchema()
	f := fields{schema: s}
	f.typ = s.Capture("type", 32)
	f.subtype = s.Capture("subtype", 32)
	f.uuid = s.Capture("uuid", 64)
	f.parent = s.Capture("parentUuid", 64)
	f.sidechain = s.Capture("isSidechain", 8)
	f.summary = s.Capture("isCompactSummary", 8)
	f.apiError = s.Capture("isApiErrorMessage", 8)
	f.timestamp = s.Capture("timestamp", 40)
	f.version = s.Capture("version", 32)
	f.cwd = s.Capture("cwd", 4096)
	f.leaf = s.Capture("leafUuid", 64)
	f.requestID = s.Capture("requestId", 96)
	f.trigger = s.Capture("compactMetadata.trigger", 16)
	f.preTokens = s.Capture("compactMetadata.preTokens", 24)
	f.postTokens = s.Capture("compactMetadata.postTokens", 24)
	f.systemCapture = s.Capture("content", 256)
	f.systemText = s.Count("content")

	f.meta = s.Capture("isMeta", 8)
	f.sessionID = s.Capture("sessionId", 0)
	f.resolved = s.Capture("toolUseResult.resolvedModel", 128)
	f.saved = s.Capture("microcompactMetadata.tokensSaved", 24)
	f.stop = s.Capture("message.stop_reason", 32)
	f.messageID = s.Capture("message.id", 96)
	f.model = s.Capture("message.model", 128)
	f.in = s.Capture("message.usage.input_tokens", 24)
	f.create = s.Capture("message.usage.cache_creation_input_tokens", 24)
	f.read = s.Capture("message.usage.cache_read_input_tokens", 24)
	f.out = s.Capture("message.usage.output_tokens", 24)
	f.searches = s.Capture("message.usage.server_tool_use.web_search_requests", 24)
	f.iters = s.Each("message.usage.iterations[]")
	f.iterType = s.Capture("message.usage.iterations[].type", 32)
	f.iterIn = s.Capture("message.usage.iterations[].input_tokens", 24)
	f.iterCreate = s.Capture("message.usage.iterations[].cache_creation_input_tokens", 24)
	f.iterRead = s.Capture("message.usage.iterations[].cache_read_input_tokens", 24)
	f.iterOut = s.Capture("message.usage.iterations[].output_tokens", 24)

	f.contentText = s.Capture("message.content", 256)
	f.text = s.Count("message.content")
	f.content = s.Each("message.content[]")
	f.blockType = s.Capture("message.content[].type", 32)
	f.blockText = s.Count("message.content[].text")
	f.thinking = s.Count("message.content[].thinking")
	f.signature = s.Count("message.content[].signature")
	f.redacted = s.Count("message.content[].data")
	f.callID = s.Capture("message.content[].id", 64)
	f.answered = s.Capture("message.content[].tool_use_id", 64)
	f.calledName = s.Capture("message.content[].name", 16)
	f.toolName = s.Count("message.content[].name")
	f.toolInput = s.CountJSON("message.content[].input")
	f.result = s.Count("message.content[].content")
	f.nested = s.Each("message.content[].content[]")
	f.nestedType = s.Capture("message.content[].content[].type", 32)
	f.resultText = s.Count("message.content[].content[].text")
	f.attachType = s.Capture("attachment.type", 48)
	f.attach = newAttachFields(s)
	return f
}

// modelNotice reads the client's answer to /model, which names the window
// that the transcript otherwise never states (Claude Code 2.1.197, observed:
// "Set model to Opus 4.8 (1M context) and saved as your default").
func modelNotice(text string) (window int64, ok bool) {
	const open, set = "<local-command-stdout>", "Set model to "
	rest, found := strings.CutPrefix(text, open+set)
	if !found {
		return 0, false
	}
	name, _, _ := strings.Cut(rest, "</local-command-stdout>")
	if strings.Contains(name, "(1M context)") {
		return window1M, true
	}
	return window200k, true
}

const (
	window200k = 200_000
	window1M   = 1_000_000
)

// replyText is the content that the model wrote in a record.
func (h *handler) replyText(r *tail.Record) meter.Text {
	var t meter.Text
	t.Reply = r.Counts(h.text)
	t.Reply.Add(r.Counts(h.blockText))
	t.Thinking = r.Counts(h.thinking)
	t.Signature = r.Counts(h.signature).Chars + r.Counts(h.redacted).Chars
	t.Call = r.Counts(h.toolName)
	t.Call.Add(r.Counts(h.toolInput))
	t.Calls = h.calls
	return t
}

// userText is the content of a record that is sent in the user's role.
func (h *handler) userText(r *tail.Record) meter.Text {
	var t meter.Text
	t.User = r.Counts(h.text)
	t.User.Add(r.Counts(h.blockText))
	t.Tool = r.Counts(h.result)
	t.Tool.Add(r.Counts(h.resultText))
	t.Images = h.images + h.inner
	t.Results = h.results
	t.Blocks = h.texts
	if r.Kind(h.contentText) == tail.String {
		t.Blocks = 1
	}
	t.Fixed = toolReference * h.references
	return t
}

// toolReference is what a tool that a search brought in adds to the prompt:
// its definition is not in the transcript. Real sessions: 470 to 1,730 tokens.
const toolReference = 700
