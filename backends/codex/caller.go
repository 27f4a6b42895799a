package codex

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/ctxmeter/ctxmeter/meter"
	"github.com/ctxmeter/ctxmeter/meter/files"
)

// Is implements backends.Client: clientInfo.name is "codex-mcp-client"
// (0.47 to 0.171).
func (c *Client) Is(mcpClient string) bool {
	return strings.HasPrefix(strings.ToLower(mcpClient), "codex")
}

// Caller implements backends.Client. The call names its thread, a subagent's
// its own; nothing else tells: the server's parent may be a daemon that all
// threads share (0.171.0), and its environment says nothing of the thread or
// of the home.
//
// When the call arrives, the record of it is on disk already (0.171.0,
// observed within 2 ms every time). A thread without a file is rather in a home
// that the server does not know.
func (c *Client) Caller(call meter.Call) (meter.Caller, error) {
	thread := threadOf(call.Meta)
	if thread == "" {
		return meter.Caller{}, nil
	}
	found, err := c.Find(thread)
	if err != nil {
		return meter.Caller{}, err
	}
	if len(found) == 0 {
		if call.Client != "" && !c.Is(call.Client) && call.Meta[turnKey] == nil {
			return meter.Caller{}, nil // other clients may have a "threadId" too
		}
		return meter.Caller{Watch: c.upcoming()}, &meter.Fault{
			Code: meter.CodeSessionNotFound,
			Message: fmt.Sprintf("thread %s, which makes this call, is in no known Codex home: Codex does not tell its servers where its home is; "+
				"start the server with --codex-home DIR (an ephemeral thread keeps no rollout)", thread),
		}
	}
	out := meter.Caller{Session: found[0], Identity: meter.IdentityCall}
	switch {
	case !recordsUsage(call.Meta):
		out.Uncounted = true // as far as is known
	case uncounted(found[0]):
		out.Uncounted = true
		out.Watch = []string{filepath.Dir(found[0].Segments[len(found[0].Segments)-1].Path)}
	}
	return out, nil
}

// upcoming are the folders in which the first file of a thread may appear: of
// each home the folder of the newest day, and those in which that of the next
// will be made. A file is made with the first turn, which may be on a later
// day than the thread.
func (c *Client) upcoming() (out []string) {
	for _, h := range c.homes() {
		if !files.IsDir(h.sessions) {
			if files.IsDir(h.dir) {
				out = append(out, h.dir)
			}
			continue
		}
		out = append(out, h.sessions)
		dir := h.sessions
		for range 3 { // year, month, day
			below := numbers(dir)
			if len(below) == 0 {
				break
			}
			if dir = filepath.Join(dir, below[0]); files.IsDir(dir) {
				out = append(out, dir)
			}
		}
	}
	return out
}
