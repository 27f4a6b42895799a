package main

import (
	"fmt"
	"strings"

	"github.com/ctxmeter/ctxmeter/calibrate"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wording"
)

// text is the report for people.
func (r *accuracyRun) text(st style) string {
	var b strings.Builder
	say := func(indent, text string) {
		first := indent[:max(len(indent)-2, 0)]
		b.WriteString(first + strings.TrimPrefix(st.wrap(strings.Repeat("x", len(first))+text, indent), strings.Repeat("x", len(first))) + "\n")
	}
	head := fmt.Sprintf("%s in %s", wording.Counted(int(r.requests), "request"), wording.Counted(r.replayed, "transcript"))
	if r.empty > 0 {
		head += fmt.Sprintf(", %s of them without any", wording.Number(int64(r.empty)))
	}
	if r.learned {
		head += ", with what was learned"
	}
	say("", head+"; errors in percent of what was measured")
	rows := r.rows()
	models := len(r.score.Models())
	for i, row := range rows {
		if models == 1 && row.model != nil {
			break // it would say the same again
		}
		if i == 0 || row.model != rows[i-1].model {
			b.WriteString("\n" + st.paint(colorStrong, cut(modelWords(row.model, r.score.Models()), st.width)) + "\n")
		}
		b.WriteString(st.group(row))
	}
	if worst := r.worst(); len(worst) > 0 {
		b.WriteString("\n" + st.paint(colorStrong, "farthest off") + "\n")
		for _, w := range worst {
			say("    ", worstWords(w))
		}
	}
	if len(r.skipped) > 0 {
		b.WriteString("\n" + st.paint(colorCare, "not replayed") + "\n")
		for i, s := range r.skipped {
			if i == maxCandidates {
				say("    ", fmt.Sprintf("and %d more", len(r.skipped)-i))
				break
			}
			say("    ", wording.Name(s.Name)+": "+wording.Clean(s.Message))
		}
	}
	return b.String()
}

func modelWords(model *string, all []string) string {
	switch {
	case model != nil && *model == "":
		return "no model named"
	case model != nil:
		return wording.Name(*model)
	case len(all) == 1:
		return modelWords(&all[0], nil)
	}
	return "all models"
}

// afterWords names a kind of requests.
func afterWords(a calibrate.After) string {
	switch a {
	case calibrate.AfterCompaction:
		return "after a compaction"
	case calibrate.AfterRewind:
		return "after a rewind"
	case calibrate.AfterStart:
		return "first of a session"
	}
	return "after a reply"
}

func ruleWords(r calibrate.Rule) string {
	switch r {
	case calibrate.RuleLast:
		return "last measured"
	case calibrate.RuleQuarter:
		return "characters / 4"
	case calibrate.RuleBytes:
		return "bytes / 3.2 + 43,500"
	}
	return "ctxmeter"
}

// group is the table of a group:
//
//	after a reply, 301 requests     p50     p90     p95     p99
//	  ctxmeter                    0.047   0.512   0.931    5.95  band 91 %
//	  last measured               0.665    5.10    9.93    36.4
func (st style) group(row row) string {
	var b strings.Builder
	title := fmt.Sprintf("  %s, %s", afterWords(row.after), wording.Counted(int(row.Requests), "request"))
	fmt.Fprintf(&b, "%-36s %s\n", title, st.paint(colorFaint, fmt.Sprintf("%7s %7s %7s %7s", "p50", "p90", "p95", "p99")))
	line := func(name string, h *calibrate.Histogram, end string) {
		if h.Count() == 0 {
			return
		}
		fmt.Fprintf(&b, "    %-32s", name)
		for _, p := range []float64{.5, .9, .95, .99} {
			fmt.Fprintf(&b, " %7s", figures(100*h.Quantile(p)))
		}
		b.WriteString(end + "\n")
	}
	for _, rule := range calibrate.Rules() {
		end := ""
		if part, ok := row.Coverage(); ok && rule == calibrate.RuleOurs {
			end = fmt.Sprintf("  band %.0f %%", 100*part)
		}
		line(ruleWords(rule), row.Errors[rule], end)
		if rule == calibrate.RuleOurs {
			line(fmt.Sprintf("  %s, alone", wording.Counted(int(row.Tails.Count()), "long tail")), &row.Tails, "")
		}
	}
	for _, why := range []calibrate.Blank{calibrate.BlankStart, calibrate.BlankFar} {
		if n := row.Blanks[why]; n > 0 {
			fmt.Fprintf(&b, "    %s not predicted: %s\n", wording.Number(n), blankWords(why))
		}
	}
	return b.String()
}

func blankWords(why calibrate.Blank) string {
	if why == calibrate.BlankFar {
		return "it goes on from too far back"
	}
	return "nothing was measured before"
}

// figures writes a percentage with three figures.
func figures(f float64) string {
	switch {
	case f < 1:
		return fmt.Sprintf("%.3f", f)
	case f < 10:
		return fmt.Sprintf("%.2f", f)
	case f < 100:
		return fmt.Sprintf("%.1f", f)
	}
	return fmt.Sprintf("%.0f", f)
}

func worstWords(w worstView) string {
	id := wording.Name(w.Session)
	if w.Agent != nil {
		id += ", subagent " + wording.Name(*w.Agent)
	}
	at := fmt.Sprintf("byte %s", wording.Number(w.Offset))
	if w.Line != nil {
		at = fmt.Sprintf("line %d, %s", *w.Line, at)
	}
	return fmt.Sprintf("%s %% %s, %s: said %s, measured %s, %s", figures(w.ErrorPercent), id, at, wording.Number(w.Predicted), wording.Number(w.Truth), afterWords(w.Kind))
}
