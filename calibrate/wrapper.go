package calibrate

import (
	"github.com/ctxmeter/ctxmeter/calibrate/formula"
	"github.com/ctxmeter/ctxmeter/meter"
)

// message is what a message of a person costs beyond its text, and image a
// picture, whose size is not in the counts: 1,500 tokens is where Claude Code
// caps pictures, 1,000 a guess for Codex. Messages by 17, 8 and 54 turns of
// real sessions that held nothing else.
var (
	message = [...]float64{claudeOld: 10, claudeNew: 2, gpt: 7}
	image   = [...]float64{claudeOld: 1500, claudeNew: 1500, gpt: 1000}
)

// besides is what each further block costs beside the first message or a
// result, in tokens. Too few sessions tell: a guess.
const besides = 4

// wrappers is what the parts of a text cost beyond it, in tokens.
func wrappers(own *Family, f family, t *meter.Text) float64 {
	tokens := image[f] * float64(t.Images)
	switch {
	case t.Results > 0:
		tokens += own.FirstBlock + own.FurtherBlock*float64(t.Results-1) + besides*float64(t.Blocks)
	case t.Blocks > 0:
		tokens += message[f] + besides*float64(t.Blocks-1)
	}
	return tokens
}

// call is what a tool call costs beyond its arguments, in tokens; callFactor
// is for those, of which the JSON around the values is not counted. With
// thinking they cost less, or its signature stands for more. From replies of
// 1,547 and 1,063 requests (54 sessions, Claude Code before 2.1.59) whose size
// the next prompt told.
func call(f family, thinks bool) float64 {
	switch {
	case f == gpt:
		return 11
	case thinks:
		return 30
	case f == claudeNew:
		return 75
	}
	return 60
}

const callFactor = 1.2

// Tokens a character of a signature stand for: the signature holds the
// encrypted thinking, and its length is all there is where the visible text
// was left out (Claude Code from 2.1.79 on).
const (
	perSignature       = .2
	perSignatureHidden = .28
)

func thinking(m *formula.Model, t *meter.Text) float64 {
	switch {
	case t.Signature == 0:
		return m.Tokens(&t.Thinking)
	case t.Thinking.Chars == 0:
		return perSignatureHidden * float64(t.Signature)
	}
	return perSignature * float64(t.Signature)
}
