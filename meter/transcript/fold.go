package transcript

import (
	"io"

	"github.com/ctxmeter/ctxmeter/meter"
	"github.com/ctxmeter/ctxmeter/meter/tail"
)

// folder folds the records of one scan into a state.
type folder struct {
	scanner *tail.Scanner
	inner   tail.Handler
	state   *meter.State
	saved   *meter.State // the state without the records of a last line that has no end yet
	open    int64        // how many those are
	start   int64        // of the segment being scanned
	effort  effort

	visit func(before *meter.State, e meter.Event) // sees each event before it is folded; may be nil
}

// effort says what a scan counts the characters of.
type effort uint8

const (
	counted      effort = iota // everything
	firstCounted               // what the first request carried
	uncounted                  // nothing
)

func newFolder(d Decoder) *folder {
	f := &folder{scanner: tail.NewScanner(d.Schema())}
	f.inner = d.Handler(func(e meter.Event) {
		e.Offset += f.start
		if f.visit != nil {
			f.visit(f.state, e)
		}
		f.state.Fold(e)
	})
	return f
}

// Begin and Element pass on to the decoder, which emits events in Record only.
func (f *folder) Begin(r *tail.Record, a tail.Array) { f.inner.Begin(r, a) }

// Element implements tail.Handler.
func (f *folder) Element(r *tail.Record, a tail.Array) { f.inner.Element(r, a) }

// Record implements tail.Handler.
func (f *folder) Record(r *tail.Record) {
	if r.Unterminated {
		f.open++
	}
	if r.Unterminated && f.saved == nil {
		// The next scan will meet it again, whole: what is saved must not
		// contain it. In a base of a chain nothing more will come.
		saved := f.state.Clone()
		f.saved = &saved
	}
	f.inner.Record(r)
	if f.effort == firstCounted && f.state.Facts.First.Prompt > 0 {
		f.scanner.SetCounting(false)
	}
}

// scan folds the bytes from st.Offset to end (-1: all) into st and moves
// st.Offset. It returns the state to save, which differs from st only where
// the last line has no end yet.
func (f *folder) scan(src *source, st *meter.State, end int64, how effort) (meter.State, error) {
	f.state, f.saved, f.open, f.effort = st, nil, 0, how
	f.scanner.SetCounting(how == counted || how == firstCounted && st.Facts.First.Prompt == 0)
	for i, p := range src.parts {
		last := i == len(src.parts)-1
		if p.end >= 0 && st.Offset >= p.end && !last {
			continue
		}
		to := p.end
		if end >= 0 && (to < 0 || to > end) {
			to = end
		}
		if to >= 0 && to <= st.Offset {
			break
		}
		f.start = p.start
		res, err := f.scanPart(p, st.Offset-p.start, to-p.start, to < 0)
		if err != nil {
			return *st, err
		}
		st.Records += res.Records
		st.Damaged += res.Damaged
		if f.saved != nil {
			f.saved.Records, f.saved.Damaged = st.Records-f.open, st.Damaged
		}
		st.Offset = p.start + res.Next
		if !last && to == p.end { // what a base leaves unfinished is never finished
			st.Offset = p.end
			f.saved = nil
		}
	}
	if f.saved == nil {
		return *st, nil
	}
	f.saved.Offset = st.Offset
	return *f.saved, nil
}

func (f *folder) scanPart(p part, from, to int64, all bool) (tail.Result, error) {
	if all {
		to = -1
	}
	if p.stream == nil {
		return f.scanner.Scan(p.file, from, to, f)
	}
	r, err := p.stream()
	if err != nil {
		return tail.Result{Next: from}, err
	}
	defer r.Close()
	if _, err := io.CopyN(io.Discard, r, from); err != nil {
		return tail.Result{Next: from}, err
	}
	most := p.most - from
	if to >= 0 {
		most = min(most, to-from)
	}
	in := io.LimitedReader{R: r, N: max(most, 0)}
	res, err := f.scanner.Stream(&in, from, f)
	if in.N == 0 && (to < 0 || from+most < to) {
		f.state.Notes = append(f.state.Notes, NoteScanLimit)
	}
	return res, err
}
