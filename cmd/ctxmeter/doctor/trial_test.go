package doctor

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wiring"
)

// scripted is a program by the name of ctxmeter that does what a script says.
func scripted(t *testing.T, script string) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("there are no scripts here")
	}
	path := filepath.Join(t.TempDir(), "ctxmeter")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestTrialFaults(t *testing.T) {
	for _, tt := range []struct{ part, script, want string }{
		{wiring.PartStatusLine, "echo '86 % 173k/200k'", ""},
		{wiring.PartStatusLine, "echo 'ctxmeter 0.9'", "not this status line"},
		{wiring.PartStatusLine, "echo '86 % 173k/200k'; echo more", "more than one line"},
		{wiring.PartStatusLine, "echo --", "no reading"},
		{wiring.PartStatusLine, "exit 3", "ends with an error"},
		{wiring.PartHooks, `echo '{"hookSpecificOutput":{"additionalContext":"full"}}'`, ""},
		{wiring.PartHooks, "echo '{}'", "does not warn"},
		{wiring.PartMCP, `echo '{"id":2,"result":{"tools":[{"name":"context_status"}]}}'`, ""},
		{wiring.PartMCP, `echo '{"id":2,"result":{"tools":[{"name":"other"}]}}'`, "does not offer its tool"},
		{wiring.PartMCP, `grep -q tools/list && echo '{"id":1}'`, "does not offer its tool"},
		{wiring.PartMCP, "exit 2", "ends with an error"},
		{wiring.PartHooks, "", "does not warn"},
		{wiring.PartHooks, "echo oops", "does not warn"},
		// What it gets is a place of its own.
		{wiring.PartStatusLine, `[ "$PWD" = "$HOME" ] && [ "$XDG_STATE_HOME" = "$HOME/state" ] && [ -z "$ANTHROPIC_API_KEY" ] && grep -q transcript_path && echo '86 % 173k/200k'`, ""},
	} {
		path := scripted(t, tt.script)
		t.Setenv("ANTHROPIC_API_KEY", "secret")
		got := RunTrial(context.Background(), Trial{Part: tt.part, Words: []string{path, wiring.Subcommand(tt.part)}, Path: os.Getenv("PATH"), Limit: time.Minute, Sample: madeUp(t), Tool: "context_status", Nothing: "--"})
		if tt.want == "" && got.Fault != "" || !strings.Contains(got.Fault, tt.want) {
			t.Errorf("%q: %q, want %q", tt.script, got.Fault, tt.want)
		}
	}
	if got := RunTrial(context.Background(), Trial{Part: wiring.PartHooks, Words: []string{filepath.Join(t.TempDir(), "none")}, Limit: time.Minute, Sample: madeUp(t)}); !strings.Contains(got.Fault, "does not start") {
		t.Errorf("%+v", got)
	}
	endless := Trial{Part: wiring.PartHooks, Words: []string{scripted(t, "while :; do :; done")}, Limit: 50 * time.Millisecond, Sample: madeUp(t)}
	if got := RunTrial(context.Background(), endless); got.Fault != "no answer within 50ms" {
		t.Errorf("%+v", got)
	}
}

// madeUp is a session without records: the scripts do not read them.
func madeUp(t *testing.T) func() (Sample, error) {
	dir := t.TempDir()
	return func() (Sample, error) {
		return Sample{
			ID: "5ca1ab1e-0de0-4c0d-9e55-10caf0deba5e", Dir: dir, File: filepath.Join(dir, "a.jsonl"),
			Grow: func(int) error { return nil }, Remove: func() {},
		}, nil
	}
}
