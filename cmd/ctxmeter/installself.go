package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/paths"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wording"
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
		return self{}, badArgument("where ctxmeter itself is cannot be found out: %s", wording.Cause(err))
	}
	if onlyForOneRun(exe) {
		return self{}, badArgument("this ctxmeter was made by 'go run' and will be gone: build it with 'go install ./cmd/ctxmeter' and install with that")
	}
	if i.onPath(exe) {
		return byName(), nil
	}
	var s self
	if i.p.goos == "windows" {
		if s, err = windowsSelf(exe, i.short); err != nil {
			return self{}, err
		}
	} else {
		if !utf8.ValidString(exe) {
			return self{}, badArgument("the path of ctxmeter is no valid UTF-8, and settings files are: %s; move it, or put its folder on the PATH", strconv.Quote(exe))
		}
		word := oneWord(exe)
		s = self{exe, word, word}
	}
	if !ours(s.shell+" "+subcommand(partHooks), partHooks) {
		return self{}, badArgument("ctxmeter would not know its own entries again by this path: %s; name the program ctxmeter, in a folder without control characters", exe)
	}
	return s, nil
}

// oneWord is a path as a shell has to get it.
func oneWord(path string) string {
	if words, _, plain := shellWords(path); plain && len(words) == 1 && words[0] == path {
		return paths.Quoted(path)
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
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

// onlyForOneRun reports whether 'go run' made the program: in a folder of its
// own below the temporary one (go-build123/b001/exe), or, since Go 1.24, in the
// build cache (ab/abcdef…-d).
func onlyForOneRun(exe string) bool {
	dirs := strings.Split(filepath.ToSlash(filepath.Dir(exe)), "/")
	n := len(dirs)
	return n > 2 && dirs[n-1] == "exe" && buildStep.MatchString(dirs[n-2]) && buildFolder.MatchString(dirs[n-3]) ||
		n > 1 && buildOutput.MatchString(dirs[n-1]) && len(dirs[n-2]) == 2 && strings.HasPrefix(dirs[n-1], dirs[n-2])
}

var (
	buildFolder = regexp.MustCompile(`^go-build[0-9]+$`)
	buildStep   = regexp.MustCompile(`^b[0-9]{3,}$`)
	buildOutput = regexp.MustCompile(`^[0-9a-f]{3,}-d$`)
)

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
