package main

import (
	"os"
	"time"

	"github.com/ctxmeter/ctxmeter/meter"
)

// hookVersion changes whenever the meaning of what is remembered does.
const hookVersion = 1

// hookMemory is what the hooks of one session remember from one to the next.
type hookMemory struct {
	Version int `json:"version"`

	// What was read last: while it is what it was, there is nothing new.
	Transcript string `json:"transcript"` // as the client calls it
	File       string `json:"file"`       // that the session goes on in
	Size       int64  `json:"size"`
	Time       int64  `json:"time"` // of its last change, in nanoseconds

	// What the last reading said.
	Used        int64     `json:"used"`        // tokens; 0 is not known
	Window      int64     `json:"window"`      // tokens; 0 is not known
	Compactions int64     `json:"compactions"` // so far; negative is not known
	EventAt     time.Time `json:"event_at"`    // of the newest record
	Before      int64     `json:"before"`      // tokens, before a compaction of which nothing was said; 0 is none

	// What was said.
	Level   meter.Level       `json:"level"` // the highest; lower again after a compaction
	Reads   map[string]string `json:"reads"` // file, by a hash of its path, to what its read would have crossed
	Prompts int64             `json:"prompts"`
	Calls   int64             `json:"calls"` // of tools
	Told    []toldAt          `json:"told"`  // the newest notices
}

// toldAt is when something was said.
type toldAt struct {
	Prompt int64 `json:"prompt"`
	Call   int64 `json:"call"`
}

// How often something is said: so many times in so many prompts. An agent that
// works for long on one prompt is told more, so many calls later.
const (
	mostTold    = 4
	toldPrompts = 50
	toldCalls   = 200
	// The last of them is kept for what is urgent: the level critical, and a
	// read that does not fit.
	mostCalm  = mostTold - 1
	mostReads = 64 // files that are remembered
)

// sane reports a memory that this program can have written.
func (m *hookMemory) sane() bool {
	return m.Prompts >= 0 && m.Calls >= 0 && len(m.Told) <= mostTold && len(m.Reads) <= mostReads
}

// current reports whether the transcript is what it was when it was read last.
func (m *hookMemory) current(transcript string) bool {
	if m.File == "" || m.Transcript != transcript {
		return false
	}
	info, err := os.Stat(m.File)
	return err == nil && info.Size() == m.Size && info.ModTime().UnixNano() == m.Time
}

// freed is what a compaction did, in tokens. The zero value is none.
type freed struct{ before, now int64 }

// see takes note of a reading. What was said counts no more as far as a
// compaction, or another window, has lowered the level. It reports false for a
// reading that is older than the one before: hooks may overtake each other.
func (m *hookMemory) see(r *meter.Reading) bool {
	count := int64(-1)
	if r.Compaction.Count != nil {
		count = *r.Compaction.Count
	}
	if count >= 0 && count < m.Compactions {
		return false
	}
	window := int64(0)
	if r.WindowTokens != nil {
		window = *r.WindowTokens
	}
	compacted := m.compacted(r)
	if compacted && m.Before == 0 {
		m.Before = m.Used
	}
	if compacted || window != m.Window {
		if r.Level.Rank() < m.Level.Rank() {
			m.Level = r.Level
		}
		m.Reads = nil
	}
	m.Window, m.Compactions, m.Used = window, count, 0
	if r.UsedTokens != nil {
		m.Used = *r.UsedTokens
	}
	if r.EventAt != nil && r.EventAt.After(m.EventAt) {
		m.EventAt = *r.EventAt
	}
	return true
}

// freed is what a compaction has freed that nothing was said of.
func (m *hookMemory) freed(r *meter.Reading) freed {
	before := m.Before
	m.Before = 0
	if now := r.UsedTokens; now != nil && before > *now {
		return freed{before, *now}
	}
	return freed{}
}

// compacted reports a compaction since the last reading. Of a long transcript
// the older ones may show only now: then its time tells.
func (m *hookMemory) compacted(r *meter.Reading) bool {
	if m.EventAt.IsZero() {
		return false // there was none
	}
	if n := r.Compaction.Count; n != nil && m.Compactions >= 0 {
		return *n > m.Compactions
	}
	at := r.Compaction.LastAt
	return at != nil && at.After(m.EventAt)
}

// due reports whether the level is one that was not said yet, and is to be from
// this one on.
func (m *hookMemory) due(level, from meter.Level) bool {
	return level.Rank() >= from.Rank() && level.Rank() > m.Level.Rank()
}

// may reports whether one more notice is not one too many, where so many may be
// given.
func (m *hookMemory) may(most int) bool {
	n := len(m.Told)
	if n < most {
		return true
	}
	return m.Prompts-m.Told[n-most].Prompt >= toldPrompts || m.Calls-m.Told[n-1].Call >= toldCalls
}

// tell takes note that something is said.
func (m *hookMemory) tell() {
	m.Told = append(m.Told, toldAt{m.Prompts, m.Calls})
	m.Told = m.Told[max(len(m.Told)-mostTold, 0):]
}
