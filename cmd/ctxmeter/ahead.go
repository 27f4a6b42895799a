package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wording"
	"github.com/ctxmeter/ctxmeter/config"
	"github.com/ctxmeter/ctxmeter/meter"
)

// compactionWords says when the client compacts. It does so by its own count,
// in which what is not measured yet has another size than in ours.
func compactionWords(r *meter.Reading) string {
	c := r.Compaction
	source := ""
	if c.TriggerSource != nil {
		source = fmt.Sprintf(" (%s)", wording.Name(string(*c.TriggerSource)))
	}
	var out string
	switch {
	case c.TriggerTokens != nil:
		out = fmt.Sprintf("compacts at %s%s", wording.Number(*c.TriggerTokens), source)
		if c.RemainingTokens != nil && *c.RemainingTokens > 0 {
			out += ": "
			if c.Percent != nil { // what the level goes by
				out += percent(*c.Percent) + " of the way, "
			}
			out += wording.Number(*c.RemainingTokens) + " left"
			if r.UsedTokens != nil && *r.UsedTokens+*c.RemainingTokens != *c.TriggerTokens {
				out += " by the client's own count"
			}
		} else if c.RemainingTokens != nil {
			out += ": due now"
		}
	case c.Mode == meter.ModeAuto:
		out = "compacts on its own, nobody knows when: --compact-threshold can say"
	case c.Mode == meter.ModeReactive:
		out = "compacts only when a prompt is refused" + source
	case c.Mode == meter.ModeOff:
		out = "does not compact on its own" + source
	default:
		out = "when it compacts is not known: --compact-threshold can say"
	}
	if c.Count != nil && *c.Count > 0 {
		out += "; compacted " + times(*c.Count)
	}
	if c.LastAt != nil {
		if c.Count == nil {
			out += "; compacted"
		} else if *c.Count > 1 {
			out += ", last"
		}
		if c.Count == nil || *c.Count > 0 {
			out += fmt.Sprintf(" %s ago", wording.Age(max(r.ObservedAt.Sub(*c.LastAt).Seconds(), 0)))
		}
	}
	return out
}

// plannedWords says whether the planned read fits; asked is what --planned
// was given.
func plannedWords(r *meter.Reading, asked string) string {
	p := r.Planned
	if p == nil {
		return ""
	}
	isSize := p.Source != "path"
	what, how := "the planned read", "about "
	switch _, exact, ok := plannedSize(asked); {
	case !isSize && ok:
		what = "the planned file (there is one of the name " + wording.Name(asked) + ")"
	case isSize && exact:
		how = ""
	}
	if p.Files != nil {
		what += " of " + filesWord(*p.Files)
		if p.Skipped > 0 {
			what += fmt.Sprintf(" (%s skipped)", wording.Number(p.Skipped))
		}
	}
	if p.AtLeast {
		how = "at least " + how
	}
	adds := " adds "
	if refused(p) {
		what, adds = what+" has to be done in parts, each", " adds up to "
	}
	return what + adds + how + wording.Number(p.Tokens) + " tokens" + afterwards(p) + limited(p)
}

// limited tells of the client's limit on a read.
func limited(p *meter.PlannedView) string {
	if len(p.Limits) == 0 {
		return ""
	}
	var words []string
	for _, c := range p.Limits {
		words = append(words, cutWords(c))
	}
	whole := "the whole file is "
	if p.Files != nil {
		whole = "uncut, the files are "
	}
	if p.AtLeast {
		whole += "at least "
	}
	return fmt.Sprintf(" (%s; %sabout %s)", strings.Join(words, "; "), whole, wording.Number(p.WholeTokens))
}

// refused reports a single read that the client does not do as a whole.
func refused(p *meter.PlannedView) bool {
	return p.Files == nil && slices.ContainsFunc(p.Limits, func(c meter.Cut) bool { return c.How == meter.CutRefused })
}

// cutWords says what becomes of a read beyond a limit.
func cutWords(c meter.Cut) string {
	switch c.How {
	case meter.CutRefused:
		return c.Tool + " refuses files over " + cutSize(c)
	case meter.CutMiddle:
		return c.Tool + " shows " + cutSize(c) + ", not the middle"
	}
	return c.Tool + " ends after " + cutSize(c)
}

func cutSize(c meter.Cut) string {
	switch {
	case c.Tokens > 0:
		return wording.Number(c.Tokens) + " tokens"
	case c.Bytes%1024 == 0:
		return wording.Number(c.Bytes/1024) + " KiB"
	}
	return wording.Number(c.Bytes) + " bytes"
}

func afterwards(p *meter.PlannedView) string {
	out := ""
	if p.UsedPercentAfter != nil {
		out = fmt.Sprintf(", %s then", percent(*p.UsedPercentAfter))
	}
	switch {
	case p.FitsWindow != nil && !*p.FitsWindow:
		return out + ": it does not fit the window"
	case p.TriggersCompaction != nil && *p.TriggersCompaction:
		return out + ": it fits, but compaction comes first"
	case p.FitsWindow != nil:
		return out + ": it fits"
	}
	return out + "; whether that fits is not known"
}

// plannedSize reads a size of --planned: in tokens if exact, else in bytes.
func plannedSize(text string) (n int64, exact, ok bool) {
	if digits, t := strings.CutSuffix(text, "t"); t {
		if n, err := config.ParseTokens(digits); err == nil {
			return n, true, true
		}
	}
	n, err := config.ParseBytes(text)
	return n, false, err == nil
}

func filesWord(n int64) string {
	if n == 1 {
		return "1 file"
	}
	return wording.Number(n) + " files"
}
