package main

import (
	"context"
	"errors"
	"time"
)

// errLocked tells that another process holds the lock.
var errLocked = errors.New("locked by another process")

// turnPause is how long a process that waits for its turn looks away.
const turnPause = 20 * time.Millisecond

// lock keeps other processes out until it is released, or its holder is no
// more. It waits for its turn.
func lock(ctx context.Context, path string) (release func(), err error) {
	for {
		release, err = tryLock(path)
		if !errors.Is(err, errLocked) {
			return release, err
		}
		wait(ctx, turnPause)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
}
