package meter

// Call is what an MCP server knows of a call to its tool.
type Call struct {
	Client string         // the name that the caller's client gave when it connected; "" if none
	Tool   string         // that is called
	Meta   map[string]any // _meta of the call, as encoding/json decodes it
	Parent int            // process that started the server; 0 if that says nothing
}

// Caller is what a client tells of the session that made a Call.
type Caller struct {
	Session  Session  // its ID is "" if nothing tells
	Identity Identity // IdentityCall or IdentityProcess; "" without a session
	// Foreign is set if the call is certainly not of this client, whose session
	// may be named in the environment all the same.
	Foreign bool
	// Doubt is set if a subagent of Session may have made the call just as
	// well as the session itself.
	Doubt bool
	// Uncounted is set if the reply that made the call, or what it cost, is not
	// known to be in the transcript.
	Uncounted bool
	// Watch are folders: to ask again may tell more, once a file in one of them
	// was made or written to. They may stand beside a session, which is the
	// answer if nothing changes, and beside a fault, which is.
	Watch []string
}
