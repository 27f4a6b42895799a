package calibrate

import (
	"strings"

	"github.com/ctxmeter/ctxmeter/meter"
)

// Dropped implements meter.Estimator. Claude models before Opus 4.5 and the
// small ones forget the thinking of earlier turns; GPT models before 5.6 do
// the same with reasoning.
func (t *Table) Dropped(c meter.Context) float64 {
	f, _ := familyOf(c.Model)
	if f == gpt {
		if keepsReasoning(c.Model) {
			return 0
		}
		return float64(c.ThoughtTokens)
	}
	if !forgetsThinking(c.Model) {
		return 0
	}
	return thinking(&t.Families[f].Model, &c.Thought)
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
func (t *Table) Restored(c meter.Context) meter.Estimate {
	if c.Usage.Estimated { // Codex's own recount
		if keepsReasoning(c.Model) {
			return meter.Estimate{} // code mode: the tools are in the transcript
		}
		return meter.Estimate{Tokens: 2800}
	}
	if c.Compaction.Post > 0 || c.Tail.Attachment.Chars > 0 {
		return meter.Estimate{}
	}
	return meter.Estimate{Tokens: restored(c.Version)}
}

// restored is what a Claude Code of this version puts back after a compaction
// and does not record, in tokens: medians of real sessions. Files that were
// read and skills come back, so it differs by session (the amounts in the
// comments); the versions between do not tell, and get what most came to.
func restored(version string) float64 {
	switch {
	case before(version, 2, 1, 0):
		return 9500 // 9 compactions in 7 sessions of 1.0.89 and 2.0.67: 3,049 to 14,884
	case before(version, 2, 1, 18):
		return 14_000 // 5 in 5 of 2.1.5 to 2.1.17: 9,146 to 18,062
	case before(version, 2, 1, 30):
		return 1500 // 5 in 3 of 2.1.19, 2.1.20 and 2.1.29: four up to 1,633, one 8,455
	}
	return 9500 // 3 in 3 of 2.1.33, 2.1.50 and 2.1.56: 9,538 to 12,783
}

// Overhead implements meter.Estimator. What Claude Code sends first differs too
// much by project, version and settings for a table, and nothing of it is in
// the transcript. Codex records its instructions; its tools came to 7,397
// tokens at the median, 4,011 to 19,827 (34 sessions, codex-cli 0.118 to 0.147).
func (t *Table) Overhead(c meter.Context) meter.Estimate {
	if f, _ := familyOf(c.Model); f != gpt || c.Ground != meter.GroundStart || c.Body == (meter.Text{}) {
		return meter.Estimate{}
	}
	e := t.Tokens(c.Model, c.Body)
	e.Tokens += 7400
	e.Below += 3300
	e.Above += 6000
	return e
}
