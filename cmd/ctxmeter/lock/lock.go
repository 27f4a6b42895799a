package lock

import (
	"context"
	"errors"
	"time"
)

// ErrLocked tells that another process holds the lock.
var ErrLocked = errors.New("locked by another process")

// turnPause is how long a process that waits for its turn looks away.
const turnPause = 20 * time.Millisecond

// Take keeps other processes out until it is released, or its holder is no
// more. It waits for its turn, or until ctx has ended. The folder of path has to
// be there.
func Take(ctx context.Context, path string) (release func(), err error) {
	for {
		release, err = Try(path)
		if !errors.Is(err, ErrLocked) {
			return release, err
		}
		Pause(ctx, turnPause)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
}
