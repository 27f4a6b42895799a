package main

import (
	"slices"
	"time"
)

// underway is a read that was let through and whose result is not in the
// transcript yet. An agent may ask for several in one reply: their hooks run
// before any result is there, and one by one they may fit, but not together.
type underway struct {
	Use    string    `json:"use"`    // id of the tool call
	Tokens int64     `json:"tokens"` // that it adds
	At     time.Time `json:"at"`
}

const (
	mostUnderway    = 32               // reads that are remembered
	mostOneRead     = 1 << 32          // tokens: no window has as many
	longestUnderway = 10 * time.Minute // of what was broken off there may never be a result
)

// answering is a client whose transcript tells, of each call of a tool, whether
// the result is in it.
type answering interface {
	Answered(transcript, use string) bool
}

// follows reports whether the read that is about to be done can be recognized
// in the transcript.
func (h *hooking) follows() bool {
	_, ok := h.hit.client.(answering)
	return ok && h.said.ToolUse != ""
}

// ended are the calls of reads that were under way and are in the transcript
// now.
func (h *hooking) ended(m hookMemory, transcript string) (uses []string) {
	client, ok := h.hit.client.(answering)
	if !ok {
		return nil
	}
	for _, u := range m.Underway {
		if client.Answered(transcript, u.Use) {
			uses = append(uses, u.Use)
		}
	}
	return uses
}

// begin takes note of a read that is let through.
func (m *hookMemory) begin(use string, tokens int64, now time.Time) {
	m.end([]string{use})
	m.Underway = append(m.Underway, underway{use, tokens, now})
	m.Underway = m.Underway[max(len(m.Underway)-mostUnderway, 0):]
}

// end forgets reads.
func (m *hookMemory) end(uses []string) {
	m.Underway = slices.DeleteFunc(m.Underway, func(u underway) bool { return slices.Contains(uses, u.Use) })
}

// expected are the tokens that the reads under way will add, without that of one
// call: where the hook is installed twice, it is asked twice.
func (m *hookMemory) expected(but string, now time.Time) (tokens int64) {
	for _, u := range m.Underway {
		if age := now.Sub(u.At); u.Use != but && age >= 0 && age < longestUnderway {
			tokens += u.Tokens
		}
	}
	return tokens
}
