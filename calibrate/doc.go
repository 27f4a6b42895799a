// Package calibrate turns counts of characters into tokens.
//
// Table is the estimator that ships with the program: weights per class of
// character and model family, and what wrappers, tool calls, thinking and
// placeholders come to. Every constant was measured on real sessions and says
// so. Replay predicts each request of a transcript from what stood before it,
// with the code that answers in production, so that the error can be seen.
//
// The package does no I/O of its own and knows a model only by its name.
package calibrate
