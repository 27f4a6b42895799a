package claudecode

import (
	"math"

	"github.com/ctxmeter/ctxmeter/meter"
)

// View implements backends.Client: what the client's status line and footer
// are given (Claude Code 2.1.197, observed). It counts the prompt side of the
// last reply, without its output; after a compaction it shows 0 until the next
// reply, and before the first one nothing.
func (c *Client) View(s meter.State, window int64) meter.ClientView {
	context := s.Context()
	var used int64
	var percent float64
	note := "until the next reply"
	switch context.Ground {
	case meter.GroundMeasured:
		used = context.Usage.Prompt
		if window <= 0 {
			return meter.ClientView{UsedTokens: &used, Note: viewNote}
		}
		note = viewNote
		percent = min(math.Round(float64(used)/float64(window)*100), 100)
	case meter.GroundBoundary:
	default:
		return meter.ClientView{}
	}
	return meter.ClientView{UsedTokens: &used, UsedPercent: &percent, Note: note}
}

const viewNote = "the last request, without its reply and what came after"
