package changes

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// long bounds what a test waits for; it never decides whether one passes.
func long(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(cancel)
	return ctx
}

func seen(t *testing.T, w *Watch, file string) {
	t.Helper()
	ctx := long(t)
	for w.Next(ctx) {
		if _, err := os.Stat(file); err == nil {
			return
		}
	}
	t.Fatal("the change went unnoticed")
}

func TestAChangeIsNoticed(t *testing.T) {
	dir := t.TempDir()
	w := New([]string{dir})
	defer w.Close()
	file := filepath.Join(dir, "a")
	go func() { _ = os.WriteFile(file, nil, 0o600) }()
	seen(t, w, file)
}

func TestAFolderThatCannotBeWatchedIsPolled(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "later")
	w := New([]string{dir})
	defer w.Close()
	if w.every != pollEvery {
		t.Errorf("looked at every %v", w.every)
	}
	go func() { _ = os.Mkdir(dir, 0o700) }()
	seen(t, w, dir)
}

func TestWithoutTheSystemsNoticesThereIsTheClock(t *testing.T) {
	w := New(nil)
	w.Close()
	w = &Watch{recheck: time.NewTicker(pollEvery)}
	defer w.Close()
	if !w.Next(long(t)) {
		t.Error("nothing was heard")
	}
}

func TestAnEndIsNoChange(t *testing.T) {
	w := New([]string{t.TempDir()})
	defer w.Close()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if w.Next(ctx) {
		t.Error("a change, after the end")
	}
}
