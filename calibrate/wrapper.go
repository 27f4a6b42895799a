package calibrate

import (
	"github.com/ctxmeter/ctxmeter/calibrate/formula"
	"github.com/ctxmeter/ctxmeter/meter"
)

// message is what a message of a person costs beyond its text, in tokens: the
// median of 17, 8 and 54 turns of real sessions that held nothing else.
var message = [...]float64{claudeOld: 10, claudeNew: 2, gpt: 7}

// besides is what each further block costs beside the first message or a
// result, in tokens. Too few sessions tell: a guess.
const besides = 4

// wrappers are what the blocks of a text cost beyond it, in tokens. Results
// are dear where there are several: each further one in the same message costs
// 48 with Claude (median of real sessions: 24, 75, 114 and 189 for one to four).
func wrappers(own *Family, f family, t *meter.Text) float64 {
	switch {
	case t.Results > 0:
		return own.FirstBlock + own.FurtherBlock*float64(t.Results-1) + besides*float64(t.Blocks)
	case t.Blocks > 0:
		return message[f] + besides*float64(t.Blocks-1)
	}
	return 0
}

// image is what a picture costs, in tokens. Its size is not in the counts:
// 1,500 is where Claude Code caps pictures, 1,000 a guess for Codex. Most are
// smaller, so the band goes down far.
var image = [...]float64{claudeOld: 1500, claudeNew: 1500, gpt: 1000}

const (
	imageBelow = .8
	imageAbove = .1
)

// calls are what tool calls cost, in tokens: their arguments, of which the
// JSON around the values is not counted, and something for each. A signature
// stands for part of that. The constants fit replies whose size the next prompt
// told: 1,547 without signatures (32 sessions) and 1,063 with (22), of Claude
// Code before 2.1.59.
func calls(f family, m *formula.Model, t *meter.Text) float64 {
	const arguments = 1.2
	each := 60.
	switch {
	case f == gpt:
		each = 11
	case t.Signature > 0:
		each = 30
	case f == claudeNew:
		each = 75
	}
	return arguments*m.Tokens(&t.Call) + each*float64(t.Calls)
}

// thinking is what reasoning costs, in tokens. Its signature holds it
// encrypted, and the length of that is all there is where the visible text was
// left out (Claude Code from 2.1.79 on).
func thinking(m *formula.Model, t *meter.Text) float64 {
	const (
		perSignature       = .2 // tokens a character
		perSignatureHidden = .28
	)
	switch {
	case t.Signature == 0:
		return m.Tokens(&t.Thinking)
	case t.Thinking.Chars == 0:
		return perSignatureHidden * float64(t.Signature)
	}
	return perSignature * float64(t.Signature)
}
