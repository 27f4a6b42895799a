// Package backends lists the agent clients that the meter can read.
//
// A client is a package below this one. It finds sessions and the files of
// their transcripts, decodes records into events, and tells window, trigger
// and what the client's own screen shows. A new client is one new folder and
// one line in All; nothing else in the program knows any client.
package backends
