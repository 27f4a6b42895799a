package main

// toldAt is what was said, and when.
type toldAt struct {
	Prompt int64 `json:"prompt"`
	Call   int64 `json:"call"`
	About  about `json:"about"`
	Urgent bool  `json:"urgent"` // that the level is critical was said as well
}

// about is what a notice is about.
type about string

const (
	aboutLevel    about = "level"
	aboutCritical about = "critical"
	aboutFreed    about = "freed"
	aboutRead     about = "read"
)

// How often something is said: so many times in so many prompts. An agent that
// works for long on one prompt is told of each kind again so many calls later.
const (
	mostTold    = 4
	toldPrompts = 50
	toldCalls   = 50
	// mostCalm is for what is not urgent. The rest is for the level critical,
	// which can come again after a compaction; the last notice is so in any
	// case. A read that is not urgent is warned of once, so that a compaction is
	// still announced, and of several reads in one turn the first.
	mostCalm = 2
)

// tell takes note that something is said, unless it would be one notice too
// many.
func (m *hookMemory) tell(what about, urgent bool) bool {
	now := toldAt{m.Prompts, m.Calls, what, urgent}
	if !m.may(now) {
		return false
	}
	m.Told = append(m.Told, now)
	m.Told = m.Told[max(len(m.Told)-mostTold, 0):]
	return true
}

func (m *hookMemory) may(now toldAt) bool {
	all, calm, again := 0, 0, false
	calls := now.Call - m.Turn
	for _, t := range m.Told {
		if t.About == now.About || t.Urgent && now.Urgent {
			calls = min(calls, now.Call-t.Call)
		}
		if now.Prompt-t.Prompt >= toldPrompts {
			continue
		}
		all++
		if !t.Urgent {
			calm++
		}
		if t.About == aboutRead && now.About == aboutRead {
			again = again || !t.Urgent || t.Prompt == now.Prompt
		}
	}
	if all < mostTold && !again && (now.Urgent || calm < mostCalm && all < mostTold-1) {
		return true
	}
	return calls >= toldCalls
}
