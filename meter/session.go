package meter

import (
	"io"
	"time"
)

// Session is what locating found: which session, and the files of its
// transcript. It holds no content.
type Session struct {
	ID       string
	Backend  string // name of the client: "claude-code", "codex"
	AgentID  string // of a Claude Code subagent
	ParentID string // the session that started this one, if it is a subagent
	Project  string // working folder, as the client recorded it; "" if unknown
	Root     string // the client's folder that holds it
	Live     Liveness
	Modified time.Time // of the newest file
	Segments []Segment // oldest first; never empty
	// Vars is what the client's environment holds of the variables that its
	// limits depend on, nil if it did not say: then ctxmeter's own environment
	// stands for it.
	Vars map[string]string
	// Seen are automatic compactions of the user's other sessions with this
	// client, as far as they were learned.
	Seen []Auto
}

// Listed is a session of a list. Err, a *Fault, tells why it cannot be used:
// then only its names and its time are known.
type Listed struct {
	Session Session
	Err     error
}

// Liveness says whether a client process works on the session.
type Liveness uint8

// Some clients keep no registry: then liveness stays unknown.
const (
	LiveUnknown Liveness = iota
	LiveNo
	LiveYes
)

// Segment is one file of a transcript.
type Segment struct {
	Path string
	End  int64 // bytes of the (uncompressed) file that belong to the transcript; negative is all of it
	// Stream opens a file that cannot be read at an offset (compressed).
	// It is nil for plain files.
	Stream func() (io.ReadCloser, error)
}

// Env is the part of the process's surroundings that locating depends on.
type Env struct {
	Getenv func(string) string
	Home   string // "" if unknown
	Dir    string // working folder, absolute
	OS     string // as runtime.GOOS

	ClaudeDirs []string // --claude-dir; searched before the environment's
	CodexHomes []string // --codex-home; searched before the environment's
}
