// Package codex finds the sessions of the Codex CLI on this machine and reads
// its rollouts.
//
//	home.go     homes, and the rollouts in them, by name alone
//	thread.go   which of a thread's files is the live one
//	chain.go    the files its history goes on from (forks, rewinds)
//	head.go     what a rollout says of itself in its first line
//	decoder.go  records to events; item.go: one item of the history, as the
//	            client counts it
//	limits.go   window and compaction trigger, with their sources
//
// A rollout is JSON Lines: {"timestamp","type","payload"}. Sessions are
// called threads. A thread is one plain file until it is rewound; then a new
// segment file takes over, which names the file it goes on from and up to
// which byte. A fork does the same with the file of another thread. Cold
// files may be zstd frames.
//
// What is said here of the client was observed by running codex-cli 0.171.0
// and, where named, versions from 0.47.0 on, unless a comment says otherwise.
package codex
