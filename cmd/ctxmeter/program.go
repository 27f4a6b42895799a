package main

import (
	"context"
	"errors"
	"io"
	"os"
	"os/user"
	"path/filepath"
	"runtime"
	"time"

	"github.com/ctxmeter/ctxmeter/backends"
	"github.com/ctxmeter/ctxmeter/backends/claudecode"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/doctor"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/install"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/lock"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wiring"
	"github.com/ctxmeter/ctxmeter/config"
	"github.com/ctxmeter/ctxmeter/meter"
)

// Exit statuses.
const (
	exitReading     = 0   // a reading was given
	exitLimit       = 1   // a reading was given, and it is at or over --fail-at
	exitNoReading   = 2   // see the error
	exitInterrupted = 130 // by a signal, as shells say it
	exitUnread      = 141 // nobody reads on: SIGPIPE, as shells say it
)

// program is what a run of ctxmeter depends on: all of the process's
// surroundings, so that a test can stand in for any of them.
type program struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	getenv         func(string) string
	environ        func() []string
	getwd          func() (string, error)
	now            func() time.Time
	wait           func(context.Context, time.Duration)
	screen         func(io.Writer) screen
	clients        func(meter.Env) []backends.Client
	account        func() string // the user's home folder, where no variable names it
	goos           string
	executable     func() (string, error) // the running program
	version        func() string
	managed        func(meter.Env) []string                                    // an administrator's settings of Claude Code
	trial          func(ctx context.Context, t doctor.Trial) doctor.Result     // try what is installed
	try            func(ctx context.Context, s wiring.Self, goos string) error // start what an installation is about to write
	counted        int64                                                       // bytes of a planned file that are counted, at most

	unwritable bool // standard output failed
	gone       bool // nobody reads it any longer
	variables  bool // those that set nothing were told
}

func newProgram(stdin io.Reader, stdout, stderr io.Writer, getenv func(string) string) *program {
	return &program{
		stdin: stdin, stdout: stdout, stderr: stderr,
		getenv:     getenv,
		environ:    os.Environ,
		getwd:      os.Getwd,
		now:        time.Now,
		wait:       lock.Pause,
		screen:     screenOf,
		clients:    backends.All,
		account:    accountHome,
		goos:       runtime.GOOS,
		executable: os.Executable,
		version:    version,
		managed:    func(env meter.Env) []string { return claudecode.New(env).Managed() },
		trial:      doctor.RunTrial,
		try:        install.Try,
		counted:    mostCounted,
	}
}

// run never panics: a fault of the program is a fault like any other.
func (p *program) run(ctx context.Context, args []string) (code int) {
	root := p.command(args)
	instead, careful := neverFailing(root, args)
	if careful {
		outlivePipe()
	}
	defer func() {
		switch v := recover(); {
		case v != nil && careful:
			p.trace(v)
			code = exitReading
		case v != nil:
			code = p.crash(v)
		}
	}()
	if p.getenv("CTXMETER_DEBUG") != "" {
		p.sayUnknownVariables()
	}
	err := root.Run(ctx, args)
	if careful {
		if err != nil {
			_, _ = io.WriteString(p.stdout, instead) // what stands before the command is wrong
		}
		return exitReading
	}
	switch {
	case p.unwritable:
		return exitNoReading
	case err == nil && p.gone:
		return exitUnread
	case err == nil:
		return exitReading
	case errors.Is(err, errLimit):
		return exitLimit
	case errors.Is(err, errInterrupted):
		return exitInterrupted
	case errors.Is(err, errReported):
		return exitNoReading
	}
	return p.fail(err, "")
}

// home is the user's home folder, "" if unknown. Who is started with next to no
// environment, as servers and hooks may be, still has one; a relative one would
// be another in each folder.
func (p *program) home() string {
	variable := "HOME"
	if p.goos == "windows" {
		variable = "USERPROFILE"
	}
	if dir := p.getenv(variable); filepath.IsAbs(dir) {
		return dir
	}
	return p.account()
}

// accountHome is the home folder that the system has on record.
func accountHome() string {
	u, err := user.Current()
	if err != nil {
		return ""
	}
	return u.HomeDir
}

// env is what locating sessions depends on. Relative names of folders are
// relative to the process's working folder, whatever --cwd says.
func (p *program) env(s *config.Settings, wd string) meter.Env {
	return meter.Env{
		Getenv: p.getenv, Home: p.home(), Dir: wd, OS: p.goos,
		ClaudeDirs: s.ClaudeDirs, CodexHomes: s.CodexHomes,
	}
}
