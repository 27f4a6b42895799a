package main

import (
	"fmt"
	"strings"

	"github.com/ctxmeter/ctxmeter/backends/codex"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wording"
	"github.com/ctxmeter/ctxmeter/config"
	"github.com/ctxmeter/ctxmeter/meter"
)

// maxGauge is the longest bar, in columns.
const maxGauge = 50

// text is the reading for people: the bar, then a line for each thing one
// would ask next. What was asked for stands in s.
func (st style) text(r *meter.Reading, s *config.Settings) string {
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
	line(colorNothing, plannedWords(r, s.Planned))
	line(colorCare, statusWords(r))
	line(colorCare, windowWords(r, s.Window))
	for _, w := range r.Warnings {
		if w.Code != codeDisproved || !overruled(r, s.Window) {
			line(colorCare, "note: "+wording.Clean(w.Text))
		}
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

// usedWords says how much is used, and of what it is made up: the parts add up
// to it.
func usedWords(r *meter.Reading) string {
	if r.UsedTokens == nil {
		return "nothing is measured in this session yet: ask again after its next reply"
	}
	out := wording.Number(*r.UsedTokens)
	if r.Basis != nil && *r.Basis == meter.BasisEstimate {
		out = "~" + out
	}
	switch {
	case r.WindowTokens == nil:
		out += " tokens of an unknown window"
	case r.UsedPercent != nil:
		out += fmt.Sprintf(" of %s tokens (%s)", wording.Number(*r.WindowTokens), percent(*r.UsedPercent))
	}
	if r.Basis == nil {
		return out
	}
	if *r.Basis == meter.BasisEstimate || r.MeasuredTokens == nil || r.UnmeasuredTokens == nil {
		return out + ", estimated" + band(r)
	}
	return out + ": " + partsWords(r) + band(r)
}

// partsWords tells the measured part from the rest. What a client counts as a
// request may include the reply to it.
func partsWords(r *meter.Reading) string {
	exact := *r.Basis == meter.BasisMeasured
	measured, rest := wording.Number(*r.MeasuredTokens), *r.UnmeasuredTokens
	out, since := measured+" in the last request", "since, its reply included"
	switch {
	case r.Session.Backend == codex.Backend:
		out, since = measured+" in the last request and its reply", "since"
		if exact && rest == 0 {
			return "the last request and its reply"
		}
	case exact:
		return fmt.Sprintf("%s, %s in its reply", out, wording.Number(rest))
	}
	switch {
	case rest < 0:
		return fmt.Sprintf("%s, ~%s less since", out, wording.Number(-rest))
	case exact:
		return fmt.Sprintf("%s, %s %s", out, wording.Number(rest), since)
	}
	return fmt.Sprintf("%s, ~%s %s", out, wording.Number(rest), since)
}

// band is the range of the used tokens, "" if there is none. A prompt over the
// window would be refused: the band ends there.
func band(r *meter.Reading) string {
	u := r.UsedRange
	if u == nil {
		return ""
	}
	low, high := u[0], u[1]
	if r.WindowTokens != nil {
		high = min(high, max(*r.WindowTokens, *r.UsedTokens))
	}
	if low >= high || r.WindowTokens != nil && *r.UsedTokens > *r.WindowTokens {
		return ""
	}
	return fmt.Sprintf(" (%s to %s)", wording.Number(low), wording.Number(high))
}
