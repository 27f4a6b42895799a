package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
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

// Many windows draw the status line of one session while it grows: each line is
// that of some complete state, what the client told is whole, and nothing is
// left behind.
func TestManyStatusLinesOfOneGrowingSession(t *testing.T) {
	c := newConversation(t)
	home, last := t.TempDir(), 0
	r := c.rig().set("COLUMNS", "200")
	right := map[string]bool{}
	note := func() { right[r.statusline(c.said("claude-opus-4-8", -1, 200_000), "--no-cache")] = true }
	step := func(n int) {
		if last = c.prompt(last, "words"); n%10 == 9 {
			last = c.compact()
		}
		note()
		last = c.reply(last, "claude-opus-4-8", int64(20_000+1000*n))
		note()
	}
	for n := range 40 {
		step(n)
	}
	whole, err := os.ReadFile(c.path)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(whole, []byte("\n"))
	for i := range lines { // a compaction is written in two lines
		putFile(t, c.path, bytes.Join(lines[:i+1], nil))
		note()
	}
	const first = 20
	putFile(t, c.path, bytes.Join(lines[:first], nil))
	grow, err := os.OpenFile(c.path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer grow.Close()

	env := append(os.Environ(), "CTXMETER_TEST_BE_MAIN=1", "NO_COLOR=1", "TERM=xterm", "LANG=C.UTF-8", "LC_ALL=", "COLUMNS=200", "HOME="+home, "XDG_CACHE_HOME="+home, "XDG_STATE_HOME="+home, "XDG_CONFIG_HOME="+home, "LocalAppData="+home, "CLAUDE_CONFIG_DIR="+c.root)
	var wg sync.WaitGroup
	start := make(chan struct{})
	for window := range 8 {
		wg.Go(func() {
			<-start
			for range 6 {
				cmd := exec.Command(os.Args[0], "statusline")
				cmd.Env, cmd.Stdin = env, strings.NewReader(c.said("claude-opus-4-8", -1, 200_000))
				out, err := cmd.CombinedOutput()
				if err != nil || !right[strings.TrimSuffix(string(out), "\n")] {
					t.Errorf("window %d: %q, %v", window, out, err)
					return
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
	var left []string
	err = filepath.WalkDir(home, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			left = append(left, filepath.Base(filepath.Dir(path))+"/"+filepath.Ext(path))
		}
		return err
	})
	if err != nil || slices.ContainsFunc(left, func(name string) bool { return strings.HasSuffix(name, ".tmp") }) || !slices.Contains(left, "told/.json") {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
