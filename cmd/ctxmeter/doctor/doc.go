// Package doctor looks whether ctxmeter is wired up and works, and says how to
// mend what does not: one finding for each thing that it looks at.
//
//	Run -> Report
//	  program, configuration    which ctxmeter this is, and its settings
//	  clients, layers, trust    what they write, and what turns ours off
//	  wiring, plugin, trial     what is installed where, and whether it answers
//	  session                   which window and trigger apply, and why
//	  files, kept               what lies in ctxmeter's own folders
//
// It reads only, unless it is told to clean, and then it removes what is
// certainly ctxmeter's own. Nothing of a conversation is in a finding, and the
// home folder is written ~.
package doctor
