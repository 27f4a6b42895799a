package codex

import (
	"github.com/ctxmeter/ctxmeter/meter"
	"github.com/ctxmeter/ctxmeter/meter/tail"
)

// tokens is one token usage as recorded. The cached part is in the input, the
// reasoning in the output; total is input and output.
type tokens struct{ in, cached, out, reasoning, total int64 }

// read returns the usage at v. It is all or nothing: with a part that makes no
// sense the rest is no measurement.
func (v vector) read(r *tail.Record) tokens {
	var t tokens
	for _, part := range []struct {
		to   *int64
		from tail.Field
	}{{&t.in, v.in}, {&t.cached, v.cached}, {&t.out, v.out}, {&t.reasoning, v.reasoning}, {&t.total, v.total}} {
		n, sound := r.Amount(part.from)
		if !sound {
			return tokens{}
		}
		*part.to = n
	}
	if t.total == 0 {
		t.total = t.in + t.out
	}
	return t
}

// bare says that there is a total and nothing that it is the total of.
func (t tokens) bare() bool { return t.total > 0 && t == tokens{total: t.total} }

// tokenCount decodes the event that repeats the session's counters: after
// every response, and again with the old numbers at the start of a turn, after
// an interrupt or a failure, and when the rate limits change. info is null as
// long as nothing was measured.
func (h *handler) tokenCount(r *tail.Record, e meter.Event) {
	if r.Kind(h.info) != tail.Object {
		return
	}
	last, total := h.last.read(r), h.total.read(r)
	e.Kind = meter.KindUsage
	e.Window, _ = r.Amount(h.infoWindow)
	e.Usage = measured(last, total)
	if with, said := r.Bool(h.withReasoning); said {
		e.Usage.Dropped = !with
	}
	switch {
	case total.bare() && total.total == e.Window && (last.bare() || last == tokens{}):
		// The provider refused the prompt as too long, and the client counts
		// its window as full from here on (0.47.0 to 0.171.0).
		e.Usage.Total = e.Window
		e.Usage.Full, e.Usage.Estimated = true, true
	case last.bare():
		// The client's recount after a compaction or a rollback.
		e.Usage.Estimated = true
	case !e.Usage.Known():
		e.Kind = meter.KindModel
	}
	h.emit(e)
}

// usageRecord decodes the record that follows the output of a response at
// once, before its tools run (0.156 and later). The token_count of the same
// response stands behind the tools' outputs.
func (h *handler) usageRecord(r *tail.Record, e meter.Event) {
	e.Kind = meter.KindUsage
	u := h.usage.read(r)
	e.Usage = measured(u, u)
	if key := r.Hash(h.responseID); key != 0 {
		e.Usage.Key = key
	}
	if e.Usage.Known() {
		h.emit(e)
	}
}

// measured makes a measurement of the newest usage. Its key is a hash of that
// and of the sums over the session: repeated counters have both in common.
func measured(last, sums tokens) meter.Usage {
	key := uint64(14695981039346656037)
	for _, n := range []int64{
		last.in, last.cached, last.out, last.reasoning, last.total,
		sums.in, sums.cached, sums.out, sums.reasoning, sums.total,
	} {
		for range 8 {
			key = (key ^ uint64(n&0xff)) * 1099511628211
			n >>= 8
		}
	}
	return meter.Usage{
		Key: key | 1, Prompt: last.in, Output: last.out, Total: last.total,
		Reasoning: min(last.reasoning, last.out),
	}
}
