package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/paths"
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

// The commands that are installed, run as the doctor does, really answer.
func TestTrialOfTheProgramItself(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range allParts() {
		shell := ""
		if _, err := exec.LookPath("/bin/sh"); err == nil {
			shell = paths.Quoted(self) + " " + subcommand(part)
		}
		got := runTrial(context.Background(), trial{
			part: part, words: []string{self, subcommand(part)}, shell: shell,
			environ: []string{"CTXMETER_TEST_BE_MAIN=1", "GORACE=atexit_sleep_ms=0"}, limit: time.Minute,
		})
		if got.fault != "" || got.took <= 0 {
			t.Errorf("%s: %+v", part, got)
		}
	}
}

func TestTrialFaults(t *testing.T) {
	for _, tt := range []struct{ part, script, want string }{
		{partStatusLine, "echo '86 % 173k/200k'", ""},
		{partStatusLine, "echo 'ctxmeter 0.9'", "not this status line"},
		{partStatusLine, "echo '86 % 173k/200k'; echo more", "more than one line"},
		{partStatusLine, "echo --", "no reading"},
		{partStatusLine, "exit 3", "ends with an error"},
		{partHooks, `echo '{"hookSpecificOutput":{"additionalContext":"full"}}'`, ""},
		{partHooks, "echo '{}'", "does not warn"},
		{partMCP, `echo '{"id":2,"result":{"tools":[{"name":"context_status"}]}}'`, ""},
		{partMCP, `echo '{"id":2,"result":{"tools":[{"name":"other"}]}}'`, "does not offer its tool"},
		{partMCP, `grep -q tools/list && echo '{"id":1}'`, "does not offer its tool"},
		{partMCP, "exit 2", "ends with an error"},
		{partHooks, "", "does not warn"},
		{partHooks, "echo oops", "does not warn"},
		// What it gets is a place of its own.
		{partStatusLine, `[ "$PWD" = "$HOME" ] && [ "$XDG_STATE_HOME" = "$HOME/state" ] && [ -z "$ANTHROPIC_API_KEY" ] && grep -q transcript_path && echo '86 % 173k/200k'`, ""},
	} {
		path := scripted(t, tt.script)
		t.Setenv("ANTHROPIC_API_KEY", "secret")
		got := runTrial(context.Background(), trial{part: tt.part, words: []string{path, subcommand(tt.part)}, path: os.Getenv("PATH"), limit: time.Minute})
		if tt.want == "" && got.fault != "" || !strings.Contains(got.fault, tt.want) {
			t.Errorf("%q: %q, want %q", tt.script, got.fault, tt.want)
		}
	}
	if got := runTrial(context.Background(), trial{part: partHooks, words: []string{filepath.Join(t.TempDir(), "none")}, limit: time.Minute}); !strings.Contains(got.fault, "does not start") {
		t.Errorf("%+v", got)
	}
	endless := trial{part: partHooks, words: []string{scripted(t, "while :; do :; done")}, limit: 50 * time.Millisecond}
	if got := runTrial(context.Background(), endless); got.fault != "no answer within 50ms" {
		t.Errorf("%+v", got)
	}
}
