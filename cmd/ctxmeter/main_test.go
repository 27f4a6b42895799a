package main

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// The program as a process: statuses and streams, in a home with nothing in it.
func TestTheProgramItself(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := sampleFolder(t, 30)
	for _, tt := range []struct {
		args           []string
		code           int
		stdout, stderr string
	}{
		{[]string{"--version"}, 0, "ctxmeter ", ""},
		{[]string{"--claude-dir", dir, "-t", sampleID}, 0, `{"schema_version":1,"status":"stale"`, ""},
		{[]string{"--claude-dir", dir, "-t", sampleID, "--fail-at", "1k"}, 1, `{"schema_version":1,`, ""},
		{[]string{"-t", sampleID}, 2, `{"schema_version":1,"status":"unavailable"`, "ctxmeter: no session has this id"},
		{[]string{"demo"}, 0, "A made-up", ""},
	} {
		var stdout, stderr strings.Builder
		cmd := exec.Command(self, tt.args...)
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		cmd.Env = []string{"CTXMETER_TEST_BE_MAIN=1", "HOME=" + t.TempDir(), "USERPROFILE=" + t.TempDir()}
		if root := os.Getenv("SystemRoot"); root != "" {
			cmd.Env = append(cmd.Env, "SystemRoot="+root)
		}
		err := cmd.Run()
		code := 0
		if exit, ok := errors.AsType[*exec.ExitError](err); ok {
			code = exit.ExitCode()
		} else if err != nil {
			t.Fatal(err)
		}
		if code != tt.code || !strings.HasPrefix(stdout.String(), tt.stdout) || !strings.HasPrefix(stderr.String(), tt.stderr) || tt.stderr == "" && stderr.Len() > 0 {
			t.Errorf("%v: status %d, %q, %q", tt.args, code, stdout.String(), stderr.String())
		}
	}
}
