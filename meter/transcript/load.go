package transcript

import (
	"fmt"

	"github.com/ctxmeter/ctxmeter/meter"
	"github.com/ctxmeter/ctxmeter/meter/sidecar"
)

// Options bounds and helps a Load.
type Options struct {
	// MaxScan is how far back from the end, in bytes, the newest measurement
	// is looked for when no sidecar helps; 0 sets no limit and completes the
	// facts, whatever that takes.
	MaxScan int64
	// Cache is the folder of the sidecars; "" uses none.
	Cache string

	divide int64 // what the amounts below are divided by, for tests; 0 is 1
}

const (
	firstStep = 128 << 10 // bytes from the end that are searched first
	widen     = 2         // how much farther each step goes
	smallPast = 16 << 20  // what lies before is read at once up to this many bytes
	slice     = 512 << 10 // and in slices of this many bytes beyond
	worth     = 256 << 10 // progress in bytes that is worth writing a sidecar for
)

func (o Options) amount(n int64) int64 { return n / max(o.divide, 1) }

// Load brings the state of a session's transcript up to date. Its errors are
// *meter.Fault.
func Load(s meter.Session, d Decoder, o Options) (meter.State, error) {
	src, err := open(s)
	if err != nil {
		return meter.State{}, err
	}
	defer src.close()
	l := loader{src: src, fold: newFolder(d), opts: o, store: sidecar.Store{Dir: o.Cache}}
	l.key = sidecar.Key(s.Segments[len(s.Segments)-1].Path)
	st, err := l.load()
	if err != nil {
		return meter.State{}, meter.Unreadable(called(s), err)
	}
	if src.nothing(st) {
		return meter.State{}, foreign(s)
	}
	return st, nil
}

// nothing reports that a transcript holds lines, and none of the client.
func (s *source) nothing(st meter.State) bool {
	return st.Events == 0 && st.FactsFrom == 0 && (st.Records+st.Damaged > 0 || s.foreign())
}

func foreign(s meter.Session) error {
	return &meter.Fault{
		Code:    meter.CodeNotATranscript,
		Message: fmt.Sprintf("the file%s holds no record of a known client; check that it is a transcript, or name another with --session-file", meter.Of(called(s))),
	}
}

// called is the session's name in a message, "" if it has none.
func called(s meter.Session) string {
	if s.AgentID != "" {
		return s.AgentID
	}
	return s.ID
}

type loader struct {
	src   *source
	fold  *folder
	opts  Options
	store sidecar.Store
	key   string

	needsFirst bool // the answer rests on the first request
}

func (l *loader) load() (meter.State, error) {
	st, stored, err := l.current()
	if err != nil {
		return meter.State{}, err
	}
	past := stored.done()
	l.needsFirst = st.Context().Ground != meter.GroundMeasured
	if start := st.saved.FactsFrom; start > 0 {
		if past, err = l.readPast(past, start); err != nil {
			return meter.State{}, err
		}
		st.State.Precede(past)
		st.saved.Precede(past)
	}
	l.save(st, past, stored)
	return st.State, nil
}

// kept is what the sidecar held; its zero value is a missing sidecar.
type kept struct{ state, past meter.State }

// done is the state whose facts are those of all records up to its offset.
func (k kept) done() meter.State {
	if k.state.FactsFrom == 0 {
		return k.state
	}
	return k.past
}

// scanned is a state up to the end of the transcript, and the one to save.
type scanned struct {
	meter.State
	saved meter.State
}

// current returns the newest state: from the sidecar where one fits, else
// from the end of the transcript.
func (l *loader) current() (scanned, kept, error) {
	e, ok := l.store.Load(l.key)
	if !ok || !l.src.same(e.Files) {
		st, err := l.fromEnd(meter.State{})
		return st, kept{}, err
	}
	stored := kept{state: e.State.Clone()}
	if e.Past != nil {
		stored.past = *e.Past
	}
	if l.src.last().stream != nil { // a compressed file that is the same has not grown
		return scanned{State: e.State, saved: e.State}, stored, nil
	}
	st, err := l.scan(e.State)
	if err == nil && !l.settled(st) {
		st, err = l.fromEnd(stored.done())
	}
	return st, stored, err
}

func (l *loader) settled(st scanned) bool {
	return st.Settled() && st.Context().Ground != meter.GroundUnknown
}

func (l *loader) scan(from meter.State) (scanned, error) {
	st := scanned{State: from}
	var err error
	st.saved, err = l.fold.scan(l.src, &st.State, -1, counted)
	return st, err
}

// scanFrom scans from a line start to the end and keeps the record pin in
// memory, if it meets it. The facts up to the offset of done are known: they
// are not collected a second time.
func (l *loader) scanFrom(from int64, pin meter.Link, done meter.State) (scanned, error) {
	st := meter.State{From: from, FactsFrom: from, Offset: from, Pin: pin}
	if from > 0 && from < done.Offset {
		if _, err := l.fold.scan(l.src, &st, done.Offset, counted); err != nil {
			return scanned{State: st, saved: st}, err
		}
		st.Facts, st.Records, st.Damaged, st.FactsFrom = meter.Facts{}, 0, 0, done.Offset
	}
	return l.scan(st)
}

// fromEnd finds the newest measurements backward from the end and scans from
// the second newest on; from farther back if that does not settle the state.
// Counting characters is several times slower than finding records: so what
// only has to be searched is not counted.
func (l *loader) fromEnd(done meter.State) (scanned, error) {
	if !l.src.seekable() {
		return l.whole()
	}
	limit, size := l.opts.MaxScan, l.src.size()
	var marks []int64 // offsets of measurements and boundaries, newest first
	need := 2
	from := size
	for step := l.opts.amount(firstStep); ; step *= widen {
		back := size - from + step
		next, ok, err := l.src.lineStart(back, limit)
		end := limit > 0 && (back >= limit || !ok)
		if err == nil && end {
			next, ok, err = l.src.nextLine(size - limit)
		}
		switch {
		case err != nil:
			return scanned{}, err
		case next == 0 && ok:
			return l.whole()
		case !ok || next >= from: // nothing more within the limit
			return l.unsettled(from, done)
		}
		probe := meter.State{From: next, Offset: next}
		if _, err := l.fold.scan(l.src, &probe, from, uncounted); err != nil {
			return scanned{}, err
		}
		from = next
		for marks = append(marks, probe.Marks()...); len(marks) >= need; need *= 4 {
			st, err := l.scanFrom(marks[need-1], 0, done)
			if err != nil || l.settled(st) {
				return st, err
			}
		}
		if end {
			return l.unsettled(from, done)
		}
	}
}

// whole scans the whole transcript.
func (l *loader) whole() (scanned, error) {
	st, err := l.scan(meter.State{})
	if err != nil {
		return st, err
	}
	return l.pinned(st, meter.State{})
}

// unsettled makes the best of an end of the transcript that does not settle
// the state and may not be exceeded.
func (l *loader) unsettled(from int64, done meter.State) (scanned, error) {
	st, err := l.scanFrom(from, 0, done)
	if err == nil {
		st, err = l.pinned(st, done)
	}
	if err == nil && !st.Settled() {
		st.Notes = append(st.Notes, NoteScanLimit)
	}
	return st, err
}

// NoteScanLimit says that the newest measurement may lie farther back than
// Options.MaxScan allowed to look.
const NoteScanLimit = "scan_limit"

// pinned scans again for a record that the live chain hangs on and that was
// too old to be in memory, as after a rewind far back.
func (l *loader) pinned(st scanned, done meter.State) (scanned, error) {
	for range 2 {
		missing := st.Context().Missing
		if missing == 0 || missing == st.Pin {
			break
		}
		again, err := l.scanFrom(st.From, missing, done)
		if err != nil {
			return st, err
		}
		st = again
	}
	return st, nil
}

// readPast goes on with the scan of what lies before the state, for the facts
// that only the whole transcript can tell. A line longer than MaxScan is where
// it ends.
func (l *loader) readPast(past meter.State, end int64) (meter.State, error) {
	step := end
	if l.opts.MaxScan > 0 && end > l.opts.amount(smallPast) && l.src.seekable() {
		step = l.opts.amount(slice)
		if l.store.Dir == "" && past.Offset == 0 && !l.needsFirst {
			return past, nil // nobody would remember it
		}
	}
	for from := past.Offset; past.Offset == from && from < end && l.within(step); step *= 2 { // a slice may end inside a giant line
		var err error
		if past, err = l.fold.scan(l.src, &past, min(from+step, end), firstCounted); err != nil {
			return past, err
		}
		if from+step >= end {
			past.Offset = end
		}
	}
	return past, nil
}

// within reports whether so many bytes may be read at once.
func (l *loader) within(step int64) bool {
	return l.opts.MaxScan <= 0 || step <= max(l.opts.MaxScan, l.opts.amount(smallPast))
}

// save keeps the state where that is worth a write: an idle or slowly growing
// session writes nothing, since reading a little again costs the same.
func (l *loader) save(st scanned, past meter.State, stored kept) {
	s := st.saved
	unfinished := l.src.last().stream != nil && s.Records != st.Records
	if l.store.Dir == "" || s.Events == 0 || unfinished || !s.Settled() {
		return
	}
	grown := s.Offset-stored.state.Offset >= l.opts.amount(worth)
	filled := past.Offset > stored.done().Offset || s.FactsFrom == 0 && stored.state.FactsFrom > 0
	if !grown && !filled {
		return
	}
	files, err := l.src.files(s.Offset)
	if err != nil {
		return
	}
	e := sidecar.Entry{Files: files, State: s}
	if s.FactsFrom > 0 {
		e.Past = &past
	}
	_ = l.store.Save(l.key, e) // a cache: losing it loses only speed
}
