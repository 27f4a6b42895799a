package claudecode

import (
	"testing"

	"github.com/ctxmeter/ctxmeter/meter"
)

func TestViewShowsWhatTheClientShows(t *testing.T) {
	prompt := meter.Event{Kind: meter.KindContent, ID: 1, UserTurn: true}
	reply := func(tokens int64) meter.Event {
		return meter.Event{Kind: meter.KindReply, ID: 2, Parent: 1, Model: "claude-opus-4-8", Usage: meter.Usage{Key: 1, Prompt: tokens, Total: tokens, Output: 9000}}
	}
	boundary := meter.Event{Kind: meter.KindBoundary, ID: 3, Parent: 2, Compaction: meter.Compaction{Post: 809}}
	for _, tt := range []struct {
		name    string
		events  []meter.Event
		window  int64
		used    int64 // -1 is nothing
		percent float64
	}{
		{"before the first reply", []meter.Event{prompt}, window200k, -1, -1},
		{"nothing at all", nil, window200k, -1, -1},
		{"output is left out", []meter.Event{prompt, reply(148_210)}, window200k, 148_210, 74},
		{"half is rounded up", []meter.Event{prompt, reply(1_000)}, window200k, 1_000, 1},
		{"below half is rounded down", []meter.Event{prompt, reply(999)}, window200k, 999, 0},
		{"of 1M", []meter.Event{prompt, reply(312_480)}, window1M, 312_480, 31},
		{"never over 100", []meter.Event{prompt, reply(312_480)}, window200k, 312_480, 100},
		{"window unknown", []meter.Event{prompt, reply(17_800)}, 0, 17_800, -1},
		{"compacted", []meter.Event{prompt, reply(148_210), boundary}, window200k, 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var s meter.State
			for _, e := range tt.events {
				s = s.Apply(e)
			}
			v := New(meter.Env{}).View(s, tt.window)
			if used := v.UsedTokens; (used == nil) != (tt.used < 0) || used != nil && *used != tt.used {
				t.Errorf("used %v, want %d", used, tt.used)
			}
			if p := v.UsedPercent; (p == nil) != (tt.percent < 0) || p != nil && *p != tt.percent {
				t.Errorf("percent %v, want %v", p, tt.percent)
			}
		})
	}
}
