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

// The commands that are installed, run as the doctor does, really answer.
func TestTrialOfTheProgramItself(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range wiring.Parts() {
		shell := ""
		if _, err := exec.LookPath("/bin/sh"); err == nil {
			shell = paths.Quoted(self) + " " + wiring.Subcommand(part)
		}
		got := runTrial(context.Background(), trial{
			part: part, words: []string{self, wiring.Subcommand(part)}, shell: shell,
			environ: []string{"CTXMETER_TEST_BE_MAIN=1", "GORACE=atexit_sleep_ms=0"}, limit: time.Minute,
		})
		if got.fault != "" || got.took <= 0 {
			t.Errorf("%s: %+v", part, got)
		}
	}
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
		got := runTrial(context.Background(), trial{part: tt.part, words: []string{path, wiring.Subcommand(tt.part)}, path: os.Getenv("PATH"), limit: time.Minute})
		if tt.want == "" && got.fault != "" || !strings.Contains(got.fault, tt.want) {
			t.Errorf("%q: %q, want %q", tt.script, got.fault, tt.want)
		}
	}
	if got := runTrial(context.Background(), trial{part: wiring.PartHooks, words: []string{filepath.Join(t.TempDir(), "none")}, limit: time.Minute}); !strings.Contains(got.fault, "does not start") {
		t.Errorf("%+v", got)
	}
	endless := trial{part: wiring.PartHooks, words: []string{scripted(t, "while :; do :; done")}, limit: 50 * time.Millisecond}
	if got := runTrial(context.Background(), endless); got.fault != "no answer within 50ms" {
		t.Errorf("%+v", got)
	}
}
