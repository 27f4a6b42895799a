package claudecode

import (
	"strings"

	"github.com/ctxmeter/ctxmeter/meter"
)

// Is implements backends.Client: clientInfo.name is "claude-code" (2.1.197).
func (c *Client) Is(mcpClient string) bool {
	return strings.HasPrefix(strings.ToLower(mcpClient), "claude")
}

// Caller implements backends.Client.
func (c *Client) Caller(meter.Call) (meter.Caller, error) { return meter.Caller{}, nil }
