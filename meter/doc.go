// Package meter answers how full a session's context window is.
//
// A backend's decoder says what each record of a transcript means, as an
// Event. State folds events, one after the other, in constant memory: it
// follows the live branch of a tree (chain.go) or the single line of records
// (line.go), and collects what only the whole transcript can tell (Facts).
// State.Context is what the next request carries: a measurement or a
// compaction, and the content since. Read joins it with window, trigger,
// estimator and clock into a Reading, whose JSON is the program's contract.
//
// Everything here is pure: no files, no clock, no output. Unknown is nil or
// the zero value, never a made-up number.
package meter
