package doctor

import (
	"strings"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wiring"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wording"
	"github.com/ctxmeter/ctxmeter/config"
	"github.com/ctxmeter/ctxmeter/meter"
)

// shownCandidates is how many sessions a mend names.
const shownCandidates = 5

// noSession says why there is no reading, and what to type.
func (d *doctor) noSession(s Session) {
	fault := s.Fault
	const check = "session"
	text, mend, _ := strings.Cut(fault.Message, ": ")
	if fault.Code != meter.CodeAmbiguousSession && fault.Code != meter.CodeSessionNotFound {
		d.problem(check, text, mend)
		return
	}
	if dir, rest, ok := strings.Cut(mend, ";"); ok && strings.HasPrefix(dir, "--cwd ") {
		mend = d.typed("doctor "+dir) + " looks there;" + rest
	}
	if client := s.Unwritten; client != "" {
		switches := "--no-session-persistence or " + historyVar + "=1"
		if client == wiring.ClientCodex {
			switches = "'codex exec --ephemeral'"
		}
		mend = "ask again after its first reply; if there was one, the session is not written: started with " + switches
	}
	if ids := wording.ShortIDs(fault.Candidates); len(ids) > 0 {
		more := ""
		if len(ids) > shownCandidates {
			ids, more = ids[:shownCandidates], ", the newest of "+wording.Number(int64(len(fault.Candidates)))
		}
		mend += "; there are " + config.List(ids, "and") + more + ": " + d.typed("doctor --thread-id "+ids[0])
		if len(ids) == 1 {
			mend = strings.Replace(mend, "; there are ", "; there is ", 1)
		}
	}
	d.note(check, text, strings.ReplaceAll(mend, "'ctxmeter demo'", d.typed("demo")))
}

// identityWords say how the session was found.
func identityWords(i meter.Identity) string {
	switch i {
	case meter.IdentityOnly:
		return "the only session here"
	case meter.IdentityLatest:
		return "the newest session here"
	case meter.IdentityEnv:
		return "named by the environment"
	case meter.IdentityExplicit:
		return "the one that you named"
	}
	return wording.Name(string(i))
}
