// Package calibrate turns counts of characters into tokens.
//
//	Text ── formula (coefficients of the model's family) ┐
//	     └─ wrappers, calls, thinking, pictures ─────────┴─ tokens and a band
//
// Table is the estimator. The one that ships with the program, table.json, is
// fitted on real sessions by the command in fit, and says on how many, how,
// and how far off it is by kind of text. What it does not hold (what calls,
// thinking and pictures cost, which models forget reasoning, what comes back
// after a compaction) are constants here, each with the sessions it is from.
// Replay predicts each request of a transcript from what stood before it, with
// the code that answers in production, so that the error can be seen.
//
// The package does no I/O of its own and knows a model only by its name.
package calibrate
