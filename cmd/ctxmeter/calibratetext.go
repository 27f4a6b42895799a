package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wording"
)

// text is the report for people.
func (c *calibration) text(st style) string {
	var b strings.Builder
	say := func(indent, text string) { b.WriteString(st.wrap(text, indent) + "\n") }
	l := c.Learned
	say("", fmt.Sprintf("%s in %s", wording.Counted(int(l.Requests), "request"), wording.Counted(l.Transcripts, "transcript")))
	if len(c.Findings) > 0 {
		b.WriteString("\n" + st.paint(colorStrong, "tokens of a text, against the built-in table") + "\n")
		b.WriteString(st.ratios(c))
	}
	b.WriteString("\n")
	say("", fmt.Sprintf("%s to start from, %s of what comes back after a compaction, %s",
		wording.Counted(len(l.Overheads), "amount"), wording.Counted(len(l.Restored), "amount"), wording.Counted(len(l.Triggers), "observed trigger")))
	if len(c.Skipped) > 0 {
		b.WriteString("\n" + st.paint(colorCare, "not read") + "\n")
		for i, s := range c.Skipped {
			if i == maxCandidates {
				fmt.Fprintf(&b, "  and %d more\n", len(c.Skipped)-i)
				break
			}
			b.WriteString("  ")
			say("    ", wording.Name(s.Name)+": "+wording.Clean(s.Message))
		}
	}
	end := "kept: all readings use it from now on ('ctxmeter calibrate --reset' forgets it)"
	if !c.Kept {
		end = "nothing was kept"
	}
	b.WriteString("\n")
	say("", end)
	return b.String()
}

// ratios is a table of the ratios: the median error of texts of sessions
// that had no part in them, in percent of what was measured.
func (st style) ratios(c *calibration) string {
	rows := [][]string{{"model", "sessions", "texts", "ratio", "error", "with it", ""}}
	for _, f := range c.Findings {
		why := "kept"
		if !f.Kept {
			why = "not kept: " + f.Why
		}
		percent := func(part float64) string { return strconv.FormatFloat(100*part, 'f', 1, 64) + " %" }
		rows = append(rows, []string{
			wording.Name(f.Model), wording.Number(int64(f.Sessions)), wording.Number(f.Texts), strconv.FormatFloat(f.Factor, 'f', 3, 64),
			percent(f.Before), percent(f.After), why,
		})
	}
	return aligned(rows)
}

// aligned puts rows in columns: the first and the last to the left, numbers to
// the right.
func aligned(rows [][]string) string {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], len([]rune(cell)))
		}
	}
	var b strings.Builder
	for _, row := range rows {
		line := " "
		for i, cell := range row {
			pad := strings.Repeat(" ", widths[i]-len([]rune(cell)))
			if i == 0 || i == len(row)-1 {
				line += " " + cell + pad
			} else {
				line += "  " + pad + cell
			}
			if i == len(row)-2 {
				line += " "
			}
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}
