package codex

import (
	"strings"
	"time"
)

const (
	namePrefix = "rollout-"
	plainExt   = ".jsonl"
	packedExt  = ".jsonl.zst"
	idLen      = 36 // characters of a UUID
	minPrefix  = 8  // characters of an id that may stand for the whole
)

// name is what the name of a rollout file says (codex-cli 0.171.0):
//
//	rollout-2026-11-30T14-56-45-<thread>.jsonl
//	rollout-2026-11-30T14-56-45-<thread>_<segment>.jsonl.zst
//
// A rewind starts a segment; its id is a UUIDv7 of its own.
type name struct {
	thread  string // lower case
	segment string // lower case; "" for a thread's first file
	stamp   string // local time of the file's creation, sorts by time
	packed  bool   // zstd
}

func parseName(file string) (name, bool) {
	var n name
	rest, ok := strings.CutPrefix(file, namePrefix)
	if !ok {
		return n, false
	}
	rest, n.packed = strings.CutSuffix(rest, packedExt)
	if !n.packed {
		if rest, ok = strings.CutSuffix(rest, plainExt); !ok {
			return n, false
		}
	}
	rest, last, ok := cutID(rest)
	if !ok {
		return n, false
	}
	n.thread = last
	if before, found := strings.CutSuffix(rest, "_"); found {
		if before, thread, ok := cutID(before); ok {
			rest, n.thread, n.segment = before, thread, last
		}
	}
	n.stamp = strings.TrimSuffix(rest, "-")
	return n, true
}

// rollout is the id by which other files name this one as their base: the
// last UUID of its name.
func (n name) rollout() string {
	if n.segment != "" {
		return n.segment
	}
	return n.thread
}

// cutID cuts a UUID off the end of s.
func cutID(s string) (rest, id string, ok bool) {
	at := len(s) - idLen
	if at < 0 || !isID(s[at:]) {
		return s, "", false
	}
	return s[:at], strings.ToLower(s[at:]), true
}

func isID(s string) bool { return len(s) == idLen && isIDPrefix(s) }

// isIDPrefix says whether a UUID may begin with s.
func isIDPrefix(s string) bool {
	for i, c := range []byte(s) {
		dash := i == 8 || i == 13 || i == 18 || i == 23
		switch {
		case dash && c == '-':
		case !dash && ('0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f'):
		default:
			return false
		}
	}
	return len(s) <= idLen
}

// created is when a UUIDv7 was made; ok is false for other ids.
func created(id string) (t time.Time, ok bool) {
	if !isID(id) || id[14] != '7' {
		return time.Time{}, false
	}
	var ms int64
	for _, c := range []byte(id[:8] + id[9:13]) {
		digit := int64(c - '0')
		if c >= 'a' {
			digit = int64(c-'a') + 10
		}
		ms = ms<<4 | digit
	}
	return time.UnixMilli(ms), true
}
