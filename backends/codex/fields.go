package codex

import "github.com/ctxmeter/ctxmeter/meter/tail"

// fields are the places in a record that matter (codex-cli 0.40.0 to
// 0.171.0). Most of a rollout's event_msg lines repeat what a response_item
// says, in full; nothing of those copies is asked for.
type fields struct {
	schema *tail.Schema

	// The envelope. In rollouts from before there was one (the oldest observed,
	// 0.40.0, has it) the first line is the metadata and every other an item:
	// then type is the item's.
	timestamp, typ, payload, payloadType, legacyID tail.Field
	legacyInstructions                             tail.Counter

	// session_meta
	metaID, cwd, version, base tail.Field
	baseInstructions           tail.Counter

	// turn_context and events
	model, startedWindow tail.Field

	// token_count and token_usage_record
	info, infoWindow   tail.Field
	withReasoning      tail.Field // last_usage_includes_reasoning
	last, total, usage vector
	responseID         tail.Field

	// compacted
	message     tail.Counter
	keptList    tail.Field // replacement_history
	replacement tail.Array

	item, bare, kept itemFields
}

// vector is one token usage.
type vector struct{ in, cached, out, reasoning, total tail.Field }

// itemFields are the places in one item of the history.
type itemFields struct {
	typ, role tail.Field

	parts                                 tail.Array // content
	contentType, contentText, contentKind tail.Field
	text, sealedText, bareText            tail.Counter

	outputs                                   tail.Array
	outputType                                tail.Field
	output, outputPart, outputContent, callID tail.Counter

	name, namespace, arguments, input, action tail.Counter
	encrypted, summary, tools                 tail.Counter
}

func newFields() *fields {
	s := tail.NewSchema()
	f := &fields{schema: s}
	f.timestamp = s.Capture("timestamp", 40)
	f.typ = s.Capture("type", 40)
	f.payload = s.Capture("payload", 0)
	f.payloadType = s.Capture("payload.type", 40)
	f.legacyID = s.Capture("id", 64)
	f.legacyInstructions = s.Count("instructions")

	f.metaID = s.Capture("payload.id", 64)
	f.cwd = s.Capture("payload.cwd", 4096)
	f.version = s.Capture("payload.cli_version", 32)
	f.base = s.Capture("payload.history_base", 0)
	f.baseInstructions = s.Count("payload.base_instructions.text")

	f.model = s.Capture("payload.model", 128)
	f.startedWindow = s.Capture("payload.model_context_window", 24)

	f.info = s.Capture("payload.info", 8)
	f.infoWindow = s.Capture("payload.info.model_context_window", 24)
	f.withReasoning = s.Capture("payload.info.last_usage_includes_reasoning", 8)
	f.last = newVector(s, "payload.info.last_token_usage.")
	f.total = newVector(s, "payload.info.total_token_usage.")
	f.usage = newVector(s, "payload.usage.")
	f.responseID = s.Capture("payload.response_id", 128)

	f.message = s.Count("payload.message")
	f.keptList = s.Capture("payload.replacement_history", 0)
	f.replacement = s.Each("payload.replacement_history[]")

	f.item = newItemFields(s, "payload.")
	f.bare = newItemFields(s, "")
	f.kept = newItemFields(s, "payload.replacement_history[].")
	return f
}

func newVector(s *tail.Schema, at string) vector {
	return vector{
		in:        s.Capture(at+"input_tokens", 24),
		cached:    s.Capture(at+"cached_input_tokens", 24),
		out:       s.Capture(at+"output_tokens", 24),
		reasoning: s.Capture(at+"reasoning_output_tokens", 24),
		total:     s.Capture(at+"total_tokens", 24),
	}
}

func newItemFields(s *tail.Schema, at string) itemFields {
	return itemFields{
		typ:  s.Capture(at+"type", 40),
		role: s.Capture(at+"role", 16),

		parts:       s.Each(at + "content[]"),
		contentType: s.Capture(at+"content[].type", 32),
		contentText: s.Capture(at+"content[].text", 40),
		text:        s.Count(at + "content[].text"),
		sealedText:  s.Count(at + "content[].encrypted_content"),
		bareText:    s.Count(at + "content"),
		contentKind: s.Capture(at+"internal_chat_message_metadata_passthrough.content_item_kinds[]", 40),

		outputs:       s.Each(at + "output[]"),
		outputType:    s.Capture(at+"output[].type", 32),
		outputPart:    s.Count(at + "output[].text"),
		output:        s.Count(at + "output"),
		outputContent: s.Count(at + "output.content"),

		callID:    s.Count(at + "call_id"),
		name:      s.Count(at + "name"),
		namespace: s.Count(at + "namespace"),
		arguments: s.Count(at + "arguments.**"),
		input:     s.Count(at + "input"),
		action:    s.CountJSON(at + "action"),
		encrypted: s.Count(at + "encrypted_content"),
		summary:   s.Count(at + "summary[].text"),
		tools:     s.CountJSON(at + "tools"),
	}
}
