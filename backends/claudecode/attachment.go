package claudecode

import (
	"github.com/ctxmeter/ctxmeter/meter"
	"github.com/ctxmeter/ctxmeter/meter/tail"
)

// attachFields are the parts of attachments that reach the model, as
// <system-reminder> text or as messages of role "system" (Claude Code 2.1.197,
// observed; kinds of other versions from real sessions up to 2.1.235).
type attachFields struct {
	contentType tail.Field

	content, plain, listed, listedText, body  tail.Counter
	fileText, cells, path, filename, snippet  tail.Counter
	prompt, text, lines, names, blocks, files tail.Counter
	removedNames, removedTypes                tail.Counter
}

func newAttachFields(s *tail.Schema) attachFields {
	return attachFields{
		contentType:  s.Capture("attachment.content.type", 24),
		content:      s.Count("attachment.content.**"),
		plain:        s.Count("attachment.content"),
		listed:       s.Count("attachment.content[]"),
		listedText:   s.Count("attachment.content[].text"),
		body:         s.Count("attachment.content.content"),
		fileText:     s.Count("attachment.content.file.content"),
		cells:        s.Count("attachment.content.file.cells.**"),
		path:         s.Count("attachment.path"),
		filename:     s.Count("attachment.filename"),
		snippet:      s.Count("attachment.snippet"),
		prompt:       s.Count("attachment.prompt.**"),
		text:         s.Count("attachment.text"),
		lines:        s.Count("attachment.addedLines.**"),
		names:        s.Count("attachment.addedNames.**"),
		blocks:       s.Count("attachment.addedBlocks.**"),
		removedNames: s.Count("attachment.removedNames.**"),
		removedTypes: s.Count("attachment.removedTypes.**"),
		files:        s.CountJSON("attachment.files"),
	}
}

// attachment decodes what the client attaches on its own. Its words around the
// content are not in the transcript; the constants are what they came to in
// real sessions, in tokens.
func (h *handler) attachment(r *tail.Record, e *meter.Event) {
	e.Kind = meter.KindContent
	e.Inherit = true
	kind := r.Text(h.attachType)
	words, parts := h.attach.parts(kind)
	for _, c := range parts {
		e.Text.Attachment.Add(r.Counts(c))
	}
	if kind == "file" && !r.Is(h.attach.contentType, "text") && !r.Is(h.attach.contentType, "notebook") && r.Kind(h.attach.contentType) == tail.String {
		e.Text.Images++ // a picture or a document: its base64 is no text
	}
	if parts == nil && words == 0 || e.Text.Attachment.Chars == 0 && e.Text.Images == 0 && !wordy(kind) {
		e.Kind, e.Text = meter.KindLink, meter.Text{} // nothing of it is sent
		return
	}
	e.Client = quarter(e.Text)
	e.Text.Fixed = words
	if kind == "task_reminder" {
		e.Client += taskReminder
	}
}

// taskReminder is what the client itself counts for an empty reminder, tokens
// (Claude Code 2.1.197: preTokens minus the last usage and the prompt).
const taskReminder = 115

// wordy kinds are sent with words of the client's own even when empty.
func wordy(kind string) bool {
	return kind == "task_reminder" || kind == "plan_mode" || kind == "plan_mode_exit" || kind == "ultrathink_effort"
}

// parts tells which counters of a kind are sent and what the client's words
// around them come to.
func (a *attachFields) parts(kind string) (words int64, parts []tail.Counter) {
	switch kind {
	case "hook_system_message", "command_permissions", "date_change", "auto_mode":
		return 0, nil // shown to the user, or not sent
	case "hook_success": // stdout, stderr and command are never sent
		return 15, []tail.Counter{a.content}
	case "hook_additional_context":
		return 25, []tail.Counter{a.content}
	case "task_reminder":
		return 125, []tail.Counter{a.content}
	case "total_tokens_reminder":
		return 10, []tail.Counter{a.text}
	case "queued_command":
		return 150, []tail.Counter{a.prompt}
	case "edited_text_file":
		return 40, []tail.Counter{a.snippet, a.filename}
	case "diagnostics":
		return 0, []tail.Counter{a.files}
	case "nested_memory":
		return 25, []tail.Counter{a.body, a.path}
	case "deferred_tools_delta":
		return 50, []tail.Counter{a.lines, a.names, a.removedNames}
	case "mcp_instructions_delta":
		return 40, []tail.Counter{a.blocks, a.removedNames}
	case "agent_listing_delta":
		return 60, []tail.Counter{a.lines, a.removedTypes}
	case "skill_listing":
		return 40, []tail.Counter{a.content}
	case "plan_mode", "plan_mode_exit", "ultrathink_effort":
		return 300, nil
	case "file":
		return 40, []tail.Counter{a.fileText, a.cells, a.filename}
	}
	return 20, []tail.Counter{a.plain, a.listed, a.listedText, a.fileText, a.text, a.prompt, a.snippet, a.lines, a.blocks}
}
