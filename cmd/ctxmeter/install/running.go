package install

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/ctxmeter/ctxmeter/meter/files"
)

// isRunning reports whether a Claude Code of this root is at work, by its
// register of processes.
func isRunning(root, goos string) bool {
	dir := filepath.Join(root, "sessions")
	names, err := files.Names(dir)
	if err != nil {
		return false
	}
	for _, n := range names {
		pid, err := strconv.Atoi(strings.TrimSuffix(n, ".json"))
		if err != nil || pid <= 0 {
			continue
		}
		text, err := files.Read(filepath.Join(dir, n), maxRecord)
		if err != nil || !json.Valid(text) {
			continue
		}
		if alive(pid, goos) {
			return true
		}
	}
	return false
}

// alive reports whether there is a process of that number, whoever's it is.
func alive(pid int, goos string) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	if goos == "windows" { // there, finding it means that it is there
		_ = p.Release()
		return true
	}
	err = p.Signal(syscall.Signal(0))
	return err == nil || errors.Is(err, os.ErrPermission)
}
