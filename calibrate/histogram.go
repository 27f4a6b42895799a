package calibrate

import "math"

// Histogram counts relative errors in classes of equal ratio, so that its
// memory does not grow with what is added: a quantile is right to 1 % of its
// value. Errors are parts of the truth: 0.01 is one percent. The zero Histogram
// is empty.
type Histogram struct {
	n        int64
	min, max float64 // of what was added
	classes  []uint32
}

const (
	// classRatio is how much wider each class begins than the one before.
	classRatio = 1.02
	// classFirst is where the second class begins: what is below is taken for
	// none, a tenth of a token of a thousand thousands.
	classFirst = 1e-7
	// classCount reaches up to an error of 1,000 times the truth; what is above
	// counts into the last class.
	classCount = 1164
)

// Add counts one error; a negative one counts by its size.
func (h *Histogram) Add(err float64) {
	err = math.Abs(err)
	if math.IsNaN(err) {
		return
	}
	if h.classes == nil {
		h.classes = make([]uint32, classCount)
	}
	if h.n == 0 || err < h.min {
		h.min = err
	}
	h.max = max(h.max, err)
	h.n++
	h.classes[classOf(err)]++
}

func classOf(err float64) int {
	if err < classFirst {
		return 0
	}
	return 1 + int(min(math.Log(err/classFirst)/math.Log(classRatio), classCount-2))
}

// Merge counts what other counted.
func (h *Histogram) Merge(other *Histogram) {
	if other.n == 0 {
		return
	}
	if h.classes == nil {
		h.classes = make([]uint32, classCount)
	}
	if h.n == 0 || other.min < h.min {
		h.min = other.min
	}
	h.max = max(h.max, other.max)
	h.n += other.n
	for i, n := range other.classes {
		h.classes[i] += n
	}
}

// Count is how many errors were added.
func (h *Histogram) Count() int64 { return h.n }

// Quantile returns the smallest error that at least the part p of all errors
// does not exceed (the nearest rank), 0 if there is none.
func (h *Histogram) Quantile(p float64) float64 {
	if h.n == 0 {
		return 0
	}
	rank := max(int64(math.Ceil(p*float64(h.n))), 1)
	if rank >= h.n {
		return h.max
	}
	for i, n := range h.classes {
		if rank -= int64(n); rank > 0 {
			continue
		}
		if i == 0 {
			return h.min
		}
		middle := classFirst * math.Pow(classRatio, float64(i)-.5)
		return min(max(middle, h.min), h.max)
	}
	return h.max
}
