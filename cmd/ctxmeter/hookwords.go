package main

import (
	"fmt"
	"math"

	"github.com/ctxmeter/ctxmeter/meter"
)

// What the model is told is in its context for good: two sentences, where it
// stands and what to do.

// levelNotice tells that the context has become fuller by a level.
func levelNotice(r *meter.Reading, f freed) notice {
	where := standing(r) + distance(r)
	told := "Your context is " + where
	if f != (freed{}) {
		told = "The conversation was compacted, and your context is still " + where
	}
	return notice{
		model:  told + ". " + advice(r),
		person: "ctxmeter: " + subject(r) + " is " + where,
	}
}

// freedNotice tells what a compaction has freed.
func freedNotice(r *meter.Reading, f freed) notice {
	by := "about " + short(f.before-f.now) + " tokens"
	return notice{
		model:  "The conversation was compacted, which freed " + by + ": your context is now " + standing(r) + ". Read again what you need and the summary leaves out.",
		person: "ctxmeter: " + subject(r) + " was compacted, which freed " + by + " of " + short(f.before) + "; it is now " + standing(r),
	}
}

// notice warns of the read. The clients give the model what is said before a
// tool together with the tool's result, unless the read is denied.
func (a ahead) notice(deny bool) notice {
	what := fmt.Sprintf("reading %s adds about %s tokens", a.name, short(a.tokens))
	if crossing(a.reading, a.tokens) != a.crosses {
		what += fmt.Sprintf(", %s with the other reads under way", short(a.tokens+a.others))
	}
	if a.crosses == crossesWindow {
		what += fmt.Sprintf(", and the context window has %s left", short(*a.reading.RemainingTokens))
	} else {
		what += fmt.Sprintf(", and after %s the client compacts the context", short(a.room))
	}
	what += "; it is " + standing(a.reading)
	person := "ctxmeter: " + what
	if deny {
		person += "; stopped, as configured"
	}
	return notice{model: upper(what) + ". " + a.instead(deny), person: person, deny: deny}
}

// instead is what to do about the read.
func (a ahead) instead(deny bool) string {
	first := "Save what must not be lost"
	if subagent(a.reading) {
		first = "Report soon what you have found"
	}
	if a.part.lines == 0 {
		if deny {
			return first + " first; no part of it that is worth reading fits."
		}
		return first + ", and read no more of such files."
	}
	p := a.part
	lines := fmt.Sprintf("lines %d to %d", p.first, p.first+p.lines-1)
	if a.paged {
		lines += fmt.Sprintf(" (offset=%d limit=%d)", p.first, p.lines)
	}
	fits := fmt.Sprintf("%s are about %s tokens", lines, short(p.tokens))
	if deny {
		return "Read a part that fits: " + fits + "."
	}
	return first + ", and read such a file in parts: " + fits + "."
}

// standing is how full it is: "76 % full (151k of 200k tokens)". A window that
// nobody stated is said to be one.
func standing(r *meter.Reading) string {
	if r.UsedTokens == nil {
		return "of unknown size"
	}
	about := ""
	if r.Basis != nil && *r.Basis == meter.BasisEstimate {
		about = "about "
	}
	if r.WindowTokens == nil || r.UsedPercent == nil {
		return about + short(*r.UsedTokens) + " tokens large"
	}
	window := ""
	if r.WindowSource != nil && *r.WindowSource == meter.SourceAssumed {
		window = "an assumed window of "
	}
	return fmt.Sprintf("%s%d %% full (%s of %s%s tokens)", about, int64(math.Round(*r.UsedPercent)), short(*r.UsedTokens), window, short(*r.WindowTokens))
}

// distance is how far compaction is, as far as that is known.
func distance(r *meter.Reading) string {
	left := r.Compaction.RemainingTokens
	switch {
	case left != nil && *left == 0:
		return ", and the client compacts it next"
	case left != nil:
		return ", and the client compacts it after " + short(*left) + " more"
	case r.Compaction.Mode == meter.ModeOff:
		return ", and the client will not compact it on its own"
	}
	return ""
}

// advice is what the agent can do.
func advice(r *meter.Reading) string {
	switch {
	case subagent(r) && r.Level == meter.LevelCritical:
		return "Finish, and report what you have found."
	case subagent(r):
		return "Read less, and come to your report."
	case r.Level == meter.LevelCritical:
		return "Save the state of the work now (goal, decisions, next steps), and leave what is large to subagents."
	case r.Level == meter.LevelHigh:
		return "Read in parts, leave searches to subagents, and save what must not be lost."
	}
	return "Read in parts, and leave long searches to subagents."
}

// subject tells the person whose context it is.
func subject(r *meter.Reading) string {
	if subagent(r) {
		return "a subagent's context"
	}
	return "the context"
}

func subagent(r *meter.Reading) bool { return r.Session.AgentID != nil || r.Session.ParentID != nil }

// upper begins a sentence.
func upper(text string) string {
	if text != "" && text[0] >= 'a' && text[0] <= 'z' {
		return string(text[0]-'a'+'A') + text[1:]
	}
	return text
}
