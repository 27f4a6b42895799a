package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wording"
	"github.com/ctxmeter/ctxmeter/config"
	"github.com/ctxmeter/ctxmeter/meter"
)

// statusLine is the line with what it is made of.
type statusLine struct {
	style
	format string
	said   meter.Payload
	r      *meter.Reading // nil is none
}

const lineGauge = 10 // cells of the gauge

// columnsOf is the room for the line, in columns; 0 is not known. The client
// says it in COLUMNS (2.1.197); standard output is no terminal.
func columnsOf(getenv func(string) string) int {
	n, err := strconv.Atoi(getenv("COLUMNS"))
	if err != nil || n < 0 {
		return 0
	}
	return n
}

// lineColor reports whether the line has colors: the client renders them,
// though standard output is no terminal.
func (p *program) lineColor(s *config.Settings) bool {
	if s.Color == "auto" {
		return p.getenv("NO_COLOR") == "" && p.getenv("TERM") != "dumb"
	}
	return s.Color == "always"
}

// text is the line without its end.
func (l *statusLine) text() string { return strings.Join(l.parts(), " ") }

// parts are those of the line: what blanks divide in the format. One of which
// nothing is known is left out; of the others, the most important ones get the
// room there is. There is one at least.
func (l *statusLine) parts() []string {
	type part struct {
		text string
		rank int
		in   bool
	}
	var parts []part
	for _, group := range config.LineParts(l.format) {
		if text, rank := l.part(group); text != "" {
			parts = append(parts, part{text: text, rank: rank})
		}
	}
	width := -1 // a blank less than there are parts
	for rank := range len(config.Segments()) {
		for i := range parts {
			p := &parts[i]
			if w := width + 1 + columns(p.text); p.rank == rank && (l.width == 0 || width < 0 || w <= l.width) {
				p.in, width = true, w
			}
		}
	}
	var texts []string
	for _, p := range parts {
		if p.in {
			texts = append(texts, p.text)
		}
	}
	if len(texts) == 0 {
		return []string{nothingToShow}
	}
	return texts
}

// part is the text of a part of the format, "" if a segment in it has none,
// and its rank: that of the most important segment in it.
func (l *statusLine) part(group []config.LineToken) (text string, rank int) {
	rank = len(config.Segments())
	var b strings.Builder
	for _, token := range group {
		if token.Segment == "" {
			b.WriteString(token.Text)
			continue
		}
		text := l.segment(token.Segment)
		if text == "" {
			return "", rank
		}
		b.WriteString(text)
		rank = min(rank, slices.Index(config.Segments(), token.Segment))
	}
	return b.String(), rank
}

// segment is the text of a segment, "" if nothing is known.
func (l *statusLine) segment(segment string) string {
	switch segment {
	case "model":
		switch {
		case l.said.Model != "":
			return wording.Name(l.said.Model)
		case l.r != nil && l.r.Session.Model != nil:
			return wording.Name(*l.r.Session.Model)
		}
	case "cost":
		if l.said.CostUSD > 0 && l.said.CostUSD < 1e9 { // more is no cost of a session
			return fmt.Sprintf("$%.2f", l.said.CostUSD)
		}
	case "cache":
		if l.said.Used > 0 {
			return strconv.FormatFloat(float64(l.said.Cached)/float64(l.said.Used)*100, 'f', 0, 64) + " % cached"
		}
	case "effort":
		return wording.Name(l.said.Effort)
	case "percent":
		if l.r == nil || l.r.UsedTokens == nil {
			return nothingToShow
		}
	}
	if l.r == nil || l.r.UsedTokens == nil {
		return ""
	}
	return l.measure(segment)
}

// measure is the text of a segment of a reading that has one.
func (l *statusLine) measure(segment string) string {
	r, about := l.r, ""
	if r.Basis != nil && *r.Basis == meter.BasisEstimate {
		about = "~"
	}
	color := colorOf(r.Level)
	switch segment {
	case "gauge":
		if r.WindowTokens != nil || r.Compaction.TriggerTokens != nil {
			return l.gauge(r, lineGauge)
		}
	case "percent":
		if r.UsedPercent != nil {
			return l.paint(color, about+percent(*r.UsedPercent))
		}
	case "used":
		return about + short(*r.UsedTokens)
	case "window":
		if r.WindowTokens == nil {
			return "?"
		}
		if l.contradicted() {
			return short(*r.WindowTokens) + l.paint(colorCare, "!")
		}
		return short(*r.WindowTokens)
	case "remaining":
		if r.RemainingTokens != nil {
			return about + short(*r.RemainingTokens) + " left"
		}
	case "compaction":
		if left := r.Compaction.RemainingTokens; left != nil {
			return about + short(*left) + " to compaction"
		}
	case "level":
		return l.paint(color, string(r.Level))
	case "age":
		if r.EventAgeSeconds != nil {
			return wording.Age(*r.EventAgeSeconds) + " old"
		}
	}
	return ""
}

// contradicted reports that the client states a smaller window than a request
// that it has sent.
func (l *statusLine) contradicted() bool {
	return l.said.Window > 0 && l.r.WindowTokens != nil && l.said.Window < *l.r.WindowTokens &&
		slices.ContainsFunc(l.r.Warnings, func(w meter.Warning) bool { return w.Code == codeDisproved })
}
