//go:build unix

package doctor

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/paths"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wiring"
)

// A command that starts others does not leave them behind: what they hold open
// is closed when the trial is over.
func TestTrialEndsWhatTheCommandStarted(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	f, err := os.OpenFile(pipe, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	forks := scripted(t, "exec 3>"+paths.Quoted(pipe)+"; echo started >&3; sleep 600 & wait")
	got := RunTrial(context.Background(), Trial{Part: wiring.PartHooks, Words: []string{forks}, Path: os.Getenv("PATH"), Limit: time.Second, Sample: madeUp(t)})
	if got.Fault != "no answer within 1s" {
		t.Fatalf("%+v", got)
	}
	if err := f.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(f); err != nil || string(text) != "started\n" {
		t.Errorf("%q, %v", text, err)
	}
}
