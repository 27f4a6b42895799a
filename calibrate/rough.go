package calibrate

import "github.com/ctxmeter/ctxmeter/meter"

// rough follows a replay for the rules of thumb, in constant memory.
type rough struct {
	bytes    int64 // of text since the newest compaction
	event    int64 // those of the event before
	boundary int64 // seq of the newest boundary

	marks  [marks]mark // characters of the context, by the measurement it rests on
	next   int
	reply  int64 // characters of reply items that were not measured yet, in transcripts that are no tree
	newest int   // the mark made last
}

// marks is how many measurements are remembered: more than a State keeps.
const marks = 512

type mark struct{ offset, chars int64 }

const (
	perToken = 3.2    // bytes
	fixed    = 43_500 // tokens: system prompt and tools
)

// see notes an event, from the state before it.
func (r *rough) see(before *meter.State, e *meter.Event) {
	if before.Boundary != r.boundary {
		r.boundary, r.bytes = before.Boundary, r.event // the event before began a new context
	}
	t := &e.Text
	r.event = t.User.Bytes + t.Tool.Bytes + t.Call.Bytes + t.Reply.Bytes + t.Attachment.Bytes
	r.bytes += r.event
	switch {
	case e.ID != 0:
	case e.Kind == meter.KindBoundary && e.Compaction.Recounted:
		r.marks[r.newest].chars = max(characters(e.Text), 1) // the recount that stands before it speaks of what is left
	case e.Kind == meter.KindRewind:
		r.marks[r.newest].chars = 0 // and here nobody says what is left
	case e.Kind == meter.KindReply:
		if chars := characters(e.Text); before.Line.Pending {
			r.marks[r.newest].chars += chars // the items of a reply that was measured before them
		} else {
			r.reply += chars
		}
	}
}

// byBytes is the rule of bytes.
func (r *rough) byBytes() int64 { return int64(float64(r.bytes)/perToken) + fixed }

// context is how many characters the live context shows; ok is false if it
// rests on a measurement that is not remembered.
func (r *rough) context(ctx meter.Context) (chars int64, ok bool) {
	chars = characters(ctx.Tail) + characters(ctx.Body)
	switch ctx.Ground {
	case meter.GroundUnknown:
		return 0, false
	case meter.GroundMeasured:
		for i := range r.marks {
			if m := &r.marks[(r.newest-i+marks)%marks]; m.chars > 0 && m.offset == ctx.Offset {
				return chars + m.chars, true
			}
		}
		return 0, false
	}
	return chars, true
}

// measured notes that a measurement at offset covers so many characters; ok is
// false if nobody knows how many.
func (r *rough) measured(offset, chars int64, ok bool) {
	if ok {
		r.newest = r.next
		r.marks[r.next] = mark{offset, max(chars+r.reply, 1)}
		r.next = (r.next + 1) % marks
	}
	r.reply = 0
}
