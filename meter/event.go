package meter

import (
	"time"

	"github.com/ctxmeter/ctxmeter/meter/tail"
)

// Kind says what a record means to the meter.
type Kind uint8

// The kinds of events. A decoder maps each record of its client to at most a
// few of them; records that mean nothing are not reported at all, except that
// a linked record (one with an ID) is always reported, as KindLink if nothing
// else, because later records may name it as their parent.
const (
	KindLink     Kind = iota // holds a place in the tree, adds nothing
	KindContent              // text, tool result, attachment: sent with the next request
	KindReply                // written by the model; Usage is set if the record carries it
	KindUsage                // a measurement that stands apart from the reply it measures
	KindBoundary             // a compaction: what came before was replaced
	KindRewind               // the newest turns were taken back in place (legacy Codex)
	KindLeaf                 // names the record (Parent) at which a resume would go on
	KindModel                // names the model or the window from here on
	KindMicro                // a partial clearing of old tool results; not a boundary
)

// Link identifies a record inside its transcript: a hash of the client's own
// id, never the id itself. Zero means none.
type Link uint64

// Event is what one record means to the meter. Only the fields of its kind
// are set.
type Event struct {
	Kind   Kind
	Offset int64     // of the record's first byte in the transcript
	Time   time.Time // zero if the record has none

	// Tree position, for clients whose transcripts are trees (Claude Code).
	// Events without an ID form one line: each follows the one before.
	ID, Parent Link
	Side       bool // hangs beside the chain but is sent all the same: a tool result
	Prefix     bool // the summary of a compaction, or a session's own instructions: belongs to what the chain starts from
	Inherit    bool // an attachment: Side or Prefix if its parent is

	Text      Text  // the content the record adds to the context
	Client    int64 // tokens: the same content as the client itself estimates it
	UserTurn  bool  // a person's words: with them a new turn begins
	TurnStart bool  // the client announces a new turn
	Ended     bool  // the reply came to its proper end: it has a stop reason
	Reasoning bool  // Text is the model's reasoning (it may be dropped from later prompts)
	Searches  bool  // calls the provider's own web search: what that finds is in the prompt and in no record
	Call      Link  // the call that the record holds, or answers, of a tool whose results the client may clear

	Model      string // API name of the model, as the transcript has it
	Window     int64  // tokens, when the record states the window
	WindowFor  string // the model that Window speaks of; "" is the one at hand, or the next
	Usage      Usage
	Compaction Compaction

	Version string // of the client, when the record states it
	Clears  bool   // a client of that version clears old tool results without a record
	Project string // working folder, when the record states it
}

// Text is content by kind, in the counts an estimator needs.
type Text struct {
	User       tail.Counts // typed, injected or summarised text
	Tool       tail.Counts // tool results
	Call       tail.Counts // tool names and arguments
	Reply      tail.Counts // the model's text
	Thinking   tail.Counts // the model's visible reasoning
	Signature  int64       // characters of signed or encrypted reasoning
	Attachment tail.Counts // what the client attaches on its own
	Images     int64
	Blocks     int64 // text blocks or messages, each with a wrapper of its own
	Results    int64 // tool results, likewise
	Calls      int64 // tool calls, likewise
	Fixed      int64 // tokens that the client adds or takes away and the transcript does not show
}

// Add adds b to t, kind by kind.
func (t *Text) Add(b Text) {
	t.User.Add(b.User)
	t.Tool.Add(b.Tool)
	t.Call.Add(b.Call)
	t.Reply.Add(b.Reply)
	t.Thinking.Add(b.Thinking)
	t.Signature += b.Signature
	t.Attachment.Add(b.Attachment)
	t.Images += b.Images
	t.Blocks += b.Blocks
	t.Results += b.Results
	t.Calls += b.Calls
	t.Fixed += b.Fixed
}

// Usage is one measurement by the provider, as the client recorded it, in
// tokens. The zero value is "nothing measured".
type Usage struct {
	Key       uint64 // tells measurements apart: equal keys are one measurement repeated
	Prompt    int64  // everything the request carried, cached parts included
	Output    int64  // the reply, reasoning included
	Total     int64  // what the client itself calls its context: Claude Code Prompt, Codex Prompt+Output
	Reasoning int64  // the part of Output that was reasoning, if stated

	Estimated bool // a recount by the client, not the provider's number
	Full      bool // the client's mark for "the prompt was refused"; not a count
	Bound     bool // an upper bound: passes of a server tool are added up in it
	Dropped   bool // reasoning of earlier turns is not in it but is sent (last_usage_includes_reasoning false)
}

// Known reports whether there is a measurement at all.
func (u Usage) Known() bool { return u.Prompt > 0 || u.Total > 0 }

// Compaction is what a boundary record says about itself, in tokens; zero is
// unknown.
type Compaction struct {
	Auto      bool  // started by the client itself
	Pre       int64 // the context before, as the client counts it
	Post      int64 // summary and preserved messages, without system prompt and tools
	Recounted bool  // the client's recount stands before the boundary and stays valid
}
