package main

import (
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/ctxmeter/ctxmeter/backends"
	"github.com/ctxmeter/ctxmeter/meter"
)

// sight is what a look at the files of a thread has shown. The zero value is
// nothing.
type sight struct {
	thread string
	known  bool        // there is a transcript, and it can be read
	in     meter.Input // without its time
	est    meter.Estimator

	at     time.Time     // when it was looked
	cost   time.Duration // how long that took
	file   string        // that the thread goes on in
	marked [2]mark       // that file and its folder
}

// mark tells whether something changed. The zero value is nothing there.
type mark struct {
	size int64
	time int64 // of its last change, in nanoseconds
}

func markOf(path string) mark {
	info, err := os.Stat(path)
	if err != nil {
		return mark{}
	}
	return mark{info.Size(), info.ModTime().UnixNano()}
}

// marks are those of a rollout and of its folder, where going back to an
// earlier turn makes another file (0.171.0, observed).
func marks(file string) [2]mark { return [2]mark{markOf(file), markOf(filepath.Dir(file))} }

const (
	// sightHolds is how long a look counts while its file is what it was. The
	// thread may go on in another folder, or its settings may have changed.
	sightHolds = 5 * time.Second
	// sightShare is how many times as long as it took any look counts, so that
	// looking takes a twentieth of the time at most: before the first turn there
	// is no file, and all folders are looked through; a disk may be slow.
	sightShare = 20
)

// holds reports whether a look may stand for another one: nothing can have
// changed since, or it was expensive.
func (s sight) holds(thread string, now time.Time) bool {
	age := now.Sub(s.at)
	switch {
	case s.thread != thread || age < 0 || age >= sightHolds:
		return false
	case age < sightShare*s.cost:
		return true
	}
	return s.known && s.marked == marks(s.file)
}

// codexAsks is how Codex introduces itself to a server (0.47 to 0.171).
const codexAsks = "codex-mcp-client"

// lookAt looks at the files of a thread, if they may tell more than last.
func (f *footer) lookAt(thread string, last sight) (s sight) {
	now := f.p.now()
	if last.holds(thread, now) {
		return last
	}
	s = sight{thread: thread, at: now}
	defer func() { s.cost = f.p.now().Sub(now) }()
	finder := *f.finder
	finder.now = now
	i := slices.IndexFunc(finder.clients, func(c backends.Client) bool { return c.Is(codexAsks) })
	if i < 0 {
		return s // --backend names another
	}
	hit, err := finder.byPayload(finder.clients[i], meter.Payload{Session: thread})
	if err != nil {
		f.p.debug(err)
	}
	if len(hit.session.Segments) == 0 {
		return s
	}
	s.file = hit.session.Segments[len(hit.session.Segments)-1].Path
	s.marked = marks(s.file) // before it is read: what comes after is news
	st, err := f.p.load(hit, f.settings)
	if err != nil {
		f.p.debug(err)
		return s
	}
	hit.session, s.est = f.p.fit(hit.session)
	s.known, s.in = true, f.p.input(hit, f.settings, st, told{})
	return s
}
