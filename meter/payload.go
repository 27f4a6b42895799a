package meter

import (
	"bytes"
	"slices"
)

// Payload is what a client hands to a command that it runs, on standard input:
// its status line, or a hook. It holds no content but the read that a hook
// asks about.
type Payload struct {
	Event      string // of a hook, as the client calls it; "" for a status line
	Source     string // of a session's start: "startup", "resume", "clear", "compact"; "" if not said
	Session    string // id
	Agent      string // id of a subagent, where the client says so
	Transcript string // path; "" if none is named
	Dir        string // project folder
	Version    string // of the client
	Model      string // id, as the client has it now
	Effort     string // level, as the client calls it
	Window     int64  // tokens, as the client states it; 0 if it does not
	Used       int64  // tokens of the last request, as the client counts it; 0 if not known
	Unused     Unused // what it means that it is 0
	Cached     int64  // tokens of it that were read from the provider's cache
	Output     int64  // tokens of the reply to it, so far
	CostUSD    float64
	Read       PlannedPart // that a tool is about to do; zero if it is no read
	ToolUse    string      // id of that tool call
}

// Unused says why a client states no usage.
type Unused uint8

// The client may say nothing at all, or that there was no request: since the
// beginning, or since the newest compaction.
const (
	UnusedUnstated Unused = iota
	UnusedSinceStart
	UnusedSinceBoundary
)

// PlannedPart is a part of a file that a tool is about to read.
type PlannedPart struct {
	Path  string
	First int64 // line, from 1; 0 is the first
	Lines int64 // 0 is as many as the tool shows
}

// PayloadLine returns the object in data as one line, which package tail reads
// as a record; nil if there is none. Of an object that was cut off it is the
// members that are whole. It may write into data.
func PayloadLine(data []byte) []byte {
	data = bytes.TrimLeft(bytes.TrimPrefix(data, []byte("\ufeff")), " \t\r\n")
	if len(data) == 0 || data[0] != '{' {
		return nil
	}
	end, comma, open := brackets(data)
	if len(open) == 0 {
		return data[:end]
	}
	if comma == 0 {
		return nil
	}
	_, _, open = brackets(data[:comma])
	slices.Reverse(open)
	return append(data[:comma:comma], open...)
}

// brackets looks for the end of the object that begins data. If it does not
// end, open are the brackets that are missing, the outermost first, and comma is
// where the last whole member ends. Line breaks become blanks: no string holds
// one.
func brackets(data []byte) (end, comma int, open []byte) {
	quoted := false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case c == '\n' || c == '\r':
			data[i] = ' '
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{':
			open = append(open, '}')
		case c == '[':
			open = append(open, ']')
		case c == ',':
			comma = i
		case c == open[len(open)-1]:
			if open = open[:len(open)-1]; len(open) == 0 {
				return i + 1, comma, nil
			}
		}
	}
	return len(data), comma, open
}
