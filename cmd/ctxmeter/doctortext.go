package main

import (
	"fmt"
	"strings"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/doctor"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wording"
)

// findings is the report for people: a line for each finding, and its mend below.
func (st style) findings(list []doctor.Finding) string {
	var b strings.Builder
	const indent = "         "
	colors := map[string]string{doctor.OK: colorGood, doctor.Note: colorCare, doctor.Problem: colorBad}
	counts := map[string]int{}
	for _, f := range list {
		counts[f.Status]++
		lines := st.wrap(fmt.Sprintf("%s %s: %s", strings.Repeat("x", len(indent)-1), f.Check, f.Text), indent)
		b.WriteString(st.paint(colors[f.Status], fmt.Sprintf("%-8s", f.Status)) + lines[len(indent)-1:] + "\n")
		if f.Mend != "" {
			b.WriteString(indent + strings.TrimPrefix(st.wrap(strings.Repeat("x", len(indent)-1)+" -> "+f.Mend, indent+"   "), strings.Repeat("x", len(indent)-1)+" ") + "\n")
		}
	}
	fmt.Fprintf(&b, "\n%s, %s\n", wording.Counted(counts[doctor.Problem], "problem"), wording.Counted(counts[doctor.Note], "note"))
	return b.String()
}
