package claudecode

import (
	"testing"

	"github.com/ctxmeter/ctxmeter/meter"
)

func TestParseStat(t *testing.T) {
	rest := " 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 61317 20 21"
	for _, tt := range []struct {
		stat string
		want pidState
	}{
		{"17470 (claude) S" + rest, pidState{alive: meter.LiveYes, start: "61317", parent: 1, name: "claude"}},
		{"17470 (a) b (c) R" + rest, pidState{alive: meter.LiveYes, start: "61317", parent: 1, name: "a) b (c"}},
		{"17470 (claude) Z" + rest, pidState{alive: meter.LiveNo}},
		{"17470 (claude) S 1 2 3", pidState{}},
		{"", pidState{}},
		{")", pidState{}},
	} {
		if got := parseStat([]byte(tt.stat)); got != tt.want {
			t.Errorf("parseStat(%q) = %+v, want %+v", tt.stat, got, tt.want)
		}
	}
}
