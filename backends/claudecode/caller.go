package claudecode

import (
	"strings"
	"time"

	"github.com/ctxmeter/ctxmeter/meter"
)

// Is implements backends.Client: clientInfo.name is "claude-code" (2.1.197).
// Other programs of the provider have names that begin alike.
func (c *Client) Is(mcpClient string) bool {
	return strings.HasPrefix(strings.ToLower(mcpClient), "claude-code")
}

// Caller implements backends.Client.
//
//	_meta -> id of the tool call -> the transcript that holds it    call
//	parents of the server -> sessions/<pid>.json -> its session     process
//
// The call comes first: it alone tells a subagent from its parent, which has
// the same process. In 13 recorded calls (2.1.197) the process was right every
// time, of the session or of the subagent's parent; the record of the call was
// on disk at once in 7, and within 0.2 s in 12.
func (c *Client) Caller(call meter.Call) (meter.Caller, error) {
	use := toolUse(call.Meta)
	if use == "" && call.Client != "" && !c.Is(call.Client) && c.inShell() {
		return meter.Caller{Foreign: true}, nil // of another client that was started from the shell of this one
	}
	i := inquiry{finder: c.finder(), roots: c.roots(), now: c.now(), tool: call.Tool}
	i.worker = c.above(call.Parent, i.roots)
	own, fault := i.session()
	if use != "" {
		if s, side, ok := i.find(own, use); ok {
			return meter.Caller{Session: s, Identity: meter.IdentityCall, Doubt: side}, nil
		}
	}
	out := meter.Caller{Session: own.session}
	if own.known() {
		out.Identity = meter.IdentityProcess
		out.Doubt = i.busy(own.hit(), i.since(lately))
	}
	out.Uncounted = true // as far as is known
	if len(i.rivals) > 1 && !own.known() {
		return meter.Caller{}, severalHave(i.rivals)
	}
	if s, ok := i.late(own, use); ok {
		out.Session, out.Identity, out.Doubt, out.Uncounted = s, meter.IdentityCall, false, false
	}
	if use != "" || i.worker.registry != "" || own.unwritten {
		out.Watch = i.watch(own)
	}
	if fault != nil {
		return out, fault
	}
	return out, nil
}

// inShell reports whether the server descends from a shell command of the
// client, and not from a server or hook of its: only these are told the project
// folder (2.1.197, observed).
func (c *Client) inShell() bool {
	return c.env.Getenv("CLAUDECODE") != "" && c.env.Getenv("CLAUDE_PROJECT_DIR") == ""
}

// lately is how long ago a subagent may have written its newest record if it
// is to be thought of as the one that calls.
const lately = 10 * time.Minute

// since is so long ago, but not before the client was started: what wrote
// earlier does not call now.
func (i *inquiry) since(ago time.Duration) time.Time {
	since := i.now.Add(-ago)
	if started := i.worker.entry.Started; started.After(since) {
		return started
	}
	return since
}

// inquiry is the work on one call.
type inquiry struct {
	*finder
	roots  []root
	now    time.Time
	worker worker

	tool     string          // that is called
	rivals   []meter.Session // whose transcripts have the call, where that is more than one
	answered []work          // whose transcripts have the call, and its result
}
