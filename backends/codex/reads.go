package codex

import (
	"strconv"
	"strings"

	"github.com/ctxmeter/ctxmeter/meter"
)

// What is left of a command's output (codex-cli 0.171.0, observed): 40,000
// bytes, which the client takes for 10,000 tokens, and 10,000 bytes with a
// model that its catalogue does not have. The model can ask for less, and with
// code mode or a larger tool_output_token_limit for more.
const (
	outputBytes   = 40_000
	outputUnknown = 10_000
	tokenBytes    = 4
)

// What comes with a command's output (0.171.0, observed).
const (
	execFrame = "Chunk ID: 3836ea\nWall time: 0.0000 seconds\nProcess exited with code 0\nOriginal token count: 5000\nOutput:\n"
	codeFrame = "Script completed\nWall time 0.1 seconds\nOutput:\n"
	execNote  = "Warning: truncated output (original token count: 75000)\nTotal output lines: 5000\n\n…65000 tokens truncated…"
)

// LimitVars implements backends.Client. There are none.
func (c *Client) LimitVars() []string { return nil }

// ReadLimit implements backends.Client. The client has no tool of its own for
// files: the model prints them with a command.
func (c *Client) ReadLimit(s meter.Session, st meter.State) meter.ReadLimit {
	return readLimit(readSettings(s.Root), st)
}

func readLimit(set settings, st meter.State) meter.ReadLimit {
	l := meter.ReadLimit{Tool: "exec_command", Frame: execFrame, Note: execNote, Ends: outputOf(st.Model, st.Version)}
	switch {
	case codeMode[st.Model]: // the setting changed nothing (0.171.0: 5,000 left 40,000 bytes)
		l.Frame = codeFrame
	case set.output > 0: // a larger one only allows more to be asked for
		l.Ends = min(set.output*tokenBytes, outputBytes)
	}
	return l
}

// outputOf is the limit that a client's catalogue has for a model. In older
// catalogues it is 10,000 tokens for the models made for Codex and those from
// 5.3 on, and 10,000 bytes for the others (openai/codex, core/src, model
// families; real sessions of 0.118 to 0.126 with gpt-5.4 agree). Before, it was
// 10,000 bytes for all (real sessions of 0.40; when that changed is not known).
func outputOf(model, version string) int64 {
	if codeMode[model] || model == "gpt-5.5" {
		return outputBytes
	}
	if _, known := models[model]; known && older(version, 171) && !older(version, 50) {
		if strings.Contains(model, "codex") || strings.HasPrefix(model, "gpt-5.3") || strings.HasPrefix(model, "gpt-5.4") {
			return outputBytes
		}
	}
	return outputUnknown
}

// codeMode are the models of the catalogue of 0.171.0 that run commands from
// JavaScript. gpt-5.5, the other one there, has plain tools.
var codeMode = map[string]bool{
	"gpt-6.2-sol": true, "gpt-6.1-sol": true, "gpt-6.1-terra": true,
	"gpt-6.2-astra": true, "gpt-6-astra": true, "gpt-6-sol": true, "gpt-6-luna": true,
	"gpt-5.6-sol": true, "gpt-5.6-terra": true, "gpt-5.6-luna": true,
	"codex-auto-review": true, "gpt-daybreak-blue-latest": true, "gpt-daybreak-red-latest": true,
}

// older reports a version 0.x that is older than 0.minor; an unknown one is
// not.
func older(version string, minor int) bool {
	rest, ok := strings.CutPrefix(version, "0.")
	if !ok {
		return false
	}
	rest, _, _ = strings.Cut(rest, ".")
	n, err := strconv.Atoi(rest)
	return err == nil && n < minor
}
