package main

import (
	"fmt"
	"strings"

	"github.com/ctxmeter/ctxmeter/meter"
)

// maxGauge is the longest bar, in columns.
const maxGauge = 50

// text is the reading for people: the bar, then a line for each thing one
// would ask next.
func (st style) text(r *meter.Reading) string {
	var b strings.Builder
	line := func(color, text string) {
		if text == "" {
			return
		}
		for l := range strings.SplitSeq(st.wrap(text, "  "), "\n") {
			b.WriteString(st.paint(color, l) + "\n")
		}
	}
	if header := st.header(r); header != "" {
		b.WriteString(header + "\n")
	}
	line(colorNothing, usedWords(r))
	line(colorNothing, compactionWords(r))
	line(colorNothing, plannedWords(r))
	line(colorCare, statusWords(r))
	for _, w := range r.Warnings {
		line(colorCare, "note: "+clean(w.Text))
	}
	line(colorFaint, clientWords(r))
	line(colorFaint, sessionWords(r))
	return b.String()
}

// header is the bar with the percentage and the level, "" if there is none.
func (st style) header(r *meter.Reading) string {
	if r.UsedTokens == nil || r.WindowTokens == nil && r.Compaction.TriggerTokens == nil {
		return ""
	}
	tail := percentWords(r)
	cells := min(st.width-columns(tail)-1, maxGauge)
	if cells < 5 {
		return st.paint(colorOf(r.Level), tail)
	}
	return st.gauge(r, cells) + " " + st.paint(colorOf(r.Level), tail)
}

func percentWords(r *meter.Reading) string {
	switch {
	case r.UsedPercent != nil:
		return fmt.Sprintf("%s  %s", percent(*r.UsedPercent), r.Level)
	case r.Compaction.Percent != nil:
		return fmt.Sprintf("%s of the trigger  %s", percent(*r.Compaction.Percent), r.Level)
	}
	return string(r.Level)
}

func usedWords(r *meter.Reading) string {
	if r.UsedTokens == nil {
		return "nothing is measured yet: ask again after the next reply"
	}
	out := number(*r.UsedTokens)
	if r.Basis != nil && *r.Basis == meter.BasisEstimate {
		out = "~" + out
	}
	switch {
	case r.WindowTokens == nil:
		out += " tokens of an unknown window"
	case r.UsedPercent != nil:
		out += fmt.Sprintf(" of %s tokens (%s)", number(*r.WindowTokens), percent(*r.UsedPercent))
	}
	out += basisWords(r)
	if r.WindowSource != nil && *r.WindowSource == meter.SourceAssumed {
		out += "; the window is assumed, --window or the configuration can say better"
	}
	return out
}

func basisWords(r *meter.Reading) string {
	if r.Basis == nil {
		return ""
	}
	band := ""
	if u := r.UsedRange; u != nil && u[0] != u[1] {
		band = fmt.Sprintf(" (%s to %s)", number(u[0]), number(u[1]))
	}
	switch *r.Basis {
	case meter.BasisMeasured:
		return ", all measured"
	case meter.BasisEstimate:
		return ", estimated" + band
	}
	if r.UnmeasuredTokens != nil {
		return fmt.Sprintf(", ~%s of them estimated%s", number(*r.UnmeasuredTokens), band)
	}
	return ""
}

func compactionWords(r *meter.Reading) string {
	c := r.Compaction
	source := ""
	if c.TriggerSource != nil {
		source = fmt.Sprintf(" (%s)", name(string(*c.TriggerSource)))
	}
	var out string
	switch {
	case c.TriggerTokens != nil:
		out = fmt.Sprintf("compacts at %s%s", number(*c.TriggerTokens), source)
		if c.RemainingTokens != nil && *c.RemainingTokens > 0 {
			out += fmt.Sprintf(": %s left", number(*c.RemainingTokens))
		} else if c.RemainingTokens != nil {
			out += ": due now"
		}
	case c.Mode == meter.ModeAuto:
		out = "compacts on its own, nobody knows when: --compact-threshold can say"
	case c.Mode == meter.ModeReactive:
		out = "compacts only when a prompt is refused" + source
	case c.Mode == meter.ModeOff:
		out = "does not compact on its own" + source
	default:
		out = "when it compacts is not known: --compact-threshold can say"
	}
	if c.Count != nil && *c.Count > 0 {
		out += "; compacted " + times(*c.Count)
	}
	if c.LastAt != nil {
		if c.Count == nil {
			out += "; compacted"
		} else if *c.Count > 1 {
			out += ", last"
		}
		if c.Count == nil || *c.Count > 0 {
			out += fmt.Sprintf(" %s ago", age(max(r.ObservedAt.Sub(*c.LastAt).Seconds(), 0)))
		}
	}
	return out
}

func plannedWords(r *meter.Reading) string {
	p := r.Planned
	if p == nil {
		return ""
	}
	out := fmt.Sprintf("the planned read adds ~%s tokens", number(p.Tokens))
	if p.UsedPercentAfter != nil {
		out += fmt.Sprintf(", %s then", percent(*p.UsedPercentAfter))
	}
	switch {
	case p.FitsWindow != nil && !*p.FitsWindow:
		out += ": it does not fit the window"
	case p.TriggersCompaction != nil && *p.TriggersCompaction:
		out += ": it fits, but compaction comes first"
	case p.FitsWindow != nil:
		out += ": it fits"
	default:
		out += "; whether that fits is not known"
	}
	return out
}
