package main

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ctxmeter/ctxmeter/backends"
	"github.com/ctxmeter/ctxmeter/meter"
)

// teller is a client that says whose call it is as a test wants.
type teller struct {
	fake
	mu    sync.Mutex
	calls []meter.Call
	tell  func(n int, c meter.Call) (meter.Caller, error)
}

func (f *teller) Is(name string) bool { return name == f.name }

// tells is a client that answers always the same.
func tells(name, id string, identity meter.Identity) *teller {
	return &teller{fake: fake{name: name}, tell: func(int, meter.Call) (meter.Caller, error) {
		return meter.Caller{Session: meter.Session{ID: id, Backend: name}, Identity: identity}, nil
	}}
}

func silent(name string) *teller {
	return &teller{fake: fake{name: name}, tell: func(int, meter.Call) (meter.Caller, error) { return meter.Caller{}, nil }}
}

func (f *teller) Caller(c meter.Call) (meter.Caller, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls = append(f.calls, c)
	return f.tell(len(f.calls), c)
}

func asker(t *testing.T, clients ...backends.Client) *tool {
	t.Helper()
	r := newRig(t)
	r.clients = func(meter.Env) []backends.Client { return clients }
	p := r.program(io.Discard, io.Discard)
	s, err := p.settings(p.command([]string{"ctxmeter"}))
	if err != nil {
		t.Fatal(err)
	}
	tl, err := p.newTool(s, os.Getppid)
	if err != nil {
		t.Fatal(err)
	}
	return tl
}

const claudeCode, codexCLI = "claude-code", "codex"

func TestWhoseCallItIs(t *testing.T) {
	for _, tt := range []struct {
		name     string
		clients  []backends.Client
		from     string // how the caller's client introduced itself
		want     string
		identity meter.Identity
	}{
		{
			name: "a client is asked for its own only", from: codexCLI,
			clients: []backends.Client{tells(claudeCode, "theirs", meter.IdentityProcess), tells(codexCLI, "mine", meter.IdentityCall)},
			want:    "mine", identity: meter.IdentityCall,
		},
		{
			name: "a client around the caller's is not asked", from: codexCLI,
			clients: []backends.Client{tells(claudeCode, "theirs", meter.IdentityProcess), silent(codexCLI)},
		},
		{
			name: "of a stranger, the call counts before the processes", from: "proxy",
			clients: []backends.Client{tells(claudeCode, "around", meter.IdentityProcess), tells(codexCLI, "said", meter.IdentityCall)},
			want:    "said", identity: meter.IdentityCall,
		},
		{
			name: "of a stranger, the processes count", from: "",
			clients: []backends.Client{tells(claudeCode, "around", meter.IdentityProcess), silent(codexCLI)},
			want:    "around", identity: meter.IdentityProcess,
		},
		{
			name: "two that are as good are none", from: "",
			clients: []backends.Client{tells(claudeCode, "one", meter.IdentityCall), tells(codexCLI, "two", meter.IdentityCall)},
		},
	} {
		who, err := asker(t, tt.clients...).whose(context.Background(), "", func() meter.Call { return meter.Call{Client: tt.from} })
		if tt.want == "" {
			if err == nil {
				t.Errorf("%s: %s", tt.name, who.session.ID)
			}
			continue
		}
		if err != nil || who.session.ID != tt.want || who.identity != tt.identity {
			t.Errorf("%s: %q by %s, %v", tt.name, who.session.ID, who.identity, err)
		}
	}
}

// What the call says may be written a moment after it: the server looks again
// when its folder changes, and does without when the time is up.
func TestACallWaitsForWhatTellsMore(t *testing.T) {
	dir := t.TempDir()
	later := &teller{fake: fake{name: claudeCode}}
	later.tell = func(n int, _ meter.Call) (meter.Caller, error) {
		if n == 2 { // the folder is watched by now
			if err := os.WriteFile(filepath.Join(dir, "written"), nil, 0o600); err != nil {
				t.Error(err)
			}
		}
		if n < 3 {
			return meter.Caller{Session: meter.Session{ID: "parent"}, Identity: meter.IdentityProcess, Uncounted: true, Doubt: true, Watch: []string{dir}}, nil
		}
		return meter.Caller{Session: meter.Session{ID: "parent", AgentID: "agent"}, Identity: meter.IdentityCall}, nil
	}
	who, err := asker(t, later).whose(context.Background(), "", func() meter.Call { return meter.Call{} })
	if err != nil || who.session.AgentID != "agent" || who.uncounted || who.doubt {
		t.Errorf("%+v, %v", who, err)
	}

	never := &teller{fake: fake{name: claudeCode}, tell: func(int, meter.Call) (meter.Caller, error) {
		return meter.Caller{Session: meter.Session{ID: "parent"}, Identity: meter.IdentityProcess, Uncounted: true, Doubt: true, Watch: []string{dir}}, nil
	}}
	who, err = asker(t, never).whose(context.Background(), "", func() meter.Call { return meter.Call{} })
	if err != nil || who.session.ID != "parent" || !who.uncounted || !who.doubt {
		t.Errorf("%+v, %v", who, err)
	}

	lost := errors.New("in no known home")
	missing := &teller{fake: fake{name: codexCLI}, tell: func(int, meter.Call) (meter.Caller, error) {
		return meter.Caller{Watch: []string{dir}}, lost
	}}
	if _, err = asker(t, missing).whose(context.Background(), "", func() meter.Call { return meter.Call{} }); !errors.Is(err, lost) {
		t.Errorf("%v", err)
	}
}

func TestTheEnvironmentCountsOnlyForWhatLives(t *testing.T) {
	for _, tt := range []struct {
		name string
		live meter.Liveness
		age  time.Duration
		want bool
	}{
		{"alive", meter.LiveYes, 48 * time.Hour, true},
		{"ended", meter.LiveNo, time.Second, false},
		{"written to lately", meter.LiveUnknown, time.Minute, true},
		{"old", meter.LiveUnknown, 5 * time.Hour, false},
	} {
		s := meter.Session{ID: "aaaaaaaa-0000-4000-8000-000000000000", Live: tt.live, Modified: testNow.Add(-tt.age)}
		c := silent(claudeCode)
		c.here, c.current = []meter.Session{s}, s.ID
		who, err := asker(t, c).whose(context.Background(), "", func() meter.Call { return meter.Call{Client: claudeCode} })
		if got := err == nil && who.identity == meter.IdentityEnv; got != tt.want {
			t.Errorf("%s: %+v, %v", tt.name, who, err)
		}
	}
}

// A client that was started in the shell of another one has its environment.
func TestTheEnvironmentIsNotThatOfAForeignCaller(t *testing.T) {
	c := &teller{fake: fake{name: claudeCode}, tell: func(int, meter.Call) (meter.Caller, error) { return meter.Caller{Foreign: true}, nil }}
	c.here = []meter.Session{{ID: "aaaaaaaa-0000-4000-8000-000000000000", Live: meter.LiveYes}}
	c.current = c.here[0].ID
	who, err := asker(t, c).whose(context.Background(), "", func() meter.Call { return meter.Call{Client: "gemini"} })
	if f, _ := errors.AsType[*meter.Fault](err); f == nil || len(f.Candidates) > 0 {
		t.Errorf("%+v, %v", who, err)
	}
}

// The only session of the folder is not the caller's just because it is there.
func TestWithoutAnIdentityThereAreOnlyCandidates(t *testing.T) {
	c := silent(claudeCode)
	c.here = []meter.Session{{ID: "aaaaaaaa-0000-4000-8000-000000000000", Live: meter.LiveYes}, {ID: "gone", Live: meter.LiveNo}}
	_, err := asker(t, c).whose(context.Background(), "", func() meter.Call { return meter.Call{} })
	f, _ := errors.AsType[*meter.Fault](err)
	if f == nil || f.Code != meter.CodeAmbiguousSession || len(f.Candidates) != 1 || f.Candidates[0].ID != c.here[0].ID {
		t.Errorf("%+v", f)
	}
}

func TestTheBackendsAreToldOfTheCall(t *testing.T) {
	c := tells(claudeCode, "x", meter.IdentityCall)
	r := newRig(t)
	r.clients = func(meter.Env) []backends.Client { return []backends.Client{c} }
	r.stdin = strings.Replace(hello, `"test"`, `"claude-code"`, 1) + callLine(1, `{}`, `{"claudecode/toolUseId":"toolu_1","progressToken":7}`)
	r.run("mcp")
	if len(c.calls) != 1 || c.calls[0].Client != claudeCode || c.calls[0].Meta["claudecode/toolUseId"] != "toolu_1" || c.calls[0].Parent != os.Getppid() {
		t.Errorf("%+v", c.calls)
	}
}
