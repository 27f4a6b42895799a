package claudecode

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/ctxmeter/ctxmeter/meter"
)

// place is a home folder made for one test.
type place struct {
	t    *testing.T
	home string
	env  map[string]string
	os   string
	dirs []string
	pids map[int]pidState
	dir  string // the working folder
	now  time.Time
}

func newPlace(t *testing.T) *place {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return &place{t: t, home: home, env: map[string]string{}, os: runtime.GOOS, pids: map[int]pidState{}, dir: home, now: time.Now()}
}

// client sees the place and nothing else of the machine.
func (p *place) client() *Client {
	c := New(meter.Env{
		Getenv:     func(name string) string { return p.env[name] },
		Home:       p.home,
		Dir:        p.dir,
		OS:         p.os,
		ClaudeDirs: p.dirs,
	})
	c.managed = []string{filepath.Join(p.home, "managed.json")}
	c.proc = func(pid int) pidState {
		if s, ok := p.pids[pid]; ok {
			return s
		}
		return pidState{alive: meter.LiveNo}
	}
	c.kin, c.now = c.proc, func() time.Time { return p.now }
	return c
}

func (p *place) root() string { return filepath.Join(p.home, ".claude") }

// write makes a file below the home folder and returns its path.
func (p *place) write(name, content string) string {
	p.t.Helper()
	path := filepath.Join(p.home, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		p.t.Fatal(err)
	}
	return path
}

func (p *place) link(target, name string) {
	p.t.Helper()
	path := filepath.Join(p.home, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := os.Symlink(target, path); err != nil {
		p.t.Skip("no symbolic links on this system:", err)
	}
}

// touch sets the time of a file.
func (p *place) touch(path string, at time.Time) {
	p.t.Helper()
	if err := os.Chtimes(path, at, at); err != nil {
		p.t.Fatal(err)
	}
}

// talk is a transcript: what a person says, and a reply a minute later.
func talk(session, cwd, at, text string) string {
	start, err := time.Parse(time.RFC3339, at)
	if err != nil {
		panic(err)
	}
	return fmt.Sprintf(`{"parentUuid":null,"isSidechain":false,"type":"user","message":{"role":"user","content":%q},"uuid":"u-%s","timestamp":%q,"cwd":%q,"sessionId":%q,"version":"2.1.232"}
{"parentUuid":"u-%[2]s","isSidechain":false,"type":"assistant","message":{"model":"claude-sonnet-4-5","id":"m","role":"assistant","content":[{"type":"text","text":"Done."}],"usage":{"input_tokens":5,"output_tokens":7}},"uuid":"a-%[2]s","timestamp":%[6]q,"cwd":%[4]q,"sessionId":%[5]q,"version":"2.1.232"}
`, text, session, at, cwd, session, start.Add(time.Minute).Format(time.RFC3339))
}

const stub = `{"type":"bridge-session","sessionId":"%s","bridgeSessionId":"cse_01x","lastSequenceNum":0}` + "\n"

const (
	idA = "c60e7633-6af9-5ba6-8f9c-d11c8a85fbb8"
	idB = "16903b97-4a04-5e32-8298-3f5f2a8dc3f7"
	idC = "41faa580-debf-5c51-b3f2-98f8c5daef9d"
)

// files are the base names of the transcripts, and what else names a session.
func names(sessions []meter.Session) string {
	var out []string
	for _, s := range sessions {
		out = append(out, filepath.Base(s.Segments[0].Path))
	}
	return strings.Join(out, " ")
}

func fixtures(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("..", "..", "testdata", "claude-code"))
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// faultCode is the code of an error, "" if there is none.
func faultCode(t *testing.T, err error) meter.Code {
	t.Helper()
	if err == nil {
		return ""
	}
	fault, ok := err.(*meter.Fault)
	if !ok {
		t.Fatalf("error %v is no fault", err)
	}
	return fault.Code
}
