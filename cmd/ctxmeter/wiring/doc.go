// Package wiring tells how the clients are wired up with ctxmeter: which of
// their settings files hold which parts, what these look like in there, and
// what a plugin brings.
//
//	Selection -> Places    the files of the clients that are meant
//	Place, text -> Wired   what a file has of ctxmeter
//	Selection -> Plugins   and what the plugins bring
//
// Package install writes it, package doctor looks whether it works. This one
// only reads.
package wiring
