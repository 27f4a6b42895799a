package calibrate

import (
	"github.com/ctxmeter/ctxmeter/meter"
)

// Step is one request of a replayed session: what would have been said just
// before it, from what stood in the transcript until then, and what it
// measured. Amounts are tokens.
type Step struct {
	Session   string
	Model     string
	Offset    int64 // bytes: where the first record of its reply stands
	Truth     int64 // the prompt that was measured
	Predicted int64
	Range     [2]int64
	Last      int64         // the prompt measured last before it, whatever came between; 0 is none
	After     After         // what it followed
	Blank     Blank         // why nothing was predicted; "" if something was
	Tail      Tail          // what stands behind the last measurement
	Rough     Rough         // what others would say
	Client    string        // that wrote the transcript
	Agent     string        // the subagent whose transcript it is, "" if none's
	now       meter.Context // just before it
	Source    int           // for who reads many transcripts: which of them; a replay leaves it 0
}

// After tells what a request followed.
type After string

// The kinds of requests.
const (
	AfterReply      After = "reply"
	AfterCompaction After = "compaction" // nothing was measured since
	AfterRewind     After = "rewind"     // the conversation was taken up at an earlier place
	AfterStart      After = "start"      // nothing was measured before
)

// Kinds are all kinds of requests, in the order in which they are shown.
func Kinds() []After { return []After{AfterReply, AfterCompaction, AfterRewind, AfterStart} }

// Blank is why a reading could not say how much is used.
type Blank string

// The reasons.
const (
	BlankStart Blank = "nothing_measured" // and what the client sends first is not in the transcript
	BlankFar   Blank = "out_of_memory"    // the conversation was taken up at a record too far back: a reading would read again
)

// Tail is what was appended since the last measurement.
type Tail struct {
	Chars     int64 // code points; 0 if nothing was measured before
	Predicted int64 // tokens
}

// Rough are two rules of thumb that are in use elsewhere; 0 is none.
type Rough struct {
	Quarter int64 // all characters of the live context that the transcript shows, by four
	Bytes   int64 // all bytes of text since the newest compaction, abandoned branches too, by 3.2; and 43,500
}

// newStep says what is known just before a request; of one after a reply, if it
// is to be brief, only that it is one.
func newStep(st *meter.State, ctx meter.Context, est meter.Estimator, offset int64, brief bool) Step {
	step := Step{Offset: offset, After: AfterStart}
	switch {
	case st.Turned(ctx):
		step.After = AfterRewind
	case ctx.Ground == meter.GroundMeasured:
		step.After = AfterReply
	case ctx.Ground == meter.GroundBoundary:
		step.After = AfterCompaction
	}
	if brief && step.After == AfterReply {
		return step
	}
	r := meter.Read(meter.Input{State: *st}, est)
	if r.UsedTokens == nil {
		step.Blank = BlankStart
		if ctx.Ground == meter.GroundUnknown {
			step.Blank, step.After = BlankFar, AfterRewind
		}
		return step
	}
	step.Predicted, step.Range = *r.UsedTokens, *r.UsedRange
	if ctx.Ground == meter.GroundMeasured && !ctx.Usage.Estimated {
		tokens := est.Tokens(ctx.Model, ctx.Tail).Tokens
		step.Tail = Tail{Chars: characters(ctx.Tail), Predicted: int64(tokens)}
	}
	return step
}

// characters is how many code points a text shows.
func characters(t meter.Text) int64 {
	return t.User.Chars + t.Tool.Chars + t.Call.Chars + t.Reply.Chars + t.Thinking.Chars + t.Attachment.Chars
}
