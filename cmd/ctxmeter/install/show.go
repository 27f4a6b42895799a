package install

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/edit"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wording"
)

// report prints what there is to say of a file.
func (i *installer) report(pl target, notes []string) {
	for _, n := range notes {
		i.tell("%s: %s", pl.Path, n)
	}
}

func linked(pl target, c settingsFile) string {
	if c.Path == pl.Path {
		return ""
	}
	return " (a link to " + c.Path + ")"
}

// around is how many lines are shown around a change. The state of Claude Code
// gets none: it holds an account, and what is next to a change is nobody's
// business.
func (pl target) around() int {
	if pl.Busy != "" {
		return 0
	}
	return 3
}

// show prints how a file would be changed; to nothing if it would be removed.
func (i *installer) show(pl target, c settingsFile, text []byte) {
	name := wording.Clean(pl.Path + linked(pl, c))
	before := edit.Side{Name: name, Text: string(c.Text), Shown: pl.shown(c.Text)}
	after := edit.Side{Name: name, Text: string(text), Shown: pl.shown(text)}
	if !c.Exists() {
		before.Name = "/dev/null"
	}
	if text == nil {
		after.Name = "/dev/null"
	}
	i.Print(wording.Escape(narrow(edit.Unified(before, after, pl.around()))))
}

// longLine is the length from which on only what is different in a line is
// shown, with so much around it, and mostShown is how much of that is, in bytes:
// a file that is all on one line may be megabytes.
const (
	longLine  = 200
	keepNear  = 40
	mostShown = 4000
)

// narrow cuts the long lines of a difference.
func narrow(diff string) string {
	lines := strings.SplitAfter(diff, "\n")
	var out strings.Builder
	for n := 0; n < len(lines); {
		switch {
		case n < 2 || lines[n] == "" || lines[n][0] == '@' || lines[n][0] == '\\':
			out.WriteString(lines[n])
			n++
		case lines[n][0] == ' ':
			line := strings.TrimSuffix(lines[n][1:], "\n")
			out.WriteString(" " + excerpt(line, line) + "\n")
			n++
		default:
			end := n
			for end < len(lines) && lines[end] != "" && strings.IndexByte(`-+\`, lines[end][0]) >= 0 {
				end++
			}
			narrowChanged(&out, lines[n:end])
			n = end
		}
	}
	return out.String()
}

// narrowChanged writes the lines that are in one of two texts, each next to the
// one that took its place, if there is one.
func narrowChanged(out *strings.Builder, lines []string) {
	sides := map[byte][]string{}
	for _, l := range lines {
		sides[l[0]] = append(sides[l[0]], strings.TrimSuffix(l[1:], "\n"))
	}
	other := map[byte]byte{'-': '+', '+': '-'}
	nth := map[byte]int{}
	for _, l := range lines {
		side := l[0]
		if side == '\\' {
			out.WriteString(l)
			continue
		}
		n := nth[side]
		nth[side]++
		beside := ""
		if list := sides[other[side]]; n < len(list) {
			beside = list[n]
		}
		out.WriteString(string(side) + excerpt(sides[side][n], beside) + "\n")
	}
}

// word is what a long line is compared by.
var word = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|[\w-]+|[^\w"-]|"`)

// excerpt is a line, or of a long one the pieces that another one has not, with
// a little around them, or where the other one has more.
func excerpt(line, other string) string {
	if len(line) <= longLine {
		return line
	}
	kept := make([]bool, len(line)) // bytes
	some := false
	keep := func(from, end int) {
		for n := max(0, from-keepNear); n < min(len(line), end+keepNear); n++ {
			kept[n] = true
		}
	}
	if line != other {
		pieces, at := word.FindAllString(line, -1), 0
		for n, fresh := range edit.Fresh(word.FindAllString(other, -1), pieces) {
			if fresh {
				keep(at, at+len(pieces[n]))
				some = true
			}
			at += len(pieces[n])
		}
	}
	if !some { // where the other one has more
		at := 0
		for at < len(line) && at < len(other) && line != other && line[at] == other[at] {
			at++
		}
		keep(at, at)
	}
	var out strings.Builder
	for n := 0; n < len(line); {
		end := n
		for end < len(line) && kept[end] == kept[n] {
			end++
		}
		if kept[n] {
			out.WriteString(line[n:end])
		} else {
			out.WriteString(hidden)
		}
		n = end
	}
	text := out.String()
	if len(text) > mostShown {
		text = text[:mostShown/2] + fmt.Sprintf("… (%d bytes) …", len(text)-mostShown) + text[len(text)-mostShown/2:]
	}
	return strings.ToValidUTF8(text, hidden)
}
