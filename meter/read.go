package meter

import "time"

// Estimator turns counts of characters into tokens.
type Estimator interface {
	// Tokens estimates what t adds to a prompt of model, and the half-width
	// of the band that holds the true value nine times in ten, in tokens.
	Tokens(model string, t Text) (tokens, spread float64)
}

// Input is everything a reading depends on.
type Input struct {
	Session  Session
	Identity Identity
	State    State
	Limits   Limits
	View     func(s State, window int64) ClientView // nil: nothing to show

	Window  int64   // tokens, from the caller; 0 is none
	Trigger int64   // tokens, from the caller; 0 is none
	Planned *Planned
	Cutoffs Cutoffs // zero: DefaultCutoffs

	Now        time.Time
	StaleAfter time.Duration // zero: never stale
}

// Planned is a read that the caller has in mind.
type Planned struct {
	Source string // "path" or "size"
	Text   Text   // what it would add
	Tokens int64  // if the caller knows; then Text is ignored
}

// Read computes the reading. It is pure: the clock is in.Now.
func Read(in Input, est Estimator) Reading {
	return Reading{SchemaVersion: SchemaVersion, Status: StatusNoReading, Level: LevelUnknown}
}
