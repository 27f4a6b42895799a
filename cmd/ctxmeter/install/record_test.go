package install

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Somebody who waits is told for what, and not for ever.
func TestALockThatIsHeldIsSaid(t *testing.T) {
	held := func(ctx context.Context) (func(), error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	long, tooLong := make(chan time.Time), make(chan time.Time)
	said := 0
	go func() {
		long <- time.Time{}
		tooLong <- time.Time{}
	}()
	if _, err := inTime(context.Background(), held, long, tooLong, func() { said++ }); !errors.Is(err, errHeld) || said != 1 {
		t.Errorf("%v, said %d times", err, said)
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, err := inTime(ctx, held, nil, nil, nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// Who removes the file of a lock does not let two others hold it.
func TestALockThatIsRemovedHasOneHolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state", "installed")
	var holders, most, turns atomic.Int32
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			a := archive{dir: dir}
			for range 40 {
				release, err := a.open(t.Context(), func(string) {})
				if err != nil {
					t.Error(err)
					return
				}
				if n := holders.Add(1); n > most.Load() {
					most.Store(n)
				}
				turns.Add(1)
				holders.Add(-1)
				a.close(release)
			}
		})
	}
	all.Wait()
	if most.Load() != 1 || turns.Load() != 320 {
		t.Errorf("%d at once, %d in all", most.Load(), turns.Load())
	}
}
