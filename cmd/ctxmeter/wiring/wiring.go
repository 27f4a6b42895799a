package wiring

// Wiring is what is to be in one settings file. Parts that do not belong there
// are empty.
type Wiring struct {
	StatusLine string // the program of the status line, as a shell gets it
	Hooks      []HookEvent
	Hook       string // and that of the hooks
	Server     *Server
}

// HookEvent is an event of a client at which a hook runs, of those tools that
// match; "" is all.
type HookEvent struct{ Event, Matcher string }

// Server is how a client is to start the MCP server.
type Server struct {
	Program string
	Args    []string
	Typed   bool     // Claude Code writes the kind of the server down
	Pass    []string // variables that Codex is to pass on
}

// HookTimeout is how long a hook may take, in seconds, in both clients. Their
// own limits, 60 and 600 s, are no good for what stands before every prompt.
const HookTimeout = 5

// ClaudeHooks are the events of Claude Code that ctxmeter has something to say
// at. Of all tools, only reading a file is planned in tokens.
func ClaudeHooks() []HookEvent {
	return []HookEvent{{"UserPromptSubmit", ""}, {"PostToolUse", ""}, {"PreToolUse", "Read"}, {"SessionStart", ""}}
}

// CodexHooks are those of Codex.
func CodexHooks() []HookEvent {
	return []HookEvent{{"UserPromptSubmit", ""}, {"PostToolUse", ""}, {"SessionStart", ""}}
}
