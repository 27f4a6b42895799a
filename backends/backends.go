package backends

import (
	"time"

	"github.com/ctxmeter/ctxmeter/backends/claudecode"
	"github.com/ctxmeter/ctxmeter/backends/codex"
	"github.com/ctxmeter/ctxmeter/meter"
	"github.com/ctxmeter/ctxmeter/meter/transcript"
)

// Client is what the meter needs to know of an agent client.
type Client interface {
	// Name is the backend's name in readings and on the command line.
	Name() string
	// Find returns the sessions with this id, or whose id begins with it (8
	// characters at least), in every root and folder the client keeps. No
	// session is no error; a *meter.Fault tells why one that exists cannot
	// be used.
	Find(id string) ([]meter.Session, error)
	// File returns the session that the transcript at path holds.
	File(path string) (meter.Session, error)
	// Here returns the root sessions (no subagents) that belong to the
	// folder dir, newest first. Unreadable neighbours are skipped.
	Here(dir string) ([]meter.Session, error)
	// Recent lists the sessions of all folders, subagents among them, the
	// newest first: those written to since then, so many at most; 0 is all.
	// One that cannot be used is listed with its fault.
	Recent(most int, since time.Time) []meter.Listed
	// Variable is the environment variable in which the client tells the
	// commands it runs the id of their session, and Current what it holds.
	Variable() string
	Current() string
	// Is reports whether an MCP client that introduces itself by this name is
	// this one.
	Is(mcpClient string) bool
	// Payload reads what the client hands to a command that it runs; ok is
	// false if another client wrote it, or nobody that is known.
	Payload(data []byte) (p meter.Payload, ok bool)
	// SameModel reports whether two ids are the same model, whatever else they
	// say: a payload and a transcript may spell one differently.
	SameModel(a, b string) bool
	// Caller returns whose call of an MCP tool it is, by what the call and
	// the processes around the server say. A call that says nothing to this
	// client is no error; a *meter.Fault tells why the session that it names
	// cannot be used. It may be pending beside a fault too: a session that
	// was named before its transcript is written.
	Caller(meter.Call) (meter.Caller, error)
	// Decoder reads the session's records.
	Decoder(meter.Session) transcript.Decoder
	// LimitVars are the environment variables of the client that Limits and
	// ReadLimit depend on.
	LimitVars() []string
	// Limits tells window and trigger, with their sources.
	Limits(meter.Session, meter.State) meter.Limits
	// ReadLimit is what one read with the client's own tool can add.
	ReadLimit(meter.Session, meter.State) meter.ReadLimit
	// View is what the client's own screen shows.
	View(s meter.State, window int64) meter.ClientView
}

// All returns every client, in the order in which sessions are looked for.
func All(env meter.Env) []Client {
	return []Client{
		claudecode.New(env),
		codex.New(env),
	}
}
