package codex

import (
	"math"

	"github.com/ctxmeter/ctxmeter/meter"
)

// reserve is what the client takes off both the window and the use before it
// makes a percentage of them, in tokens (codex-cli 0.171.0: 125,011 of
// 258,400 is "46% used").
const reserve = 12_000

// View implements backends.Client. The client's screen shows the newest
// response's total and nothing of what was appended since.
func (c *Client) View(st meter.State, window int64) meter.ClientView {
	u := st.Context().Usage
	if !u.Known() {
		return meter.ClientView{}
	}
	v := meter.ClientView{UsedTokens: &u.Total, Note: "its percentage leaves out 12,000 tokens on both sides, and what came after the last reply"}
	if st.Window.Tokens > 0 {
		window = st.Window.Tokens
	}
	if window <= 0 {
		return v
	}
	percent := 100.0
	if room := window - reserve; room > 0 {
		left := max(room-max(u.Total-reserve, 0), 0)
		percent -= math.Round(100 * float64(left) / float64(room))
	}
	v.UsedPercent = &percent
	return v
}
