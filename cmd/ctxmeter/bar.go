package main

import (
	"math"
	"strings"

	"github.com/ctxmeter/ctxmeter/meter"
)

// gauge is a bar of so many cells: how much of the window is used, and where
// the client compacts.
//
//	███████████████████████▋       ┃      the full blocks have eighths
//	#######################.......|.....  ascii
func (st style) gauge(r *meter.Reading, cells int) string {
	used, trigger := fractions(r)
	full, rest := math.Modf(used * float64(cells))
	filled := int(full)
	row := make([]string, cells)
	for i := range row {
		switch {
		case i < filled:
			row[i] = st.glyph("█", "#")
		case i == filled && !st.ascii && rest >= 1.0/8:
			row[i] = string([]rune("▏▎▍▌▋▊▉")[int(rest*8)-1])
		default:
			row[i] = st.glyph("·", ".")
		}
	}
	if filled == 0 && used > 0 && row[0] == st.glyph("·", ".") {
		row[0] = st.glyph("▏", "#") // something is there
	}
	color := colorOf(r.Level)
	mark := -1
	if trigger > 0 && trigger <= 1 {
		mark = min(int(trigger*float64(cells)), cells-1)
		row[mark] = st.glyph("┃", "|")
	}
	end := min(filled+1, cells)
	if mark >= 0 && mark < end {
		return st.paint(color, strings.Join(row[:mark], "")) + row[mark] + st.paint(color, strings.Join(row[mark+1:end], "")) + strings.Join(row[end:], "")
	}
	return st.paint(color, strings.Join(row[:end], "")) + strings.Join(row[end:], "")
}

func (st style) glyph(unicode, ascii string) string {
	if st.ascii {
		return ascii
	}
	return unicode
}

// fractions are the shares of the bar that are used and that lie before the
// trigger. Where the window is not known the bar ends at the trigger.
func fractions(r *meter.Reading) (used, trigger float64) {
	if r.UsedTokens == nil {
		return 0, 0
	}
	whole := r.WindowTokens
	if whole == nil {
		whole = r.Compaction.TriggerTokens
	} else if t := r.Compaction.TriggerTokens; t != nil {
		trigger = float64(*t) / float64(*whole)
	}
	if whole == nil {
		return 0, 0
	}
	return min(float64(*r.UsedTokens)/float64(*whole), 1), trigger
}
