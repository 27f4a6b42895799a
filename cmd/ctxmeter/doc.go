// Command ctxmeter tells how full the context window of a coding agent is,
// how far away compaction is, and whether a planned read still fits. It
// answers from the transcripts that the clients write on this machine.
//
// The road of the data, and the package that holds each stretch of it:
//
//	locate    ->  scan        ->  fold    ->  estimate   ->  read    ->  render
//	whose         bytes to        events      characters     state       JSON, text,
//	session?      records         to state    to tokens      to answer   one line
//
//	backends/*    meter/tail      meter       calibrate      meter       cmd/ctxmeter
//	              meter/transcript
//
// This package is the rim: it reads flags and settings (package config),
// decides whose session is meant (identity.go), and is the only one that
// formats, prints and exits. [main] calls run, run builds the root command,
// and every command ends in an answer on standard output or in a fault:
// JSON on standard output, a sentence on standard error, status 2 (fault.go).
//
// 'ctxmeter mcp' (mcp.go) serves the same road as a tool for agents: whose call
// it is stands in mcpwhose.go, what it answers in mcpreply.go. Package lines
// carries the protocol, package changes tells when to look again. How much a
// planned read adds is sized in the planned*.go files.
//
// What makes ctxmeter a part of the clients are packages of their own: install
// writes it into their settings files, doctor looks whether it works, and wiring
// tells both what belongs where.
package main
