package doctor

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wording"
)

// How a finding is to be taken.
const (
	OK      = "ok"
	Note    = "note"    // works, but one should know, or could have it better
	Problem = "problem" // does not work
)

// Finding is what the doctor says of one thing. Nothing that was written in a
// conversation is in it, nor what belongs to others than ctxmeter.
type Finding struct {
	Check  string `json:"check"`
	Status string `json:"status"`
	Text   string `json:"text"`
	Mend   string `json:"mend"` // what to do; "" if nothing

	kind string // those of the same kind are told together, "" is none
}

// Report is what --json prints.
type Report struct {
	SchemaVersion int       `json:"schema_version"`
	Findings      []Finding `json:"findings"`
}

func (d *doctor) ok(check, format string, args ...any) {
	d.add(OK, check, fmt.Sprintf(format, args...), "")
}

func (d *doctor) note(check, text, mend string) { d.add(Note, check, text, mend) }

func (d *doctor) problem(check, text, mend string) { d.add(Problem, check, text, mend) }

// once adds what may be found more than once.
func (d *doctor) once(status, check, text, mend string) {
	if text := d.shorten(text); !slices.ContainsFunc(d.found, func(f Finding) bool { return f.Check == check && f.Text == text }) {
		d.add(status, check, text, mend)
	}
}

func (d *doctor) add(status, check, text, mend string) {
	d.found = append(d.found, Finding{Check: check, Status: status, Text: d.shorten(text), Mend: d.shorten(mend), kind: d.kindOf(status, text, mend)})
}

// shorten writes the home folder as ~, so that a report does not tell who
// made it.
func (d *doctor) shorten(text string) string {
	text = wording.Clean(text)
	homes := []string{d.env.Home}
	if real, err := filepath.EvalSymlinks(d.env.Home); err == nil {
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

// Sick reports whether something does not work.
func (d Report) Sick() bool {
	for _, f := range d.Findings {
		if f.Status == Problem {
			return true
		}
	}
	return false
}
