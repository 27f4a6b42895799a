package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ctxmeter/ctxmeter/backends"
	"github.com/ctxmeter/ctxmeter/meter"
)

// fake is a client whose sessions and their liveness are made up. What they
// hold is read by a real one.
type fake struct {
	backends.Client
	name    string
	current string
	here    []meter.Session
	err     error
}

func (f *fake) Name() string                            { return f.name }
func (f *fake) Variable() string                        { return "SESSION_OF_" + f.name }
func (f *fake) Current() string                         { return f.current }
func (f *fake) Is(string) bool                          { return false }
func (f *fake) Caller(meter.Call) (meter.Caller, error) { return meter.Caller{}, nil }
func (f *fake) Here(string) ([]meter.Session, error) {
	if len(f.here) == 0 {
		return nil, f.err
	}
	return f.here, nil
}

func (f *fake) Find(id string) (out []meter.Session, err error) {
	for _, s := range f.here {
		if s.ID == id || len(id) >= 8 && strings.HasPrefix(s.ID, id) {
			out = append(out, s)
		}
	}
	return out, f.err
}

// fakes gives a rig two clients, claude-code and codex.
func (r *rig) fakes(claude, codex fake) *rig {
	real := backends.All(meter.Env{})[0]
	claude.name, codex.name = "claude-code", "codex"
	claude.Client, codex.Client = real, real
	for _, f := range []*fake{&claude, &codex} {
		for i := range f.here {
			f.here[i].Backend = f.name
		}
	}
	r.clients = func(meter.Env) []backends.Client { return []backends.Client{&claude, &codex} }
	return r
}

// session is a made-up session with a real transcript, last written to so
// long ago.
func session(t *testing.T, id string, live meter.Liveness, ago time.Duration) meter.Session {
	t.Helper()
	path := filepath.Join(sampleFolder(t, 5), "projects", "-home-demo-flower-shop", sampleID+".jsonl")
	return meter.Session{ID: id, Live: live, Modified: testNow.Add(-ago), Project: "/home/dev/shop", Segments: []meter.Segment{{Path: path, End: -1}}}
}

func TestWhoseSession(t *testing.T) {
	const one, two, three = "aaaaaaaa-0001", "aaaaaaaa-0002", "bbbbbbbb-0003"
	const yes, no, unknown = meter.LiveYes, meter.LiveNo, meter.LiveUnknown
	const day = 24 * time.Hour
	make1 := func(id string, live meter.Liveness, ago time.Duration) meter.Session {
		return session(t, id, live, ago)
	}
	list := func(s ...meter.Session) []meter.Session { return s }
	broken := &meter.Fault{Code: meter.CodeUnreadable, Message: "session x: permission denied"}

	for _, tt := range []struct {
		name          string
		claude, codex fake
		args          []string
		id            string // that is answered
		identity      meter.Identity
		code          meter.Code // else
		candidates    int
	}{
		{"an id in full", fake{here: list(make1(one, no, day), make1(two, no, day))}, fake{}, []string{"-t", two}, two, meter.IdentityExplicit, "", 0},
		{"the beginning of an id", fake{here: list(make1(one, no, day), make1(three, no, day))}, fake{}, []string{"--session-id", "bbbbbbbb"}, three, meter.IdentityExplicit, "", 0},
		{"a beginning that two ids have", fake{here: list(make1(one, no, day))}, fake{here: list(make1(two, no, day))}, []string{"-t", "aaaaaaaa"}, "", "", meter.CodeAmbiguousSession, 2},
		{"but not with the client named", fake{here: list(make1(one, no, day))}, fake{here: list(make1(two, no, day))}, []string{"-t", "aaaaaaaa", "--backend", "codex"}, two, meter.IdentityExplicit, "", 0},
		{"a beginning that is too short", fake{here: list(make1(one, no, day))}, fake{}, []string{"-t", "aaaaaaa"}, "", "", meter.CodeBadArgument, 0},
		{"an id that nobody has", fake{here: list(make1(one, yes, 0))}, fake{}, []string{"-t", "cccccccc"}, "", "", meter.CodeSessionNotFound, 0},
		{"an id that is none", fake{}, fake{}, []string{"-t", "../../etc/passwd\x00"}, "", "", meter.CodeBadArgument, 0},
		{"one client's fault does not hide another's session", fake{err: broken}, fake{here: list(make1(one, unknown, day))}, []string{"-t", one}, one, meter.IdentityExplicit, "", 0},
		{"a fault where it is all there is", fake{err: broken}, fake{}, []string{"-t", one}, "", "", meter.CodeUnreadable, 0},

		{"what the environment names", fake{current: one, here: list(make1(one, yes, 0), make1(two, yes, 0))}, fake{}, nil, one, meter.IdentityEnv, "", 0},
		{"also where liveness is unknown", fake{}, fake{current: one, here: list(make1(one, unknown, day), make1(two, unknown, 0))}, nil, one, meter.IdentityEnv, "", 0},
		{"but not a session that has ended", fake{current: one, here: list(make1(one, no, 0), make1(two, yes, 0))}, fake{}, nil, two, meter.IdentityOnly, "", 0},
		{"one that does not exist yet is nobody else's", fake{current: three, here: list(make1(one, yes, 0))}, fake{}, nil, "", "", meter.CodeSessionNotFound, 1},
		{"nor one of another client", fake{here: list(make1(one, yes, 0))}, fake{current: three}, nil, "", "", meter.CodeSessionNotFound, 1},
		{"not even one that another client names", fake{current: one, here: list(make1(one, yes, 0))}, fake{current: three}, nil, "", "", meter.CodeSessionNotFound, 1},
		{"nor one whose id begins so", fake{current: "aaaaaaaa", here: list(make1(one, yes, 0))}, fake{}, nil, "", "", meter.CodeSessionNotFound, 1},
		{"after one that has ended, nothing less than a live one", fake{current: one, here: list(make1(one, no, 0), make1(two, unknown, time.Minute))}, fake{}, nil, "", "", meter.CodeSessionNotFound, 2},
		{"two clients name one each", fake{current: one, here: list(make1(one, yes, 0))}, fake{current: two, here: list(make1(two, unknown, 0))}, nil, "", "", meter.CodeAmbiguousSession, 2},
		{"and one is asked for", fake{current: one, here: list(make1(one, yes, 0))}, fake{current: two, here: list(make1(two, unknown, 0))}, []string{"--backend", "claude-code"}, one, meter.IdentityEnv, "", 0},
		{"an explicit id beats the environment", fake{current: one, here: list(make1(one, yes, 0), make1(two, no, day))}, fake{}, []string{"-t", two}, two, meter.IdentityExplicit, "", 0},

		{"the only live one", fake{here: list(make1(one, no, 0), make1(two, yes, day), make1(three, no, time.Minute))}, fake{}, nil, two, meter.IdentityOnly, "", 0},
		{"two live ones", fake{here: list(make1(one, yes, 0), make1(two, yes, 0))}, fake{}, nil, "", "", meter.CodeAmbiguousSession, 2},
		{"a live one and one that may be", fake{here: list(make1(one, yes, 0))}, fake{here: list(make1(two, unknown, 10*time.Minute))}, nil, "", "", meter.CodeAmbiguousSession, 2},
		{"a live one and an old one", fake{here: list(make1(one, yes, 0))}, fake{here: list(make1(two, unknown, 31*time.Minute))}, nil, one, meter.IdentityOnly, "", 0},
		{"the only one written to lately", fake{}, fake{here: list(make1(one, unknown, time.Minute), make1(two, unknown, day))}, nil, one, meter.IdentityOnly, "", 0},
		{"the only one that may be live", fake{here: list(make1(one, no, day))}, fake{here: list(make1(two, unknown, 9*time.Hour))}, nil, two, meter.IdentityOnly, "", 0},
		{"the only one, but an old one", fake{here: list(make1(one, no, day))}, fake{here: list(make1(two, unknown, 9*day))}, nil, "", "", meter.CodeSessionNotFound, 2},
		{"several of today", fake{}, fake{here: list(make1(one, unknown, time.Hour), make1(two, unknown, 2*time.Hour))}, nil, "", "", meter.CodeAmbiguousSession, 2},
		{"several old ones", fake{}, fake{here: list(make1(one, unknown, day), make1(two, unknown, 2*day))}, nil, "", "", meter.CodeSessionNotFound, 2},
		{"only ended ones", fake{here: list(make1(one, no, day), make1(two, no, 2*day))}, fake{}, nil, "", "", meter.CodeSessionNotFound, 2},
		{"the newest, asked for", fake{here: list(make1(one, no, day), make1(two, no, 2*day))}, fake{here: list(make1(three, unknown, time.Hour))}, []string{"--latest"}, three, meter.IdentityLatest, "", 0},
		{"the newest of one client", fake{here: list(make1(one, no, day), make1(two, no, 2*day))}, fake{here: list(make1(three, unknown, time.Hour))}, []string{"--latest", "--backend=claude-code"}, one, meter.IdentityLatest, "", 0},
		{"nothing at all", fake{}, fake{}, nil, "", "", meter.CodeSessionNotFound, 0},
		{"nothing to be the newest", fake{}, fake{}, []string{"--latest"}, "", "", meter.CodeSessionNotFound, 0},
		{"a client that does not exist", fake{}, fake{}, []string{"--backend", "vim"}, "", "", meter.CodeBadArgument, 0},
	} {
		t.Run(strings.ReplaceAll(tt.name, " ", "_"), func(t *testing.T) {
			got := newRig(t).fakes(tt.claude, tt.codex).run(append(tt.args, "--no-cache")...)
			if tt.code == "" {
				r := got.reading(t)
				if got.code != exitReading || r.Session.ID != tt.id || r.Session.Identity != tt.identity {
					t.Errorf("%s by %s, status %d; want %s by %s", r.Session.ID, r.Session.Identity, got.code, tt.id, tt.identity)
				}
				return
			}
			f := got.fault(t)
			if f.Code != tt.code || len(f.Candidates) != tt.candidates {
				t.Errorf("%s with %d candidates, want %s with %d: %s", f.Code, len(f.Candidates), tt.code, tt.candidates, f.Message)
			}
		})
	}
}

func TestCandidatesAreTheNewestTwenty(t *testing.T) {
	var here []meter.Session
	for i := range 30 {
		s := session(t, fmt.Sprintf("aaaaaaaa-%04d", i), meter.LiveYes, time.Duration(i)*time.Minute)
		here = append(here, s)
	}
	f := newRig(t).fakes(fake{here: here}, fake{}).run().fault(t)
	if !strings.HasSuffix(f.Message, "(listed are the 20 newest of 30)") {
		t.Error(f.Message)
	}
	if len(f.Candidates) != 20 || f.Candidates[0].ID != "aaaaaaaa-0000" || !f.Candidates[0].Live || f.Candidates[1].At != "2026-01-15T09:35:00Z" {
		t.Errorf("%d candidates, first %+v", len(f.Candidates), f.Candidates[0])
	}
}

func TestTheFolderCanBeNamed(t *testing.T) {
	r := newRig(t)
	r.dir = ""
	if f := r.run().fault(t); f.Code != meter.CodeSessionNotFound || !strings.Contains(f.Message, "--cwd") {
		t.Errorf("without a working folder: %v", f)
	}
	r.set("CLAUDE_CONFIG_DIR", sampleFolder(t, 5))
	if got := r.run("--cwd", sampleProject).reading(t); got.Session.ID != sampleID || got.Session.Identity != meter.IdentityOnly {
		t.Errorf("found %+v", got.Session)
	}
	if f := r.run("--cwd", "shop").fault(t); f.Code != meter.CodeBadArgument {
		t.Errorf("a relative folder below nowhere: %v", f)
	}
}

// The public reports that ask without an id: see each case's folder.
func TestReportedCases(t *testing.T) {
	for _, tt := range []struct {
		name, cwd, id string
		measured      int64
	}{
		{"D02", "/home/dev/shop", "16903b97-4a04-5e32-8298-3f5f2a8dc3f7", 24118}, // /clear began a new file
		{"D09", "/home/dev/shop", "019ff671-0406-5ed3-975b-25d0d3de61ab", 89000}, // newer rollouts are subagents
		{"E01", "/home/dev/projects/외주/app", "11a85467-c3e7-5066-ad80-e8d56a694fee", 31004},
		{"G03", "/home/dev/shop", "019ff4c8-4e66-57f7-b253-f3baaa088564", 30500}, // a broken neighbour
	} {
		for _, ago := range []time.Duration{0, time.Hour} {
			t.Run(fmt.Sprintf("%s after %v", tt.name, ago), func(t *testing.T) {
				dir := t.TempDir()
				if err := os.CopyFS(dir, os.DirFS(filepath.Join("..", "..", "testdata", "cases", tt.name))); err != nil {
					t.Fatal(err)
				}
				r := newRig(t).set("CLAUDE_CONFIG_DIR", filepath.Join(dir, "claude")).set("CODEX_HOME", filepath.Join(dir, "codex"))
				r.now = time.Now().Add(ago)
				got := r.run("--cwd", tt.cwd).reading(t)
				if got.Session.ID != tt.id || got.MeasuredTokens == nil || *got.MeasuredTokens != tt.measured {
					t.Errorf("session %s, measured %v; want %s, %d", got.Session.ID, got.MeasuredTokens, tt.id, tt.measured)
				}
			})
		}
	}
}
