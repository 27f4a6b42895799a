package doctor

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wiring"
)

// serverGreeting is how a client begins, up to the list of tools.
const serverGreeting = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"ctxmeter doctor","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/list"}
`

// judged is what is wrong with what a command says of the sample session, "" if
// that is what ctxmeter says.
func (t Trial) judged(out []byte) string {
	switch t.Part {
	case wiring.PartStatusLine:
		return t.judgedLine(string(out))
	case wiring.PartHooks:
		var said struct {
			Specific struct {
				Context string `json:"additionalContext"`
			} `json:"hookSpecificOutput"`
		}
		if json.Unmarshal(out, &said) != nil || said.Specific.Context == "" {
			return "it does not warn of a session that is full"
		}
	case wiring.PartMCP:
		if !offersTool(out, t.Tool) {
			return "it does not offer its tool"
		}
	}
	return ""
}

var painted = regexp.MustCompile("\x1b\\[[0-9;]*m")

// judgedLine judges a status line. The trial's home has no configuration, so
// that the line is the usual one unless the command names a file.
func (t Trial) judgedLine(out string) string {
	text := strings.TrimSpace(painted.ReplaceAllString(out, ""))
	own := slices.ContainsFunc(t.Words, func(w string) bool { return strings.HasPrefix(w, "--config") })
	switch {
	case text == "" || text == t.Nothing:
		return "it shows no reading of a session that has one"
	case strings.Contains(text, "\n"):
		return "it prints more than one line"
	case !own && !(strings.Contains(text, "%") && strings.Contains(text, trialWindow)):
		return "what it prints is not this status line: it may be an old ctxmeter, or another program by that name"
	}
	return ""
}

// trialWindow is how the window of the sample session is written.
const trialWindow = "/200k"

// offersTool reports whether a server has answered with the tool of that name.
func offersTool(out []byte, name string) bool {
	for line := range bytes.Lines(out) {
		var reply struct {
			ID     int `json:"id"`
			Result struct {
				Tools []struct {
					Name string `json:"name"`
				} `json:"tools"`
			} `json:"result"`
		}
		if json.Unmarshal(line, &reply) != nil || reply.ID != 2 {
			continue
		}
		for _, tool := range reply.Result.Tools {
			if tool.Name == name {
				return true
			}
		}
	}
	return false
}
