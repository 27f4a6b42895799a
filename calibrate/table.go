package calibrate

import (
	"strings"

	"github.com/ctxmeter/ctxmeter/meter"
	"github.com/ctxmeter/ctxmeter/meter/tail"
)

// family is a group of models that share a tokenizer.
type family uint8

const (
	claudeOld family = iota // Claude up to 4.6
	claudeNew               // Claude 4.7, 4.8 and the 5 family: a new tokenizer
	gpt
)

// familyOf tells a model's family by its API name; an unknown name is taken
// for the family that needs the most tokens.
func familyOf(model string) family {
	switch {
	case strings.Contains(model, "gpt") || strings.Contains(model, "codex"):
		return gpt
	case isClaude(model) && !newTokenizer(model):
		return claudeOld
	}
	return claudeNew
}

func isClaude(model string) bool {
	return strings.Contains(model, "claude") || strings.Contains(model, "opus") ||
		strings.Contains(model, "sonnet") || strings.Contains(model, "haiku") || strings.Contains(model, "fable")
}

// newTokenizer reports Opus 4.7, 4.8 and everything of generation 5.
func newTokenizer(model string) bool {
	for _, tier := range []string{"opus-", "sonnet-", "haiku-", "fable-"} {
		_, rest, ok := strings.Cut(model, tier)
		if !ok || rest == "" {
			continue
		}
		switch {
		case rest[0] >= '5' && rest[0] <= '9':
			return true
		case strings.HasPrefix(rest, "4-7"), strings.HasPrefix(rest, "4-8"), strings.HasPrefix(rest, "4-9"):
			return true
		}
	}
	return false
}

// weights are tokens per code point of a class.
type weights struct{ letter, digit, blank, punct, wide, other float64 }

// The weights are fitted on the growth of real sessions' prompts from one
// request to the next, robustly and weighted by session (15,744 requests of
// Claude Code 1.0.80 to 2.1.235, 2,016 of codex-cli 0.40 to 0.147). In all
// they come to 2.93, 2.18 and 3.63 characters a token. The wide weights of
// the Claude families rest on little data.
var textWeights = [...]weights{
	claudeOld: {letter: .20, digit: .86, blank: .17, punct: 1.15, wide: 1.1, other: .75},
	claudeNew: {letter: .37, digit: .88, blank: .06, punct: 1.15, wide: 1.1, other: .8},
	gpt:       {letter: .2235, digit: .985, blank: .23, punct: .437, wide: .85, other: 1.26},
}

func (w weights) tokens(c tail.Counts) float64 {
	return w.letter*float64(c.Letters) + w.digit*float64(c.Digits) + w.blank*float64(c.Spaces+c.Newlines) +
		w.punct*float64(c.Punct+c.Underscores) + w.wide*float64(c.Wide) + w.other*float64(c.Latin+c.Alpha+c.Signs+c.Astral)
}

// wrapper is what a block costs beyond its text, in tokens, from the same
// sessions.
type wrapper struct{ block, result, image float64 }

// A picture's size is not in the counts: 1,500 tokens is the size at which
// Claude Code caps pictures, 1,000 a guess for Codex.
var wrappers = [...]wrapper{
	claudeOld: {block: 4, result: 14, image: 1500},
	claudeNew: {block: 4, result: 8, image: 1500},
	gpt:       {block: 6, result: 11, image: 1000},
}

// call is what a tool call costs beyond its arguments, in tokens.
func call(model string, f family, thinks bool) float64 {
	switch {
	case f == gpt:
		return 11
	case thinks:
		return 42
	case f == claudeNew || strings.Contains(model, "4-6"):
		return 80
	}
	return 57
}

// Tokens a character of a signature stand for: the signature holds the
// encrypted thinking, and its length is all there is where the visible text
// was left out (Claude Code from 2.1.79 on).
const (
	perSignature       = .18
	perSignatureHidden = .28
)

func thinking(w weights, t meter.Text) float64 {
	switch {
	case t.Signature == 0:
		return w.tokens(t.Thinking)
	case t.Thinking.Chars == 0:
		return perSignatureHidden * float64(t.Signature)
	}
	return perSignature * float64(t.Signature)
}

// familyName is how a family is called where it is kept.
func familyName(model string) string {
	return [...]string{claudeOld: "claude-4.6-and-older", claudeNew: "claude-4.7-and-newer", gpt: "gpt"}[familyOf(model)]
}
