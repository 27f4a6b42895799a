// Package claudecode knows Claude Code: where it keeps its sessions, which of
// them a process works on, what its records mean, and when it will compact.
//
//	roots -> projects/<folder>/<session>.jsonl                    Find, File, Here
//	         projects/<folder>/<session>/subagents/agent-*.jsonl
//	         sessions/<pid>.json                                  Registry, Session.Live, Caller
//	         settings.json, project and managed settings, env     Limits
//
// Sessions are found by the names of folders and files; the records are read
// only where names cannot tell: two projects that share a folder name, an id
// that stands in two folders. Nothing is written, and nothing that a person or
// a model wrote leaves the package.
//
// Rules of the client are quoted with the version they were observed with.
package claudecode
