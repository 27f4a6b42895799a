package calibrate

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// Quantiles of classes are those of the values themselves, to 2 %.
func TestQuantilesAreThoseOfAllValues(t *testing.T) {
	for name, draw := range map[string]func(*rand.Rand) float64{
		"as real errors are": func(r *rand.Rand) float64 { return math.Exp(r.NormFloat64()*2.5 - 7) },
		"even":               func(r *rand.Rand) float64 { return r.Float64() },
		"half of them none":  func(r *rand.Rand) float64 { return max(r.Float64()-.5, 0) },
		"far off":            func(r *rand.Rand) float64 { return r.Float64() * 5000 },
		"all alike":          func(*rand.Rand) float64 { return .0123 },
	} {
		for _, n := range []int{1, 2, 3, 19, 20, 21, 100, 5000} {
			r := rand.New(rand.NewPCG(1, uint64(n)))
			var h, left, right Histogram
			var all []float64
			for i := range n {
				v := draw(r)
				all = append(all, v)
				h.Add(-v) // the sign says nothing
				if i%3 == 0 {
					left.Add(v)
				} else {
					right.Add(v)
				}
			}
			left.Merge(&right)
			slices.Sort(all)
			for _, p := range []float64{0, .5, .9, .95, .99, 1} {
				want := all[max(int(math.Ceil(p*float64(n))), 1)-1]
				got := h.Quantile(p)
				if name != "far off" && math.Abs(got-want) > .02*want {
					t.Errorf("%s, %d values, p %g: %g, want %g", name, n, p, got, want)
				}
				if merged := left.Quantile(p); merged != got {
					t.Errorf("%s, %d values, p %g: merged %g, at once %g", name, n, p, merged, got)
				}
				if got < all[0] || got > all[n-1] {
					t.Errorf("%s, %d values, p %g: %g is not among them", name, n, p, got)
				}
			}
			if h.Count() != int64(n) {
				t.Errorf("%d values are counted as %d", n, h.Count())
			}
		}
	}
}

func TestQuantilesOfNothing(t *testing.T) {
	var h, other Histogram
	h.Add(math.NaN())
	h.Merge(&other)
	if h.Count() != 0 || h.Quantile(.5) != 0 {
		t.Errorf("%d, %g", h.Count(), h.Quantile(.5))
	}
	h.Add(math.Inf(1))
	h.Add(0)
	if got := h.Quantile(.5); got != 0 {
		t.Errorf("half of none and infinite is %g", got)
	}
}
