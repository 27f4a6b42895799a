package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ctxmeter/ctxmeter/backends"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wording"
	"github.com/ctxmeter/ctxmeter/meter"
)

var update = flag.Bool("update", false, "rewrite the golden files and the outputs in README.md")

// TestMain lets the test binary be ctxmeter itself, for the tests that need a
// process.
func TestMain(m *testing.M) {
	if os.Getenv("CTXMETER_TEST_BE_MAIN") != "" {
		if os.Getenv("CTXMETER_TEST_CHATTER") != "" {
			p := newProgram(os.Stdin, os.Stdout, os.Stderr, os.Getenv)
			p.clients = func(env meter.Env) []backends.Client { return []backends.Client{chatty{backends.All(env)[0]}} }
			os.Exit(p.run(context.Background(), os.Args))
		}
		main()
		return
	}
	os.Exit(m.Run())
}

// chatty prints what it likes, as a library may.
type chatty struct{ backends.Client }

func (c chatty) Find(id string) ([]meter.Session, error) {
	fmt.Println("chatter")
	return c.Client.Find(id)
}

// rig is a run of ctxmeter in made-up surroundings.
type rig struct {
	t       *testing.T
	env     map[string]string
	dir     string // working folder
	now     time.Time
	screen  screen
	clients func(meter.Env) []backends.Client
	stdin   string
	account string // home folder on record
}

// testNow is a little after the end of the sample session.
var testNow = time.Date(2026, 1, 15, 9, 36, 0, 0, time.UTC)

func newRig(t *testing.T) *rig {
	t.Helper()
	home := t.TempDir()
	return &rig{t: t, env: map[string]string{"HOME": home, "USERPROFILE": home, "LocalAppData": home}, dir: t.TempDir(), now: testNow, clients: backends.All}
}

// terminal makes standard output a terminal of so many columns.
func (r *rig) terminal(width int) *rig {
	r.screen = screen{terminal: true, width: width, colors: true}
	return r
}

func (r *rig) set(name, value string) *rig {
	r.env[name] = value
	return r
}

type result struct {
	stdout, stderr string
	code           int
}

func (r *rig) run(args ...string) result {
	r.t.Helper()
	return r.runWith(context.Background(), args...)
}

func (r *rig) runWith(ctx context.Context, args ...string) result {
	r.t.Helper()
	var stdout, stderr bytes.Buffer
	p := r.program(&stdout, &stderr)
	code := p.run(ctx, append([]string{"ctxmeter"}, args...))
	return result{stdout.String(), stderr.String(), code}
}

func (r *rig) program(stdout, stderr io.Writer) *program {
	p := newProgram(strings.NewReader(r.stdin), stdout, stderr, func(name string) string { return r.env[name] })
	p.getwd = func() (string, error) {
		if r.dir == "" {
			return "", os.ErrNotExist
		}
		return r.dir, nil
	}
	p.now = func() time.Time { return r.now }
	p.wait = func(context.Context, time.Duration) {}
	p.screen = func(io.Writer) screen { return r.screen }
	p.clients = r.clients
	p.account = func() string { return r.account }
	p.counted = 1 << 20 // less than outside: this takes a while
	p.goos = "unix"     // of no system are an administrator's settings read
	p.environ = func() (out []string) {
		for name, value := range r.env {
			out = append(out, name+"="+value)
		}
		return out
	}
	return p
}

// sampleFolder is a Claude Code folder with the first records of the sample
// session.
func sampleFolder(t *testing.T, records int) string {
	t.Helper()
	s, err := newSample()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.remove)
	if err := s.grow(records); err != nil {
		t.Fatal(err)
	}
	return s.dir
}

// modelFolder is a sampleFolder whose session runs another model.
func modelFolder(t *testing.T, model string, records int) string {
	t.Helper()
	dir := sampleFolder(t, records)
	path := filepath.Join(dir, "projects", "-home-demo-flower-shop", sampleID+".jsonl")
	data, err := os.ReadFile(path)
	if err == nil {
		err = os.WriteFile(path, bytes.ReplaceAll(data, []byte("claude-sonnet-4-6"), []byte(model)), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// reading decodes what a run printed.
func (r result) reading(t *testing.T) meter.Reading {
	t.Helper()
	var out meter.Reading
	if err := json.Unmarshal([]byte(r.stdout), &out); err != nil {
		t.Fatalf("no JSON: %v\nstdout: %s\nstderr: %s", err, r.stdout, r.stderr)
	}
	return out
}

// fault decodes the error that a run printed and holds it to the form that
// all errors have.
func (r result) fault(t *testing.T) *meter.Fault {
	t.Helper()
	var out meter.Unavailable
	if err := json.Unmarshal([]byte(r.stdout), &out); err != nil || out.Error == nil {
		t.Fatalf("no JSON error: %v\nstdout: %s\nstderr: %s", err, r.stdout, r.stderr)
	}
	if r.code != exitNoReading || out.SchemaVersion != 1 || out.Status != meter.StatusUnavailable {
		t.Errorf("status %d with version %d and status %q", r.code, out.SchemaVersion, out.Status)
	}
	if want := "ctxmeter: " + wording.Clean(out.Error.Message) + "\n"; strings.Join(strings.Fields(r.stderr), " ")+"\n" != want {
		t.Errorf("standard error says %q, want %q", r.stderr, want)
	}
	return out.Error
}

// golden compares with a file below testdata/cmd, or writes it with -update.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("..", "..", "testdata", "cmd", name)
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if ok, why := alike(got, string(want)); !ok {
		t.Errorf("%s differs (go test ./cmd/ctxmeter -update rewrites it): %s\ngot:\n%s\nwant:\n%s", name, why, got, want)
	}
}
