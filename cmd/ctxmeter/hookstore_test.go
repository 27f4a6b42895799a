package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/ctxmeter/ctxmeter/meter"
)

func TestHookMemoryIsThereForItsOwnerOnly(t *testing.T) {
	h := newHookRig(t)
	h.reply(95_000)
	h.speaks("UserPromptSubmit", "critical", "Save the state")
	path := filepath.Join(h.state(), "claude-code-"+hookID+".json")
	data, err := os.ReadFile(path)
	if err != nil || !json.Valid(data) || strings.Contains(string(data), "secret") {
		t.Fatalf("%s, %v", data, err)
	}
	if runtime.GOOS == "windows" {
		return
	}
	for path, want := range map[string]os.FileMode{path: 0o600, h.state(): 0o700 | os.ModeDir} {
		if info, err := os.Lstat(path); err != nil || info.Mode() != want {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
}

// What is damaged counts for nothing; it is said again, and mended.
func TestDamagedHookMemoryIsForgotten(t *testing.T) {
	for name, data := range map[string]string{
		"empty": "", "no JSON": "{", "another version": `{"version":99,"level":"critical"}`, "other types": `{"version":2,"told":7}`,
		"too much":  `{"version":2,"level":"critical","told":[{},{},{},{},{},{},{}]}`,
		"too large": `{"version":2,"level":"critical"}` + strings.Repeat(" ", 1<<17),
		"below 0":   `{"version":2,"level":"critical","prompts":-1}`,
	} {
		h := newHookRig(t)
		h.reply(95_000)
		path := filepath.Join(h.state(), "claude-code-"+hookID+".json")
		if err := os.MkdirAll(h.state(), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
		h.speaks("UserPromptSubmit", name, "Save the state")
		h.silent("UserPromptSubmit", name)
	}
}

func TestHookMemoryIsBounded(t *testing.T) {
	h := newHookRig(t)
	if err := os.MkdirAll(h.state(), 0o700); err != nil {
		t.Fatal(err)
	}
	old := testNow.Add(-time.Hour)
	for i := range mostHookFiles + 50 {
		for _, ext := range []string{".json", ".1.tmp"} {
			path := filepath.Join(h.state(), fmt.Sprintf("claude-code-%04d%s", i, ext))
			at := old.Add(time.Duration(i) * time.Second)
			err := os.WriteFile(path, []byte("{}"), 0o600)
			if err == nil {
				err = os.Chtimes(path, at, at)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	h.reply(95_000)
	h.speaks("UserPromptSubmit", "critical", "Save the state")
	left, err := filepath.Glob(filepath.Join(h.state(), "*.*"))
	if err != nil || len(left) != keptHookFiles+1 {
		t.Errorf("%d files, %v", len(left), err)
	}
	if _, err := os.Stat(filepath.Join(h.state(), fmt.Sprintf("claude-code-%04d.json", mostHookFiles+49))); err != nil {
		t.Errorf("the newest is gone: %v", err)
	}
}

// While another hook of the session decides, this one says nothing, and neither
// spends the level. A lock goes with its holder, whatever its file says.
func TestHookWaitsForNoLock(t *testing.T) {
	h := newHookRig(t)
	h.reply(95_000)
	store, ok := h.program(nil, nil).hookStore(meter.Payload{Session: hookID}, "claude-code")
	if !ok {
		t.Fatal("no store")
	}
	unlock, ok := store.lock(t.Context())
	if !ok {
		t.Fatal("no lock")
	}
	later := time.Now().Add(1000 * time.Hour)
	if err := os.Chtimes(store.lockPath(), later, later); err != nil {
		t.Fatal(err)
	}
	h.silent("UserPromptSubmit", "locked")
	unlock()
	h.speaks("UserPromptSubmit", "free again", "Save the state")
}

// A lock that cannot be had is no reason to be silent.
func TestHookSpeaksWithoutALock(t *testing.T) {
	h := newHookRig(t)
	h.reply(95_000)
	for i := range lockFiles {
		if err := os.MkdirAll(filepath.Join(h.state(), fmt.Sprintf("lock-%x", i)), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	h.speaks("UserPromptSubmit", "a folder in the place of the lock", "Save the state")
}
