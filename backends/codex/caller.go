package codex

import (
	"strings"

	"github.com/ctxmeter/ctxmeter/meter"
)

// Is implements backends.Client: clientInfo.name is "codex-mcp-client"
// (0.47 to 0.171).
func (c *Client) Is(mcpClient string) bool {
	return strings.HasPrefix(strings.ToLower(mcpClient), "codex")
}

// Caller implements backends.Client.
func (c *Client) Caller(meter.Call) (meter.Caller, error) { return meter.Caller{}, nil }
