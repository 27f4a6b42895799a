package claudecode

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ctxmeter/ctxmeter/meter"
)

const (
	agentSession = "79555a71-a51f-4046-a7cf-58b2c43d9f6d"
	agentOne     = "a1e7ed69388e3e720"
)

func recorded(t *testing.T) *Client {
	p := newPlace(t)
	p.dirs = []string{filepath.Join(fixtures(t), "locate")}
	return p.client()
}

func TestFindByIDInEveryProject(t *testing.T) {
	c := recorded(t)
	for _, tt := range []struct{ name, id, want string }{
		{"whole id", "8a637ff3-bb27-408e-b5fe-1294f0d3e04d", "8a637ff3-bb27-408e-b5fe-1294f0d3e04d.jsonl"},
		{"any case", "8A637FF3-BB27-408e-B5FE-1294f0d3e04d", "8a637ff3-bb27-408e-b5fe-1294f0d3e04d.jsonl"},
		{"beginning", "8a637ff3", "8a637ff3-bb27-408e-b5fe-1294f0d3e04d.jsonl"},
		{"beginning in any case", "8A637FF3-BB", "8a637ff3-bb27-408e-b5fe-1294f0d3e04d.jsonl"},
		{"too short", "8a637ff", ""},
		{"unknown", idA, ""},
		{"empty", "", ""},
		{"whole agent id", agentOne, "agent-" + agentOne + ".jsonl"},
		{"agent with its prefix", "agent-" + agentOne, "agent-" + agentOne + ".jsonl"},
		{"beginning of an agent id", "agent-a1e7ed69", "agent-" + agentOne + ".jsonl"},
		{"agent of a session", agentSession + "/" + agentOne, "agent-" + agentOne + ".jsonl"},
		{"agent of a session, both begun", agentSession[:8] + "/agent-a1e7ed69", "agent-" + agentOne + ".jsonl"},
		{"agent of another session", idA + "/" + agentOne, ""},
		{"session of an agent", agentSession, agentSession + ".jsonl"},
		{"agent id too short", "a1e7ed", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := c.Find(tt.id)
			if err != nil || names(got) != tt.want {
				t.Errorf("Find(%q) = %q, %v", tt.id, names(got), err)
			}
		})
	}
}

func TestFindReturnsAllThatBeginAlike(t *testing.T) {
	got, err := recorded(t).Find("11111111-2222")
	if err != nil || len(got) != 2 {
		t.Errorf("Find = %q, %v", names(got), err)
	}
}

func TestFindPrefersTheWholeID(t *testing.T) {
	p := newPlace(t)
	p.write(".claude/projects/-a/abcdefgh.jsonl", talk("abcdefgh", "/a", "2026-09-10T09:00:00Z", "hi"))
	p.write(".claude/projects/-a/abcdefgh-2.jsonl", talk("abcdefgh-2", "/a", "2026-09-10T09:00:00Z", "hi"))
	got, err := p.client().Find("abcdefgh")
	if err != nil || names(got) != "abcdefgh.jsonl" {
		t.Errorf("Find = %q, %v", names(got), err)
	}
}

// Report A20, and Claude Code 2.1.197: a subagent's records carry the id of
// its parent.
func TestFindSubagent(t *testing.T) {
	p := newPlace(t)
	p.write(".claude/projects/-home-dev-shop/"+idA+".jsonl", talk(idA, "/home/dev/shop", "2026-09-10T09:00:00Z", "hi"))
	p.write(".claude/projects/-home-dev-shop/"+idA+"/subagents/agent-a7f31c0.jsonl", talk(idA, "/home/dev/shop", "2026-09-10T09:00:00Z", "hi"))
	got, err := p.client().Find("a7f31c0")
	if err != nil || len(got) != 1 {
		t.Fatalf("Find = %v, %v", got, err)
	}
	s := got[0]
	if s.ID != idA || s.ParentID != idA || s.AgentID != "a7f31c0" || s.Backend != "claude-code" || s.Root != p.root() {
		t.Errorf("session %+v", s)
	}
	if len(s.Segments) != 1 || s.Segments[0].End >= 0 || s.Modified.IsZero() {
		t.Errorf("session %+v", s)
	}
}

// Report G11: subagents lie at any depth, and not everything there is one.
func TestFindSubagentsAtAnyDepthAndNothingElse(t *testing.T) {
	p := newPlace(t)
	deep := ".claude/projects/-a/" + idA + "/subagents/workflows/wf-1/"
	p.write(deep+"agent-b0b0b0b0b0.jsonl", talk(idA, "/a", "2026-09-10T09:00:00Z", "hi"))
	p.write(deep+"journal.jsonl", "{}\n")
	p.write(deep+"agent-b0b0b0b0b0.meta.json", "{}\n")
	c := p.client()
	got, err := c.Find("b0b0b0b0b0")
	if err != nil || names(got) != "agent-b0b0b0b0b0.jsonl" || got[0].ParentID != idA {
		t.Errorf("Find = %q, %v", names(got), err)
	}
	if got, err := c.Find("journal"); len(got) != 0 || err != nil {
		t.Errorf("Find(journal) = %q, %v", names(got), err)
	}
}

func TestFindSubagentBesideItsParent(t *testing.T) {
	p := newPlace(t)
	p.write(".claude/projects/-a/agent-1a2b3c4d.jsonl", talk(idA, "/a", "2026-09-10T09:00:00Z", "hi"))
	got, err := p.client().Find("1a2b3c4d")
	if err != nil || len(got) != 1 || got[0].ID != idA || got[0].ParentID != idA || got[0].AgentID != "1a2b3c4d" {
		t.Errorf("Find = %+v, %v", got, err)
	}
}

// Report D06: a worktree leaves a stub in one folder and the conversation in
// another.
func TestFindTakesTheConversationNotTheStub(t *testing.T) {
	p := newPlace(t)
	want := p.write(".claude/projects/-home-dev-shop-wt/"+idC+".jsonl", talk(idC, "/home/dev/shop-wt", "2026-09-10T09:00:00Z", "hi"))
	newer := p.write(".claude/projects/-home-dev-shop/"+idC+".jsonl", strings.ReplaceAll(stub, "%s", idC))
	p.touch(want, time.Unix(1e9, 0))
	p.touch(newer, time.Unix(2e9, 0))
	got, err := p.client().Find(idC)
	if err != nil || len(got) != 1 || got[0].Segments[0].Path != want {
		t.Errorf("Find = %+v, %v", got, err)
	}
}

func TestFindTakesTheNewestOfSeveralConversations(t *testing.T) {
	p := newPlace(t)
	older := p.write(".claude/projects/-b/"+idC+".jsonl", talk(idC, "/b", "2026-09-10T09:00:00Z", "hi"))
	want := p.write(".claude/projects/-a/"+idC+".jsonl", talk(idC, "/a", "2026-09-11T09:00:00Z", "hi"))
	p.touch(want, time.Unix(1e9, 0)) // a copy: only its records tell
	p.touch(older, time.Unix(2e9, 0))
	got, err := p.client().Find(idC)
	if err != nil || len(got) != 1 || got[0].Segments[0].Path != want {
		t.Errorf("Find = %+v, %v", got, err)
	}
}

// Report E09: people keep several configuration folders.
func TestFindLooksIntoEveryRoot(t *testing.T) {
	p := newPlace(t)
	p.write("one/projects/-a/"+idA+".jsonl", talk(idA, "/a", "2026-09-10T09:00:00Z", "hi"))
	p.write("two/projects/-b/"+idB+".jsonl", talk(idB, "/b", "2026-09-10T09:00:00Z", "hi"))
	p.env["CLAUDE_CONFIG_DIR"] = "~/one,~/two"
	for _, id := range []string{idA, idB} {
		if got, err := p.client().Find(id); err != nil || names(got) != id+".jsonl" {
			t.Errorf("Find(%s) = %q, %v", id, names(got), err)
		}
	}
}

// An id that cannot be one reaches no file, whatever stands in the folders.
func TestFindRefusesWhatIsNoID(t *testing.T) {
	p := newPlace(t)
	p.write(".claude/projects/-a/"+idA+".jsonl", talk(idA, "/a", "2026-09-10T09:00:00Z", "hi"))
	p.write(".claude/secret-file.jsonl", talk(idA, "/a", "2026-09-10T09:00:00Z", "hi"))
	c := p.client()
	for _, id := range []string{
		"../secret-file", "..", "../../secret-file", "*", "????????-6af9-5ba6-8f9c-d11c8a85fbb8",
		"/etc/passwd", `..\secret-file`, "c60e7633*", "c60e7633 ", idA + "/../x", idA + "/", "/" + idA,
		idA + "/subagents/x", "agent-", "agent-../x", "c60e7633\x00", strings.Repeat("c", 5000), "c60e7633.jsonl", "[c]60e7633",
	} {
		if got, err := c.Find(id); len(got) != 0 || err != nil {
			t.Errorf("Find(%q) = %q, %v", id, names(got), err)
		}
	}
}

func TestFindRefusesLinksOutOfTheRoot(t *testing.T) {
	outside := talk(idA, "/a", "2026-09-10T09:00:00Z", "hi")
	for name, prepare := range map[string]func(p *place){
		"transcript": func(p *place) {
			p.write(".claude/projects/-a/other.jsonl", "")
			p.link(p.write("elsewhere/x.jsonl", outside), ".claude/projects/-a/"+idA+".jsonl")
		},
		"project": func(p *place) {
			p.write("elsewhere/"+idA+".jsonl", outside)
			p.link(filepath.Join(p.home, "elsewhere"), ".claude/projects/-a")
		},
		"all projects": func(p *place) {
			p.write("elsewhere/-a/"+idA+".jsonl", outside)
			p.link(filepath.Join(p.home, "elsewhere"), ".claude/projects")
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			prepare(p)
			for _, id := range []string{idA, idA[:8]} {
				got, err := p.client().Find(id)
				if faultCode(t, err) != meter.CodeOutsideRoot || len(got) != 0 {
					t.Fatalf("Find(%s) = %q, %v", id, names(got), err)
				}
				if !strings.Contains(err.Error(), idA) || strings.Contains(err.Error(), p.home) {
					t.Errorf("message %q names no session, or a path", err)
				}
			}
		})
	}
}

func TestFindFollowsLinksInsideTheRoot(t *testing.T) {
	p := newPlace(t)
	file := p.write(".claude/projects/-a/"+idA+".jsonl", talk(idA, "/a", "2026-09-10T09:00:00Z", "hi"))
	p.link(filepath.Dir(file), ".claude/projects/-b")
	got, err := p.client().Find(idA)
	if err != nil || len(got) != 1 {
		t.Errorf("Find = %q, %v", names(got), err)
	}
}

func TestFindInARootThatIsALink(t *testing.T) {
	p := newPlace(t)
	p.write("disk/claude/projects/-a/"+idA+".jsonl", talk(idA, "/a", "2026-09-10T09:00:00Z", "hi"))
	p.link(filepath.Join(p.home, "disk", "claude"), ".claude")
	got, err := p.client().Find(idA)
	if err != nil || names(got) != idA+".jsonl" {
		t.Errorf("Find = %q, %v", names(got), err)
	}
}

func TestFindTellsWhatCannotBeRead(t *testing.T) {
	for name, prepare := range map[string]func(p *place){
		"a folder in its place": func(p *place) { p.write(".claude/projects/-a/"+idA+".jsonl/x", "") },
		"a link to nothing":     func(p *place) { p.link(filepath.Join(p.home, "gone"), ".claude/projects/-a/"+idA+".jsonl") },
		"a link to itself":      func(p *place) { p.link(idA+".jsonl", ".claude/projects/-a/"+idA+".jsonl") },
		"no permission": func(p *place) {
			file := p.write(".claude/projects/-a/"+idA+".jsonl", talk(idA, "/a", "2026-09-10T09:00:00Z", "hi"))
			if err := os.Chmod(file, 0); err != nil {
				p.t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			if name == "no permission" && os.Geteuid() <= 0 {
				return // root may read everything, and Windows has other permissions
			}
			p := newPlace(t)
			prepare(p)
			got, err := p.client().Find(idA)
			if faultCode(t, err) != meter.CodeUnreadable || len(got) != 0 {
				t.Fatalf("Find = %q, %v", names(got), err)
			}
			if !strings.Contains(err.Error(), idA) || strings.Contains(err.Error(), p.home) {
				t.Errorf("message %q names no session, or a path", err)
			}
		})
	}
}

func TestFindIsNotStoppedByABrokenNeighbour(t *testing.T) {
	p := newPlace(t)
	p.write(".claude/projects/-a/"+idA+".jsonl/x", "")
	want := p.write(".claude/projects/-b/"+idA+".jsonl", talk(idA, "/b", "2026-09-10T09:00:00Z", "hi"))
	got, err := p.client().Find(idA)
	if err != nil || len(got) != 1 || got[0].Segments[0].Path != want {
		t.Errorf("Find = %q, %v", names(got), err)
	}
}

func FuzzQuery(f *testing.F) {
	for _, s := range []string{idA, "agent-a7f31c0", idA + "/a7f31c0", "../x", "a/b/c", "agent-agent-x", "", "/"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, id string) {
		q, ok := parseQuery(id)
		if !ok {
			return
		}
		for _, part := range []string{q.session, q.agent} {
			if strings.ContainsAny(part, `/\.*?[]: `) {
				t.Errorf("parseQuery(%q) = %+v", id, q)
			}
		}
		if !q.sessions() && q.agent == "" {
			t.Errorf("parseQuery(%q) asks for nothing", id)
		}
	})
}
