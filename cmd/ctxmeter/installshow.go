package main

import (
	"fmt"
	"strings"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/edit"
)

// report prints what there is to say of a file.
func (i *installer) report(pl place, notes []string) {
	for _, n := range notes {
		i.tell("%s: %s", pl.path, n)
	}
}

func linked(pl place, c content) string {
	if c.path == pl.path {
		return ""
	}
	return " (a link to " + c.path + ")"
}

// around is how many lines are shown around a change. The state of Claude Code
// gets none: it holds an account, and what is next to a change is nobody's
// business.
func (pl place) around() int {
	if pl.busy != "" {
		return 0
	}
	return 3
}

// show prints how a file would be changed; to nothing if it would be removed.
func (i *installer) show(pl place, c content, text []byte) {
	before, after := pl.path+linked(pl, c), pl.path+linked(pl, c)
	if !c.exists() {
		before = "/dev/null"
	}
	if text == nil {
		after = "/dev/null"
	}
	diff := edit.Unified(clean(before), clean(after), string(c.text), string(text), pl.around())
	i.p.print(escape(shorten(diff)))
}

// maxLine is the length from which on a line of a difference is shortened, in
// bytes: a file that is all on one line may be megabytes.
const maxLine = 2000

// shorten cuts the lines of a difference that are too long to be read down to
// what is different in them.
func shorten(diff string) string {
	lines := strings.SplitAfter(diff, "\n")
	for n := 0; n < len(lines); n++ {
		if len(lines[n]) <= maxLine {
			continue
		}
		old, with := lines[n], ""
		pair := n+1 < len(lines) && old[0] == '-' && lines[n+1] != "" && lines[n+1][0] == '+'
		next := n + 1
		if n+2 < len(lines) && strings.HasPrefix(lines[n+1], `\`) && strings.HasPrefix(lines[n+2], "+") && old[0] == '-' {
			pair, next = true, n+2
		}
		if pair {
			with = lines[next]
		}
		from, end := differ(old[1:], strings.TrimPrefix(with, "+"))
		lines[n] = old[:1] + excerpt(old[1:], from, end)
		if pair {
			lines[next] = "+" + excerpt(with[1:], from, end)
			n = next
		}
	}
	return strings.Join(lines, "")
}

// differ is how much two lines have in common at their beginnings and ends.
func differ(a, b string) (from, end int) {
	for from < len(a) && from < len(b) && a[from] == b[from] {
		from++
	}
	for end < len(a)-from && end < len(b)-from && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	return from, end
}

// excerpt is a line without most of its beginning and end.
func excerpt(line string, from, end int) string {
	const keep = 40
	eol := ""
	if strings.HasSuffix(line, "\n") {
		eol = "\n"
	}
	head, tail := max(0, from-keep), min(len(line), len(line)-end+keep)
	out := strings.TrimSuffix(line[head:max(head, tail)], "\n")
	if len(out) > 2*maxLine {
		out = out[:maxLine] + fmt.Sprintf("… (%d bytes) …", len(out)-2*maxLine) + out[len(out)-maxLine:]
	}
	if head > 0 {
		out = "…" + out
	}
	if tail < len(line) {
		out += "…"
	}
	return strings.ToValidUTF8(out, "…") + eol
}
