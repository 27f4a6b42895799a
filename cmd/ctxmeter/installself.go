package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// self is how the clients are to start ctxmeter.
type self struct {
	program string // for those that start it themselves
	shell   string // for Claude Code, which asks a shell
	cmd     string // for Codex, which asks another one on Windows
}

// findSelf tells how the running program can be started: by its name, if that
// is how the PATH finds this same file, else by its absolute path.
func (i *installer) findSelf() (self, error) {
	exe, err := i.executable()
	if err != nil {
		return self{}, badArgument("where ctxmeter itself is cannot be found out: %s", cause(err))
	}
	if onlyForOneRun(exe) {
		return self{}, badArgument("this ctxmeter was made by 'go run' and will be gone: build it with 'go install ./cmd/ctxmeter' and install with that")
	}
	if i.onPath(exe) {
		return byName(), nil
	}
	if i.p.goos != "windows" {
		return self{exe, shellWord(exe), shellWord(exe)}, nil
	}
	return windowsSelf(exe, i.short)
}

// windowsSelf finds a form of a path that no shell on Windows takes apart.
// Claude Code asks Git Bash, to which a backslash is no separator, or
// PowerShell, to which a quoted path is no command, and which drops the quotes
// (anthropics/claude-code#88256): only a path without spaces serves both. Codex
// asks cmd.exe (codex-rs/hooks/src/engine/command_runner.rs).
func windowsSelf(exe string, short func(string) (string, error)) (self, error) {
	path := exe
	if !plainWindows(path) {
		if s, err := short(path); err == nil {
			path = s
		}
	}
	if !plainWindows(path) {
		return self{}, badArgument("the path of ctxmeter has characters that Git Bash and PowerShell read differently: %s; move it to a folder without spaces, or put its folder on the PATH", exe)
	}
	return self{exe, strings.ReplaceAll(path, `\`, "/"), path}, nil
}

func plainWindows(path string) bool {
	return strings.Trim(path, `abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/\:._-~`) == "" && !strings.HasPrefix(path, "~")
}

// onlyForOneRun reports whether 'go run' made the program: below the temporary
// folder, or, since Go 1.24, in the build cache.
func onlyForOneRun(exe string) bool {
	for dir := range strings.SplitSeq(filepath.ToSlash(filepath.Dir(exe)), "/") {
		if strings.HasPrefix(dir, "go-build") {
			return true
		}
	}
	return false
}

// onPath reports whether the name ctxmeter finds this very file. Relative
// folders of the PATH are passed over: the clients run elsewhere.
func (i *installer) onPath(exe string) bool {
	this, err := os.Stat(exe)
	if err != nil {
		return false
	}
	name := "ctxmeter"
	if i.p.goos == "windows" {
		name += ".exe"
	}
	for _, dir := range filepath.SplitList(i.p.getenv("PATH")) {
		if !filepath.IsAbs(dir) {
			continue
		}
		info, err := os.Stat(filepath.Join(dir, name))
		if err == nil && info.Mode().IsRegular() && (i.p.goos == "windows" || info.Mode().Perm()&0o111 != 0) {
			return os.SameFile(this, info)
		}
	}
	return false
}

// tryLimit is how long ctxmeter may take to tell its version.
const tryLimit = 20 * time.Second

// try starts ctxmeter in the way that is about to be written.
func (s self) try(ctx context.Context, goos string) error {
	ctx, stop := context.WithTimeout(ctx, tryLimit)
	defer stop()
	shells := [][]string{{s.program, "--version"}}
	if goos != "windows" {
		shells = append(shells, []string{"/bin/sh", "-c", s.shell + " --version"})
	} else {
		for shell, flags := range map[string][]string{
			"powershell.exe": {"-NoProfile", "-NonInteractive", "-Command", s.shell + " --version"},
			"cmd.exe":        {"/C", s.cmd + " --version"},
		} {
			if path, err := exec.LookPath(shell); err == nil {
				shells = append(shells, append([]string{path}, flags...))
			}
		}
	}
	for _, args := range shells {
		out, err := exec.CommandContext(ctx, args[0], args[1:]...).Output()
		if err == nil && !strings.HasPrefix(string(out), "ctxmeter ") {
			err = errors.New("something else answered")
		}
		if err != nil {
			return fmt.Errorf("the command does not work (%s): %w", strings.Join(args, " "), err)
		}
	}
	return nil
}
