// Package install puts ctxmeter into the settings files of the clients, and
// takes it out again: status line, hooks and MCP server.
//
//	Run            which files, in which order, and what is said of them
//	put, take      the text of a file with ours in it, or without (json*, toml)
//	record         what was put in, and the file as it was before
//	replace        one file by another, in one step, unless it has changed
//
// What belongs into which file is told by package wiring, how a text is changed
// by package edit. Nothing is written that could not be taken out without a
// trace, and nothing that is not understood is touched.
package install
