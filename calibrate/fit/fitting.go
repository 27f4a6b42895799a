package main

import (
	"math"

	"github.com/ctxmeter/ctxmeter/calibrate/formula"
)

// fitted is a model, and what the blocks of a row cost beside their text.
type fitted struct {
	formula.Model
	first, further float64 // tokens
}

func (m *fitted) predict(r *row) float64 { return m.Tokens(&r.counts) + m.wrappers(r) }

func (m *fitted) wrappers(r *row) float64 {
	if r.known {
		return 0
	}
	return m.first + m.further*float64(max(r.blocks-1, 0))
}

// weigh evens out sessions: a row weighs one over the root of how many its
// session has. A text of known size weighs so much.
func weigh(rows []*row, known float64) func(*row) float64 {
	n := map[string]float64{}
	for _, r := range rows {
		n[r.session]++
	}
	return func(r *row) float64 {
		if r.known {
			return known
		}
		return 1 / math.Sqrt(n[r.session])
	}
}

// limit is where a row's growth is taken for something else than its text.
func limit(growth float64) float64 { return .12*math.Abs(growth) + 20 }

// byPrices lays out rows with one unknown for each of x and two for blocks;
// those may be negative.
func byPrices(rows []*row, scripts formula.Scripts, known float64, x func(*row) []float64) *system {
	s := &system{}
	weight := weigh(rows, known)
	for _, r := range rows {
		if r.growth <= 0 {
			continue
		}
		v := append(x(r), 0, 0)
		if !r.known {
			v[len(v)-2], v[len(v)-1] = float64(max(r.blocks-1, 0)), 1
		}
		s.add(v, r.growth-scripts.Tokens(&r.counts), max(r.growth, 50)+30, weight(r)*math.Sqrt(r.growth))
	}
	return s
}

// fit fits a family by itself. Each known text weighs so much beside a row of
// a session with one row.
func fit(rows []*row, scripts formula.Scripts, known float64) *fitted {
	s := byPrices(rows, scripts, known, func(r *row) []float64 {
		v := formula.LinearCounts(&r.counts)
		return v[:]
	})
	b := s.robust(25, 3, 6, formula.Prices, nil, limit)
	m := &fitted{Model: formula.Model{Scripts: scripts}, further: b[formula.Prices], first: b[formula.Prices+1]}
	copy(m.Linear[:], b)
	m.correct(rows, known)
	return m
}

// correct fits the correction to what the linear part leaves, in logarithms.
// ridge pulls it to none.
func (m *fitted) correct(rows []*row, known float64) {
	const (
		least = 100 // tokens: what is smaller says little of ratios
		close = .1
		ridge = 1
	)
	s := &system{}
	weight := weigh(rows, known)
	for _, r := range rows {
		c := &r.counts
		linear := m.Linear.Tokens(c)
		truth := r.growth - m.wrappers(r) - m.Scripts.Tokens(c)
		foreign := c.Wide + c.Latin + c.Alpha
		if linear < least || float64(foreign) > .3*float64(c.Chars) || truth < .5*linear || truth > 2*linear {
			continue
		}
		terms, _ := formula.TermsOf(c)
		s.add(terms[:], math.Log(truth/linear), close, weight(r)*min(1, linear/1000))
	}
	if len(s.x) == 0 {
		return
	}
	total := 0.0
	for _, w := range s.weight {
		total += w
	}
	pull := make([]float64, formula.Terms)
	for j := range pull {
		pull[j] = ridge * total
	}
	copy(m.Correction[:], s.robust(4, 4, 4, 0, pull, func(float64) float64 { return close }))
}

// Groups of prices that a transfer scales together, in the order of
// formula.LinearNames; signs stay.
var (
	scaled  = [formula.Prices]int{0, 0, 0, 1, 1, 2, 2, 2, 3, 3, 3, -1}
	scaling = [...]string{"words", "digits", "blanks", "punctuation"}
)

// transfer fits a family with few sessions as another one's model with four
// scalings. The correction is the other family's.
func transfer(rows []*row, from *fitted) (*fitted, [len(scaling)]float64) {
	s := byPrices(rows, from.Scripts, 0, func(r *row) []float64 {
		v := make([]float64, len(scaling), len(scaling)+2)
		factor := from.Correction.Factor(&r.counts)
		for i, n := range formula.LinearCounts(&r.counts) {
			if g := scaled[i]; g >= 0 {
				v[g] += from.Linear[i] * n * factor
			}
		}
		return v
	})
	b := s.robust(25, 3, 6, len(scaling), nil, limit)
	m := *from
	for i, g := range scaled {
		if g >= 0 {
			m.Linear[i] *= b[g]
		}
	}
	m.further, m.first = b[len(scaling)], b[len(scaling)+1]
	return &m, [len(scaling)]float64(b)
}
