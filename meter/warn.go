package meter

import "fmt"

// stateWarnings are the facts about a transcript that a user should know.
func stateWarnings(s State, c Context) []Warning {
	var out []Warning
	add := func(code, text string) { out = append(out, Warning{Code: code, Text: text}) }
	if s.Damaged > 0 {
		lines := "1 damaged line"
		if s.Damaged > 1 {
			lines = fmt.Sprintf("%d damaged lines", s.Damaged)
		}
		add("damaged_lines", lines+" of the transcript passed over")
	}
	if c.Usage.Bound {
		add("upper_bound", "the provider added up several passes of a server tool: the measured number is an upper bound")
	}
	if c.Usage.Full {
		add("client_reports_full", "the provider refused the last prompt: the client counts the window as full, nothing was measured")
	} else if c.Usage.Estimated {
		add("client_estimate", "the number is the client's own recount, not the provider's")
	}
	if c.Rival != nil {
		add("two_branches", fmt.Sprintf("the transcript ends in two branches: resuming may go on with the other one, last measured at %d tokens", c.Rival.Total))
	}
	if s.Facts.Micro > 0 {
		add("micro_compaction", "old tool results were cleared from the context at least once: until the next reply the number may be too high")
	}
	for _, n := range s.Notes {
		if n == "scan_limit" {
			add(n, "the newest measurement may lie farther back than was read: try --max-scan-bytes 0")
		}
	}
	return out
}
