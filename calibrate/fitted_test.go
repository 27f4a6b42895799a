package calibrate

import (
	"testing"

	"github.com/ctxmeter/ctxmeter/meter"
)

// What a client adds to instructions that the transcript shows is another amount
// than all that it sends: neither stands for the other, and where there is none
// the table counts.
func TestAnOverheadIsOfWhatTheTranscriptDoesNotShow(t *testing.T) {
	count := newCounter()
	body := meter.Text{User: count.count(t, lines(300, "Rule %d: water bed %d before noon.\n"))}
	rest := Amount{Client: "codex", Family: GPT, Shown: true, Tokens: 5000, Low: 4000, High: 7000, Count: 3}
	all := Amount{Client: "codex", Family: GPT, Tokens: 30_000, Low: 20_000, High: 40_000, Count: 3}
	instructions := Builtin().Tokens("gpt-5.5", body)
	for name, tt := range map[string]struct {
		amounts []Amount
		ctx     meter.Context
		want    meter.Estimate
	}{
		"the rest": {[]Amount{all, rest}, meter.Context{Ground: meter.GroundStart, Body: body}, meter.Estimate{
			Tokens: instructions.Tokens + 5000, Below: instructions.Below + 1000, Above: instructions.Above + 2000, Learned: meter.LearnedOverhead,
		}},
		"nothing is shown":            {[]Amount{all, rest}, meter.Context{Ground: meter.GroundStart}, all.estimate(meter.LearnedOverhead)},
		"after a compaction":          {[]Amount{rest, all}, meter.Context{Ground: meter.GroundBoundary, Body: body}, all.estimate(meter.LearnedOverhead)},
		"the rest after a compaction": {[]Amount{rest}, meter.Context{Ground: meter.GroundBoundary, Body: body}, meter.Estimate{}},
		"only all is known":           {[]Amount{all}, meter.Context{Ground: meter.GroundStart, Body: body}, Builtin().Overhead(meter.Context{Model: "gpt-5.5", Ground: meter.GroundStart, Body: body})},
		"only the rest is known":      {[]Amount{rest}, meter.Context{Ground: meter.GroundStart}, meter.Estimate{}},
	} {
		l := Learned{Lists: Lists{Overheads: tt.amounts}}
		tt.ctx.Model = "gpt-5.5"
		if got := l.For(meter.Session{Backend: "codex"}).Overhead(tt.ctx); got != tt.want {
			t.Errorf("%s: %+v, want %+v", name, got, tt.want)
		}
		if got := l.For(meter.Session{Backend: "codex", AgentID: "a"}).Overhead(tt.ctx); got.Learned != 0 {
			t.Errorf("%s: a subagent has a prompt of its own", name)
		}
	}
}

// What speaks most closely of a session counts.
func TestTheNearestAmountCounts(t *testing.T) {
	shop := "/home/dev/shop"
	amount := func(tokens int64, version, project string) Amount {
		return Amount{Client: "claude-code", Family: Claude, Version: version, Project: ProjectKey(project), Tokens: tokens, Low: tokens, High: tokens, Count: 1}
	}
	l := Learned{Lists: Lists{Overheads: []Amount{
		amount(1, "", ""), amount(2, "2.1.5", ""), amount(3, "", shop), amount(4, "2.1.5", shop),
		{Client: "claude-code", Family: Claude47, Tokens: 5, Low: 5, High: 5, Count: 9},
	}}}
	for _, tt := range []struct {
		session meter.Session
		ctx     meter.Context
		want    float64
	}{
		{meter.Session{Project: shop}, meter.Context{Model: "claude-opus-4-6", Version: "2.1.5"}, 4},
		{meter.Session{Project: "/elsewhere"}, meter.Context{Model: "claude-opus-4-6", Version: "2.1.5", Project: shop}, 4}, // where it began
		{meter.Session{Project: shop}, meter.Context{Model: "claude-opus-4-6", Version: "2.1.6"}, 3},
		{meter.Session{Project: "/elsewhere"}, meter.Context{Model: "claude-opus-4-6", Version: "2.1.5"}, 2},
		{meter.Session{}, meter.Context{Model: "claude-opus-4-6"}, 1},
		{meter.Session{Project: shop}, meter.Context{Model: "claude-opus-4-8", Version: "2.1.5"}, 5},
		{meter.Session{Project: shop}, meter.Context{Version: "2.1.5"}, 4}, // no model is known before the first reply
		{meter.Session{}, meter.Context{}, 5},                              // then what was seen most
		{meter.Session{Backend: "codex"}, meter.Context{Model: "claude-opus-4-6"}, 0},
	} {
		if tt.session.Backend == "" {
			tt.session.Backend = "claude-code"
		}
		if got := l.For(tt.session).Overhead(tt.ctx).Tokens; got != tt.want {
			t.Errorf("%+v in %q: %v, want %v", tt.ctx, tt.session.Project, got, tt.want)
		}
	}
}

// A ratio multiplies what the table says of a text, not what is known of it.
func TestARatioIsOfTheText(t *testing.T) {
	l := Learned{Ratios: []Ratio{{Client: "codex", Model: "gpt-5.5", Factor: 1.2}}}
	f := l.For(meter.Session{Backend: "codex"})
	text := meter.Text{Tool: newCounter().count(t, lines(100, "%d water %d\n")), Fixed: -700}
	table := Builtin().Tokens("gpt-5.5", text)
	got := f.Tokens("gpt-5.5", text)
	if want := (table.Tokens+700)*1.2 - 700; got.Tokens < want-.01 || got.Tokens > want+.01 || got.Learned != meter.LearnedRatio {
		t.Errorf("%+v, want %.1f of %+v", got, want, table)
	}
	if got := f.Tokens("gpt-5.5", meter.Text{Fixed: 300}); got.Tokens != 300 || got.Learned != 0 {
		t.Errorf("of nothing: %+v", got)
	}
	if got := f.Tokens("gpt-5.4", text); got.Learned != 0 {
		t.Errorf("of another model: %+v", got)
	}
}
