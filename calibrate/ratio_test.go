package calibrate

import (
	"fmt"
	"math"
	"testing"
)

// texted adds sessions of texts that measure so many times what the table says.
func texted(r *ratios, sessions, texts int, times func(session, text int) float64) {
	for s := range sessions {
		var c ratioClasses
		n := int64(0)
		for i := range texts {
			if class, ok := ratioClass(math.Log(times(s, i))); ok {
				c[class]++
				n++
			}
		}
		r.add(fmt.Sprint("session", s), &c, n)
	}
}

// A factor that all sessions share is found; outliers, however many of one
// session, do not move it.
func TestTheRatioOfAModel(t *testing.T) {
	for name, tt := range map[string]struct {
		times    func(session, text int) float64
		sessions int
		kept     bool
		low      float64
		high     float64
	}{
		"as the table says":  {func(_, i int) float64 { return 1 + float64(i%5-2)/100 }, 10, false, .99, 1.01},
		"a fifth more":       {func(_, i int) float64 { return 1.2 + float64(i%5-2)/100 }, 10, true, 1.15, 1.21},
		"a fifth less":       {func(_, i int) float64 { return .8 + float64(i%5-2)/100 }, 10, true, .79, .84},
		"few sessions":       {func(_, i int) float64 { return 1.2 }, 3, false, 1.05, 1.2},
		"each another":       {func(s, _ int) float64 { return 1 + float64(s%2*2-1)/5 }, 10, false, .8, 1.2},
		"many that were cut": {func(_, i int) float64 { return []float64{1.2, .1, 40, 1.2, 1.21}[i%5] }, 10, true, 1.1, 1.22},
		"one of another kind": {func(s, _ int) float64 {
			if s == 0 {
				return 1.9
			}
			return 1
		}, 10, false, .99, 1.01},
	} {
		var r ratios
		texted(&r, tt.sessions, 50, tt.times)
		f := r.finding(textKey{"claude-code", "m"})
		if f.Kept != tt.kept || f.Factor < tt.low || f.Factor > tt.high {
			t.Errorf("%s: %+v", name, f)
		}
		if f.Kept == (f.Why != "") {
			t.Errorf("%s: kept %v, because %q", name, f.Kept, f.Why)
		}
	}
}

// What sessions are in a fold does not depend on the order they come in.
func TestRatiosDoNotDependOnTheOrder(t *testing.T) {
	build := func(order []int) Finding {
		var r ratios
		for _, s := range order {
			var c ratioClasses
			class, _ := ratioClass(.1 + float64(s)/100)
			c[class] = float64(s + 1)
			r.add(fmt.Sprint(s), &c, int64(s+1))
		}
		return r.finding(textKey{})
	}
	a, b := build([]int{0, 1, 2, 3, 4, 5, 6}), build([]int{6, 3, 1, 0, 5, 2, 4})
	if a != b {
		t.Errorf("%+v, then %+v", a, b)
	}
}
