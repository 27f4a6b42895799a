package meter

import "testing"

// clearingSession is a context with so many code points of results, in reads
// of their own, and a last measurement.
func clearingSession(prompt, output int64, reads ...int64) State {
	s := fold(Event{Kind: KindContent, ID: 1, UserTurn: true, Version: "2.0.67", Clears: true})
	id := Link(1)
	for i, chars := range reads {
		call := reply(id+1, id, uint64(100+i), 20_000, 10)
		call.Call = Link(1000 + i)
		answer := result(id+2, id+1, chars)
		answer.Call = call.Call
		s.Fold(call)
		s.Fold(answer)
		id += 2
	}
	s.Fold(reply(id+1, id, 7, prompt, output))
	return s
}

func usedOf(s State) (used int64, band [2]int64) {
	r := Read(Input{State: s}, plain{})
	return *r.UsedTokens, *r.UsedRange
}

// Near the trigger the next request is smaller than the last: the oldest
// results go, as many as it takes to have 40,000 tokens of them left.
func TestOldResultsAreClearedNearTheTrigger(t *testing.T) {
	reads := []int64{80_000, 16_000, 80_000, 80_000, 400, 400, 400} // 64,300 tokens; without 24,000 of them it is 40,300 still, without 44,000 20,300
	for name, tc := range map[string]struct {
		prompt, output int64
		reads          []int64
		freed          int64 // as the client counts
	}{
		"near":                      {134_000, 1_000, reads, 44_000},
		"far":                       {133_999, 1_000, reads, 0},
		"the newest three are kept": {134_000, 1_000, []int64{84_000, 80_000, 80_000, 80_000}, 21_000},
		"little to free":            {134_000, 1_000, []int64{79_996, 80_000, 80_000, 80_000}, 0},
		"few results":               {134_000, 1_000, []int64{400_000, 80_000, 80_000}, 0},
	} {
		s := clearingSession(tc.prompt, tc.output, tc.reads...)
		if got := s.Context().Clears; got != tc.freed {
			t.Errorf("%s: clears %d, want %d", name, got, tc.freed)
		}
		want := tc.prompt + tc.output - tc.freed*12/10
		if used, band := usedOf(s); used != want || tc.freed > 0 && (band[0] >= want || band[1] <= want) {
			t.Errorf("%s: used %d in %v, want %d", name, used, band, want)
		}
	}
}

// A clearing shows in what the request measured. What is left then was not
// cleared, and is all there is to clear.
func TestWhatWasClearedIsNotClearedAgain(t *testing.T) {
	s := clearingSession(134_000, 1_000, 100_000, 80_000, 80_000, 400, 400, 400)
	leaf := s.leaf().ID
	s.Fold(say(90, leaf, 40))
	s.Fold(reply(91, 90, 8, 100_000, 50_000))
	if got := s.Context().Clears; got != 0 {
		t.Errorf("clears %d after everything was cleared", got)
	}
	if _, tokens := s.Clearing.free(); tokens != 0 || len(s.Clearing.Results) != 4 {
		t.Errorf("%d results left", len(s.Clearing.Results))
	}
}

// Where a request shows that nothing was cleared, the client counts less than
// the transcript shows: the number stays, and the band says what may come.
func TestAClearingThatDidNotComeIsNotExpectedAgain(t *testing.T) {
	s := clearingSession(134_000, 1_000, 84_000, 80_000, 80_000, 400, 400)
	s.Fold(say(90, s.leaf().ID, 40))
	s.Fold(reply(91, 90, 8, 135_010, 10))
	if used, band := usedOf(s); used != 135_020 || band[0] > 135_020-21_000 || band[1] != 135_020 {
		t.Errorf("used %d in %v", used, band)
	}
	// More results can make it more than that.
	for i, call := range []Link{70, 71, 72} {
		id := Link(100 + 2*i)
		next := reply(id, s.leaf().ID, uint64(20+i), 136_000, 10)
		next.Call = call
		s.Fold(next)
		answer := result(id+1, id, 30_000)
		answer.Call = call
		s.Fold(answer)
	}
	if c := s.Context(); c.Kept || c.Clears != 61_000 {
		t.Errorf("kept %v, clears %d", c.Kept, c.Clears)
	}
}

// A compaction clears everything, other versions nothing, and a window of a
// million tokens is not nearly full.
func TestWhereNothingIsCleared(t *testing.T) {
	reads := []int64{100_000, 80_000, 80_000, 400, 400, 400}
	s := clearingSession(134_000, 1_000, reads...)
	if s.Context().Clears == 0 {
		t.Fatal("this clears nothing")
	}
	newer := s.Apply(Event{Kind: KindLink, ID: 80, Parent: s.leaf().ID, Version: "2.1.50"})
	if got := newer.Context().Clears; got != 0 {
		t.Errorf("another version clears %d", got)
	}
	large := s.Clone()
	large.Window.Tokens = 1_000_000
	if got := large.Context().Clears; got != 0 {
		t.Errorf("with a million tokens %d are cleared", got)
	}
	compacted := s.Apply(boundary(90, true, 135_000, 0))
	compacted.Fold(reply(91, 90, 9, 140_000, 10))
	if got := compacted.Context().Clears; got != 0 {
		t.Errorf("%d are cleared of what a compaction took", got)
	}
}

// A scan that began behind the results does not know them: it has to go back
// to the compaction, or to the beginning.
func TestAScanThatMayMissResultsIsNotSettled(t *testing.T) {
	for prompt, want := range map[int64]bool{134_990: false, 134_000: true} {
		s := State{From: 5000}
		s.Fold(reply(1, 0, 1, 100_000, 5))
		s.Fold(Event{Kind: KindLink, ID: 2, Parent: 1, Version: "2.0.67", Clears: true})
		s.Fold(reply(3, 2, 2, prompt, 10))
		s.Fold(reply(4, 3, 3, prompt, 10))
		if got := s.Settled(); got != want {
			t.Errorf("at %d: settled %v, want %v", prompt, got, want)
		}
	}
}

// The memory of results is bounded, and what they add up to is kept.
func TestResultsAreBounded(t *testing.T) {
	var c clearing
	for range 10 * maxResults {
		c.add(3)
	}
	sum := int64(0)
	for _, chars := range c.Results {
		sum += chars
	}
	if sum != 30*maxResults || len(c.Results) > maxResults {
		t.Errorf("%d results of %d", len(c.Results), sum)
	}
}
