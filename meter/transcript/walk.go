package transcript

import (
	"github.com/ctxmeter/ctxmeter/meter"
)

// Walk folds a whole transcript from its beginning, without a sidecar, and
// shows visit the state just before each event. The state must not be kept.
// It returns the state at the end.
func Walk(s meter.Session, d Decoder, visit func(before *meter.State, e meter.Event)) (meter.State, error) {
	src, err := open(s)
	if err != nil {
		return meter.State{}, err
	}
	defer src.close()
	f := newFolder(d)
	f.visit = visit
	var st meter.State
	if _, err := f.scan(src, &st, -1, counted); err != nil {
		return meter.State{}, meter.Unreadable(called(s), err)
	}
	return st, nil
}
