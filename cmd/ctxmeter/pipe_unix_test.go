//go:build unix

package main

import (
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// gonePipe is a pipe whose reader has gone.
type gonePipe struct{}

func (gonePipe) Write([]byte) (int, error) {
	return 0, &os.PathError{Op: "write", Path: "|1", Err: syscall.EPIPE}
}

// '| head' is no error to tell of, and what was begun is done to its end.
func TestAReaderThatGoesAwayIsNoError(t *testing.T) {
	for _, tt := range []struct {
		args string
		code int
	}{
		{"demo --json", exitUnread},
		{"demo", exitUnread},
		{"install", exitUnread},
		{"install --apply", exitReading},
		{"uninstall", exitUnread},
		{"uninstall --apply", exitReading},
		{"config", exitUnread},
		{"no-such-command", exitNoReading},
	} {
		s := newShop(t)
		if strings.HasPrefix(tt.args, "uninstall") {
			s.good("install", "--apply")
		}
		before := s.tree()
		var stderr strings.Builder
		p := s.programIn(gonePipe{}, &stderr)
		code := p.run(t.Context(), append([]string{"ctxmeter"}, strings.Fields(tt.args)...))
		if code != tt.code || strings.Contains(stderr.String(), "standard output") || code == exitUnread && stderr.Len() > 0 {
			t.Errorf("%s: status %d, %q; want %d and nothing about the output", tt.args, code, stderr.String(), tt.code)
		}
		if after := s.tree(); strings.Contains(tt.args, "--apply") == (len(before) == len(after)) {
			t.Errorf("%s: %d files and folders, before it %d", tt.args, len(after), len(before))
		}
	}
}

// The same of the program itself, with a real pipe.
func TestTheProgramOutlivesItsReaderInSilence(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	in, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	in.Close()
	defer out.Close()
	var stderr strings.Builder
	cmd := exec.Command(self, "demo", "--json")
	cmd.Stdout, cmd.Stderr = out, &stderr
	cmd.Env = []string{"CTXMETER_TEST_BE_MAIN=1", "HOME=" + t.TempDir()}
	_ = cmd.Run()
	if code := cmd.ProcessState.ExitCode(); code != exitUnread || stderr.Len() > 0 {
		t.Errorf("status %d, %q", code, stderr.String())
	}
}
