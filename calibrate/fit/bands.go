package main

import (
	"math"
	"sort"

	"github.com/ctxmeter/ctxmeter/calibrate/formula"
)

// The sizes of estimates that have a band of their own, in tokens, and the
// rows that it takes; with fewer the band below holds.
var sizes = []float64{60, 150, 400, 1000, 2500, 6000, 1e12}

const fewest = 20

// bandsOf takes the 5th and the 95th percentile of what is missing in each
// size of estimates, half by rows and half by sessions.
func bandsOf(rows []*row, predicted map[*row]float64) formula.Bands {
	var bands formula.Bands
	from := 0.0
	for _, to := range sizes {
		var of []*row
		for _, r := range rows {
			if p := predicted[r]; p >= from && p < to {
				of = append(of, r)
			}
		}
		weight := weigh(of, 0)
		var missing, weights []float64
		for _, r := range of {
			p := predicted[r]
			missing = append(missing, (r.growth-p)/formula.Unit(p, formula.KindOf(&r.counts)))
			weights = append(weights, weight(r))
		}
		b := formula.Band{Below: to}
		if len(bands) > 0 && len(of) < fewest {
			last := bands[len(bands)-1]
			b.Low, b.High = last.Low, last.High
		} else {
			b.Low = round(max(-.6, min(-.02, quantile(missing, weights, .05))), 4)
			b.High = round(max(.02, min(6, quantile(missing, weights, .95))), 4)
		}
		bands, from = append(bands, b), to
	}
	return bands
}

func inside(bands formula.Bands, r *row, predicted float64) bool {
	low, high := bands.Of(predicted, formula.KindOf(&r.counts))
	return r.growth >= predicted+low-1 && r.growth <= predicted+high+1
}

// crossInside says which rows lie in the bands of the other folds.
func crossInside(rows []*row, predicted map[*row]float64) map[*row]bool {
	in := map[*row]bool{}
	for k := range folds {
		bands := bandsOf(besides(rows, k), predicted)
		for _, r := range rows {
			if r.fold == k {
				in[r] = inside(bands, r, predicted[r])
			}
		}
	}
	return in
}

// quantile of v; w are weights, nil is equal. Of nothing it is 0.
func quantile(v, w []float64, p float64) float64 {
	if len(v) == 0 {
		return 0
	}
	at := func(i int) float64 {
		if w == nil {
			return 1
		}
		return w[i]
	}
	order := make([]int, len(v))
	total := 0.0
	for i := range order {
		order[i] = i
		total += at(i)
	}
	sort.Slice(order, func(a, b int) bool { return v[order[a]] < v[order[b]] })
	sum := 0.0
	for _, i := range order {
		if sum += at(i); sum >= p*total {
			return v[i]
		}
	}
	return v[order[len(order)-1]]
}

func round(x float64, digits int) float64 {
	unit := math.Pow10(digits)
	return math.Round(x*unit) / unit
}
