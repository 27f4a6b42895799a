package main

import (
	"bytes"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ctxmeter/ctxmeter/meter"
)

// reply is what the tool answers: the reading, as far as an agent acts on it.
// A meter must not eat what it measures: all of it stays below 400 characters.
type reply struct {
	Status           meter.Status  `json:"status"`
	Level            meter.Level   `json:"level"`
	Used             *int64        `json:"used_tokens"`
	Window           *int64        `json:"window_tokens"`
	Remaining        *int64        `json:"remaining_tokens"`
	RemainingPercent *float64      `json:"remaining_percent"`
	ToCompaction     *int64        `json:"compaction_remaining_tokens"`
	Basis            *meter.Basis  `json:"basis"`
	Age              *float64      `json:"event_age_seconds"`
	Whose            string        `json:"whose"`
	Pending          bool          `json:"reply_pending,omitempty"`
	Planned          *replyPlanned `json:"planned,omitempty"`
	Next             string        `json:"next,omitempty"`
}

// replyPlanned is what a planned read would do.
type replyPlanned struct {
	Tokens       int64    `json:"tokens"`
	PercentAfter *float64 `json:"percent_after"`
	Fits         *bool    `json:"fits"`
	Compacts     *bool    `json:"compacts"`
}

func newReply(r *meter.Reading, who caller) reply {
	out := reply{
		Status: r.Status, Level: r.Level, Used: r.UsedTokens, Window: r.WindowTokens,
		Remaining: r.RemainingTokens, RemainingPercent: r.RemainingPercent,
		ToCompaction: r.Compaction.RemainingTokens, Basis: r.Basis, Age: r.EventAgeSeconds,
		Whose: whose(who), Pending: who.pending, Next: next(r),
	}
	if v := r.Planned; v != nil {
		out.Planned = &replyPlanned{v.Tokens, v.UsedPercentAfter, v.FitsWindow, v.TriggersCompaction}
	}
	return out
}

// idShown is how much of an id is shown, in characters: enough to find the
// session by it, and to tell two of the same minute apart (ids of Codex begin
// with their time, in 48 bits).
const idShown = 13

// whose names whose context it is, and the rule that says so.
func whose(who caller) string {
	s := who.session
	name := "session " + begin(s.ID)
	switch {
	case s.AgentID != "":
		name = "subagent " + begin(s.AgentID)
	case s.ParentID != "":
		name = "subagent " + begin(s.ID)
	case who.doubt:
		name += " or its subagent"
	}
	return name + " (" + string(who.identity) + ")"
}

func begin(id string) string { return id[:min(len(id), idShown)] }

// next is what the agent can do, from the level high on.
func next(r *meter.Reading) string {
	if r.Level.Rank() < meter.LevelHigh.Rank() {
		return ""
	}
	switch {
	case r.Planned != nil && (said(r.Planned.TriggersCompaction) || r.Planned.FitsWindow != nil && !*r.Planned.FitsWindow):
		return "save state first, then read in parts or delegate"
	case r.Level == meter.LevelHigh:
		return "read less; delegate to subagents; save state"
	}
	return "save state now; delegate what is left"
}

func said(b *bool) bool { return b != nil && *b }

// mostListed is how many candidates an answer lists.
const mostListed = 3

// failed is the answer without a reading. What is wrong with the call is an
// error for the model to mend; a session that cannot be told or read is not.
func failed(f *meter.Fault) *mcp.CallToolResult {
	type fault struct {
		Code       meter.Code `json:"code"`
		Message    string     `json:"message"`
		Candidates []string   `json:"candidates,omitempty"`
	}
	out := struct {
		Status meter.Status `json:"status"`
		Error  fault        `json:"error"`
	}{meter.StatusUnavailable, fault{Code: f.Code, Message: clip(f.Message, mostSaid)}}
	for _, c := range f.Candidates[:min(len(f.Candidates), mostListed)] {
		out.Error.Candidates = append(out.Error.Candidates, c.ID)
	}
	return textResult(out, f.Code == meter.CodeBadArgument)
}

// mostSaid is how long a message may be, in bytes.
const mostSaid = 200

func clip(text string, most int) string {
	if len(text) <= most {
		return text
	}
	r := []rune(text)
	for len(string(r)) > most-len("…") {
		r = r[:len(r)-1]
	}
	return string(r) + "…"
}

func textResult(v any, isError bool) *mcp.CallToolResult {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil { // cannot be: only plain values are told
		panic(err)
	}
	return &mcp.CallToolResult{
		Content: []mcp.Content{&mcp.TextContent{Text: escape(string(bytes.TrimSpace(out.Bytes())))}},
		IsError: isError,
	}
}
