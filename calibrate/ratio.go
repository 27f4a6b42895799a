package calibrate

import (
	"hash/fnv"
	"math"
)

// ratios are the logarithms of what texts measured over what the table said of
// them, in classes, so that memory does not grow with their number. Each
// session is in one of the folds.
type ratios struct {
	folds    [ratioFolds]ratioClasses
	sessions int
	texts    int64
}

type ratioClasses [ratioCount]float64 // weights

const (
	ratioFolds = 5
	// A text that measures over twice or under half of what the table says is
	// no text that was misjudged but one that was not all there: a reminder that
	// is not recorded, a text that was cut short, a rewind.
	ratioMost  = 0.7
	ratioWidth = 0.005
	ratioCount = int(2*ratioMost/ratioWidth) + 1
)

// ratioClass returns where a logarithm belongs; ok is false for an outlier.
func ratioClass(x float64) (class int, ok bool) {
	class = int(math.Round((x + ratioMost) / ratioWidth))
	return class, class >= 0 && class < ratioCount
}

func ratioAt(class int) float64 { return float64(class)*ratioWidth - ratioMost }

func foldOf(session string) int {
	h := fnv.New32a()
	_, _ = h.Write([]byte(session))
	return int(h.Sum32() % ratioFolds)
}

// add takes in what one session showed. A session with many texts counts more
// than one with few, but less than in proportion.
func (r *ratios) add(session string, of *ratioClasses, texts int64) {
	if texts == 0 {
		return
	}
	r.sessions++
	r.texts += texts
	fold := &r.folds[foldOf(session)]
	for i, n := range of {
		fold[i] += n / math.Sqrt(float64(texts))
	}
}

// without are all folds but one; all of them for -1.
func (r *ratios) without(fold int) (sum ratioClasses) {
	for f := range r.folds {
		if f == fold {
			continue
		}
		for i, n := range r.folds[f] {
			sum[i] += n
		}
	}
	return sum
}

// median is the middle of the classes, 0 if they are empty.
func (c *ratioClasses) median() float64 {
	total := 0.0
	for _, n := range c {
		total += n
	}
	sum := 0.0
	for i, n := range c {
		if sum += n; sum > 0 && sum >= total/2 {
			return ratioAt(i)
		}
	}
	return 0
}

// factor is the fitted one: the median, drawn towards 1 where few sessions
// speak for it.
func (c *ratioClasses) factor(sessions int) float64 {
	return math.Exp(c.median() * float64(sessions) / float64(sessions+ratioDraw))
}

const ratioDraw = 2 // sessions' worth of trust in the table

// errors returns the median error of texts in sessions that were not seen, as
// a part of what they measured: by the table as it is, and with the factor of
// the other sessions.
func (r *ratios) errors() (before, after float64) {
	var was, is Histogram
	for f := range r.folds {
		others := r.without(f)
		shift := math.Log(others.factor(max(r.sessions*(ratioFolds-1)/ratioFolds, 1)))
		for i, weight := range r.folds[f] {
			was.addMany(math.Expm1(-ratioAt(i)), weight)
			is.addMany(math.Expm1(shift-ratioAt(i)), weight)
		}
	}
	return was.Quantile(.5), is.Quantile(.5)
}

// addMany counts an error with a weight; weights are rounded to thousandths.
func (h *Histogram) addMany(err, weight float64) {
	n := uint32(min(math.Round(weight*1000), math.MaxUint32/1e4))
	if n == 0 {
		return
	}
	h.Add(err)
	h.n += int64(n) - 1
	h.classes[classOf(math.Abs(err))] += n - 1
}
