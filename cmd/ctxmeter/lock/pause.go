package lock

import (
	"context"
	"time"
)

// Pause returns when so long has passed, or when ctx has ended.
func Pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
	}
}
