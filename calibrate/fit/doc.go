// Command fit makes the table that package calibrate ships, calibrate/table.json:
//
//	go run ./calibrate/fit -rows FOLDER [-known FILE] [-out calibrate/table.json]
//
// FOLDER holds claude-code-growth.csv and codex-growth.csv. Each row is what
// was appended between two consecutive requests of a session, in counts of
// its text, and by how many tokens the prompt grew. FILE has rows of the same
// columns for single texts whose tokens are known, with the model
// "o200k_base" or "o200k": the public tokenizer of GPT.
//
// Rows hold more than their text now and then: reminders that the client does
// not record, edited histories, replies of which only the first number was
// stored. So the fit is robust: it minimises relative distances, not their
// squares, and what is far off counts for nothing. Sessions of one project
// resemble each other: a row weighs less the more rows its session has, and
// every figure is of sessions that the fit did not see, ten folds of them.
//
// Claude's newer tokenizer has few sessions. Its model is the older one's with
// four scalings; fitted freely it was worse on sessions not seen.
package main
