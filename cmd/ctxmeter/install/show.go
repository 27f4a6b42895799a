package install

import (
	"fmt"
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
	before, after := pl.Path+linked(pl, c), pl.Path+linked(pl, c)
	if !c.Exists() {
		before = "/dev/null"
	}
	if text == nil {
		after = "/dev/null"
	}
	diff := edit.Unified(wording.Clean(before), wording.Clean(after), string(c.Text), string(text), pl.around())
	i.Print(wording.Escape(pl.discreet(diff)))
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

// longLine is the length from which on only what is different in a line is
// shown, with so much around it, and mostShown is how much of that is, in bytes:
// a file that is all on one line may be megabytes.
const (
	longLine  = 200
	keepNear  = 40
	mostShown = 4000
)

// excerpt is a line, without its end, of which from bytes at the beginning and
// end bytes at the end are not of interest.
func excerpt(line string, from, end int) string {
	if len(line) <= longLine {
		return line
	}
	head, tail := max(0, from-keepNear), min(len(line), len(line)-end+keepNear)
	out := line[head:max(head, tail)]
	if len(out) > mostShown {
		out = out[:mostShown/2] + fmt.Sprintf("… (%d bytes) …", len(out)-mostShown) + out[len(out)-mostShown/2:]
	}
	if head > 0 {
		out = "…" + out
	}
	if tail < len(line) {
		out += "…"
	}
	return strings.ToValidUTF8(out, "…")
}
