package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// Many windows show the status of one session while it grows. Each answer has
// to be that of some complete state of the transcript, and no temporary file
// may stay behind.
func TestManyProcessesOnOneGrowingSession(t *testing.T) {
	const transcript = "../../testdata/real-claude-code/projects/-home-dev-p029/fc6dc6c4-db17-192c-545c-7cf5ffd8b75b.jsonl"
	data, err := os.ReadFile(transcript)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(data, []byte("\n"))
	home := t.TempDir()
	path := filepath.Join(home, "fc6dc6c4-db17-192c-545c-7cf5ffd8b75b.jsonl")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	first := len(lines) / 2
	right := map[string]bool{}
	r := newRig(t)
	for i, line := range lines {
		if _, err := file.Write(line); err != nil {
			t.Fatal(err)
		}
		if i >= first-1 {
			right[essence(t, []byte(r.run("--session-file", path, "--json", "--no-cache").stdout))] = true
		}
	}
	if err := os.WriteFile(path, bytes.Join(lines[:first], nil), 0o600); err != nil {
		t.Fatal(err)
	}

	grow, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer grow.Close()
	var wg sync.WaitGroup
	start := make(chan struct{})
	for range 8 {
		wg.Go(func() {
			<-start
			for range 6 {
				cmd := exec.Command(os.Args[0], "--session-file", path, "--json")
				cmd.Env = append(os.Environ(), "CTXMETER_TEST_BE_MAIN=1", "HOME="+home, "XDG_CACHE_HOME="+home, "LocalAppData="+home)
				out, err := cmd.Output()
				if err != nil {
					t.Errorf("a process failed: %v", err)
					return
				}
				if got := essence(t, out); !right[got] {
					t.Errorf("%s is no state the transcript was ever in", got)
				}
			}
		})
	}
	close(start)
	for _, line := range lines[first:] {
		if _, err := grow.Write(line); err != nil {
			t.Error(err)
		}
	}
	wg.Wait()
	left, _ := filepath.Glob(filepath.Join(home, "*", "sidecars", "*.tmp"))
	if len(left) > 0 {
		t.Errorf("left behind: %d temporary files", len(left))
	}
}

// essence is what an answer says of the context.
func essence(t *testing.T, out []byte) string {
	t.Helper()
	var r struct {
		Used     *int64 `json:"used_tokens"`
		Measured *int64 `json:"measured_tokens"`
		Compact  struct {
			Count *int64 `json:"count"`
		} `json:"compaction"`
	}
	if err := json.Unmarshal(out, &r); err != nil {
		t.Errorf("no JSON: %v", err)
		return ""
	}
	show := func(n *int64) string {
		if n == nil {
			return "null"
		}
		return fmt.Sprint(*n)
	}
	return show(r.Used) + " used, " + show(r.Measured) + " measured, " + show(r.Compact.Count) + " compactions"
}
