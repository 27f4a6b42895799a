package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// recordedCall is a call that Claude Code 2.1.197 made of an MCP server, and
// whose it was.
type recordedCall struct {
	Scenario string          `json:"scenario"`
	Call     json.RawMessage `json:"call"` // its _meta
	Dir      string          `json:"dir"`
	Session  string          `json:"session"`
	Agent    string          `json:"agent"`
}

// The recorded calls, at the protocol: each is answered for the session or the
// subagent that made it. Of the processes nothing is left; the id of the call
// tells.
func TestRecordedCallsOfClaudeCode(t *testing.T) {
	file, err := os.Open(filepath.Join("..", "..", "testdata", "mcp", "claude-code-2.1.197.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	calls := 0
	for d := json.NewDecoder(file); d.More(); calls++ {
		var c recordedCall
		if err := d.Decode(&c); err != nil {
			t.Fatal(err)
		}
		r := newRig(t)
		r.dir = c.Dir
		var meta map[string]any
		if err := json.Unmarshal(c.Call, &meta); err != nil {
			t.Fatal(err)
		}
		use := fmt.Sprint(meta["claudecode/toolUseId"])
		copyUntil(t, c, r.env["HOME"], use)
		r.stdin = strings.Replace(hello, `"test"`, `"claude-code"`, 1) + callLine(1, `{}`, string(c.Call))
		got := answers(t, r.run("mcp").stdout)["1"].text()
		want := `"whose":"session ` + c.Session[:13]
		if c.Agent != "" {
			want = `"whose":"subagent ` + c.Agent[:13]
		}
		if !strings.Contains(got, want) || !strings.Contains(got, `"used_tokens":`) || strings.Contains(got, `"pending"`) {
			t.Errorf("%s, %s: no %s in %s", c.Scenario, use, want, got)
		}
	}
	if calls < 12 {
		t.Errorf("%d calls", calls)
	}
}

// copyUntil puts a scenario's transcripts into a home folder, each as far as it
// was when the call was made: before its result.
func copyUntil(t *testing.T, c recordedCall, home, use string) {
	t.Helper()
	from := filepath.Join("..", "..", "testdata", "claude-code", c.Scenario)
	if _, err := os.Stat(from); err != nil {
		from = filepath.Join("..", "..", "testdata", "mcp", c.Scenario)
	}
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".jsonl" {
			return err
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		text := string(b)
		if i := strings.Index(text, `"tool_use_id":"`+use); i >= 0 {
			if !strings.Contains(path, c.Session) {
				return nil // a fork of later
			}
			text = text[:strings.LastIndexByte(text[:i], '\n')+1]
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		to := filepath.Join(home, ".claude", rel)
		if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
			return err
		}
		return os.WriteFile(to, []byte(text), 0o600)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// The threads that Codex 0.171.0 wrote, each called as that version calls: the
// answer is the thread's own, a subagent's too.
func TestThreadsOfCodexAreAnsweredForThemselves(t *testing.T) {
	rollouts, err := filepath.Glob(filepath.Join("..", "..", "testdata", "codex", "*", "sessions", "*", "*", "*", "*.jsonl"))
	if err != nil || len(rollouts) < 5 {
		t.Fatal(rollouts, err)
	}
	kinds := map[string]bool{}
	for _, path := range rollouts {
		home, err := filepath.Abs(filepath.Join(filepath.Dir(path), "..", "..", "..", ".."))
		if err != nil {
			t.Fatal(err)
		}
		r := newRig(t).set("CODEX_HOME", home)
		id := regexp.MustCompile(`rollout-[-0-9T]{19}-([-0-9a-f]{36})`).FindStringSubmatch(path)[1]
		reading := r.run("-t", id, "--json", "--no-cache").reading(t)
		if reading.UsedTokens == nil {
			continue // a thread without a request makes no call
		}
		kind := "session"
		if reading.Session.ParentID != nil {
			kind = "subagent"
		}
		kinds[kind] = true
		r.stdin = strings.Replace(hello, `"test"`, `"codex-mcp-client"`, 1) + callLine(1, `{}`, fmt.Sprintf(
			`{"threadId":"%s","sessionId":"%s","windowId":"%s:1","x-codex-turn-metadata":{"thread_id":"%s","session_id":"%s"}}`, id, threadID(1), id, id, threadID(1)))
		got := answers(t, r.run("mcp").stdout)["1"].text()
		want := fmt.Sprintf(`"used_tokens":%d,`, *reading.UsedTokens)
		if whose := `"whose":"` + kind + " " + id[:13] + `"`; !strings.Contains(got, want) || !strings.Contains(got, whose) {
			t.Errorf("no %s and %s in %s", want, whose, got)
		}
	}
	if len(kinds) != 2 {
		t.Errorf("threads of %v only", kinds)
	}
}
