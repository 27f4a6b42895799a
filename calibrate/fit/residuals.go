package main

import (
	"fmt"
	"math"

	"github.com/ctxmeter/ctxmeter/calibrate"
	"github.com/ctxmeter/ctxmeter/calibrate/formula"
)

// large is from where on a text is long enough for its kind to matter, in
// code points.
const large = 1500

// group is a part of the rows that has figures of its own.
type group struct {
	name string
	has  func(*row) bool
}

// groups are all rows, large ones, then by size, then large ones by kind.
func groups() []group {
	out := []group{
		{"all", func(*row) bool { return true }},
		{fmt.Sprintf("over %d characters", large), func(r *row) bool { return r.counts.Chars > large }},
	}
	last := int64(0)
	for _, to := range []int64{100, 400, 1500, 5000, 15000, 50000, math.MaxInt64} {
		from := last
		name := fmt.Sprintf("%d to %d characters", from+1, to)
		if to == math.MaxInt64 {
			name = fmt.Sprintf("over %d characters", from)
		}
		out = append(out, group{name, func(r *row) bool { return r.counts.Chars > from && r.counts.Chars <= to }})
		last = to
	}
	for _, k := range []formula.Kind{
		formula.Code, formula.Indented, formula.Prose, formula.Listing,
		formula.Digits, formula.Punctuation, formula.LongWords, formula.OtherScripts,
	} {
		out = append(out, group{string(k), func(r *row) bool { return r.counts.Chars > large && formula.KindOf(&r.counts) == k }})
	}
	return out
}

// residuals are how far off the predictions are, by group.
func residuals(rows []*row, predicted map[*row]float64, in map[*row]bool) []calibrate.Residual {
	var out []calibrate.Residual
	for _, g := range groups() {
		var off, signed, whole []float64
		sessions := map[string]bool{}
		n, covered := 0, 0
		for _, r := range rows {
			if !g.has(r) {
				continue
			}
			n++
			sessions[r.session] = true
			if in[r] {
				covered++
			}
			missing := predicted[r] - r.growth
			whole = append(whole, 100*math.Abs(missing)/r.after)
			if r.growth > 0 {
				e := 100 * missing / r.growth
				signed, off = append(signed, e), append(off, math.Abs(e))
			}
		}
		if n == 0 {
			continue
		}
		q := func(v []float64, p float64) float64 { return round(quantile(v, nil, p), 2) }
		out = append(out, calibrate.Residual{
			Of: g.name, Rows: n, Sessions: len(sessions),
			P50: q(off, .5), P90: q(off, .9), Signed: q(signed, .5), Inside: round(100*float64(covered)/float64(n), 1),
			Whole95: q(whole, .95),
		})
	}
	return out
}
