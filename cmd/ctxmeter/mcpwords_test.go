package main

import (
	"strings"
	"testing"

	"github.com/ctxmeter/ctxmeter/meter"
)

// What a reply says beside its numbers.
func TestWordsOfAReply(t *testing.T) {
	session := meter.Session{ID: sampleID}
	base := func() meter.Reading {
		return meter.Reading{Status: meter.StatusOK, Level: meter.LevelOK, UsedTokens: ptr[int64](1)}
	}
	level := func(l meter.Level, p *meter.PlannedView) meter.Reading {
		r := base()
		r.Level, r.Planned = l, p
		return r
	}
	sets := &meter.PlannedView{Source: "path", Tokens: 1, FitsWindow: ptr(true), TriggersCompaction: ptr(true)}
	fits := &meter.PlannedView{Source: "path", Tokens: 1, FitsWindow: ptr(true), TriggersCompaction: ptr(false)}
	large := &meter.PlannedView{Source: "path", Tokens: 1, FitsWindow: ptr(false)}
	for _, tt := range []struct {
		name    string
		reading meter.Reading
		who     caller
		has     []string
		hasNot  []string
	}{
		{"a session", base(), caller{found: found{session: session}}, []string{`"whose":"session 5ca1ab1e-0de0"}`}, []string{"pending", "next"}},
		{
			"a reply that is not written yet", base(),
			caller{found: found{session: session}, uncounted: true},
			[]string{`"pending":true`},
			nil,
		},
		{
			"a subagent of Claude Code", base(),
			caller{found: found{session: meter.Session{ID: sampleID, AgentID: "a1b2", ParentID: sampleID}}},
			[]string{`"whose":"subagent a1b2"`},
			nil,
		},
		{
			"a subagent of Codex", base(),
			caller{found: found{session: meter.Session{ID: sampleID, ParentID: "x"}}},
			[]string{`"whose":"subagent 5ca1ab1e-0de0"`},
			nil,
		},
		{
			"one of two", base(),
			caller{found: found{session: session}, doubt: true, uncounted: true},
			[]string{`"whose":"session 5ca1ab1e-0de0 or its subagent"`},
			[]string{"pending"},
		},
		{
			"the environment's word", base(),
			caller{found: found{session: session, identity: meter.IdentityEnv}},
			[]string{`"whose":"session 5ca1ab1e-0de0, by its environment"`},
			nil,
		},
		{"moderate", level(meter.LevelModerate, large), caller{}, nil, []string{"next"}},
		{"high", level(meter.LevelHigh, nil), caller{}, []string{`"next":"read less; delegate to subagents; save state"`}, nil},
		{"critical", level(meter.LevelCritical, fits), caller{}, []string{`"next":"save state now; delegate what is left"`}, nil},
		{"high, and a read that compacts", level(meter.LevelHigh, sets), caller{}, []string{`"next":"save state first, then read in parts or delegate"`}, nil},
		{"high, and a read that does not fit", level(meter.LevelHigh, large), caller{}, []string{`"next":"save state first, then read in parts or delegate"`, `"triggers_compaction":null`}, nil},
		{
			"nothing known",
			meter.Reading{Status: meter.StatusNoReading, Level: meter.LevelUnknown},
			caller{},
			[]string{`"used_tokens":null`, `"window_tokens":null`, `"remaining_tokens":null`, `"remaining_percent":null`, `"compaction_remaining_tokens":null`, `"basis":null`, `"event_age_seconds":null`},
			[]string{"next"},
		},
	} {
		got := replyTo(&tt.reading, tt.who)
		for _, part := range tt.has {
			if !strings.Contains(got, part) {
				t.Errorf("%s: no %s in %s", tt.name, part, got)
			}
		}
		for _, part := range tt.hasNot {
			if strings.Contains(got, part) {
				t.Errorf("%s: %s in %s", tt.name, part, got)
			}
		}
	}
}
