package doctor

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/paths"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wiring"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wording"
)

const (
	trialLimit  = 2 * time.Second
	slowCommand = 300 * time.Millisecond
	// trialRecords of the sample session fill it to where a hook warns.
	trialRecords = 34
)

// Trial is a command of a client's settings that is to be tried.
type Trial struct {
	Part    string
	Words   []string // with the whole path of the program, where the client finds it
	Shell   string   // what a shell gets, "" where there is none
	Path    string   // PATH
	System  string   // SystemRoot, which programs on Windows need
	Environ []string // further variables
	Limit   time.Duration

	Sample  func() (Sample, error)
	Tool    string // what the server's tool is called
	Nothing string // what the status line says if it knows nothing
}

// Sample is a made-up session of Claude Code.
type Sample struct {
	ID     string
	Dir    string                  // a folder of Claude Code
	File   string                  // the transcript in it
	Grow   func(records int) error // until so many are written
	Remove func()                  // deletes the folder
}

// Result is what became of a trial.
type Result struct {
	Took    time.Duration
	Fault   string // "" if it works
	Unready bool   // it was not tried: no temporary folder can be made
}

func (d *doctor) trialOf(w wiring.Wired, program string) Trial {
	t := Trial{Part: w.Part, Words: append([]string{program}, w.Words[1:]...), Path: d.env.Getenv("PATH"), System: d.env.Getenv("SystemRoot"), Limit: trialLimit, Sample: d.Sample, Tool: d.Tool, Nothing: d.Nothing}
	if d.env.OS != "windows" && w.Command != "" {
		// What was looked at is what is started, wherever a shell would look.
		t.Shell = wiring.WithProgram(w.Command, paths.Quoted(program))
	}
	return t
}

// RunTrial runs the command as the client would, on the sample session, with a
// home of its own that is removed afterwards.
func RunTrial(ctx context.Context, t Trial) Result {
	s, err := t.Sample()
	if err != nil {
		return Result{Unready: true}
	}
	defer s.Remove()
	if err := s.Grow(trialRecords); err != nil {
		return Result{Unready: true}
	}
	home, err := os.MkdirTemp("", "ctxmeter-doctor-")
	if err != nil {
		return Result{Unready: true}
	}
	defer os.RemoveAll(home)
	ctx, stop := context.WithTimeout(ctx, t.Limit)
	defer stop()
	cmd := exec.CommandContext(ctx, t.Words[0], t.Words[1:]...)
	if t.Shell != "" {
		// exec: what is ended when time is up is then the program itself.
		cmd = exec.CommandContext(ctx, "/bin/sh", "-c", "exec "+t.Shell)
	}
	var out firstOutput
	cmd.Dir, cmd.Env, cmd.Stdin, cmd.Stdout = home, t.surroundings(home, s.Dir), bytes.NewReader(t.payload(s, home)), &out
	cmd.WaitDelay = 100 * time.Millisecond
	endTogether(cmd)
	start := time.Now()
	err = cmd.Run()
	result := Result{Took: time.Since(start)}
	endRest(cmd, home)
	result.Fault = t.fault(ctx, out.data, err)
	return result
}

// fault is what is wrong with what became of it, "" if nothing is.
func (t Trial) fault(ctx context.Context, out []byte, err error) string {
	_, ended := errors.AsType[*exec.ExitError](err)
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return "no answer within " + t.Limit.String()
	case ended:
		return "it ends with an error"
	case errors.Is(err, exec.ErrWaitDelay):
		return "it ends, but what it started goes on, and keeps its output open"
	case err != nil:
		return "it does not start: " + wording.Cause(err)
	}
	return t.judged(out)
}

// surroundings has every place that ctxmeter reads or writes in the home.
func (t Trial) surroundings(home, claude string) []string {
	return append([]string{
		"PATH=" + t.Path, "SystemRoot=" + t.System, "HOME=" + home, "USERPROFILE=" + home, "CLAUDE_CONFIG_DIR=" + claude,
		"AppData=" + filepath.Join(home, "config"), "LocalAppData=" + filepath.Join(home, "local"),
		"XDG_CONFIG_HOME=" + filepath.Join(home, "config"), "XDG_CACHE_HOME=" + filepath.Join(home, "cache"), "XDG_STATE_HOME=" + filepath.Join(home, "state"),
		"TMPDIR=" + home, "TEMP=" + home, "TMP=" + home,
	}, t.Environ...)
}

// payload is what Claude Code (2.1.197) says to the command, as far as it is
// read; to a server it is what every client says first.
func (t Trial) payload(s Sample, dir string) []byte {
	if t.Part == wiring.PartMCP {
		return []byte(serverGreeting)
	}
	said := map[string]any{"session_id": s.ID, "transcript_path": s.File, "cwd": dir}
	if t.Part == wiring.PartHooks {
		said["hook_event_name"], said["prompt"] = "UserPromptSubmit", "hello"
	} else {
		said["version"] = "2.1.197"
		said["model"] = map[string]any{"id": "claude-sonnet-4-6", "display_name": "Sonnet 4.6"}
		said["workspace"] = map[string]any{"current_dir": dir, "project_dir": dir}
		said["context_window"] = map[string]any{"context_window_size": 200000, "current_usage": nil}
	}
	out, err := json.Marshal(said)
	if err != nil { // cannot be: it is only plain values
		panic(err)
	}
	return out
}

// firstOutput keeps the beginning of what a command prints, and takes no more:
// one that prints without end is ended by that.
type firstOutput struct{ data []byte }

const mostTrialOutput = 64 << 10 // bytes

// Write implements io.Writer.
func (o *firstOutput) Write(b []byte) (int, error) {
	n := min(len(b), mostTrialOutput-len(o.data))
	o.data = append(o.data, b[:n]...)
	if n < len(b) {
		return n, io.ErrShortWrite
	}
	return n, nil
}
