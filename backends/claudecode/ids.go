package claudecode

import "strings"

const (
	extension   = ".jsonl"
	agentPrefix = "agent-"
	shortest    = 8 // characters of the beginning of an id
)

// query is an id to look for. Both fields are set if it may be either, or if
// within says that a subagent of one session is meant.
type query struct {
	session string
	agent   string
	within  bool
}

// parseQuery reads an id as a caller gives it: "<session>", "<agent>",
// "agent-<agent>", "<session>/<agent>" or "<session>/agent-<agent>". What
// cannot be an id is refused before any folder is looked at.
func parseQuery(id string) (q query, ok bool) {
	session, agent, both := strings.Cut(id, "/")
	if both {
		q = query{session: session, agent: strings.TrimPrefix(agent, agentPrefix), within: true}
		return q, isID(q.session) && isID(q.agent)
	}
	if agent, ok := strings.CutPrefix(id, agentPrefix); ok {
		return query{agent: agent}, isID(agent)
	}
	if isUUID(id) {
		return query{session: id}, true
	}
	return query{session: id, agent: id}, isID(id)
}

func (q query) sessions() bool { return q.session != "" && !q.within }

// match compares an id with what is looked for: whole, or at least its first
// eight characters.
func match(id, want string) (matches, whole bool) {
	if strings.EqualFold(id, want) {
		return true, true
	}
	return len(want) >= shortest && len(id) > len(want) && strings.EqualFold(id[:len(want)], want), false
}

// isID accepts what the client uses in names of sessions and subagents. It
// leaves no room for separators, "..", wildcards or blanks.
func isID(s string) bool {
	if s == "" || len(s) > 128 {
		return false
	}
	for i := range len(s) {
		if !alphanumeric(s[i]) && s[i] != '-' && s[i] != '_' {
			return false
		}
	}
	return true
}

func isUUID(s string) bool {
	if len(s) != 36 {
		return false
	}
	for i := range len(s) {
		switch b := s[i] | 0x20; {
		case i == 8 || i == 13 || i == 18 || i == 23:
			if s[i] != '-' {
				return false
			}
		case '0' <= s[i] && s[i] <= '9' || 'a' <= b && b <= 'f':
		default:
			return false
		}
	}
	return true
}
