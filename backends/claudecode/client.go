package claudecode

import (
	"time"

	"github.com/ctxmeter/ctxmeter/meter"
)

const backend = "claude-code"

// Client is Claude Code as the meter sees it. It keeps nothing from one call
// to the next: sessions, settings and processes change while a program runs.
type Client struct {
	env     meter.Env
	proc    func(pid int) pidState // what the system says of a process
	kin     func(pid int) pidState // the same with its parent, which may take longer
	now     func() time.Time
	managed []string // files of the administrator's settings, the later one wins
}

// New returns the client of one surrounding.
func New(env meter.Env) *Client {
	if env.Getenv == nil {
		env.Getenv = func(string) string { return "" }
	}
	return &Client{env: env, proc: lookUp, kin: lookUpKin, now: time.Now, managed: managedSettings(env)}
}

// Name implements backends.Client.
func (c *Client) Name() string { return backend }

// Variable implements backends.Client. Claude Code sets it for its status line,
// hooks, tools and MCP servers; in a long-lived MCP server it is out of date
// after /clear, /branch and --continue (2.1.197, observed).
func (c *Client) Variable() string { return "CLAUDE_CODE_SESSION_ID" }

// Current implements backends.Client.
func (c *Client) Current() string { return c.env.Getenv(c.Variable()) }

func (c *Client) windows() bool { return c.env.OS == "windows" }
