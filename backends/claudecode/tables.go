package claudecode

import (
	"strconv"
	"strings"
)

// What is built into the client, and where each row comes from. "Lab" is
// Claude Code 2.1.197 (Linux, API key, no flags from the server), each
// threshold found by bisection; "public" are 112 automatic compactions recorded
// in public sessions. The maintainers say that the defaults depend on model and
// plan and can be changed from the server (anthropics/claude-code#86863), so
// that everything here has the source "assumed".

// Arithmetic of a trigger, in tokens (lab).
const (
	reserveMost  = 20_000  // of the window for the reply, or the output limit if that is less
	buffer       = 13_000  // below that
	compactFloor = 100_000 // a smaller auto-compact window acts as this one
	oldBuffer    = 45_000  // in all, before version 2.1.25 (public)
)

// arming says whether the client compacts ahead of the limit by default.
type arming uint8

const (
	armUnknown arming = iota // not measured
	armed
	unarmed // only when the provider refuses the prompt
)

// modelRow is one model that the client knows. All of them have 200,000 tokens,
// and 1,000,000 where the model setting ends in "[1m]" (lab).
type modelRow struct {
	base    string
	small   arming // with 200,000 tokens
	large   arming // with 1,000,000 tokens
	largeAt int64  // built-in auto-compact window with 1,000,000; 0 is the window itself
	// unmarked: the notice of a switch to it says nothing of 1,000,000 tokens
	// (lab, 2.1.197: "Set model to Sonnet 5" for claude-sonnet-5[1m]).
	unmarked bool
}

var models = []modelRow{
	{base: "claude-opus-4-8", small: unarmed, large: unarmed},                               // lab: none up to 200,000 and 1,000,000
	{base: "claude-opus-4-7", small: unarmed, large: unarmed},                               // lab: none up to 195,000 and 1,000,000
	{base: "claude-opus-4-6", small: armed, large: unarmed},                                 // lab: 167,000 exactly; none up to 1,000,000
	{base: "claude-opus-4-5", small: unarmed},                                               // lab: none up to 200,000
	{base: "claude-sonnet-5", small: armed, large: armed, largeAt: 967_000, unmarked: true}, // lab: 167,000 and 934,000 exactly
	{base: "claude-sonnet-4-6", small: armed, large: unarmed},                               // lab: 166,5xx to 167,02x; none up to 1,000,000
	{base: "claude-sonnet-4-5", small: unarmed},                                             // lab: none up to 200,000
	{base: "claude-sonnet-4", small: unarmed},                                               // lab: none up to 195,000
	{base: "claude-haiku-4-5", small: unarmed},                                              // lab: none up to 200,000
	{base: "claude-fable-5", small: unarmed, large: unarmed, unmarked: true},                // lab: none up to 195,000 and 1,000,000
	{base: "claude-opus-4-1"}, {base: "claude-opus-4"},                                      // public, 1.0.80: up to 155,310 of 200,000
	{base: "claude-3-7-sonnet"}, {base: "claude-3-5-sonnet"}, // the provider's list of models: 200,000
	{base: "claude-3-5-haiku"}, {base: "claude-3-haiku"}, {base: "claude-3-opus"}, // the same
}

func modelOf(id modelID) (modelRow, bool) {
	for _, m := range models {
		if m.base == id.base {
			return m, true
		}
	}
	return modelRow{}, false
}

// era is a range of client versions with the same rules.
type era uint8

const (
	// eraOld, before 2.1.25: armed, 45,000 below the window (public: 2.0.67 to
	// 2.1.20 from 155,003 on; what lies between 2.1.20 and 2.1.25 is not
	// known, and the lower trigger is the safe one).
	eraOld era = iota + 1
	// eraArmed, up to 2.1.103: armed, 33,000 below the window (public: 2.1.25
	// to 2.1.56 from 167,024 on; 967,000 of 1,000,000 as reported then).
	eraArmed
	// eraTable, 2.1.104 to 2.1.197: as the table of models says (lab; public
	// sessions reached 175,000 to 191,000 from 2.1.104 on).
	eraTable
	// eraReported, after 2.1.197 or not stated: armed, 33,000 below the
	// window, as reports up to 2.1.232 agree (cases A05, B01, B17).
	eraReported
)

// eraOf tells the era of a version such as "2.1.197".
func eraOf(version string) era {
	v, ok := parseVersion(version)
	switch {
	case !ok:
		return eraReported
	case v.before([3]int{2, 1, 25}):
		return eraOld
	case v.before([3]int{2, 1, 104}):
		return eraArmed
	case v.before([3]int{2, 1, 198}):
		return eraTable
	}
	return eraReported
}

type semver [3]int

func parseVersion(s string) (v semver, ok bool) {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "-")
	parts := strings.Split(s, ".")
	if len(parts) != len(v) {
		return v, false
	}
	for i, p := range parts {
		n, err := strconv.Atoi(p)
		if err != nil || n < 0 {
			return v, false
		}
		v[i] = n
	}
	return v, true
}

func (v semver) before(w semver) bool {
	for i := range v {
		if v[i] != w[i] {
			return v[i] < w[i]
		}
	}
	return false
}
