package calibrate

import (
	"math"
	"strings"

	"github.com/ctxmeter/ctxmeter/meter"
	"github.com/ctxmeter/ctxmeter/meter/tail"
)

// Table estimates tokens from counts of characters, by model family. It is
// the estimator that ships with the program.
type Table struct{}

var _ meter.Estimator = Table{}

// Builtin is the estimator that ships with the program.
func Builtin() Table { return Table{} }

// Tokens implements meter.Estimator.
func (Table) Tokens(model string, t meter.Text) (tokens, spread float64) {
	f := familyOf(model)
	w, wrap := textWeights[f], wrappers[f]
	for _, c := range []tail.Counts{t.User, t.Tool, t.Reply, t.Attachment} {
		tokens += w.tokens(c)
	}
	tokens += 1.1*w.tokens(t.Call) + call(model, f, t.Signature > 0)*float64(t.Calls)
	tokens += thinking(w, t)
	tokens += wrap.block*float64(t.Blocks) + wrap.result*float64(t.Results) + wrap.image*float64(t.Images)
	size := math.Abs(tokens)
	return tokens + float64(t.Fixed), band(f, size) + math.Abs(float64(t.Fixed))/4
}

// band is the half-width that held the true value nine times in ten for an
// estimate of this size, in tokens (the same sessions).
func band(f family, size float64) float64 {
	switch {
	case size == 0:
		return 0
	case f == claudeNew:
		return 15 + .05*size
	case f == gpt:
		return 10 + .15*size
	}
	return 300 + .05*size + .2*max(size-3000, 0) // hidden reminders come and go in older versions
}

// Reply implements meter.Estimator. Claude Code 1.0.89 to 2.1.91 often stored
// the first number of the stream (1 to 26) instead of the final one: where no
// line has a stop reason and the number is far below what the reply holds,
// the reply is estimated from its content.
func (Table) Reply(c meter.Context) (tokens, spread float64) {
	output := float64(c.Usage.Output)
	f := familyOf(c.Model)
	if c.Ended || f == gpt {
		return output, 0
	}
	w, t := textWeights[f], c.Body
	content := w.tokens(t.Reply) + 1.1*w.tokens(t.Call) + call(c.Model, f, t.Signature > 0)*float64(t.Calls)
	thought := thinking(w, t)
	if output >= .6*(content+.5*thought) {
		return output, 0
	}
	return content + thought, 20 + .2*(content+thought)
}

// Dropped implements meter.Estimator. Claude models before Opus 4.5 and the
// small ones forget the thinking of earlier turns; GPT models before 5.6 do
// the same with reasoning.
func (Table) Dropped(c meter.Context) float64 {
	if familyOf(c.Model) == gpt {
		if keepsReasoning(c.Model) {
			return 0
		}
		return float64(c.ThoughtTokens)
	}
	if !forgetsThinking(c.Model) {
		return 0
	}
	return thinking(textWeights[familyOf(c.Model)], c.Thought)
}

func forgetsThinking(model string) bool {
	for _, part := range []string{"sonnet-4-2025", "sonnet-4-5", "opus-4-1", "opus-4-2025", "haiku-4-5", "claude-3"} {
		if strings.Contains(model, part) {
			return true
		}
	}
	return false
}

// keepsReasoning reports GPT 5.6 and newer.
func keepsReasoning(model string) bool {
	_, rest, ok := strings.Cut(model, "gpt-")
	if !ok || rest == "" {
		return false
	}
	if rest[0] >= '6' && rest[0] <= '9' {
		return true
	}
	minor, ok := strings.CutPrefix(rest, "5.")
	return ok && minor != "" && minor[0] >= '6' && minor[0] <= '9'
}

// Restored implements meter.Estimator. Older Claude Code attaches files and
// skills again without recording them; Codex's own recount leaves out the
// tool schemas (codex-cli before the code-mode models).
func (Table) Restored(c meter.Context) float64 {
	if c.Usage.Estimated { // Codex's own recount
		if keepsReasoning(c.Model) {
			return 0 // code mode: the tools are in the transcript
		}
		return 2800
	}
	if c.Compaction.Post > 0 || c.Tail.Attachment.Chars > 0 {
		return 0
	}
	return 9500
}
