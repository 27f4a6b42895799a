package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ctxmeter/ctxmeter/config"
)

// recordedStatus is a status line payload as a client handed it over (Claude
// Code 2.1.197), and how long the transcript was at that moment.
type recordedStatus struct {
	At      time.Time       `json:"at"`
	Bytes   int             `json:"transcript_bytes"` // negative: there was none
	Columns int             `json:"columns"`
	Stdin   json.RawMessage `json:"stdin"`
}

func recordedStatuses(t *testing.T, scenario string) (all []recordedStatus) {
	t.Helper()
	data, err := os.ReadFile("../../testdata/statusline/payloads/" + scenario + ".jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(data) {
		var r recordedStatus
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatal(err)
		}
		all = append(all, r)
	}
	return all
}

// stage is a folder of Claude Code whose transcripts grow as they did.
type stage struct {
	t            *testing.T
	dir          string // of the recording
	root         string
	transcript   string // of the newest payload
	transcriptID string
}

func newStage(t *testing.T, scenario string) *stage {
	t.Helper()
	s := &stage{t: t, root: t.TempDir()}
	for _, dir := range []string{"statusline", "claude-code"} {
		if s.dir = filepath.Join("..", "..", "testdata", dir, scenario); exists(s.dir) {
			break
		}
	}
	if data, err := os.ReadFile(filepath.Join(s.dir, "settings.json")); err == nil {
		putFile(t, filepath.Join(s.root, "settings.json"), data)
	}
	return s
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func putFile(t *testing.T, path string, data []byte) {
	t.Helper()
	err := os.MkdirAll(filepath.Dir(path), 0o700)
	if err == nil {
		err = os.WriteFile(path, data, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// payload brings the transcript to where it was, and returns the payload with
// its place on this stage.
func (s *stage) payload(r recordedStatus) string {
	s.t.Helper()
	var said struct {
		Session    string `json:"session_id"`
		Transcript string `json:"transcript_path"`
	}
	if err := json.Unmarshal(r.Stdin, &said); err != nil {
		s.t.Fatal(err)
	}
	_, place, ok := strings.Cut(said.Transcript, "/.claude/")
	if !ok {
		s.t.Fatal(said.Transcript)
	}
	s.transcript, s.transcriptID = filepath.Join(s.root, filepath.FromSlash(place)), said.Session
	if r.Bytes >= 0 {
		data, err := os.ReadFile(filepath.Join(s.dir, filepath.FromSlash(place)))
		if err != nil {
			s.t.Fatal(err)
		}
		putFile(s.t, s.transcript, data[:min(r.Bytes, len(data))])
	}
	return strings.Replace(string(r.Stdin), quote(said.Transcript), quote(s.transcript), 1)
}

func quote(text string) string {
	out, _ := json.Marshal(text)
	return string(out)
}

// statusRig runs the status line without colors.
func statusRig(t *testing.T, s *stage) *rig {
	return newRig(t).set("NO_COLOR", "1").set("CLAUDE_CONFIG_DIR", s.root)
}

// statusline runs the command, which never fails and prints one line.
func (r *rig) statusline(stdin string, args ...string) string {
	r.t.Helper()
	got := r.statuslineOf(strings.NewReader(stdin), forever, args...)
	if got.code != 0 || got.stderr != "" || strings.Count(got.stdout, "\n") != 1 || !strings.HasSuffix(got.stdout, "\n") || len(got.stdout) == 1 {
		r.t.Errorf("status %d, %q, and on standard error %q", got.code, got.stdout, got.stderr)
	}
	return strings.TrimSuffix(got.stdout, "\n")
}

// statuslineOf runs the command with any standard input, and any patience.
func (r *rig) statuslineOf(stdin io.Reader, wait func(context.Context, time.Duration), args ...string) result {
	r.t.Helper()
	var stdout, stderr bytes.Buffer
	p := r.program(&stdout, &stderr)
	p.stdin, p.wait = stdin, wait
	code := p.run(r.t.Context(), append([]string{"ctxmeter", "statusline"}, args...))
	return result{stdout.String(), stderr.String(), code}
}

// forever is a patience that does not end before what is waited for.
func forever(ctx context.Context, _ time.Duration) { <-ctx.Done() }

// Each recorded payload with the transcript of its time.
func TestRecordedStatusLines(t *testing.T) {
	for _, scenario := range []string{"s05-compact-interactive", "s14-hook-outputs", "s17-statusline", "s18-concurrent"} {
		t.Run(scenario, func(t *testing.T) {
			s := newStage(t, scenario)
			r := statusRig(t, s)
			var out strings.Builder
			for _, recorded := range recordedStatuses(t, scenario) {
				stdin := s.payload(recorded)
				r.now = recorded.At
				r.set("COLUMNS", fmt.Sprint(recorded.Columns))
				line := r.statusline(stdin)
				fmt.Fprintf(&out, "%s %s %6d bytes  %s\n", recorded.At.Format("15:04:05.000"), s.transcriptID[:4], recorded.Bytes, line)
			}
			golden(t, filepath.Join("statusline", scenario+".txt"), out.String())
		})
	}
}

// The README shows the line of the sample session, and names every segment in
// its order.
func TestReadmeShowsTheStatusLine(t *testing.T) {
	readme, err := os.ReadFile(readmePath)
	if err != nil {
		t.Fatal(err)
	}
	r := readmeRig(t)
	found, err := filepath.Glob(filepath.Join(r.env["CLAUDE_CONFIG_DIR"], "projects", "*", sampleID+".jsonl"))
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	line := r.statusline(saidOf(found[0], sampleID, "claude-sonnet-4-6", 148_333, 200_000))
	if !bytes.Contains(readme, []byte("\n"+line+"\n")) {
		t.Errorf("README.md does not show %q", line)
	}
	if names := "`" + strings.Join(config.Segments(), "`, `") + "`."; !bytes.Contains(readme, []byte(names)) {
		t.Errorf("README.md does not list %s", names)
	}
}
