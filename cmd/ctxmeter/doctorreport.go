package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wording"
	"github.com/ctxmeter/ctxmeter/meter"
)

// How a finding is to be taken.
const (
	findingOK      = "ok"
	findingNote    = "note"    // works, but one should know, or could have it better
	findingProblem = "problem" // does not work
)

// finding is what the doctor says of one thing. Nothing that was written in a
// conversation is in it, nor what belongs to others than ctxmeter.
type finding struct {
	Check  string `json:"check"`
	Status string `json:"status"`
	Text   string `json:"text"`
	Mend   string `json:"mend"` // what to do; "" if nothing
}

// diagnosis is what --json prints.
type diagnosis struct {
	SchemaVersion int       `json:"schema_version"`
	Findings      []finding `json:"findings"`
}

func (d *doctor) ok(check, format string, args ...any) {
	d.add(findingOK, check, fmt.Sprintf(format, args...), "")
}

func (d *doctor) note(check, text, mend string) { d.add(findingNote, check, text, mend) }

func (d *doctor) problem(check, text, mend string) { d.add(findingProblem, check, text, mend) }

func (d *doctor) add(status, check, text, mend string) {
	d.found = append(d.found, finding{check, status, d.shorten(text), d.shorten(mend)})
}

// shorten writes the home folder as ~, so that a report does not tell who
// made it.
func (d *doctor) shorten(text string) string {
	text = wording.Clean(text)
	homes := []string{d.p.home()}
	if real, err := filepath.EvalSymlinks(d.p.home()); err == nil {
		homes = append(homes, real)
	}
	for _, home := range homes {
		if filepath.Dir(home) == home || home == "" || home == "." { // the root is no name
			continue
		}
		text = withoutHome(text, home)
		if slashed := filepath.ToSlash(home); slashed != home {
			text = withoutHome(text, slashed)
		}
	}
	return text
}

// withoutHome replaces home where it is a whole path or the beginning of one.
func withoutHome(text, home string) string {
	var b strings.Builder
	for {
		before, after, ok := strings.Cut(text, home)
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		alone := before == "" || !partOfName(before[len(before)-1])
		if alone && (after == "" || !partOfName(after[0])) {
			b.WriteByte('~')
		} else {
			b.WriteString(home)
		}
		text = after
	}
}

func partOfName(c byte) bool {
	return c == '-' || c == '_' || c == '.' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= 0x80
}

// sick reports whether something does not work.
func (d *doctor) sick() bool {
	for _, f := range d.found {
		if f.Status == findingProblem {
			return true
		}
	}
	return false
}

func (d *doctor) view() diagnosis { return diagnosis{meter.SchemaVersion, d.found} }

// text is the report for people: a line for each finding, and its mend below.
func (d *doctor) text(st style) string {
	var b strings.Builder
	const indent = "         "
	colors := map[string]string{findingOK: colorGood, findingNote: colorCare, findingProblem: colorBad}
	counts := map[string]int{}
	for _, f := range d.found {
		counts[f.Status]++
		lines := st.wrap(fmt.Sprintf("%s %s: %s", strings.Repeat("x", len(indent)-1), f.Check, f.Text), indent)
		b.WriteString(st.paint(colors[f.Status], fmt.Sprintf("%-8s", f.Status)) + lines[len(indent)-1:] + "\n")
		if f.Mend != "" {
			b.WriteString(indent + strings.TrimPrefix(st.wrap(strings.Repeat("x", len(indent)-1)+" -> "+f.Mend, indent+"   "), strings.Repeat("x", len(indent)-1)+" ") + "\n")
		}
	}
	fmt.Fprintf(&b, "\n%s, %s\n", counted(counts[findingProblem], "problem"), counted(counts[findingNote], "note"))
	return b.String()
}

func counted(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return wording.Number(int64(n)) + " " + what
}
