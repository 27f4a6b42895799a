package claudecode

import (
	"encoding/json"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/ctxmeter/ctxmeter/meter"
	"github.com/ctxmeter/ctxmeter/meter/files"
)

// Process is an entry of the client's registry, <root>/sessions/<pid>.json:
// a running client and the session it works on.
type Process struct {
	PID       int
	SessionID string
	Dir       string // its working folder
	Kind      string // "interactive", also for a client that prints (2.1.197)
	Entry     string // how it was started: "cli", "sdk-cli"
	Status    string // "busy" or "idle"; "" if it is not interactive
	Version   string // of the client
	Started   time.Time
	Updated   time.Time
	// Alive is LiveNo if the process has ended or its id belongs to another
	// one by now: entries survive a crash until the next client starts.
	Alive meter.Liveness
	// Follows says that SessionID follows /clear, /branch and --resume. Old
	// builds, which do not record when their process started, kept the first
	// session (testdata/cases/D02).
	Follows bool
}

// Registry returns the entries of a configuration folder, without those that
// cannot be read: the client writes them in place, so that one may be half
// written at any moment.
func (c *Client) Registry(root string) []Process {
	list, _ := c.registry(root)
	return list
}

// registry also reports whether the list is all there is to know: whether
// there is a registry, and no living process behind an unreadable entry.
func (c *Client) registry(root string) (list []Process, complete bool) {
	dir := filepath.Join(root, "sessions")
	all, err := files.List(dir)
	complete = err == nil
	for _, e := range all {
		base, isJSON := strings.CutSuffix(e.Name(), ".json")
		pid, err := strconv.Atoi(base)
		if !isJSON || err != nil || pid <= 0 {
			continue
		}
		state := c.proc(pid)
		p, ok := readEntry(filepath.Join(dir, e.Name()))
		if !ok || p.PID != pid {
			complete = complete && state.alive == meter.LiveNo
			continue
		}
		p.Process.Alive = state.is(p.start)
		list = append(list, p.Process)
	}
	return list, complete
}

// entry is a registry file: start is when its process started, as the system
// counts.
type entry struct {
	Process
	start string
}

const entryMost = 1 << 20 // bytes; real ones have 300

func readEntry(path string) (entry, bool) {
	b, err := files.Read(path, entryMost)
	if err != nil {
		return entry{}, false
	}
	return parseEntry(b)
}

// parseEntry reads what Claude Code 2.1.197 writes, and the shorter entries of
// older builds. The session's name, which is in it too, comes from the
// conversation and is left alone.
func parseEntry(b []byte) (entry, bool) {
	var raw struct {
		PID        scalar `json:"pid"`
		SessionID  scalar `json:"sessionId"`
		Dir        scalar `json:"cwd"`
		Kind       scalar `json:"kind"`
		Entrypoint scalar `json:"entrypoint"`
		Status     scalar `json:"status"`
		Version    scalar `json:"version"`
		StartedAt  scalar `json:"startedAt"`
		UpdatedAt  scalar `json:"updatedAt"`
		ProcStart  scalar `json:"procStart"` // a string in 2.1.197
	}
	if err := json.Unmarshal(b, &raw); err != nil {
		return entry{}, false
	}
	pid, err := strconv.Atoi(string(raw.PID))
	if err != nil || !isID(string(raw.SessionID)) {
		return entry{}, false
	}
	return entry{
		Process: Process{
			PID: pid, SessionID: string(raw.SessionID), Dir: string(raw.Dir),
			Kind: string(raw.Kind), Entry: string(raw.Entrypoint),
			Status: string(raw.Status), Version: string(raw.Version),
			Started: raw.StartedAt.millis(), Updated: raw.UpdatedAt.millis(),
			Follows: raw.ProcStart != "",
		},
		start: string(raw.ProcStart),
	}, true
}

// scalar is the text of a JSON string, number or truth value; "" of anything
// else, so that a key of another type spoils only itself.
type scalar string

// UnmarshalJSON implements json.Unmarshaler.
func (s *scalar) UnmarshalJSON(b []byte) error {
	*s = ""
	switch b[0] {
	case '"':
		return json.Unmarshal(b, (*string)(s))
	case '{', '[', 'n':
	default:
		*s = scalar(b)
	}
	return nil
}

func (s scalar) millis() time.Time {
	ms, err := strconv.ParseFloat(string(s), 64)
	if err != nil || ms <= 0 || ms > 1e15 {
		return time.Time{}
	}
	return time.UnixMilli(int64(ms)).UTC()
}
