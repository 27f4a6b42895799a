package meter

// Payload is what a client hands to a command that it runs, on standard input:
// its status line, or a hook. It holds no content but the read that a hook
// asks about.
type Payload struct {
	Event      string // of a hook, as the client calls it; "" for a status line
	Source     string // of a session's start: "startup", "resume", "clear", "compact"; "" if not said
	Session    string // id
	Agent      string // id of a subagent, where the client says so
	Transcript string // path; "" if none is named
	Dir        string // project folder
	Version    string // of the client
	Model      string // id, as the client has it now
	Window     int64  // tokens, as the client states it; 0 if it does not
	Used       int64  // tokens of the last request, as the client counts it; 0 if not known
	CostUSD    float64
	Read       PlannedPart // that a tool is about to do; zero if it is no read
	ToolUse    string      // id of that tool call
}

// PlannedPart is a part of a file that a tool is about to read.
type PlannedPart struct {
	Path  string
	First int64 // line, from 1; 0 is the first
	Lines int64 // 0 is as many as the tool shows
}
