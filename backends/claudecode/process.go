package claudecode

import (
	"strconv"
	"time"

	"github.com/ctxmeter/ctxmeter/meter"
)

// pidState is what the operating system says of a process id.
type pidState struct {
	alive meter.Liveness
	start string // when it started, in the system's own terms; "" if unknown

	// What follows is known if it was asked for.
	parent int       // process id; 0 if unknown or none
	name   string    // of its program, without folder; "" if unknown
	began  time.Time // when it started; zero if unknown
}

// is reports whether this is the process that recorded start about itself:
// ids are used again. Where the system tells no start, a living process of
// that id is taken for it; where the record states none that compares, it
// remains unknown.
func (p pidState) is(start string) meter.Liveness {
	if p.alive != meter.LiveYes || p.start == "" || p.start == start {
		return p.alive
	}
	if _, err := strconv.ParseUint(start, 10, 64); err != nil {
		return meter.LiveUnknown
	}
	return meter.LiveNo
}

// wrote reports whether this may be the process that made the registry entry
// e about itself. A client makes it within its first second (2.1.197,
// observed); the minute is for clocks that are set meanwhile.
func (p pidState) wrote(e entry) bool {
	if p.start != "" && p.start == e.start {
		return true
	}
	if p.is(e.start) == meter.LiveNo {
		return false
	}
	return p.began.IsZero() || e.Started.IsZero() || p.began.Before(e.Started.Add(time.Minute))
}
