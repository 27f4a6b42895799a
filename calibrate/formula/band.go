package formula

import "math"

// Band is where the truth lies nine times in ten, for estimates below a
// number of tokens: from Low to High, as shares of Unit, to be added to the
// estimate. Low is negative.
type Band struct {
	Below float64 `json:"below"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// Unit is what the shares of a band are of, in tokens: the estimate and a
// constant, so that small estimates have room too.
func Unit(estimate float64, k Kind) float64 { return (math.Abs(estimate) + 50) * k.wider() }

// Bands are the bands of a model, from the smallest estimates to the largest.
type Bands []Band

// Of is the band of an estimate, in tokens to be added to it. Beyond the last
// band, that one holds.
func (bs Bands) Of(estimate float64, k Kind) (low, high float64) {
	for i, b := range bs {
		if estimate < b.Below || i == len(bs)-1 {
			u := Unit(estimate, k)
			return b.Low * u, b.High * u
		}
	}
	return 0, 0
}
