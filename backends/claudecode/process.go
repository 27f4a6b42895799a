package claudecode

import (
	"strconv"

	"github.com/ctxmeter/ctxmeter/meter"
)

// pidState is what the operating system says of a process id.
type pidState struct {
	alive meter.Liveness
	start string // when it started, in the system's own terms; "" if unknown
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
