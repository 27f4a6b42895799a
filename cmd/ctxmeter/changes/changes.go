package changes

import (
	"context"
	"os"
	"time"

	"github.com/fsnotify/fsnotify"
)

const (
	// pollEvery is how long a change may go unnoticed in a folder that cannot
	// be watched.
	pollEvery = 20 * time.Millisecond
	// doubtEvery is the same for one that is watched: folders of the network
	// are watched without an error, and nothing is heard of them.
	doubtEvery = 100 * time.Millisecond
	// mostEntries is how large a folder may be that is watched where the
	// system (kqueue) wants each of its files opened for that.
	mostEntries = 500
)

// Watch watches folders, without those below them. A change before New
// returned may go unnoticed: look once more after it.
type Watch struct {
	events  *fsnotify.Watcher // nil if nothing can be watched
	every   time.Duration
	recheck *time.Ticker
}

// New watches the folders that exist.
func New(folders []string) *Watch {
	w := &Watch{every: pollEvery}
	if events, err := fsnotify.NewWatcher(); err == nil {
		w.events, w.every = events, doubtEvery
		for _, dir := range folders {
			if !watchable(dir) || events.Add(dir) != nil {
				w.every = pollEvery
			}
		}
	}
	w.recheck = time.NewTicker(w.every)
	return w
}

func watchable(dir string) bool {
	if !opensFiles {
		return true
	}
	f, err := os.Open(dir)
	if err != nil {
		return false
	}
	defer f.Close()
	names, _ := f.Readdirnames(mostEntries + 1)
	return len(names) <= mostEntries
}

// Next returns when something may have changed, with true, or when ctx ends.
func (w *Watch) Next(ctx context.Context) bool {
	var events chan fsnotify.Event
	var errs chan error
	if w.events != nil {
		events, errs = w.events.Events, w.events.Errors
	}
	select {
	case <-ctx.Done():
		return false
	case <-events:
	case <-errs: // events were lost: something has changed
	case <-w.recheck.C:
	}
	return ctx.Err() == nil
}

// Close ends the watch.
func (w *Watch) Close() {
	w.recheck.Stop()
	if w.events != nil {
		_ = w.events.Close()
	}
}
