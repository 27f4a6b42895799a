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
	if f != (freed{}) {
		where = "The conversation was compacted, and " + where
	} else {
		where = upper(where)
	}
	return notice{
		model:  where + ". " + advice(r),
		person: "ctxmeter: " + whoseContext(r) + standing(r) + distance(r),
	}
}

// freedNotice tells what a compaction has freed.
func freedNotice(r *meter.Reading, f freed) notice {
	by := fmt.Sprintf("about %s tokens", short(f.before-f.now))
	return notice{
		model:  fmt.Sprintf("The conversation was compacted, which freed %s: %s. Read again what you need and the summary leaves out.", by, standing(r)),
		person: fmt.Sprintf("ctxmeter: %scompaction freed %s (%s before), %s", whoseContext(r), by, short(f.before), standing(r)),
	}
}

// notice warns of the read.
func (a ahead) notice() notice {
	what := fmt.Sprintf("reading %s adds about %s tokens, ", a.name(), short(a.tokens))
	if a.crosses == crossesWindow {
		what += fmt.Sprintf("more than the %s that the context window has left", short(*a.reading.RemainingTokens))
	} else {
		what += fmt.Sprintf("and in %s the client compacts the conversation", short(a.room))
	}
	what += " (" + standing(a.reading) + ")"
	todo := "Save what must not be lost first, or let a subagent read it."
	if a.reading.Session.AgentID != nil || a.reading.Session.ParentID != nil {
		todo = "Report first what you have found."
	}
	if p := a.part; p.lines > 0 {
		todo = fmt.Sprintf("Lines %d to %d fit (about %s tokens)", p.first, p.first+p.lines-1, short(p.tokens))
		if a.paged {
			todo += fmt.Sprintf(": offset=%d limit=%d", p.first, p.lines)
		}
		todo += "; search for what you need, or save what must not be lost first."
	}
	return notice{model: upper(what) + ". " + todo, person: "ctxmeter: " + what}
}

// standing is how much is used: "151k of 200k tokens are in use (76 %)".
func standing(r *meter.Reading) string {
	if r.UsedTokens == nil {
		return "how much is in use is not known"
	}
	about := ""
	if r.Basis != nil && *r.Basis == meter.BasisEstimate {
		about = "about "
	}
	if r.WindowTokens == nil || r.UsedPercent == nil {
		return about + short(*r.UsedTokens) + " tokens of context are in use"
	}
	return fmt.Sprintf("%s%s of %s tokens of context are in use (%d %%)", about, short(*r.UsedTokens), short(*r.WindowTokens), int64(math.Round(*r.UsedPercent)))
}

// distance is how far compaction is, as far as that is known.
func distance(r *meter.Reading) string {
	left := r.Compaction.RemainingTokens
	switch {
	case left != nil && *left == 0:
		return ", and the client compacts the conversation next"
	case left != nil:
		return ", and in " + short(*left) + " the client compacts the conversation"
	case r.Compaction.Mode == meter.ModeOff:
		return ", and the client will not compact on its own"
	}
	return ""
}

// advice is what the agent can do.
func advice(r *meter.Reading) string {
	subagent := r.Session.AgentID != nil || r.Session.ParentID != nil
	switch {
	case subagent && r.Level == meter.LevelCritical:
		return "Finish, and report what you have found."
	case subagent:
		return "Read less, and come to your report."
	case r.Level == meter.LevelCritical:
		return "Save the state of the work now (goal, decisions, next steps), and leave what is large to subagents."
	case r.Level == meter.LevelHigh:
		return "Read in parts, leave searches to subagents, and save what must not be lost."
	}
	return "Read in parts, and leave long searches to subagents."
}

// whoseContext tells the person that it is not the conversation's own.
func whoseContext(r *meter.Reading) string {
	if r.Session.AgentID != nil || r.Session.ParentID != nil {
		return "a subagent: "
	}
	return ""
}

// upper begins a sentence.
func upper(text string) string {
	if text != "" && text[0] >= 'a' && text[0] <= 'z' {
		return string(text[0]-'a'+'A') + text[1:]
	}
	return text
}
