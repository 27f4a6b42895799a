package meter

import "testing"

func item(n int64) Event {
	return Event{Kind: KindContent, Text: Text{Tool: letters(n)}, Client: n / 4}
}

func person(n int64) Event {
	return Event{Kind: KindContent, UserTurn: true, Text: Text{User: letters(n)}, Client: n / 4}
}

func wrote(n int64) Event {
	return Event{Kind: KindReply, Text: Text{Reply: letters(n)}, Client: n / 4}
}

func measured(key uint64, in, out int64) Event {
	return Event{Kind: KindUsage, Usage: Usage{Key: key, Prompt: in, Output: out, Total: in + out}}
}

func compacted(n int64) Event {
	return Event{Kind: KindBoundary, Text: Text{User: letters(n)}, Client: n / 4}
}

func TestLineMeasuresUpToTheLastItemTheModelWrote(t *testing.T) {
	recount := Event{Kind: KindUsage, Usage: Usage{Key: 50, Total: 700, Estimated: true}}
	for name, tc := range map[string]struct {
		events []Event
		total  int64
		tail   int64
	}{
		"a measured turn":                     {[]Event{person(8), wrote(4), measured(1, 100, 5)}, 105, 0},
		"tool output before the measurement":  {[]Event{person(8), wrote(4), item(40), measured(1, 100, 5)}, 105, 40},
		"tool output around the measurement":  {[]Event{person(8), wrote(4), item(40), measured(1, 100, 5), item(7)}, 105, 47},
		"a measurement repeated":              {[]Event{person(8), wrote(4), measured(1, 100, 5), item(7), wrote(3), measured(1, 100, 5)}, 105, 10},
		"a reply that was cut":                {[]Event{person(8), wrote(4), measured(1, 100, 5), person(20), wrote(3)}, 105, 23},
		"the next measurement":                {[]Event{person(8), wrote(4), measured(1, 100, 5), person(20), wrote(3), measured(2, 130, 3)}, 133, 0},
		"record, then count, of one response": {[]Event{person(8), wrote(4), measured(1, 100, 5), item(40), measured(2, 100, 5)}, 105, 40},
		"just compacted":                      {[]Event{person(8), wrote(4), measured(1, 100, 5), compacted(60)}, 0, 0},
		"compacted and recounted":             {[]Event{person(8), wrote(4), measured(1, 100, 5), compacted(60), recount, person(12)}, 700, 12},
		"rolled back":                         {[]Event{person(8), wrote(4), measured(1, 100, 5), person(9), recount, {Kind: KindRewind}}, 700, 0},
		"recount before the boundary": {
			[]Event{person(8), wrote(4), measured(1, 100, 5), recount, {Kind: KindBoundary, Compaction: Compaction{Recounted: true}}},
			700, 0,
		},
		"the window marked as full":        {[]Event{person(8), {Kind: KindUsage, Usage: Usage{Key: 3, Total: 9000, Estimated: true, Full: true}}}, 9000, 0},
		"measured before its items (0.40)": {[]Event{person(8), measured(1, 100, 5), wrote(4), item(6)}, 105, 6},
	} {
		t.Run(name, func(t *testing.T) {
			c := fold(tc.events...).Context()
			got := c.Tail.User.Chars + c.Tail.Tool.Chars + c.Tail.Reply.Chars
			if c.Usage.Total != tc.total || got != tc.tail {
				t.Errorf("measured %d, appended %d; want %d and %d", c.Usage.Total, got, tc.total, tc.tail)
			}
		})
	}
}

func TestReasoningOfEarlierTurnsIsKnownWhenANewTurnBegins(t *testing.T) {
	begin := Event{Kind: KindModel, TurnStart: true}
	thinking := func(key uint64, in, reasoning int64) Event {
		e := measured(key, in, reasoning+1)
		e.Usage.Reasoning = reasoning
		return e
	}
	s := fold(begin, person(8), wrote(4), thinking(1, 100, 30), item(9), wrote(4), thinking(2, 150, 20))
	if c := s.Context(); c.Turn || c.ThoughtTokens != 50 {
		t.Fatalf("turn %v, thought %d; want false, 50", c.Turn, c.ThoughtTokens)
	}
	injected := s.Apply(person(3))
	if injected.Context().Turn {
		t.Error("a message injected into a running turn was taken for a new turn")
	}
	s.Fold(begin)
	s.Fold(person(3))
	if c := s.Context(); !c.Turn || c.ThoughtTokens != 50 {
		t.Errorf("turn %v, thought %d; want true, 50", c.Turn, c.ThoughtTokens)
	}
	s.Fold(wrote(1))
	s.Fold(thinking(3, 120, 7))
	if c := s.Context(); c.Turn || c.ThoughtTokens != 7 {
		t.Errorf("after the next measurement: turn %v, thought %d; want false, 7", c.Turn, c.ThoughtTokens)
	}
}

func TestASuffixIsSettledOnlyWhenItCannotBeMisread(t *testing.T) {
	from := func(events ...Event) bool {
		s := State{From: 1000}
		for _, e := range events {
			s.Fold(e)
		}
		return s.Settled()
	}
	begin := Event{Kind: KindModel, Model: "gpt-5.5", TurnStart: true}
	for name, tc := range map[string]struct {
		events []Event
		want   bool
	}{
		"no measurement":                     {[]Event{begin, item(4)}, false},
		"one measurement may be a repeat":    {[]Event{begin, wrote(1), measured(1, 100, 5)}, false},
		"two are enough":                     {[]Event{begin, wrote(1), measured(1, 100, 5), wrote(1), measured(2, 110, 5)}, true},
		"but not without a turn's beginning": {[]Event{wrote(1), measured(1, 100, 5), wrote(1), measured(2, 110, 5)}, false},
		"no reply in sight":                  {[]Event{begin, measured(1, 100, 5), measured(2, 110, 5)}, false},
		"a compaction is a beginning":        {[]Event{begin, compacted(5)}, true},
		"a repeat may stand behind it":       {[]Event{begin, compacted(5), measured(1, 100, 5)}, false},
		"earlier reasoning has to be summed": {[]Event{begin, wrote(1), measured(1, 100, 5), wrote(1), {Kind: KindUsage, Usage: Usage{Key: 2, Prompt: 110, Total: 115, Dropped: true}}}, false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := from(tc.events...); got != tc.want {
				t.Errorf("settled %v, want %v", got, tc.want)
			}
		})
	}
}

func TestWhetherEarlierReasoningCountsIsRememberedUntilSaidAgain(t *testing.T) {
	thinking := Event{Kind: KindReply, Reasoning: true, Client: 40}
	said := measured(1, 100, 5)
	said.Usage.Dropped = true
	s := fold(person(8), thinking, said, person(8), thinking, measured(2, 200, 5)) // a record that does not say
	if got := s.Context().Earlier; got != 40 {
		t.Errorf("earlier reasoning %d, want 40", got)
	}
	s.Fold(measured(3, 200, 5)) // the count of the same response says that it is in
	if got := s.Context().Earlier; got != 0 {
		t.Errorf("earlier reasoning %d, want 0", got)
	}
}

func TestRepeatedCountersDoNotBringBackAnOldWindow(t *testing.T) {
	old := measured(1, 100, 5)
	old.Window = 258_400
	s := fold(person(8), wrote(4), old, Event{Kind: KindModel, Window: 475_000}, old)
	if s.Window.Tokens != 475_000 {
		t.Errorf("window %d, want 475000", s.Window.Tokens)
	}
}

// What a web search of the provider found may leave with the next request, and
// what a turn found with the next turn: the band reaches down, the number stays.
func TestFindsOfAWebSearchMayLeave(t *testing.T) {
	search := wrote(0)
	search.Searches = true
	begin := Event{Kind: KindModel, TurnStart: true}
	turn := []Event{begin, person(8), search, search, wrote(4), measured(1, 50_000, 5)}
	next := append(turn[:len(turn):len(turn)], item(40), wrote(4), measured(2, 50_020, 5))
	for name, tc := range map[string]struct {
		events []Event
		below  int64
	}{
		"right after":          {turn, 2 * searchFinds},
		"a request later":      {next, 0},
		"the next turn":        {append(next[:len(next):len(next)], begin, person(8)), 2 * searchFinds},
		"the turn after that":  {append(next[:len(next):len(next)], begin, person(8), wrote(4), measured(3, 50_030, 5), begin, person(8)), 0},
		"after a compaction":   {append(turn[:len(turn):len(turn)], compacted(60), wrote(4), measured(3, 30_000, 5)), 0},
		"in a reply cut short": {[]Event{begin, person(8), wrote(4), measured(1, 50_000, 5), search}, 0},
	} {
		r := Read(Input{State: fold(tc.events...)}, plain{})
		if got := *r.UsedTokens - r.UsedRange[0]; got < tc.below || got > tc.below+1 {
			t.Errorf("%s: the band reaches %d below, want %d", name, got, tc.below)
		}
	}
}

// A thread that was forked off at a call which was not measured goes on with
// the turn that was running: its reasoning leaves with the turn after.
func TestReasoningStaysWhereATurnWasCutOff(t *testing.T) {
	begin := Event{Kind: KindModel, TurnStart: true}
	call := wrote(4)
	call.Text.Calls = 1
	thought := func(key uint64, in, reasoning int64) Event {
		e := measured(key, in, reasoning)
		e.Usage.Reasoning = reasoning
		return e
	}
	turn := []Event{begin, person(8), call, thought(1, 1000, 50), item(8)}
	ended := append(turn[:len(turn):len(turn)], begin, person(8))
	cut := append(turn[:len(turn):len(turn)], call, item(8), begin, person(8))
	after := append(cut[:len(cut):len(cut)], wrote(4), thought(2, 1100, 7), begin, person(8))
	for name, tc := range map[string]struct {
		events []Event
		turn   bool
		tokens int64
	}{
		"a measured turn":    {ended, true, 50},
		"a turn cut off":     {cut, false, 50},
		"and the turn after": {after, true, 57},
	} {
		if c := fold(tc.events...).Context(); c.Turn != tc.turn || c.ThoughtTokens != tc.tokens {
			t.Errorf("%s: a new turn %v, %d tokens of reasoning; want %v, %d", name, c.Turn, c.ThoughtTokens, tc.turn, tc.tokens)
		}
	}
}
