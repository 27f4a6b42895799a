package claudecode

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctxmeter/ctxmeter/meter/transcript"
)

// Up to 2.1.5 the client clears the oldest results of its own tools, of which
// the parallel calls of one message stand behind each other; those of MCP
// servers stay. Later versions record a clearing, or do not clear.
func TestOldVersionsClearResultsOfTheirOwnTools(t *testing.T) {
	for name, tc := range map[string]struct {
		version, tool string
		clears        int64
	}{
		"read":          {"2.1.5", "Read", 40_000},
		"the first":     {"1.0.80", "Bash", 40_000},
		"of a server":   {"2.1.5", "mcp__docs__get", 0},
		"of a subagent": {"2.0.67", "Task", 0},
		"later":         {"2.1.6", "Read", 0},
		"much later":    {"2.1.197", "Read", 0},
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, "0b5c1d3e-0000-4000-8000-000000000001.jsonl")
		if err := os.WriteFile(path, []byte(clearingTranscript(tc.version, tc.tool)), 0o600); err != nil {
			t.Fatal(err)
		}
		st := stateOf(t, path, transcript.Options{})
		if got := st.Context().Clears; got != tc.clears {
			t.Errorf("%s: clears %d, want %d", name, got, tc.clears)
		}
	}
}

// clearingTranscript is a session of eight calls, two in each message, whose
// results are 10,000 tokens each in the client's arithmetic.
func clearingTranscript(version, tool string) string {
	var b strings.Builder
	parent := "null"
	line := func(id, typ, message string) {
		fmt.Fprintf(&b, `{"parentUuid":%s,"isSidechain":false,"sessionId":"s","version":%q,"type":%q,"message":%s,"uuid":%q,"timestamp":"2026-01-05T10:00:00.000Z"}`+"\n",
			parent, version, typ, message, id)
		parent = fmt.Sprintf("%q", id)
	}
	usage := func(prompt int) string {
		return fmt.Sprintf(`"usage":{"input_tokens":%d,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":100}`, prompt)
	}
	line("u0", "user", `{"role":"user","content":"go on"}`)
	for i := range 4 {
		for j := range 2 {
			line(fmt.Sprintf("a%d%d", i, j), "assistant", fmt.Sprintf(
				`{"id":"msg_%d","role":"assistant","model":"claude-opus-4-5-20251101","content":[{"type":"tool_use","id":"toolu_%d%d","name":%q,"input":{}}],%s}`,
				i, i, j, tool, usage(30_000+20_000*i)))
		}
		for j := range 2 {
			line(fmt.Sprintf("r%d%d", i, j), "user", fmt.Sprintf(
				`{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_%d%d","content":%q}]}`, i, j, strings.Repeat("x", 40_000)))
		}
	}
	line("a9", "assistant", `{"id":"msg_9","role":"assistant","model":"claude-opus-4-5-20251101","content":[{"type":"text","text":"done"}],"stop_reason":"end_turn",`+usage(136_000)+`}`)
	return b.String()
}
