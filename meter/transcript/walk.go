package transcript

import (
	"context"

	"github.com/ctxmeter/ctxmeter/meter"
)

// Walk folds a whole transcript from its beginning, without a sidecar, and
// shows visit the state just before each event. The state must not be kept.
// It returns the state at the end.
func Walk(s meter.Session, d Decoder, visit func(before *meter.State, e meter.Event)) (meter.State, error) {
	return WalkContext(context.Background(), s, d, visit)
}

// WalkContext is Walk, and ends with the error of ctx soon after that is done.
func WalkContext(ctx context.Context, s meter.Session, d Decoder, visit func(before *meter.State, e meter.Event)) (meter.State, error) {
	src, err := open(s)
	if err != nil {
		return meter.State{}, err
	}
	defer src.close()
	f := newFolder(d)
	f.visit = func(before *meter.State, e meter.Event) {
		if ctx.Err() != nil {
			f.scanner.Stop()
			return
		}
		visit(before, e)
	}
	var st meter.State
	_, err = f.scan(src, &st, -1, counted)
	switch {
	case ctx.Err() != nil:
		return meter.State{}, ctx.Err()
	case err != nil:
		return meter.State{}, meter.Unreadable(called(s), err)
	case src.nothing(st):
		return meter.State{}, foreign(s)
	}
	return st, nil
}
