package meter

import (
	"reflect"
	"testing"
	"time"

	"github.com/ctxmeter/ctxmeter/meter/tail"
)

// The events of these tests are written in a shorthand: ids are small
// numbers, text is n letters.

func letters(n int64) tail.Counts { return tail.Counts{Bytes: n, Chars: n, Letters: n} }

func say(id, parent Link, n int64) Event {
	return Event{Kind: KindContent, ID: id, Parent: parent, UserTurn: true, Text: Text{User: letters(n), Blocks: 1}, Client: n / 4}
}

func result(id, parent Link, n int64) Event {
	return Event{Kind: KindContent, ID: id, Parent: parent, Side: true, Text: Text{Tool: letters(n), Results: 1}, Client: n / 4}
}

func attach(id, parent Link, n int64) Event {
	return Event{Kind: KindContent, ID: id, Parent: parent, Inherit: true, Text: Text{Attachment: letters(n)}, Client: n / 4}
}

func reply(id, parent Link, key uint64, prompt, out int64) Event {
	return Event{
		Kind: KindReply, ID: id, Parent: parent, Model: "claude-sonnet-4-6",
		Usage: Usage{Key: key, Prompt: prompt, Total: prompt, Output: out},
	}
}

func boundary(id Link, auto bool, pre, post int64) Event {
	return Event{Kind: KindBoundary, ID: id, Compaction: Compaction{Auto: auto, Pre: pre, Post: post}}
}

func summary(id, parent Link, n int64) Event {
	return Event{Kind: KindContent, ID: id, Parent: parent, Prefix: true, Text: Text{User: letters(n)}}
}

func link(id, parent Link) Event { return Event{Kind: KindLink, ID: id, Parent: parent} }

func fold(events ...Event) State {
	var s State
	for _, e := range events {
		s.Fold(e)
	}
	return s
}

func TestChainFollowsTheLiveBranch(t *testing.T) {
	start := []Event{say(1, 0, 40), reply(2, 1, 7, 1000, 50)}
	for name, tc := range map[string]struct {
		events []Event
		ground Ground
		prompt int64 // measured
		tail   int64 // characters appended since
	}{
		"nothing yet":             {nil, GroundUnknown, 0, 0},
		"a prompt without reply":  {[]Event{say(1, 0, 40)}, GroundStart, 0, 40},
		"a reply":                 {start, GroundMeasured, 1000, 0},
		"a prompt after it":       {append(start, say(3, 2, 30)), GroundMeasured, 1000, 30},
		"a notice between":        {append(start, link(3, 2), say(4, 3, 30)), GroundMeasured, 1000, 30},
		"lines of one reply":      {append(start, reply(3, 2, 7, 1000, 50), say(4, 3, 8)), GroundMeasured, 1000, 8},
		"parallel tool results":   {append(start, reply(3, 2, 7, 1000, 50), result(4, 2, 11), result(5, 3, 13)), GroundMeasured, 1000, 24},
		"a hook beside a result":  {append(start, result(3, 2, 11), attach(4, 3, 5)), GroundMeasured, 1000, 16},
		"an attachment to prompt": {append(start, say(3, 2, 10), attach(4, 3, 5)), GroundMeasured, 1000, 15},
		"a rewind to the start":   {append(start, say(3, 1, 30)), GroundStart, 0, 70},
		"a rewind below a reply": {
			append(start, say(3, 2, 30), reply(4, 3, 8, 2000, 9), say(5, 4, 99), say(6, 2, 7)),
			GroundMeasured, 1000, 7,
		},
		"a child before its parent": {append(start, say(4, 3, 5), say(3, 2, 30)), GroundMeasured, 1000, 35},
		"a reply before its prompt": {append(start, reply(4, 3, 8, 2000, 1), say(3, 2, 30)), GroundMeasured, 2000, 0},
		"copies of a fork":          {append(start, say(1, 0, 40), reply(2, 1, 7, 1000, 50)), GroundMeasured, 1000, 0},
		"a gateway's constant id":   {append(start, say(3, 2, 5), reply(4, 3, 7, 1100, 9)), GroundMeasured, 1100, 0},
		"a reply without usage":     {append(start, say(3, 2, 5), Event{Kind: KindReply, ID: 4, Parent: 3, Text: Text{Reply: letters(9)}}), GroundMeasured, 1000, 14},
		"an unknown parent":         {append(start, say(9, 77, 5)), GroundUnknown, 0, 5},
		"compacted":                 {append(start, boundary(3, true, 1050, 200)), GroundBoundary, 0, 0},
		"compacted, with attachments": {
			append(start, boundary(3, true, 1050, 200), summary(4, 3, 80), attach(5, 4, 33)),
			GroundBoundary, 0, 33,
		},
		"a prompt after a compaction": {
			append(start, boundary(3, false, 1050, 200), summary(4, 3, 80), say(5, 4, 12)),
			GroundBoundary, 0, 12,
		},
		"a parent before the boundary": { // the chain goes round the boundary: position in the file decides
			append(start, say(9, 2, 10), boundary(3, true, 1050, 200), reply(10, 9, 8, 400, 5), summary(4, 3, 80), attach(5, 4, 33)),
			GroundMeasured, 400, 0,
		},
		"the prompt written twice": { // the leaf below the summary is a false one
			append(start, say(9, 2, 10), boundary(3, true, 1050, 200), reply(10, 9, 8, 400, 5), summary(4, 3, 80), link(11, 10), say(9, 4, 10), attach(12, 9, 3)),
			GroundMeasured, 400, 0,
		},
		"a rewind to the summary": { // not the branch that was left
			append(start, boundary(3, true, 1050, 200), summary(4, 3, 80), say(5, 4, 9), reply(6, 5, 8, 25_000, 5), say(7, 4, 44)),
			GroundBoundary, 0, 44,
		},
		"a tool result before its call, after a compaction": {
			append(start, boundary(3, true, 1050, 200), summary(4, 3, 80), say(5, 4, 9), reply(6, 5, 8, 400, 5), say(7, 6, 9), result(9, 8, 70), reply(8, 7, 9, 500, 5)),
			GroundMeasured, 500, 70,
		},
		"a branch before its root, after a compaction": {
			append(start, boundary(3, true, 1050, 200), summary(4, 3, 80), say(6, 5, 20), say(7, 6, 3), say(5, 4, 100)),
			GroundBoundary, 0, 123,
		},
		"a summary without a boundary": { // clients before boundaries were recorded
			append(start, summary(3, 0, 80), say(4, 3, 6)),
			GroundBoundary, 0, 6,
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := fold(tc.events...).Context()
			got := c.Tail.User.Chars + c.Tail.Tool.Chars + c.Tail.Attachment.Chars + c.Tail.Reply.Chars
			if c.Ground != tc.ground || c.Usage.Prompt != tc.prompt || got != tc.tail {
				t.Errorf("ground %d, measured %d, appended %d; want %d, %d, %d", c.Ground, c.Usage.Prompt, got, tc.ground, tc.prompt, tc.tail)
			}
		})
	}
}

func TestPartialUsageCountsTheLargestOutputOfAReply(t *testing.T) {
	s := fold(say(1, 0, 4), reply(2, 1, 7, 1000, 8), reply(3, 2, 7, 1000, 412), reply(4, 3, 7, 1000, 9))
	if got := s.Context().Usage.Output; got != 412 {
		t.Errorf("output %d, want 412", got)
	}
}

func TestTwoBranchesAreReported(t *testing.T) {
	s := fold(
		say(1, 0, 4), reply(2, 1, 7, 1000, 8),
		say(3, 2, 4), reply(4, 3, 8, 1100, 8), // one writer
		say(5, 2, 4), reply(6, 5, 9, 1200, 8), // the other
		Event{Kind: KindLeaf, Parent: 4},
	)
	c := s.Context()
	if c.Usage.Prompt != 1200 || c.Rival == nil || c.Rival.Prompt != 1100 {
		t.Errorf("measured %d, rival %v; want 1200 and a rival of 1100", c.Usage.Prompt, c.Rival)
	}
	s.Fold(Event{Kind: KindLeaf, Parent: 6})
	if r := s.Context().Rival; r != nil {
		t.Errorf("rival %v although the client's pointer names the live branch", r)
	}
}

func TestARewindFartherBackThanMemoryIsFoundByPinning(t *testing.T) {
	events := []Event{say(1, 0, 4), reply(2, 1, 7, 1000, 8)}
	for i := Link(3); i < 3+4*maxNodes; i += 2 {
		events = append(events, say(i, i-1, 4), reply(i+1, i, uint64(i), 2000, 8))
	}
	events = append(events, say(9999, 2, 33))
	c := fold(events...).Context()
	if c.Ground != GroundUnknown || c.Missing != 2 {
		t.Fatalf("ground %d, missing %d; want unknown and 2", c.Ground, c.Missing)
	}
	s := State{Pin: c.Missing}
	for _, e := range events {
		s.Fold(e)
	}
	if c := s.Context(); c.Ground != GroundMeasured || c.Usage.Prompt != 1000 || c.Tail.User.Chars != 33 {
		t.Errorf("ground %d, measured %d, appended %d; want the rewound turn: 1000 and 33", c.Ground, c.Usage.Prompt, c.Tail.User.Chars)
	}
}

func TestAParentThatIsNowhereFallsBackToTheNewestBranch(t *testing.T) {
	s := State{Pin: 77}
	for _, e := range []Event{say(1, 0, 4), reply(2, 1, 7, 1000, 8), say(9, 77, 5)} {
		s.Fold(e)
	}
	if c := s.Context(); c.Ground != GroundMeasured || c.Usage.Prompt != 1000 || c.Tail.User.Chars != 5 {
		t.Errorf("ground %d, measured %d, appended %d; want 1000 and 5", c.Ground, c.Usage.Prompt, c.Tail.User.Chars)
	}
}

func TestFactsOfTwoStretchesAddUp(t *testing.T) {
	at := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	a := Facts{Compactions: 1, LastAt: at, Peak: 9, First: First{Prompt: 5}, Autos: []Auto{{Pre: 1}}}
	b := Facts{Compactions: 2, LastAt: at.Add(time.Hour), Peak: 7, First: First{Prompt: 6}, Autos: []Auto{{Pre: 2}, {Pre: 3}}}
	got := a.Join(b)
	want := Facts{Compactions: 3, LastAt: at.Add(time.Hour), Peak: 9, First: First{Prompt: 5}, Autos: []Auto{{Pre: 1}, {Pre: 2}, {Pre: 3}}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestMemoryStaysBounded(t *testing.T) {
	var s State
	for i := Link(1); i < 20_000; i++ {
		s.Fold(say(i*3, i*3-1, 4))
		s.Fold(reply(i*3+1, i*3, uint64(i), int64(i), 8))
		s.Fold(result(i*3+2, i*3+1, 4))
		if i%100 == 0 {
			s.Fold(boundary(i*3+100_000, true, int64(i), 9))
		}
	}
	if len(s.Nodes) > capNodes || len(s.Bases) > capBases || len(s.Facts.Autos) > maxAutos {
		t.Errorf("%d nodes, %d bases, %d compactions kept", len(s.Nodes), len(s.Bases), len(s.Facts.Autos))
	}
}

func TestApplyLeavesTheOldStateAlone(t *testing.T) {
	s := fold(say(1, 0, 4), reply(2, 1, 7, 1000, 8))
	before := s.Clone()
	_ = s.Apply(say(3, 2, 40))
	_ = s.Apply(boundary(4, true, 1, 1))
	if !reflect.DeepEqual(s, before) {
		t.Error("Apply changed its receiver")
	}
}

func TestAWindowNoticeHoldsForTheModelThatRepliesNext(t *testing.T) {
	notice := func(id, parent Link, window int64) Event {
		e := say(id, parent, 4)
		e.Window = window
		return e
	}
	by := func(model string, e Event) Event {
		e.Model = model
		return e
	}
	s := fold(
		by("claude-sonnet-4-6", reply(1, 0, 1, 250_000, 5)),
		notice(2, 1, 1_000_000),
		by("claude-opus-4-8", reply(3, 2, 2, 30_000, 5)),
	)
	if s.Window.Tokens != 1_000_000 || s.Largest != 30_000 {
		t.Errorf("window %d, largest %d; want the notice's and the new model's", s.Window.Tokens, s.Largest)
	}
	s.Fold(by("claude-haiku-4-5", reply(4, 3, 3, 20_000, 5)))
	if s.Window.Tokens != 0 {
		t.Errorf("window %d after a switch without a notice, want none", s.Window.Tokens)
	}
	s.Fold(by("claude-opus-4-8", reply(5, 4, 4, 300_000, 5)))
	s.Fold(notice(6, 5, 200_000))
	if s.Largest != 0 || s.Window.Tokens != 200_000 {
		t.Errorf("window %d, largest %d: a prompt from before the notice still speaks", s.Window.Tokens, s.Largest)
	}
}

func TestABoundIsNoEvidenceForAWindow(t *testing.T) {
	e := reply(2, 1, 7, 390_000, 320)
	e.Usage.Bound = true
	if s := fold(say(1, 0, 4), e); s.Largest != 0 || s.Facts.Peak != 0 {
		t.Errorf("largest %d, peak %d", s.Largest, s.Facts.Peak)
	}
}

// What a scan of the end could not see is joined from the scan of the past,
// but what the end itself has made void stays void.
func TestTheEndsOwnSwitchesOutweighThePast(t *testing.T) {
	by := func(model string, e Event) Event {
		e.Model = model
		return e
	}
	past := State{Offset: 500}
	past.Fold(by("claude-opus-4-8", reply(1, 0, 1, 300_000, 5)))
	past.Offset = 500
	end := func(events ...Event) State {
		s := State{From: 500, FactsFrom: 500}
		for _, e := range events {
			s.Fold(e)
		}
		s.Precede(past)
		return s
	}
	same := end(by("claude-opus-4-8", reply(2, 1, 2, 120_500, 5)))
	if same.Largest != 300_000 {
		t.Errorf("largest %d, want the past's 300000", same.Largest)
	}
	notice := say(2, 1, 4)
	notice.Window = 200_000
	told := end(notice, by("claude-opus-4-8", reply(3, 2, 2, 120_500, 5)))
	if told.Largest != 120_500 || told.Window.Tokens != 200_000 {
		t.Errorf("largest %d, window %d; want those after the notice", told.Largest, told.Window.Tokens)
	}
	other := end(by("claude-haiku-4-5", reply(2, 1, 2, 9_000, 5)), by("claude-opus-4-8", reply(3, 2, 3, 20_000, 5)))
	if other.Largest != 20_000 {
		t.Errorf("largest %d after two switches, want 20000", other.Largest)
	}
}

func TestASummaryWhoseBoundaryIsOutOfSightIsNotCountedAgain(t *testing.T) {
	s := State{From: 500, FactsFrom: 500, Model: "m"}
	for _, e := range []Event{reply(10, 9, 8, 400, 5), summary(4, 3, 80), reply(11, 10, 9, 500, 5), reply(12, 11, 10, 600, 5)} {
		s.Fold(e)
	}
	if s.Settled() {
		t.Error("settled although the summary's boundary was not seen")
	}
}

func TestTheFirstRequestIsKnownWhereverTheScanBegan(t *testing.T) {
	past := fold(say(1, 0, 400))
	past.Offset = 500
	s := State{From: 500, FactsFrom: 500}
	s.Fold(reply(2, 1, 7, 1000, 5))
	s.Fold(reply(3, 2, 8, 1100, 5))
	s.Precede(past)
	if f := s.Facts.First; f.Prompt != 1000 || f.Text.User.Chars != 400 {
		t.Errorf("first request %d with %d characters, want 1000 and 400", f.Prompt, f.Text.User.Chars)
	}
}

// Records that name each other as parents, and records that stand twice with
// their children before them, cost no more than others.
func TestHostileTreesAreFoldedInLittleTime(t *testing.T) {
	for name, events := range map[string][]Event{
		"two that name each other": {say(1, 2, 4), say(2, 1, 4), say(3, 2, 4)},
		"one that names itself":    {say(1, 1, 4), say(2, 1, 4)},
		"a circle of three":        {say(1, 3, 4), say(2, 1, 4), say(3, 2, 4), reply(4, 3, 7, 100, 1)},
	} {
		s := fold(events...)
		s.Fold(reply(100, 1, 9, 1000, 1))
		if c := s.Context(); c.Usage.Prompt != 1000 {
			t.Errorf("%s: measured %d, want 1000", name, c.Usage.Prompt)
		}
	}
	var s State
	for i := Link(60); i > 0; i-- { // each twice, children first, the oldest parent missing
		s.Fold(say(i, i-1+100*(1/i), 4))
		s.Fold(say(i, i-1+100*(1/i), 4))
	}
	s.Context()
}

func TestANoticeAtTheEndOfThePastSpeaksOfTheNextModel(t *testing.T) {
	notice := say(1, 0, 4)
	notice.Window = 1_000_000
	past := fold(notice, say(2, 1, 4))
	past.Offset = 500
	s := State{From: 500, FactsFrom: 500}
	s.Fold(reply(3, 2, 7, 150_000, 5))
	s.Fold(reply(4, 3, 8, 170_000, 5))
	s.Precede(past)
	if s.Window.Tokens != 1_000_000 || s.Window.Source != SourceTranscript {
		t.Errorf("window %+v, want the notice's", s.Window)
	}
	s.Fold(Event{Kind: KindReply, ID: 5, Parent: 4, Model: "claude-haiku-4-5", Usage: Usage{Key: 9, Prompt: 10, Total: 10}})
	if s.Window.Tokens != 0 {
		t.Errorf("window %+v after a switch, want none", s.Window)
	}
}

func TestAParentOutOfSightIsNotTakenForNowhere(t *testing.T) {
	s := State{From: 500, FactsFrom: 500, Pin: 77}
	for _, e := range []Event{reply(3, 2, 7, 150_000, 5), reply(4, 3, 8, 170_000, 5), say(9, 77, 5)} {
		s.Fold(e)
	}
	if c := s.Context(); c.Ground != GroundUnknown || s.Settled() {
		t.Errorf("ground %d, settled %v; want unknown", c.Ground, s.Settled())
	}
}

func TestARewindToBeforeACompactionStandsOnTheBoundary(t *testing.T) {
	s := fold(
		say(1, 0, 4), reply(2, 1, 7, 1000, 5), say(9, 2, 10),
		boundary(3, true, 1050, 200), reply(10, 9, 8, 400, 5), summary(4, 3, 80),
		say(11, 10, 4), reply(12, 11, 9, 500, 5),
		say(13, 2, 33), // its parent lies before the boundary
	)
	if c := s.Context(); c.Ground != GroundBoundary || c.Tail.User.Chars != 33 {
		t.Errorf("ground %d, appended %d; want the boundary and 33", c.Ground, c.Tail.User.Chars)
	}
}

func TestAFirstRecordInTheMiddleStandsOnTheBoundary(t *testing.T) {
	s := State{From: 500, FactsFrom: 500}
	for _, e := range []Event{boundary(3, true, 1050, 200), summary(4, 3, 80), say(5, 0, 7)} {
		s.Fold(e)
	}
	if c := s.Context(); c.Ground != GroundBoundary || c.Tail.User.Chars != 7 {
		t.Errorf("ground %d, appended %d", c.Ground, c.Tail.User.Chars)
	}
}
