package calibrate

import (
	"cmp"
	"container/heap"
	"slices"
	"strings"
)

// Worst keeps the requests whose predictions were farthest off, a bounded
// number of them. The first of a session are left out: what a client sends with
// them is not in the transcript, so that they would be all there is to see.
type Worst struct {
	most int
	heap stepHeap // the best of the worst on top
}

func (w *Worst) add(s *Step) {
	switch {
	case w.most <= 0:
	case len(w.heap) < w.most:
		heap.Push(&w.heap, *s)
	case worse(s, &w.heap[0]) < 0:
		w.heap[0] = *s
		heap.Fix(&w.heap, 0)
	}
}

// Steps are the requests kept, the worst first.
func (w *Worst) Steps() []Step {
	out := slices.Clone(w.heap)
	slices.SortFunc(out, func(a, b Step) int { return worse(&a, &b) })
	return out
}

// worse orders by the error, and else so that every run gives the same.
func worse(a, b *Step) int {
	return cmp.Or(
		cmp.Compare(b.Error(), a.Error()),
		strings.Compare(a.Session, b.Session),
		strings.Compare(a.Agent, b.Agent),
		cmp.Compare(a.Offset, b.Offset),
	)
}

type stepHeap []Step

func (h stepHeap) Len() int           { return len(h) }
func (h stepHeap) Less(i, j int) bool { return worse(&h[i], &h[j]) > 0 }
func (h stepHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *stepHeap) Push(x any)        { *h = append(*h, x.(Step)) }
func (h *stepHeap) Pop() any {
	last := len(*h) - 1
	s := (*h)[last]
	*h = (*h)[:last]
	return s
}
