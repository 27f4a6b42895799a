// Package transcript brings a session's state up to date: it opens the files
// of a transcript, takes the sidecar where one fits, scans what is new, and
// folds the records into a meter.State.
//
// Without a sidecar it begins near the end of the transcript and moves back
// until the state is settled, so that a reading costs the same however long
// the session is. What only the whole transcript can tell (how many
// compactions, the first request) is read at once where that is little, and
// in small slices over the following calls where it is much.
//
// The package does the reading and knows no client: what a record means is
// said by a Decoder.
package transcript
