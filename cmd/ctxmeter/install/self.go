package install

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
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wiring"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wording"
	"github.com/ctxmeter/ctxmeter/meter"
)

// findSelf tells how the running program can be started: by its name, if that
// is how the PATH finds this same file, else by its absolute path.
func (i *installer) findSelf() (wiring.Self, error) {
	exe, err := i.Executable()
	if err != nil {
		return wiring.Self{}, impossible("where ctxmeter itself is cannot be found out: %s", wording.Cause(err))
	}
	if OnlyForOneRun(exe) {
		return wiring.Self{}, impossible("this ctxmeter was made by 'go run' and will be gone: build it with 'go install ./cmd/ctxmeter' and install with that")
	}
	if i.onPath(exe) {
		return wiring.ByName(), nil
	}
	var s wiring.Self
	if i.Env.OS == "windows" {
		if s, err = windowsSelf(exe, shortPath); err != nil {
			return wiring.Self{}, err
		}
	} else {
		if !utf8.ValidString(exe) {
			return wiring.Self{}, impossible("the path of ctxmeter is no valid UTF-8, and settings files are: %s; move it, or put its folder on the PATH", strconv.Quote(exe))
		}
		word := oneWord(exe)
		s = wiring.Self{Program: exe, Shell: word, Cmd: word}
	}
	if !wiring.Ours(s.Shell+" "+wiring.Subcommand(wiring.PartHooks), wiring.PartHooks) {
		if name := filepath.Base(exe); !wiring.IsCtxmeter(name) {
			return wiring.Self{}, impossible("this program is called %s, and 'uninstall' finds its entries by the name ctxmeter: rename it to ctxmeter and install again", name)
		}
		return wiring.Self{}, impossible("the path of ctxmeter has control characters in it, which no shell takes as they are: %s; move it to another folder", strconv.Quote(exe))
	}
	return s, nil
}

// oneWord is a path as a shell has to get it.
func oneWord(path string) string {
	if words, _, plain := wiring.ShellWords(path); plain && len(words) == 1 && words[0] == path {
		return paths.Quoted(path)
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}

// windowsSelf finds a form of a path that no shell on Windows takes apart.
// Claude Code asks Git Bash, to which a backslash is no separator, or
// PowerShell, to which a quoted path is no command, and which drops the quotes
// (anthropics/claude-code#88256): only a path without spaces serves both. Codex
// asks cmd.exe (codex-rs/hooks/src/engine/command_runner.rs).
func windowsSelf(exe string, short func(string) (string, error)) (wiring.Self, error) {
	path := exe
	if !plainWindows(path) {
		if s, err := short(path); err == nil {
			path = s
		}
	}
	if !plainWindows(path) {
		return wiring.Self{}, impossible("the path of ctxmeter has characters that Git Bash and PowerShell read differently: %s; move it to a folder without spaces, or put its folder on the PATH", exe)
	}
	return wiring.Self{Program: exe, Shell: strings.ReplaceAll(path, `\`, "/"), Cmd: path}, nil
}

func plainWindows(path string) bool {
	return strings.Trim(path, `abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/\:._-~`) == "" && !strings.HasPrefix(path, "~")
}

// OnlyForOneRun reports whether 'go run' made the program: in a folder of its
// own below the temporary one (go-build123/b001/exe), or, since Go 1.24, in the
// build cache (ab/abcdef…-d).
func OnlyForOneRun(exe string) bool {
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
	if i.Env.OS == "windows" {
		name += ".exe"
	}
	for _, dir := range filepath.SplitList(i.Env.Getenv("PATH")) {
		if !filepath.IsAbs(dir) {
			continue
		}
		info, err := os.Stat(filepath.Join(dir, name))
		if err == nil && info.Mode().IsRegular() && (i.Env.OS == "windows" || info.Mode().Perm()&0o111 != 0) {
			return os.SameFile(this, info)
		}
	}
	return false
}

// tryLimit is how long ctxmeter may take to tell its version.
const tryLimit = 20 * time.Second

// Try starts ctxmeter in the way that is about to be written. goos is as
// runtime.GOOS. The error is a sentence for people.
func Try(ctx context.Context, s wiring.Self, goos string) error {
	ctx, stop := context.WithTimeout(ctx, tryLimit)
	defer stop()
	shells := [][]string{{s.Program, "--version"}}
	if goos != "windows" {
		shells = append(shells, []string{"/bin/sh", "-c", s.Shell + " --version"})
	} else {
		for shell, flags := range map[string][]string{
			"powershell.exe": {"-NoProfile", "-NonInteractive", "-Command", s.Shell + " --version"},
			"cmd.exe":        {"/C", s.Cmd + " --version"},
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

// impossible is what is said of an installation that cannot be.
func impossible(format string, args ...any) error {
	return &meter.Fault{Code: meter.CodeBadArgument, Message: fmt.Sprintf(format, args...)}
}
