package codex

import "github.com/ctxmeter/ctxmeter/meter"

// ReadLimit implements backends.Client.
func (c *Client) ReadLimit(meter.Session, meter.State) meter.ReadLimit {
	return meter.ReadLimit{Tool: "exec_command"}
}
