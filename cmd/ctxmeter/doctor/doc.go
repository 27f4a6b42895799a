// Package doctor looks whether ctxmeter is wired up and works, and says how to
// mend what does not: one finding for each thing that it looks at.
//
//	Run -> Report
//	  program, configuration    which ctxmeter this is, and its settings
//	  clients, layers, trust    what they write, and what turns ours off
//	  wiring, wired, plugin     what is installed where
//	  may, tried, trial         what may be started, and whether it answers
//	  mend, byhand              what puts it right
//	  footer                    the status line of Codex that ctxmeter draws
//	  session                   which window and trigger apply, and why
//	  files, kept, archive      what lies in ctxmeter's own folders
//
// It looks at files that others bring along: there may be any number of
// commands in them, and of these a bounded number is looked at, tried and told.
//
// It reads only, unless it is told to clean, and then it removes what is
// certainly ctxmeter's own. Nothing of a conversation is in a finding, and the
// home folder is written ~.
package doctor
