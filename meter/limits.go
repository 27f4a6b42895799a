package meter

// Claim is a window as one source states it, in tokens.
type Claim struct {
	Tokens int64
	Source Source
}

// Trigger is the point at which a client compacts on its own.
type Trigger struct {
	Mode   Mode
	Tokens int64 // 0 unless Mode is ModeAuto and the point is known
	Source Source
}

// Limits is what a client's backend knows about a session's window and
// trigger. Windows stands best first.
type Limits struct {
	Windows []Claim
	Sizes   []int64                    // window sizes this client's models come in, rising; what a disproved claim is replaced from
	Trigger func(window Claim) Trigger // the zero Claim is an unknown window
	Notes   []Warning
}

// Window picks the best claim that the evidence does not disprove: largest is
// the largest prompt, in tokens, that the current model is known to have
// taken. It returns the zero Claim if nothing is known, and the first claim
// that the evidence contradicts, if any. What the rollout itself states is
// kept even then: Codex keeps a reserve beyond it and goes by it all the same.
func (l Limits) Window(largest int64) (best, disproved Claim) {
	for _, c := range l.Windows {
		switch {
		case c.Tokens <= 0:
			continue
		case c.Tokens >= largest:
			return c, disproved
		case c.Source == SourceRollout:
			return c, c
		case disproved.Tokens == 0:
			disproved = c
		}
	}
	if disproved.Tokens > 0 {
		for _, size := range l.Sizes {
			if size >= largest {
				return Claim{Tokens: size, Source: SourceTranscript}, disproved
			}
		}
	}
	return Claim{}, disproved
}
