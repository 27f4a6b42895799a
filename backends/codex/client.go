package codex

import (
	"github.com/ctxmeter/ctxmeter/meter"
)

// Backend is the client's name in readings and on the command line.
const Backend = "codex"

// Client finds Codex threads and reads their rollouts. It keeps nothing
// between two calls and may be used by several goroutines.
type Client struct{ env meter.Env }

// New returns the client as env sees it.
func New(env meter.Env) *Client { return &Client{env: env} }

// Name implements backends.Client.
func (c *Client) Name() string { return Backend }

// Variable implements backends.Client: since 0.111; of a subagent it is the
// subagent's own thread. Servers started for MCP are not told.
func (c *Client) Variable() string { return "CODEX_THREAD_ID" }

// Current implements backends.Client.
func (c *Client) Current() string { return c.getenv(c.Variable()) }

func (c *Client) getenv(name string) string {
	if c.env.Getenv == nil {
		return ""
	}
	return c.env.Getenv(name)
}
