package doctor

import (
	"regexp"
	"strings"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wording"
)

// mostAlike is how many findings of one kind are told one by one.
const mostAlike = 3

// folded leaves out all but the first findings of a kind, and says how many. Of
// those of no kind all stay.
func folded(list []Finding) (out []Finding) {
	count := map[string]int{}
	for _, f := range list {
		count[f.kind]++
	}
	told := map[string]int{}
	for _, f := range list {
		told[f.kind]++
		switch n := told[f.kind]; {
		case f.kind == "" || n < mostAlike:
		case n > mostAlike:
			continue
		case count[f.kind] > n:
			f.Text += "; and " + wording.Number(int64(count[f.kind]-n)) + " more like that"
		}
		out = append(out, f)
	}
	return out
}

// kindOf is the kind of a finding about the command that is being looked at:
// what differs within one is which program that is, and how long it took.
func (d *doctor) kindOf(status, text, mend string) string {
	if d.about.place == "" {
		return ""
	}
	for _, word := range d.about.words {
		text = strings.ReplaceAll(text, word, "")
	}
	return strings.Join([]string{d.about.place, status, lasting.ReplaceAllString(text, ""), mend}, "\x00")
}

// about is the command that is being looked at; the zero value is none.
type about struct {
	place string   // the settings file, and the part
	words []string // in which it differs from others: its program, its name
}

var lasting = regexp.MustCompile(`\([0-9.a-zµ]+\)`)
