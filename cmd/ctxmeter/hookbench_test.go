package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The hook as a process, on a transcript of a gigabyte (CTXMETER_BENCH_MB for
// another size) that has a sidecar: none is an event that says nothing, same a
// transcript that has not changed, grown one that has, read a planned read that
// has to be counted.
//
//	go test ./cmd/ctxmeter -run '^$' -bench HookProcess -benchtime 200x
func BenchmarkHookProcess(b *testing.B) {
	dir := b.TempDir()
	bin := filepath.Join(dir, "ctxmeter")
	build := exec.Command("go", "build", "-o", bin, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("building: %v\n%s", err, out)
	}
	path := filepath.Join(dir, "claude", "projects", "-home-dev-long", longID+".jsonl")
	writeLong(b, path, benchSize(b))
	file := filepath.Join(dir, "file.txt")
	if err := os.WriteFile(file, []byte(strings.Repeat("the quick brown fox jumps over the lazy dog\n", 5500)), 0o600); err != nil {
		b.Fatal(err)
	}
	env := append(os.Environ(), "HOME="+dir, "CLAUDE_CONFIG_DIR="+filepath.Join(dir, "claude"),
		"XDG_CACHE_HOME="+filepath.Join(dir, "cache"), "XDG_STATE_HOME="+filepath.Join(dir, "state"))
	once := func(args []string, payload string) {
		cmd := exec.Command(bin, args...)
		cmd.Env, cmd.Stdin = env, strings.NewReader(payload)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		if err := cmd.Run(); err != nil || stderr.Len() > 0 {
			b.Fatalf("%v, %s", err, stderr.String())
		}
	}
	payload := func(event, more string) string {
		return fmt.Sprintf(`{"session_id":"%s","transcript_path":%q,"cwd":%q,"hook_event_name":"%s"%s}`, longID, path, dir, event, more)
	}
	once([]string{"--session-file", path, "--json", "--max-scan-bytes", "0"}, "") // leaves a sidecar
	hook := []string{"hook"}
	at := time.Now()
	touch := func() {
		at = at.Add(time.Second)
		if err := os.Chtimes(path, at, at); err != nil {
			b.Fatal(err)
		}
	}
	for _, run := range []struct {
		name    string
		payload string
		changed bool
	}{
		{"none", payload("Stop", ""), false},
		{"same", payload("UserPromptSubmit", ""), false},
		{"grown", payload("UserPromptSubmit", ""), true},
		{"read", payload("PreToolUse", `,"tool_name":"Read","tool_input":{"file_path":"`+file+`"}`), true},
	} {
		b.Run(run.name, func(b *testing.B) {
			once(hook, run.payload)
			for b.Loop() {
				if run.changed {
					touch()
				}
				once(hook, run.payload)
			}
		})
	}
}
