package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// recordedHook is what a client handed to a hook, with how long its transcript
// was at that moment. What people, models and tools said was taken out.
type recordedHook struct {
	Scenario string          `json:"scenario"`
	Bytes    int64           `json:"bytes"`
	Payload  json.RawMessage `json:"payload"`
}

// hookPayload are the fields that the replay goes by.
type hookPayload struct {
	Session    string `json:"session_id"`
	Agent      string `json:"agent_id"`
	Transcript string `json:"transcript_path"`
	Dir        string `json:"cwd"`
	Event      string `json:"hook_event_name"`
	Source     string `json:"source"`
	Use        string `json:"tool_use_id"`
}

// Every recorded hook of both clients, in the order in which they ran, each with
// the transcript as it was then. The sessions are short: so that there is
// something to say, Claude Code is taken to compact at 25,000 tokens.
func TestRecordedHooks(t *testing.T) {
	for name, set := range map[string]struct{ threshold, folder, below string }{
		"claude-code-2.1.197": {"25000", ".claude", "projects"},
		"codex-0.171.0":       {"", ".codex", "sessions"},
	} {
		t.Run(name, func(t *testing.T) {
			file, err := os.Open(filepath.Join("..", "..", "testdata", "hooks", name+".jsonl"))
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			h := newHookRig(t)
			h.set("CTXMETER_WINDOW", "").set("CTXMETER_COMPACT_THRESHOLD", set.threshold)
			var out strings.Builder
			for d := json.NewDecoder(file); d.More(); {
				var rec recordedHook
				var p hookPayload
				if err := d.Decode(&rec); err != nil {
					t.Fatal(err)
				}
				if err := json.Unmarshal(rec.Payload, &p); err != nil {
					t.Fatal(err)
				}
				h.now = h.now.Add(time.Second)
				_, rel, ok := strings.Cut(p.Transcript, "/"+set.below+"/")
				if !ok {
					t.Fatalf("no transcript in %s", rec.Payload)
				}
				rel = filepath.FromSlash(set.below + "/" + rel)
				to := filepath.Join(h.env["HOME"], set.folder, rel)
				h.lay(rec, p, rel, to)
				given := strings.ReplaceAll(string(rec.Payload), p.Transcript, filepath.ToSlash(to))
				said := strings.TrimSpace(h.hook(given))
				h.told(p.Event, said)
				if strings.Contains(said, "home") {
					t.Errorf("a path in %s", said)
				}
				if said == "" {
					said = "-"
				}
				fmt.Fprintf(&out, "%s %s\n", strings.Join(strings.Fields(fmt.Sprintf("%s %.13s %.9s %s %s", rec.Scenario, p.Session, p.Agent, p.Event, p.Source)), " "), said)
			}
			golden(t, filepath.Join("..", "hooks", name+".golden"), out.String())
		})
	}
}

// lay puts the transcripts of a recorded hook in their place, as they were
// then.
func (h *hookRig) lay(rec recordedHook, p hookPayload, rel, to string) {
	h.t.Helper()
	h.copyPart(rec.Scenario, rel, to, func(data []byte) []byte { return data[:min(rec.Bytes, int64(len(data)))] })
	if p.Agent == "" || !strings.Contains(rel, "projects") {
		return
	}
	// Of a subagent's own transcript, the length was not recorded: it is taken
	// up to the result of the tool.
	agent := filepath.Join(p.Session, "subagents", "agent-"+p.Agent+".jsonl")
	h.copyPart(rec.Scenario, filepath.Join(filepath.Dir(rel), agent), filepath.Join(filepath.Dir(to), agent), func(data []byte) []byte {
		if i := bytes.Index(data, []byte(`"tool_use_id":"`+p.Use)); p.Use != "" && i >= 0 {
			return data[:bytes.LastIndexByte(data[:i], '\n')+1]
		}
		return data
	})
}

func (h *hookRig) copyPart(scenario, rel, to string, cut func([]byte) []byte) {
	h.t.Helper()
	for _, dir := range []string{"hooks", "claude-code", "statusline"} {
		data, err := os.ReadFile(filepath.Join("..", "..", "testdata", dir, scenario, rel))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			err = os.MkdirAll(filepath.Dir(to), 0o700)
		}
		if data = cut(data); len(data) == 0 {
			return // not there yet
		}
		if err == nil {
			err = os.WriteFile(to, data, 0o600)
		}
		if err == nil {
			err = os.Chtimes(to, h.now, h.now)
		}
		if err != nil {
			h.t.Fatal(err)
		}
	}
}
