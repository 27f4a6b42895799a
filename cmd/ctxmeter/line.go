package main

import (
	"strings"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wording"
	"github.com/ctxmeter/ctxmeter/meter"
)

// line is the reading on one short line.
func (st style) line(r *meter.Reading) string {
	const cells = 10
	var parts []string
	if r.UsedTokens == nil {
		parts = append(parts, "nothing measured yet")
	} else {
		about := ""
		if r.Basis != nil && *r.Basis == meter.BasisEstimate {
			about = "~"
		}
		if r.WindowTokens != nil {
			head := st.gauge(r, cells)
			if r.UsedPercent != nil {
				head += " " + st.paint(colorOf(r.Level), about+percent(*r.UsedPercent))
			}
			parts = append(parts, head, about+short(*r.UsedTokens)+"/"+short(*r.WindowTokens))
		} else {
			parts = append(parts, about+short(*r.UsedTokens)+"/?")
		}
		if left := r.Compaction.RemainingTokens; left != nil {
			parts = append(parts, about+short(*left)+" to compaction")
		}
	}
	if r.Session.Model != nil {
		parts = append(parts, wording.Name(*r.Session.Model))
	}
	if r.EventAgeSeconds != nil && (r.Status == meter.StatusStale || *r.EventAgeSeconds > oldSeconds) {
		parts = append(parts, wording.Age(*r.EventAgeSeconds)+" old")
	}
	if p := r.Planned; p != nil {
		parts = append(parts, plannedPart(p))
	}
	return strings.Join(parts, "  ") + "\n"
}

// oldSeconds is the age from which the line tells it, whatever the status says
// before it.
const oldSeconds = 120

func plannedPart(p *meter.PlannedView) string {
	out := "planned "
	if p.AtLeast {
		out += "at least "
	}
	out += short(p.Tokens)
	if p.WholeTokens > p.Tokens {
		out += " of " + short(p.WholeTokens)
	}
	if refused(p) {
		out += " at once"
	}
	if p.Skipped > 0 {
		out += ", " + wording.Number(p.Skipped) + " skipped"
	}
	if p.UsedPercentAfter != nil {
		out += ": " + percent(*p.UsedPercentAfter) + " then"
	}
	switch {
	case p.FitsWindow == nil:
		return out + ", unknown whether it fits"
	case !*p.FitsWindow:
		return out + ", does not fit"
	case p.TriggersCompaction != nil && *p.TriggersCompaction:
		return out + ", compacts first"
	}
	return out + ", fits"
}
