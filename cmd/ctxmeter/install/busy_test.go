package install

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wiring"
)

// The lock of Claude Code is waited for, taken over when it is stale, and
// removed.
func TestTheLockOfTheClientIsTaken(t *testing.T) {
	file := filepath.Join(t.TempDir(), ".claude.json")
	path := file + ".lock"
	mkdir := func() {
		if err := os.Mkdir(path, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	mkdir()
	waits := 0
	later := func(context.Context, time.Duration) {
		if waits++; waits == 3 {
			os.Remove(path)
		}
	}
	if err := lockClient(context.Background(), path, time.Now, later); err != nil || waits != 3 {
		t.Errorf("%v after %d", err, waits)
	}
	if _, err := os.Stat(path); err != nil {
		t.Error("it was not taken")
	}
	never := func(context.Context, time.Duration) {}
	if err := lockClient(context.Background(), path, time.Now, never); !errors.Is(err, errBusy) {
		t.Errorf("%v", err)
	}
	future := func() time.Time { return time.Now().Add(clientLockStale + time.Second) }
	waits = 0
	if err := lockClient(context.Background(), path, future, later); err != nil || waits > 0 {
		t.Errorf("%v after %d", err, waits)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	seen := false
	err := target{Place: wiring.Place{Path: file, Busy: filepath.Dir(file)}}.alone(context.Background(), func() error {
		_, err := os.Stat(path)
		seen = err == nil
		return nil
	})
	if _, e := os.Stat(path); err != nil || !seen || e == nil {
		t.Errorf("%v, held %v, removed %v", err, seen, e)
	}
}
