package backends_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/ctxmeter/ctxmeter/calibrate"
)

// predictedWithout are the requests of a kind, once with the table and once with
// what all sessions but their own teach.
type predictedWithout struct{ table, learned []calibrate.Step }

// leaveOneOut replays each session with what the others teach.
func leaveOneOut(t *testing.T, root string) map[string]*predictedWithout {
	t.Helper()
	out := map[string]*predictedWithout{}
	list := realSessions(t, root)
	for _, one := range list {
		l := calibrate.NewLearner()
		for _, other := range list {
			if other.ID != one.ID {
				if err := l.Learn(context.Background(), other.Session, other.client.Decoder(other.Session)); err != nil {
					t.Fatal(err)
				}
			}
		}
		learned, _ := l.Result()
		for _, of := range []*calibrate.Learned{nil, &learned} {
			err := calibrate.Replay(one.Session, one.client.Decoder(one.Session), of.For(one.Session), func(s calibrate.Step) {
				if one.AgentID != "" || s.After != calibrate.AfterStart && s.After != calibrate.AfterCompaction {
					return
				}
				key := s.Client + ", " + string(s.After)
				if out[key] == nil {
					out[key] = new(predictedWithout)
				}
				if of == nil {
					out[key].table = append(out[key].table, s)
				} else {
					out[key].learned = append(out[key].learned, s)
				}
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	return out
}

// medianError is in percent of what was measured, with what was predicted at all
// and the share of it that is in its band.
func medianError(steps []calibrate.Step) (percent float64, predicted int, inside float64) {
	var errs []float64
	in := 0
	for _, s := range steps {
		if s.Blank != "" {
			continue
		}
		errs = append(errs, 100*math.Abs(float64(s.Predicted-s.Truth))/float64(s.Truth))
		if s.Range[0] <= s.Truth && s.Truth <= s.Range[1] {
			in++
		}
	}
	if len(errs) == 0 {
		return math.NaN(), 0, math.NaN()
	}
	slices.Sort(errs)
	return errs[(len(errs)-1)/2], len(errs), float64(in) / float64(len(errs))
}

// What other sessions teach says what the first request of a session carries,
// which of Claude Code is not known without it, and what the one after a
// compaction does, which the table knows too.
func TestOtherSessionsTeachWhereNothingIsMeasured(t *testing.T) {
	most := map[string]map[string][2]float64{ // percent, with the table and learned
		"../testdata": {"claude-code, start": {0, 18}, "codex, start": {8, 8}}, // 7 and 5 sessions
		*corpus: {
			"claude-code, start": {0, 10}, "codex, start": {8, 4},
			"claude-code, compaction": {20, 10}, "codex, compaction": {20, 10},
		},
	}
	for root, kinds := range most {
		if root == "" {
			continue
		}
		all := leaveOneOut(t, root)
		for kind, most := range kinds {
			got := all[kind]
			if got == nil {
				t.Errorf("%s: there is none in %s", kind, root)
				continue
			}
			table, n, in := medianError(got.table)
			learned, m, inside := medianError(got.learned)
			t.Logf("%s, %d requests: the table %.1f %% of %d (in band %.2f), learned %.1f %% of %d (in band %.2f)", kind, len(got.table), table, n, in, learned, m, inside)
			if n > 0 && !(table <= most[0]) || !(learned <= most[1]) {
				t.Errorf("%s: %.1f %% and %.1f %% at the median, want at most %g and %g", kind, table, learned, most[0], most[1])
			}
			if m < n || m == 0 {
				t.Errorf("%s: %d are predicted, %d without what was learned", kind, m, n)
			}
			if m >= 20 && inside < .85 {
				t.Errorf("%s: %.2f are in their band", kind, inside)
			}
		}
	}
}
