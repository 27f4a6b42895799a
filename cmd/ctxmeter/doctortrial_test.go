package main

import (
	"context"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/doctor"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/paths"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wiring"
)

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
		got := doctor.RunTrial(context.Background(), doctor.Trial{
			Part: part, Words: []string{self, wiring.Subcommand(part)}, Shell: shell,
			Environ: []string{"CTXMETER_TEST_BE_MAIN=1", "GORACE=atexit_sleep_ms=0"}, Limit: time.Minute,
			Sample: sampleToTry, Tool: toolName, Nothing: nothingToShow,
		})
		if got.Fault != "" || got.Took <= 0 {
			t.Errorf("%s: %+v", part, got)
		}
	}
}
