package main

import (
	"strings"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wording"
	"github.com/ctxmeter/ctxmeter/meter"
)

// table is a line for each candidate: the columns that help to choose, as
// many as there is room for.
//
//	████▍···┃·   44.9 %    5 min ago  claude-sonnet-4-6  live  5ca1ab1e-0de0
func (st style) table(list []meter.Candidate, readings []*meter.Reading) string {
	ids, clients := wording.ShortIDs(list), false
	for _, c := range list {
		clients = clients || c.Backend != list[0].Backend
	}
	rows := make([][]cell, len(list))
	for i, c := range list {
		rows[i] = st.row(c, readings[i], ids[i], clients)
	}
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, c := range row {
			widths[i] = max(widths[i], columns(c.text))
		}
	}
	for _, spare := range []struct{ column, least int }{{columnGauge, 0}, {columnModel, 12}, {columnClient, 0}, {columnModel, 0}, {columnAge, 0}} {
		if over := total(widths) - st.width; over > 0 && widths[spare.column] > spare.least {
			if spare.least > 0 { // it can be cut
				spare.least = max(widths[spare.column]-over, spare.least)
			}
			widths[spare.column] = spare.least
		}
	}
	var b strings.Builder
	for _, row := range rows {
		line := ""
		for i, c := range row {
			if widths[i] > 0 {
				line += c.fill(st, widths[i]) + "  "
			}
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}

// The columns of a table of sessions.
const (
	columnGauge = iota
	columnPercent
	columnAge
	columnClient
	columnModel
	columnLive
	columnID
)

type cell struct {
	text  string
	color string
	right bool // it stands at the right of its column
	drawn string
}

// fill is the cell as wide as its column.
func (c cell) fill(st style, width int) string {
	c.text = cut(c.text, width)
	blank := strings.Repeat(" ", width-columns(c.text))
	text := st.paint(c.color, c.text)
	if c.drawn != "" {
		text = c.drawn
	}
	if c.right {
		return blank + text
	}
	return text + blank
}

func total(widths []int) (n int) {
	for _, w := range widths {
		if w > 0 {
			n += w + 2
		}
	}
	return n - 2
}

func (st style) row(c meter.Candidate, r *meter.Reading, id string, client bool) []cell {
	const cells = 10
	row := make([]cell, columnID+1)
	row[columnID] = cell{text: id}
	row[columnPercent] = cell{text: "no reading", right: true}
	if c.Live {
		row[columnLive] = cell{text: "live"}
	}
	if client {
		row[columnClient] = cell{text: wording.Name(c.Backend)}
	}
	if r == nil {
		return row
	}
	if r.UsedPercent != nil {
		row[columnGauge] = cell{text: strings.Repeat(" ", cells), drawn: st.gauge(r, cells)}
		row[columnPercent] = cell{text: percent(*r.UsedPercent), color: colorOf(r.Level), right: true}
	}
	if r.EventAgeSeconds != nil {
		row[columnAge] = cell{text: wording.Age(*r.EventAgeSeconds) + " ago", right: true}
	}
	if r.Session.Model != nil {
		row[columnModel] = cell{text: wording.Name(*r.Session.Model)}
	}
	return row
}

func cut(text string, most int) string {
	if columns(text) <= most {
		return text
	}
	runes := []rune(text)
	for columns(string(runes)) >= most {
		runes = runes[:len(runes)-1]
	}
	return string(runes) + "…"
}
