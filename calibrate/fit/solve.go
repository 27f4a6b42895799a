package main

import (
	"math"
	"slices"
)

// system are weighted equations: rows of x times the unknowns should be y.
// Distances count relative to scale.
type system struct {
	x                [][]float64
	y, scale, weight []float64
}

func (s *system) add(x []float64, y, scale, weight float64) {
	s.x = append(s.x, x)
	s.y, s.scale, s.weight = append(s.y, y), append(s.scale, scale), append(s.weight, weight)
}

func (s *system) residual(i int, b []float64) float64 { return dot(b, s.x[i]) - s.y[i] }

// corner smooths the corner of the absolute value, as a share of scale.
const corner = .005

// solve minimises the sum of weighted distances by reweighted least squares,
// rounds times, starting from start (nil: from nothing known). Unknowns below
// positive stay at zero or above; ridge pulls the unknowns to zero (nil: not).
func (s *system) solve(rounds, positive int, ridge, start []float64) []float64 {
	b := make([]float64, len(s.x[0]))
	copy(b, start)
	near := make([]float64, len(s.x))
	measure := func() {
		for i := range near {
			near[i] = 1 / max(math.Abs(s.residual(i, b))/s.scale[i], corner)
		}
	}
	for i := range near {
		near[i] = 1
	}
	if start != nil {
		measure()
	}
	for range rounds {
		a, c := s.normal(near)
		for j := range a {
			a[j][j] = a[j][j]*(1+1e-6) + 1e-12
			if ridge != nil {
				a[j][j] += ridge[j]
			}
		}
		descend(a, c, b, positive)
		measure()
	}
	return b
}

// normal are the normal equations, with the weights times near.
func (s *system) normal(near []float64) (a [][]float64, c []float64) {
	d := len(s.x[0])
	a, c = make([][]float64, d), make([]float64, d)
	for j := range a {
		a[j] = make([]float64, d)
	}
	for i, x := range s.x {
		w := s.weight[i] * near[i] / (s.scale[i] * s.scale[i])
		for j, xj := range x {
			if xj == 0 {
				continue
			}
			for k := range j + 1 {
				a[j][k] += w * xj * x[k]
			}
			c[j] += w * xj * s.y[i]
		}
	}
	for j := range a {
		for k := range j {
			a[k][j] = a[j][k]
		}
	}
	return a, c
}

// descend solves a·b = c one unknown after the other, until none moves.
func descend(a [][]float64, c, b []float64, positive int) {
	for range 400 {
		moved := 0.0
		for j := range b {
			if a[j][j] < 1e-10 {
				continue
			}
			next := (c[j] - dot(a[j], b) + a[j][j]*b[j]) / a[j][j]
			if j < positive {
				next = max(next, 0)
			}
			moved = max(moved, math.Abs(next-b[j])*math.Sqrt(a[j][j]))
			b[j] = next
		}
		if moved < 1e-7 {
			return
		}
	}
}

// robust solves, then again and again with weights that fall to nothing for
// rows farther off than limit says, in units of y: those hold something else.
func (s *system) robust(first, rounds, again, positive int, ridge []float64, limit func(y float64) float64) []float64 {
	own := s.weight
	b := s.solve(first, positive, ridge, nil)
	s.weight = slices.Clone(own)
	for range again {
		for i := range s.x {
			e := s.residual(i, b) / limit(s.y[i])
			s.weight[i] = own[i] * math.Exp(-e*e/2)
		}
		b = s.solve(rounds, positive, ridge, b)
	}
	s.weight = own
	return b
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}
