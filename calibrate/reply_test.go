package calibrate

import (
	"testing"

	"github.com/ctxmeter/ctxmeter/meter"
	"github.com/ctxmeter/ctxmeter/meter/tail"
)

func TestPlaceholderOutputsAreReplacedByTheReplysContent(t *testing.T) {
	long := meter.Text{Reply: tail.Counts{Bytes: 4000, Chars: 4000, Letters: 3200, Words: 800, Spaces: 800}}
	short := meter.Text{Reply: tail.Counts{Bytes: 30, Chars: 30, Letters: 25, Words: 5, Spaces: 5}}
	for name, tc := range map[string]struct {
		c    meter.Context
		kept bool
	}{
		"a stop reason vouches for it":   {meter.Context{Model: "claude-opus-4-5", Version: "2.1.2", Ended: true, Usage: meter.Usage{Output: 8}, Body: long}, true},
		"a first number of the stream":   {meter.Context{Model: "claude-opus-4-5", Version: "2.1.2", Usage: meter.Usage{Output: 8}, Body: long}, false},
		"first numbers reach 60":         {meter.Context{Model: "claude-opus-4-5", Version: "2.1.58", Usage: meter.Usage{Output: 60}, Body: long}, false},
		"a short reply may be all of it": {meter.Context{Model: "claude-opus-4-5", Version: "2.1.58", Usage: meter.Usage{Output: 25}, Body: short}, true},
		"a plausible number":             {meter.Context{Model: "claude-opus-4-5", Version: "2.1.2", Usage: meter.Usage{Output: 800}, Body: long}, true},
		"far below what it holds":        {meter.Context{Model: "claude-opus-4-5", Version: "2.1.200", Usage: meter.Usage{Output: 200}, Body: long}, false},
		"codex states it always":         {meter.Context{Model: "gpt-5.5", Usage: meter.Usage{Output: 8}, Body: long}, true},
	} {
		t.Run(name, func(t *testing.T) {
			got := Builtin().Reply(tc.c)
			if kept := got.Tokens == float64(tc.c.Usage.Output); kept != tc.kept {
				t.Errorf("%.0f tokens for an output of %d", got.Tokens, tc.c.Usage.Output)
			}
			if tc.kept != (got.Above == 0) {
				t.Errorf("the band is -%.0f to +%.0f", got.Below, got.Above)
			}
		})
	}
}

func TestFirstNumbersOfTheStreamByVersion(t *testing.T) {
	for version, most := range map[string]int64{
		"1.0.89": 60, "2.0.67": 60, "2.1.2": 60, "2.1.58": 60,
		"2.1.59": 8, "2.1.100": 8, "2.2.0": 8, "3.0.0": 8, "": 8, "unknown": 8, "2": 8, "2.1.9-beta": 60,
	} {
		if !Placeholder(version, most) || Placeholder(version, most+1) {
			t.Errorf("version %q: want placeholders up to %d", version, most)
		}
	}
}
