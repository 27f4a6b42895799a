package main

import (
	"math"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ctxmeter/ctxmeter/meter"
)

// mostSaid is how long an answer may be, in characters: a meter must not eat
// what it measures.
const mostSaid = 399

// reply is what the tool answers: the reading, as far as an agent acts on it.
type reply struct {
	Status           meter.Status  `json:"status"`
	Level            meter.Level   `json:"level"`
	Used             *int64        `json:"used_tokens"`
	Window           *int64        `json:"window_tokens"`
	Remaining        *int64        `json:"remaining_tokens"`
	RemainingPercent any           `json:"remaining_percent,omitempty"` // *float64; nil leaves it out, and so below
	ToCompaction     *int64        `json:"compaction_remaining_tokens"`
	Basis            any           `json:"basis,omitempty"`             // *meter.Basis
	Age              any           `json:"event_age_seconds,omitempty"` // *float64
	Whose            string        `json:"whose"`
	Pending          bool          `json:"pending,omitempty"` // the reply that made the call is not counted
	Planned          *replyPlanned `json:"planned,omitempty"`
	Next             string        `json:"next,omitempty"`
}

// replyPlanned is what a planned read would do.
type replyPlanned struct {
	Tokens       int64  `json:"tokens"`
	PercentAfter any    `json:"used_percent_after,omitempty"` // *float64
	Fits         *bool  `json:"fits_window"`
	Compacts     *bool  `json:"triggers_compaction"`
	AtLeast      bool   `json:"at_least,omitempty"`
	Limit        string `json:"limit,omitempty"`
	Whole        int64  `json:"whole,omitempty"`
	Files        *int64 `json:"files,omitempty"`
	Skipped      int64  `json:"skipped,omitempty"`
}

// replyTo words the answer. The few that would be too long lose what an agent
// can best do without: first what it does not act on, or can work out; what the
// planned read is and what to do goes last.
func replyTo(r *meter.Reading, who caller) string {
	long, short := next(r)
	out := reply{
		Status: r.Status, Level: r.Level, Used: r.UsedTokens, Window: r.WindowTokens,
		Remaining: r.RemainingTokens, RemainingPercent: r.RemainingPercent,
		ToCompaction: r.Compaction.RemainingTokens, Basis: r.Basis, Age: roughly(r.EventAgeSeconds),
		Whose: whose(who, true), Pending: who.uncounted && !who.doubt, Next: long,
	}
	p := &replyPlanned{}
	if v := r.Planned; v != nil {
		*p = replyPlanned{
			Tokens: v.Tokens, PercentAfter: v.UsedPercentAfter, Fits: v.FitsWindow, Compacts: v.TriggersCompaction,
			AtLeast: v.AtLeast, Limit: limits(v.Limits), Whole: v.WholeTokens, Files: v.Files, Skipped: v.Skipped,
		}
		out.Planned = p
	}
	text := compact(out)
	for _, shorten := range []func(){
		func() { out.Whose = whose(who, false) },
		func() { out.Next = short },
		func() { out.Age = nil },
		func() { out.Basis = nil },
		func() { out.RemainingPercent = nil },
		func() { p.PercentAfter = nil },
		func() { p.Files, p.Skipped = nil, 0 },
		func() { p.Whole = 0 },
		func() { p.Limit = "" },
	} {
		if utf8.RuneCountInString(text) <= mostSaid {
			break
		}
		shorten()
		text = compact(out)
	}
	return text
}

// limits names the limits of the client that cut the planned read.
func limits(cuts []meter.Cut) string {
	var out []string
	for _, c := range cuts {
		if c.How == meter.CutRefused {
			out = append(out, c.Tool+" refuses >"+cutSize(c))
		} else {
			out = append(out, c.Tool+": "+cutSize(c))
		}
	}
	return strings.Join(out, "; ")
}

// roughly is an age without the tenths that say nothing.
func roughly(age *float64) *float64 {
	if age == nil || *age < 60 {
		return age
	}
	whole := math.Round(*age)
	return &whole
}

// idShown is how much of an id is shown, in characters: enough to find the
// session by it, and to tell two of the same minute apart (ids of Codex begin
// with their time, in 48 bits).
const idShown = 13

// whose names whose context it is, with the session's id if it is to; and
// how that is known, where the word of an environment is all there is.
func whose(who caller, id bool) string {
	s := who.session
	kind, name, more := "session", s.ID, ""
	switch {
	case s.AgentID != "":
		kind, name = "subagent", s.AgentID
	case s.ParentID != "":
		kind = "subagent"
	case who.doubt:
		more = " or its subagent"
	}
	if id {
		kind += " " + begin(name)
	}
	if who.identity == meter.IdentityEnv {
		more = ", by its environment"
	}
	return kind + more
}

func begin(id string) string { return id[:min(len(id), idShown)] }

// next is what the agent can do, from the level high on, in a few words and in
// fewer.
func next(r *meter.Reading) (long, short string) {
	if r.Level.Rank() < meter.LevelHigh.Rank() {
		return "", ""
	}
	if v := r.Planned; v != nil && (is(v.TriggersCompaction, true) || is(v.FitsWindow, false)) {
		return "save state first, then read in parts or delegate", "save state, read in parts"
	}
	if r.Level == meter.LevelHigh {
		return "read less; delegate to subagents; save state", "read less"
	}
	return "save state now; delegate what is left", "save state"
}

func is(b *bool, v bool) bool { return b != nil && *b == v }

// mostListed is how many candidates an answer lists.
const mostListed = 3

// idMost is how much of an id is listed, in characters: a UUID has 36.
const idMost = 36

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
	}{meter.StatusUnavailable, fault{Code: f.Code, Message: f.Message}}
	for _, c := range f.Candidates[:min(len(f.Candidates), mostListed)] {
		out.Error.Candidates = append(out.Error.Candidates, c.ID[:min(len(c.ID), idMost)])
	}
	text := compact(out)
	for said := []rune(f.Message); utf8.RuneCountInString(text) > mostSaid && len(said) > 0; text = compact(out) {
		said = said[:max(len(said)-max(utf8.RuneCountInString(text)-mostSaid, 1), 0)]
		out.Error.Message = string(said) + "…"
	}
	return textResult(text, f.Code == meter.CodeBadArgument)
}

func textResult(text string, isError bool) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}, IsError: isError}
}

// compact is JSON on one line.
func compact(v any) string { return strings.TrimSuffix(jsonOf(v, false), "\n") }
