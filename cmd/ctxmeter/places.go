package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/paths"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wording"
	"github.com/ctxmeter/ctxmeter/config"
	"github.com/ctxmeter/ctxmeter/meter"
	"github.com/ctxmeter/ctxmeter/meter/files"
)

// checkFolders looks whether the client folders on the command line are what
// they should be. Those of variables and the file may be for other machines.
func (p *program) checkFolders(s *config.Settings, wd string) error {
	for _, f := range []struct {
		key, holds, client string
		dirs               []string
	}{
		{"claude_dirs", "projects", "Claude Code", s.ClaudeDirs},
		{"codex_homes", "sessions", "Codex", s.CodexHomes},
	} {
		origin := s.Origin(f.key)
		if origin.Layer != config.LayerFlag {
			continue
		}
		for _, dir := range f.dirs {
			switch full := paths.Under(wd, dir); {
			case !files.IsDir(full):
				return badArgument("%s names no folder: %s", origin.Name, dir)
			case files.IsDir(filepath.Join(full, f.holds)):
			case filepath.Base(full) == f.holds:
				return badArgument("%s wants the folder that %s is in: %s", origin.Name, f.holds, filepath.Dir(full))
			default:
				return badArgument("%s names no folder of %s, for there is no %s folder in it: %s", origin.Name, f.client, f.holds, dir)
			}
		}
	}
	return nil
}

// checkExist looks whether the client folders on the command line are there. A
// server may be started before its client has written the first session.
func checkExist(s *config.Settings, wd string) error {
	for key, dirs := range map[string][]string{"claude_dirs": s.ClaudeDirs, "codex_homes": s.CodexHomes, "cwd": {s.Dir}} {
		origin := s.Origin(key)
		for _, dir := range dirs {
			if origin.Layer == config.LayerFlag && !files.IsDir(paths.Under(wd, dir)) {
				return badArgument("%s names no folder: %s", origin.Name, dir)
			}
		}
	}
	return nil
}

// unusable says what is wrong with the file that flag was given as typed, if
// anything is that one can see without knowing what it should hold.
func unusable(path, typed, flag string) error {
	info, err := os.Stat(path)
	var problem string
	switch {
	case errors.Is(err, fs.ErrNotExist):
		problem = "names no file"
	case err != nil:
		problem = "names a file that cannot be read, " + wording.Reason(err)
	case info.IsDir():
		problem = "names a folder, not a transcript"
	case !info.Mode().IsRegular():
		problem = "names a device or a pipe, not a transcript"
	default:
		f, _, err := files.Open(path)
		if err == nil {
			f.Close()
			return nil
		}
		problem = "names a file that cannot be read, " + wording.Reason(err)
	}
	return &meter.Fault{Code: meter.CodeUnreadable, Message: fmt.Sprintf("%s %s: %s", flag, problem, typed), Err: err}
}

// elsewhere tells where else sessions may be.
func (f *finder) elsewhere() string {
	if f.home == "" {
		return "no home folder is known to search in: set HOME, or name a client's folder with --claude-dir or --codex-home"
	}
	return "--claude-dir and --codex-home name further folders to search"
}

func (f *finder) nothingHere() error {
	message := "no session of this folder was found"
	if hint := f.above(); hint != "" {
		message += "; " + hint
	} else {
		message += ": start one here, or say which with --thread-id or --cwd"
	}
	return &meter.Fault{Code: meter.CodeSessionNotFound, Message: message + "; " + f.elsewhere() + ", and 'ctxmeter demo' shows a sample"}
}

// above names the nearest folder above the working folder, up to the home
// folder, that has sessions.
func (f *finder) above() string {
	which := "the folder above"
	for dir := f.dir; dir != f.home && dir != filepath.Dir(dir); {
		dir = filepath.Dir(dir)
		n := 0
		for _, c := range f.clients {
			sessions, _ := c.Here(dir)
			n += len(sessions)
		}
		if n > 0 {
			return fmt.Sprintf("%s, %s, has %d: --cwd %s", which, dir, n, paths.Quoted(dir))
		}
		which = "a folder above"
	}
	return ""
}
