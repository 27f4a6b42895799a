package meter

import "time"

// Facts are what only the whole transcript can tell. Facts of neighbouring
// stretches of a transcript add up: see Join.
type Facts struct {
	Compactions int64
	LastAt      time.Time // of the newest compaction
	Autos       []Auto    // automatic compactions, the newest maxAutos
	Peak        int64     // largest measured prompt, tokens
	PeakModel   string
	First       First
	Micro       int64 // partial clearings of old tool results
}

// Auto is one automatic compaction: the evidence for a trigger.
type Auto struct {
	Pre     int64 // tokens just before, as the client counts
	At      time.Time
	Model   string
	Version string
}

// First is the first measured request of a session. What it carried beyond
// the text that the transcript shows is the fixed overhead: system prompt,
// tools, memory files.
type First struct {
	Prompt int64 // tokens
	Text   Text
	Model  string
}

const maxAutos = 8

// Join returns the facts of a stretch and the stretch that follows it.
func (f Facts) Join(later Facts) Facts {
	out := f
	out.Compactions += later.Compactions
	out.Micro += later.Micro
	if !later.LastAt.IsZero() {
		out.LastAt = later.LastAt
	}
	out.Autos = append(append([]Auto(nil), f.Autos...), later.Autos...)
	if n := len(out.Autos); n > maxAutos {
		out.Autos = out.Autos[n-maxAutos:]
	}
	if later.Peak > out.Peak {
		out.Peak, out.PeakModel = later.Peak, later.PeakModel
	}
	if out.First.Prompt == 0 {
		out.First = later.First
	}
	return out
}
