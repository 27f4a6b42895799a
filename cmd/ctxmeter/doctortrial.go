package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
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

// trial is a command of a client's settings that is to be tried.
type trial struct {
	part    string
	words   []string // with the whole path of the program, where the client finds it
	shell   string   // what a shell gets, "" where there is none
	path    string   // PATH
	system  string   // SystemRoot, which programs on Windows need
	environ []string // further variables
	limit   time.Duration
}

type trialResult struct {
	took  time.Duration
	fault string // "" if it works
}

func (d *doctor) trialOf(w wiring.Wired, program string) trial {
	t := trial{part: w.Part, words: append([]string{program}, w.Words[1:]...), path: d.p.getenv("PATH"), system: d.p.getenv("SystemRoot"), limit: trialLimit}
	if d.p.goos != "windows" && w.Command != "" {
		t.shell = w.Command
		if rest, ok := strings.CutPrefix(t.shell, "~/"); ok { // the trial has another home
			t.shell = paths.Quoted(d.p.home()) + "/" + rest
		}
	}
	return t
}

// runTrial runs the command as the client would, on the sample session, with a
// home of its own that is removed afterwards.
func runTrial(ctx context.Context, t trial) trialResult {
	s, err := newSample()
	if err != nil {
		return trialResult{fault: "there is no temporary folder to try it in"}
	}
	defer s.remove()
	if err := s.grow(trialRecords); err != nil {
		return trialResult{fault: "the temporary folder cannot be written"}
	}
	home, err := os.MkdirTemp("", "ctxmeter-doctor-")
	if err != nil {
		return trialResult{fault: "there is no temporary folder to try it in"}
	}
	defer os.RemoveAll(home)
	ctx, stop := context.WithTimeout(ctx, t.limit)
	defer stop()
	cmd := exec.CommandContext(ctx, t.words[0], t.words[1:]...)
	if t.shell != "" {
		// exec: what is ended when time is up is then the program itself.
		cmd = exec.CommandContext(ctx, "/bin/sh", "-c", "exec "+t.shell)
	}
	var out firstOutput
	cmd.Dir, cmd.Env, cmd.Stdin, cmd.Stdout = home, t.surroundings(home, s.dir), bytes.NewReader(t.payload(s, home)), &out
	cmd.WaitDelay = 100 * time.Millisecond
	endTogether(cmd)
	start := time.Now()
	err = cmd.Run()
	result := trialResult{took: time.Since(start)}
	result.fault = t.fault(ctx, out.data, err)
	return result
}

// fault is what is wrong with what became of it, "" if nothing is.
func (t trial) fault(ctx context.Context, out []byte, err error) string {
	_, ended := errors.AsType[*exec.ExitError](err)
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return "no answer within " + t.limit.String()
	case ended:
		return "it ends with an error"
	case err != nil:
		return "it does not start: " + wording.Cause(err)
	}
	return t.judged(out)
}

// surroundings has every place that ctxmeter reads or writes in the home.
func (t trial) surroundings(home, claude string) []string {
	return append([]string{
		"PATH=" + t.path, "SystemRoot=" + t.system, "HOME=" + home, "USERPROFILE=" + home, "CLAUDE_CONFIG_DIR=" + claude,
		"AppData=" + filepath.Join(home, "config"), "LocalAppData=" + filepath.Join(home, "local"),
		"XDG_CONFIG_HOME=" + filepath.Join(home, "config"), "XDG_CACHE_HOME=" + filepath.Join(home, "cache"), "XDG_STATE_HOME=" + filepath.Join(home, "state"),
		"TMPDIR=" + home, "TEMP=" + home, "TMP=" + home,
	}, t.environ...)
}

// payload is what Claude Code (2.1.197) says to the command, as far as it is
// read; to a server it is what every client says first.
func (t trial) payload(s *sample, dir string) []byte {
	if t.part == wiring.PartMCP {
		return []byte(serverGreeting)
	}
	said := map[string]any{"session_id": sampleID, "transcript_path": s.file, "cwd": dir}
	if t.part == wiring.PartHooks {
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
