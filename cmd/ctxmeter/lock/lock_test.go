//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly || windows

package lock

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
)

func TestALockHasOneHolder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	var holders, most, turns atomic.Int32
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			release, err := Take(t.Context(), path)
			if err != nil {
				t.Error(err)
				return
			}
			if n := holders.Add(1); n > most.Load() {
				most.Store(n)
			}
			if _, err := Try(path); !errors.Is(err, ErrLocked) {
				t.Errorf("a second one: %v", err)
			}
			turns.Add(1)
			holders.Add(-1)
			release()
		})
	}
	all.Wait()
	if most.Load() != 1 || turns.Load() != 8 {
		t.Errorf("%d at once, %d in all", most.Load(), turns.Load())
	}
}

func TestWhoWaitsForALockCanBeStopped(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	release, err := Try(path)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := Take(ctx, path); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// A killed process holds no lock.
func TestALockGoesWithItsHolder(t *testing.T) {
	if path := os.Getenv("CTXMETER_TEST_LOCK"); path != "" {
		if _, err := Try(path); err != nil {
			t.Fatal(err)
		}
		_, _ = os.Stdout.WriteString("locked\n")
		_, _ = io.ReadAll(os.Stdin) // until it is killed
		return
	}
	path := filepath.Join(t.TempDir(), "lock")
	cmd := exec.Command(os.Args[0], "-test.run", "^TestALockGoesWithItsHolder$")
	cmd.Env = append(os.Environ(), "CTXMETER_TEST_LOCK="+path)
	if _, err := cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || line != "locked\n" {
		t.Errorf("%q, %v", line, err)
	}
	if _, err := Try(path); !errors.Is(err, ErrLocked) {
		t.Errorf("while it lives: %v", err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	release, err := Try(path)
	if err != nil {
		t.Fatalf("when it is gone: %v", err)
	}
	release()
}
