// Package sidecar keeps what a scan learned, so that the next one reads only
// what was appended.
//
// A sidecar is a cache and never an authority. Any number of processes may
// read and write one at the same time: it is written to a temporary file and
// renamed, without a lock and without fsync, and the last writer wins; an
// older one is merely further behind. It begins with its version and a
// checksum; a damaged one, one of another version, and one whose
// transcript is not the same file any more are all simply absent. Deleting
// the folder loses speed, never an answer.
package sidecar
