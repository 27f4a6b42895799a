package main

import (
	"os"
	"slices"
	"time"

	"github.com/ctxmeter/ctxmeter/meter"
)

// hookVersion changes whenever the meaning of what is remembered does.
const hookVersion = 2

// hookMemory is what the hooks of one session remember from one to the next.
type hookMemory struct {
	Version int `json:"version"`

	// What was read when it was last looked for something to say: while it is
	// what it was, there is nothing new.
	Transcript string `json:"transcript"` // as the client calls it
	File       string `json:"file"`       // that the session goes on in
	Size       int64  `json:"size"`
	Time       int64  `json:"time"` // of its last change, in nanoseconds

	// What the last reading said.
	Seen        seenFile  `json:"seen"`
	Used        int64     `json:"used"`        // tokens; 0 is not known
	Window      int64     `json:"window"`      // tokens; 0 is not known
	Compactions int64     `json:"compactions"` // so far; negative is not known
	EventAt     time.Time `json:"event_at"`    // of the newest record
	Before      int64     `json:"before"`      // tokens, before a compaction of which nothing was said; 0 is none

	// What was said.
	Level   meter.Level       `json:"level"` // the highest; lower again after a compaction or a rewind
	Reads   map[string]string `json:"reads"` // file, by a hash of its path, to what its read would have crossed
	Prompts int64             `json:"prompts"`
	Calls   int64             `json:"calls"` // of tools
	Turn    int64             `json:"turn"`  // calls before the last prompt
	Told    []toldAt          `json:"told"`  // the newest notices

	Underway []underway `json:"underway,omitempty"` // reads
}

// seenFile is the newest file of a session, and how long it was when it was
// read.
type seenFile struct {
	Path string `json:"path"`
	Size int64  `json:"size"` // bytes
}

const mostReads = 64 // files that are remembered

// sane reports a memory that this program can have written.
func (m *hookMemory) sane() bool {
	odd := func(u underway) bool { return u.Tokens < 0 || u.Tokens > mostOneRead }
	return m.Prompts >= 0 && m.Calls >= 0 && len(m.Told) <= mostTold && len(m.Reads) <= mostReads && len(m.Underway) <= mostUnderway &&
		m.Used >= 0 && m.Window >= 0 && m.Before >= 0 && !slices.ContainsFunc(m.Underway, odd)
}

// current reports whether the transcript is what it was when it was read last.
func (m *hookMemory) current(transcript string) bool {
	if m.File == "" || m.Transcript != transcript {
		return false
	}
	info, err := os.Stat(m.File)
	return err == nil && info.Size() == m.Size && info.ModTime().UnixNano() == m.Time
}

// count takes note of an event.
func (m *hookMemory) count(event string) {
	switch event {
	case "UserPromptSubmit":
		m.Prompts++
		m.Turn = m.Calls
		m.Underway = nil
	case "PostToolUse":
		m.Calls++
	}
}

// freed is what a compaction did, in tokens. The zero value is none.
type freed struct{ before, now int64 }

// see takes note of a reading. What was said counts no more as far as a
// compaction, a rewind, or another window has lowered the level. It reports
// false for a reading that is older than the one before: hooks may overtake each
// other.
func (m *hookMemory) see(r *meter.Reading, of seenFile) bool {
	if m.overtaken(r, of) {
		return false
	}
	count := int64(-1)
	if r.Compaction.Count != nil {
		count = *r.Compaction.Count
	}
	var used, window int64
	if r.UsedTokens != nil {
		used = *r.UsedTokens
	}
	if r.WindowTokens != nil {
		window = *r.WindowTokens
	}
	// A rewind of Codex goes on in another file (codex-cli 0.171.0, observed), of
	// Claude Code in the same one.
	moved := m.Seen.Path != of.Path || count >= 0 && count < m.Compactions
	compacted := m.compacted(r, moved)
	switch {
	case compacted && m.Before == 0:
		m.Before = m.Used
	case moved && !compacted:
		m.Before = 0
	}
	if compacted || moved || window != m.Window || used < m.Used-m.Used/rewound {
		if r.Level.Rank() < m.Level.Rank() {
			m.Level = r.Level
		}
		m.Reads = nil
	}
	m.Seen, m.Window, m.Compactions, m.Used = of, window, count, used
	if r.EventAt != nil && r.EventAt.After(m.EventAt) {
		m.EventAt = *r.EventAt
	}
	return true
}

// rewound is the part of what was in use that is gone after a rewind at least:
// less may be a size that was estimated.
const rewound = 8

// overtaken reports a reading of the same file as before, but of less of it. A
// file that is shorter now is not what it was.
func (m *hookMemory) overtaken(r *meter.Reading, of seenFile) bool {
	if of.Path != m.Seen.Path || of.Size >= m.Seen.Size || r.EventAt == nil || !r.EventAt.Before(m.EventAt) {
		return false
	}
	info, err := os.Stat(of.Path)
	return err == nil && info.Size() >= m.Seen.Size
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
// the older ones may show only now, and a rewind takes some back: then its time
// tells.
func (m *hookMemory) compacted(r *meter.Reading, moved bool) bool {
	if m.EventAt.IsZero() {
		return false // there was none
	}
	if n := r.Compaction.Count; n != nil && m.Compactions >= 0 && !moved {
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
