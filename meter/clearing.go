package meter

import "slices"

// Some clients clear old tool results when the context is nearly full, ahead
// of a compaction and without a record of it: Claude Code up to 2.1.5. The
// rule fits all 12 clearings of 22 real sessions of 1.0.80 to 2.1.5 (seen in
// 1.0.89, 2.0.67 and 2.1.5) and was wrong once in them: before
// a request, if the measurement before came to clearFrom tokens, the oldest
// results are cleared until clearTo are left or only the newest clearKept
// results, provided that this frees clearLeast. The client counts four
// characters as a token.
const (
	clearFrom  = 135_000 // 20,000 under the trigger of these versions
	clearTo    = 40_000
	clearLeast = 20_000
	clearKept  = 3

	// clearSure is how much has to be free for a clearing to be sure: the
	// client counts a little less than the transcript shows. From 20,000 to
	// here it cleared at once 5 times of 6, beyond always (6 times).
	clearSure = 21_000
	// clearDrop is the measured drop that shows a clearing: they came to
	// 17,700 and more.
	clearDrop = 10_000
)

// What a token of the client's arithmetic came to when it was cleared, in
// tokens of the provider: median of the 12, and all of them.
const (
	clearWorth = 1.2
	clearLow   = 1.05
	clearHigh  = 1.55
)

// clearing is what has to be known for the rule.
type clearing struct {
	On      bool    // the client clears results
	Results []int64 // since the boundary, in the order of the file: code points of those that can be cleared and were not
	Refuted int64   // tokens: as much could be freed, and was not
	Calls   []Link  // of tools whose results can be cleared, the newest that were not answered yet
}

// What bounds the memory: beyond maxResults, neighbours are taken as one.
const (
	maxResults = 256
	maxCalls   = 32
)

// call notes a call that a reply makes, or its result.
func (c *clearing) call(e *Event) {
	i := slices.Index(c.Calls, e.Call)
	switch {
	case e.Kind == KindReply && i < 0:
		c.Calls = append(c.Calls, e.Call)
		c.Calls = c.Calls[max(len(c.Calls)-maxCalls, 0):]
	case e.Kind != KindReply && i >= 0:
		c.Calls = slices.Delete(c.Calls, i, i+1)
		c.add(e.Text.Tool.Chars)
	}
}

func (c *clearing) add(chars int64) {
	if len(c.Results) >= maxResults {
		for i := range maxResults / 2 {
			c.Results[i] = c.Results[2*i] + c.Results[2*i+1]
		}
		c.Results = c.Results[:maxResults/2]
	}
	c.Results = append(c.Results, chars)
}

// free tells how many results would be cleared, and what that frees in the
// client's arithmetic.
func (c *clearing) free() (results int, tokens int64) {
	left := int64(0)
	for _, chars := range c.Results {
		left += chars
	}
	freed := int64(0)
	for results < len(c.Results)-clearKept && (left-freed)/4 > clearTo {
		freed += c.Results[results]
		results++
	}
	return results, freed / 4
}

// measured learns from what the request measured that followed on before.
func (c *clearing) measured(before, now Usage) {
	if !c.On {
		return
	}
	n, tokens := c.free()
	switch {
	case now.Prompt < before.Prompt-clearDrop:
		c.Results = append(c.Results[:0], c.Results[n:]...)
		c.Refuted = 0
	case before.nearlyFull() && tokens >= clearLeast:
		c.Refuted = max(c.Refuted, tokens)
	}
}

func (u Usage) nearlyFull() bool { return u.Prompt+u.Output >= clearFrom }

// clears tells what the client will free before the request after u, in its
// own arithmetic, tokens; 0 is nothing.
func (s *State) clears(u Usage) int64 {
	if !s.Clearing.On || !u.nearlyFull() || s.Window.Tokens > clearWindow || s.startsLate() {
		return 0
	}
	if _, tokens := s.Clearing.free(); tokens >= clearLeast {
		return tokens
	}
	return 0
}

// clearWindow is the window, in tokens, that clearFrom is true of; the models
// of those versions had no other, but for a beta.
const clearWindow = 200_000

// startsLate reports that results since the last compaction are out of sight.
func (s *State) startsLate() bool { return s.From > 0 && s.Boundary == 0 }

// cleared takes from a use what the client is about to clear. Where an amount
// was not cleared before, it is more likely that it is not cleared now.
func (e Estimate) cleared(c Context) Estimate {
	tokens := float64(c.Clears)
	if c.Kept {
		e.Below += clearHigh * tokens
		return e
	}
	e.Tokens -= clearWorth * tokens
	e.Below += (clearHigh - clearWorth) * tokens
	if c.Clears < clearSure {
		e.Above += clearWorth * tokens
	} else {
		e.Above += (clearWorth - clearLow) * tokens
	}
	return e
}
