package calibrate

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"
)

// amounts are the newest amounts of one kind.
type amounts struct{ list []amount }

type amount struct {
	tokens  float64
	table   float64 // what the table says of it
	session string
	version string
	at      time.Time
}

const mostOfAKind = 24

// add keeps the amount if it is among the newest.
func (a *amounts) add(one amount) {
	at, _ := slices.BinarySearchFunc(a.list, one, func(x, y amount) int {
		return cmp.Or(y.at.Compare(x.at), strings.Compare(x.session, y.session), cmp.Compare(x.tokens, y.tokens))
	})
	a.list = slices.Insert(a.list, at, one)
	a.list = a.list[:min(len(a.list), mostOfAKind)]
}

// sessions is in how many sessions they were seen.
func (a *amounts) sessions() int {
	seen := map[string]bool{}
	for _, one := range a.list {
		seen[one.session] = true
	}
	return len(seen)
}

// without are the amounts of all sessions but one, in order of size.
func (a *amounts) without(session string) []float64 {
	var out []float64
	for _, one := range a.list {
		if one.session != session {
			out = append(out, one.tokens)
		}
	}
	slices.Sort(out)
	return out
}

// middle is the median of what is in order.
func middle(sorted []float64) float64 {
	n := len(sorted)
	if n == 0 {
		return 0
	}
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// apart is how far, at the median, an amount is from the middle of those of the
// other sessions, and from what the table says, tokens.
func (a *amounts) apart() (with, without float64) {
	var w, wo []float64
	for _, one := range a.list {
		if others := a.without(one.session); len(others) > 0 {
			w = append(w, math.Abs(one.tokens-middle(others)))
			wo = append(wo, math.Abs(one.tokens-one.table))
		}
	}
	slices.Sort(w)
	slices.Sort(wo)
	return middle(w), middle(wo)
}

// band is the middle and what holds nine of ten: with few amounts, wider than
// what they show.
func (a *amounts) band() (low, mid, high int64) {
	all := a.without("")
	mid = int64(math.Round(middle(all)))
	n := len(all)
	lo, hi := all[n/20], all[n-1-n/20]
	spread := (hi - lo) / 2 * float64(1+2/float64(n))
	spread = max(spread, math.Abs(float64(mid))*.5/float64(n), 300)
	return min(int64(lo), mid-int64(spread)), mid, max(int64(hi), mid+int64(spread))
}
