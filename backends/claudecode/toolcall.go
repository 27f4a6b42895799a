package claudecode

import (
	"bytes"
	"io"
	"slices"
	"strings"

	"github.com/ctxmeter/ctxmeter/meter/files"
	"github.com/ctxmeter/ctxmeter/meter/tail"
)

// toolUseKey is what the client puts into the _meta of every call of an MCP
// tool, subagents' calls included (2.1.197, observed): the id of the tool_use
// block that stands, or soon will stand, in the transcript of the caller.
const toolUseKey = "claudecode/toolUseId"

// toolUse is the id in a call's _meta; "" if there is none that can be one.
func toolUse(meta map[string]any) string {
	id, _ := meta[toolUseKey].(string)
	if !isID(id) {
		return ""
	}
	return id
}

// callFinder looks for a tool call at the end of transcripts. It goes by the
// structure of the records: the id may stand just as well in the text of
// another tool's result, or in what a hook has left.
type callFinder struct {
	use     string // the id of the call
	tool    string // what the name of the tool ends with, where the id is not enough
	buf     []byte
	schema  *tail.Schema
	scanner *tail.Scanner

	typ, sidechain, block, id, name, answers tail.Field

	seen      bool // the call was made
	open      bool // and has no result yet
	closed    bool // it has one
	side      bool // it was made by a subagent
	made      bool // in the record at hand
	hasResult bool // in the record at hand
}

func newCallFinder(use string) *callFinder {
	s := tail.NewSchema()
	f := &callFinder{
		use:       use,
		schema:    s,
		typ:       s.Capture("type", 32),
		sidechain: s.Capture("isSidechain", 8),
		block:     s.Capture("message.content[].type", 32),
		id:        s.Capture("message.content[].id", 160),
		name:      s.Capture("message.content[].name", 256),
		answers:   s.Capture("message.content[].tool_use_id", 160),
	}
	s.Each("message.content[]")
	return f
}

// How much of the end of a file is read, in bytes. After a call stand only the
// results of those that were made with it, which may be long: then more is
// read until there are enough records.
const (
	callFirst   = 256 << 10
	callMost    = 4 << 20
	callRecords = 32
)

// find reports whether the transcript at path has the call, and without a
// result: whoever waits for one has none. Ids that a gateway gives more than
// once are told apart that way, and copies of a finished call in a fork. Then
// f.side is set if the record says that a subagent made the call.
func (f *callFinder) find(path string) (open, answered bool) {
	file, size, err := files.Open(path)
	if err != nil {
		return false, false
	}
	defer file.Close()
	for n := int64(callFirst); ; n *= 4 {
		end, err := f.read(file, size, n)
		if err != nil {
			return false, false
		}
		// Most files do not have the id at all. The beginning of an id is in
		// every line that has another.
		if bytes.Contains(end, []byte(f.use[len(f.use)/2:])) {
			if f.scan(end); f.open || f.closed {
				return f.open, f.seen && f.closed
			}
		}
		if n >= size || n >= callMost || bytes.Count(end, []byte{'\n'}) >= callRecords {
			return false, false
		}
	}
}

// read returns the lines that begin in the last n bytes of a file.
func (f *callFinder) read(file io.ReaderAt, size, n int64) ([]byte, error) {
	from := max(size-n-1, 0)
	f.buf = slices.Grow(f.buf[:0], int(size-from))[:size-from]
	if got, err := file.ReadAt(f.buf, from); got < len(f.buf) {
		return nil, err
	}
	if n >= size {
		return f.buf, nil
	}
	i := bytes.IndexByte(f.buf, '\n')
	if i < 0 {
		return nil, nil
	}
	return f.buf[i+1:], nil
}

func (f *callFinder) scan(lines []byte) {
	if f.scanner == nil {
		f.scanner = tail.NewScanner(f.schema)
		f.scanner.SetCounting(false)
	}
	f.seen, f.open, f.closed, f.side = false, false, false, false
	_, _ = f.scanner.Scan(bytes.NewReader(lines), 0, -1, f) // memory has no errors
}

// Begin implements tail.Handler.
func (f *callFinder) Begin(*tail.Record, tail.Array) { f.made, f.hasResult = false, false }

// Element implements tail.Handler.
func (f *callFinder) Element(r *tail.Record, _ tail.Array) {
	f.made = f.made || r.Is(f.block, "tool_use") && r.Is(f.id, f.use) && strings.HasSuffix(r.Text(f.name), f.tool)
	f.hasResult = f.hasResult || r.Is(f.block, "tool_result") && r.Is(f.answers, f.use)
}

// Record implements tail.Handler.
func (f *callFinder) Record(r *tail.Record) {
	switch {
	case f.made && r.Is(f.typ, "assistant"):
		f.seen, f.open, f.closed = true, true, false
		f.side, _ = r.Bool(f.sidechain)
	case f.hasResult && r.Is(f.typ, "user"):
		f.open, f.closed = false, true
	}
	f.made, f.hasResult = false, false
}

// Answered reports whether the transcript at path has the result of a tool call.
func (c *Client) Answered(path, use string) bool {
	if !isID(use) {
		return false
	}
	f := newCallFinder(use)
	_, _ = f.find(path)
	return f.closed
}
