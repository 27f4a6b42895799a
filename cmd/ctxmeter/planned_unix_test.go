//go:build unix

package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// What is no file is never opened: reading it would wait, or do something.
func TestPlannedDevices(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip("no pipes here")
	}
	if err := os.WriteFile(filepath.Join(dir, "file"), []byte("text\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"pipe", "/dev/zero", "/dev/null"} {
		_, err := wantPath(text).size(gardenSizing(dir))
		if want := "planned_path is a device, a pipe or the like, and no file: " + text; err == nil || faultOf(err).Message != want {
			t.Errorf("%s: %v", text, err)
		}
	}
	got, err := wantPath("*").size(gardenSizing(dir))
	if err != nil || *got.Files != 1 || got.Skipped != 0 {
		t.Errorf("%+v, %v", got, err)
	}
	if runtime.GOOS != "linux" {
		return
	}
	if err := os.Symlink("/proc/self/environ", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"link", "/proc/self/maps", "/proc", "/proc/self/*", "/sys/kernel/**", "/proc/kmsg"} {
		_, err := wantPath(text).size(gardenSizing(dir))
		if err == nil || !strings.HasPrefix(faultOf(err).Message, "planned_path is a part of the running system") {
			t.Errorf("%s: %v", text, err)
		}
	}
}
