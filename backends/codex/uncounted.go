package codex

import (
	"io"
	"strings"

	"github.com/ctxmeter/ctxmeter/meter"
	"github.com/ctxmeter/ctxmeter/meter/files"
	"github.com/ctxmeter/ctxmeter/meter/tail"
)

// recordsUsage reports whether the caller's client writes a token_usage_record
// for each reply. Both these records and the windowId of calls came with 0.156.
// Before, what a reply costs is written while its tools run, or after them
// (0.111 to 0.150.1): then nothing is to be waited for.
func recordsUsage(meta map[string]any) bool {
	_, ok := meta["windowId"].(string)
	return ok
}

// uncounted reports whether the reply that makes a call is written without
// what it cost. The client runs a tool as soon as its call is complete; the
// rest of the reply, and then its token_usage_record, may take seconds more
// (0.171.0, observed).
func uncounted(s meter.Session) bool {
	last := s.Segments[len(s.Segments)-1]
	if last.Stream != nil || last.End >= 0 {
		return false // nobody writes to it
	}
	f, size, err := files.Open(last.Path)
	if err != nil {
		return false
	}
	defer f.Close()
	from, ok, err := tail.LineStart(f, size, endRead, endMost)
	if err != nil || !ok {
		return false
	}
	r := newEndReader()
	_, _ = r.scanner.Scan(io.NewSectionReader(f, from, size-from), 0, -1, r)
	return r.open
}

// How much of the end of a rollout is read, in bytes; after a call there is
// little. Its last line may be longer.
const (
	endRead = 64 << 10
	endMost = 64 << 20
)

// endReader looks for a call that no usage follows.
type endReader struct {
	scanner   *tail.Scanner
	typ, item tail.Field
	open      bool
}

func newEndReader() *endReader {
	s := tail.NewSchema()
	r := &endReader{typ: s.Capture("type", 40), item: s.Capture("payload.type", 40)}
	r.scanner = tail.NewScanner(s)
	r.scanner.SetCounting(false)
	return r
}

// Begin implements tail.Handler.
func (r *endReader) Begin(*tail.Record, tail.Array) {}

// Element implements tail.Handler.
func (r *endReader) Element(*tail.Record, tail.Array) {}

// Record implements tail.Handler.
func (r *endReader) Record(rec *tail.Record) {
	switch {
	case rec.Is(r.typ, "token_usage_record"):
		r.open = false
	case rec.Is(r.typ, "response_item") && strings.HasSuffix(rec.Text(r.item), "_call"):
		r.open = true
	}
}
