//go:build unix

package doctor

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
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

// One that ends by itself leaves nothing behind, either: what it started ends
// as well, and where it can be told, what has left its group.
func TestTrialEndsWhatACommandLeavesBehind(t *testing.T) {
	away := ""
	if _, err := exec.LookPath("setsid"); err == nil && runtime.GOOS == "linux" {
		away = "setsid sleep 600 >/dev/null & "
	}
	for name, leave := range map[string]string{
		"":                      "sleep 600 >/dev/null & ",
		"keeps its output open": "sleep 600 & ",
		"in a group of its own": away,
	} {
		pipe := filepath.Join(t.TempDir(), "pipe")
		if err := syscall.Mkfifo(pipe, 0o600); err != nil {
			t.Skip(err)
		}
		f, err := os.OpenFile(pipe, os.O_RDONLY|syscall.O_NONBLOCK, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		forks := scripted(t, "exec 3>"+paths.Quoted(pipe)+"; echo started >&3; "+leave+"echo '86 % 173k/200k'")
		got := RunTrial(context.Background(), Trial{Part: wiring.PartStatusLine, Words: []string{forks}, Path: os.Getenv("PATH"), Limit: time.Minute, Sample: madeUp(t)})
		if fault := name == "keeps its output open"; fault != (got.Fault != "") || fault && !strings.Contains(got.Fault, name) {
			t.Errorf("%q: %+v", name, got)
		}
		if err := f.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
			t.Fatal(err)
		}
		if text, err := io.ReadAll(f); err != nil || string(text) != "started\n" {
			t.Errorf("%q: %q, %v", name, text, err)
		}
	}
}

func TestTrialKnowsThatThereIsNoTemporaryFolder(t *testing.T) {
	sample := madeUp(t)
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "none"))
	if got := RunTrial(context.Background(), Trial{Part: wiring.PartHooks, Words: []string{"/bin/true"}, Limit: time.Minute, Sample: sample}); !got.Unready || got.Fault != "" {
		t.Errorf("%+v", got)
	}
}
