package claudecode

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ctxmeter/ctxmeter/meter"
	"github.com/ctxmeter/ctxmeter/meter/files"
)

// shop is a place in which a client with the id 7 works on session A, in the
// folder /a.
func shop(t *testing.T) *place {
	p := newPlace(t)
	p.dir = "/a"
	p.run(7, 1, "claude")
	p.enter(".claude", 7, idA)
	p.transcript(idA, "")
	return p
}

// transcript writes a conversation in /a that ends with these records.
func (p *place) transcript(session, end string) string {
	return p.write(".claude/projects/-a/"+session+".jsonl", talk(session, "/a", "2026-09-10T09:00:00Z", "hi")+end)
}

func (p *place) agent(session, agent, end string) string {
	return p.write(".claude/projects/-a/"+session+"/subagents/agent-"+agent+".jsonl", talk(session, "/a", "2026-09-10T09:00:00Z", "hi")+end)
}

var (
	withUse  = meter.Call{Client: "claude-code", Parent: 7, Meta: map[string]any{toolUseKey: use, "progressToken": 4.0}}
	numbered = meter.Call{Client: "claude-code", Parent: 7, Tool: "context_status", Meta: map[string]any{toolUseKey: "call_1"}}
	without  = meter.Call{Client: "claude-code", Parent: 7, Meta: map[string]any{"progressToken": 4.0}}
)

func TestWhoCalls(t *testing.T) {
	const call, process = meter.IdentityCall, meter.IdentityProcess
	for _, tt := range []struct {
		name     string
		set      func(p *place)
		call     meter.Call
		file     string // whose session
		identity meter.Identity
		pending  bool
		doubt    bool
	}{
		{"the session itself", func(p *place) { p.transcript(idA, called(use)) }, withUse, idA, call, false, false},
		{"a subagent", func(p *place) {
			p.agent(idA, "a1", called(use))
		}, withUse, "agent-a1", call, false, false},
		{"a subagent of a subagent", func(p *place) { // flat in 2.1.197, deeper in a public report
			p.agent(idA, "a1", called("toolu_b"))
			p.agent(idA, "workflows/w/x", "")
			p.write(".claude/projects/-a/"+idA+"/subagents/workflows/w/agent-a2.jsonl", called(use))
		}, withUse, "agent-a2", call, false, false},
		{"a subagent of an old build, beside its parent", func(p *place) {
			p.write(".claude/projects/-a/agent-a3.jsonl", talk(idA, "/a", "2026-09-10T09:00:00Z", "hi")+called(use))
		}, withUse, "agent-a3", call, false, false},
		{"not written yet", func(*place) {}, withUse, idA, process, true, false},
		{"not written yet, and a subagent works", func(p *place) {
			p.agent(idA, "a1", "")
		}, withUse, idA, process, true, true},
		{"not written yet, and a subagent has ended", func(p *place) {
			p.agent(idA, "a1", called("toolu_b")+answered("toolu_b")+`{"type":"assistant","message":{"stop_reason":"end_turn","content":[]}}`+"\n"+`{"type":"mode"}`+"\n")
		}, withUse, idA, process, true, false},
		{"not written yet, and a subagent goes on after its end", func(p *place) {
			p.agent(idA, "a1", `{"type":"assistant","message":{"stop_reason":"end_turn","content":[]}}`+"\n"+answered("toolu_b"))
		}, withUse, idA, process, true, true},
		{"not written yet, and a subagent worked before the client was started", func(p *place) {
			p.write(".claude/sessions/7.json", strings.Replace(registered(7, idA), "1796050394534", fmt.Sprint(p.now.Add(-time.Minute).UnixMilli()), 1))
			p.touch(p.agent(idA, "a1", ""), p.now.Add(-2*time.Minute))
		}, withUse, idA, process, true, false},
		{"not written yet, and a subagent of an old build works", func(p *place) {
			p.write(".claude/projects/-a/agent-a3.jsonl", talk(idA, "/a", "2026-09-10T09:00:00Z", "hi"))
		}, withUse, idA, process, true, true},
		{"not written yet, and another session's subagents work", func(p *place) {
			p.agent(idB, "a1", "")
			p.write(".claude/projects/-a/agent-a3.jsonl", talk(idB, "/a", "2026-09-10T09:00:00Z", "hi"))
		}, withUse, idA, process, true, false},
		{"a version without ids", func(p *place) {}, without, idA, process, false, false},
		{"a version without ids, and a subagent works", func(p *place) {
			p.agent(idA, "a1", "")
		}, without, idA, process, false, true},
		{"a version without ids, and a subagent has worked", func(p *place) {
			p.touch(p.agent(idA, "a1", ""), p.now.Add(-lately-time.Second))
		}, without, idA, process, false, false},
		{"no name and no id", func(*place) {}, meter.Call{Parent: 7}, idA, process, false, false},
		{"an id that is none", func(*place) {}, meter.Call{Parent: 7, Meta: map[string]any{toolUseKey: "../" + use}}, idA, process, false, false},
		{"another client in this one's shell", func(p *place) {
			p.env["CLAUDECODE"] = "1"
		}, meter.Call{Client: "gemini-cli-mcp-client", Parent: 7}, "", "", false, false},
		{"a relay among this one's servers", func(p *place) {
			p.env["CLAUDECODE"], p.env["CLAUDE_PROJECT_DIR"] = "1", "/a"
		}, meter.Call{Client: "mcp-proxy", Parent: 7}, idA, process, false, false},
		{"asked again when it is answered", func(p *place) {
			p.transcript(idA, called(use)+answered(use))
		}, withUse, idA, call, true, false},
		{"asked again when a subagent's call is answered", func(p *place) {
			p.agent(idA, "a1", called(use)+answered(use))
		}, withUse, "agent-a1", call, true, false},
		{"no process, and answered", func(p *place) {
			p.transcript(idB, called(use)+answered(use))
		}, meter.Call{Meta: withUse.Meta}, idB, call, true, false},
		{"no process, and answered in two copies", func(p *place) {
			p.transcript(idB, called(use)+answered(use))
			p.transcript(idC, called(use)+answered(use))
		}, meter.Call{Meta: withUse.Meta}, "", "", true, false},
		{"a relay that passes the id on", func(p *place) {
			p.transcript(idA, called(use))
		}, meter.Call{Client: "mcp-proxy", Meta: withUse.Meta}, idA, call, false, false},
		{"the id in text only", func(p *place) {
			p.transcript(idA, "")
			p.transcript(idB, strings.Replace(answered("toolu_b"), `"ok"`, quoted(called(use)), 1))
		}, withUse, idA, process, true, false},
		{"after /clear", func(p *place) {
			p.transcript(idA, called("toolu_b")+answered("toolu_b"))
			p.transcript(idB, "")
			p.enter(".claude", 7, idB)
		}, without, idB, process, false, false},
		{"two clients in one folder", func(p *place) {
			p.run(9, 1, "claude")
			p.enter(".claude", 9, idB)
			p.transcript(idB, called("toolu_b"))
		}, withUse, idA, process, true, false},
		{"two clients whose gateway numbers the calls", func(p *place) {
			p.run(9, 1, "claude")
			p.enter(".claude", 9, idB)
			p.transcript(idB, called(use))
		}, withUse, idA, process, true, false},
		{"a killed client has left a call of this number open", func(p *place) {
			p.touch(p.transcript(idB, called(use)), p.now.Add(-lately-time.Second))
		}, withUse, idA, process, true, false},
		{"this call is in another session", func(p *place) { p.transcript(idB, called(use)) }, withUse, idB, call, false, false},
		{"a fork with copies of calls that are done", func(p *place) {
			p.transcript(idB, called(use)+answered(use))
		}, withUse, idA, process, true, false},
		{"a fork with a copy of this call", func(p *place) {
			p.touch(p.transcript(idA, called(use)), p.now.Add(-time.Hour))
			p.transcript(idB, called(use))
		}, withUse, idA, call, false, false},
		{"a long number that another client's call has, too", func(p *place) {
			p.transcript(idB, called("call_00000000000000000001"))
		}, meter.Call{Client: "claude-code", Parent: 7, Tool: "context_status", Meta: map[string]any{toolUseKey: "call_00000000000000000001"}}, idA, process, true, false},
		{"a name of the tool that another client's call has, too", func(p *place) {
			p.transcript(idB, called("tool_0_mcp__ctxmeter__context_status"))
		}, meter.Call{Client: "claude-code", Parent: 7, Tool: "context_status", Meta: map[string]any{toolUseKey: "tool_0_mcp__ctxmeter__context_status"}}, idA, process, true, false},
		{"a number without a process", func(p *place) {
			p.transcript(idB, called("call_1"))
		}, meter.Call{Client: "claude-code", Tool: "context_status", Meta: numbered.Meta}, "", "", true, false},
		{"a number that a subagent has left open long ago", func(p *place) {
			p.touch(p.agent(idA, "a1", called("call_1")), p.now.Add(-5*time.Hour))
		}, numbered, idA, process, true, false},
		{"a number that both main conversation and subagent have open", func(p *place) {
			p.transcript(idA, called("call_1"))
			p.agent(idA, "a1", called("call_1"))
		}, numbered, idA, process, true, true},
		{"a number that another client's call has, too", func(p *place) {
			p.transcript(idB, called("call_1"))
		}, numbered, idA, process, true, false},
		{"a number that another client's subagent has, too", func(p *place) {
			p.run(9, 1, "claude")
			p.enter(".claude", 9, idB)
			p.write(".claude/projects/-a/agent-a3.jsonl", talk(idB, "/a", "2026-09-10T09:00:00Z", "hi")+called("call_1"))
		}, numbered, idA, process, true, false},
		{"a number that the parent's call of another tool has, too", func(p *place) {
			p.transcript(idA, strings.Replace(called("call_1"), `"name":"mcp__ctxmeter__context_status"`, `"name":"Agent"`, 1))
			p.agent(idA, "a1", called("call_1"))
		}, numbered, "agent-a1", call, false, false},
		{"no process, not written yet", func(*place) {}, meter.Call{Meta: withUse.Meta}, "", "", true, false},
		{"no process, long ago", func(p *place) {
			p.touch(p.transcript(idA, called(use)), p.now.Add(-strangerAge-time.Second))
		}, meter.Call{Meta: withUse.Meta}, "", "", true, false},
		{"no process, the project named by the client", func(p *place) {
			p.dir = "/elsewhere"
			p.env["CLAUDE_PROJECT_DIR"] = "/a"
			p.transcript(idA, called(use))
		}, meter.Call{Meta: withUse.Meta}, idA, call, false, false},
		{"no process, another project", func(p *place) {
			p.dir = "/elsewhere"
			p.transcript(idA, called(use))
		}, meter.Call{Meta: withUse.Meta}, "", "", true, false},
		{"nothing at all", func(*place) {}, meter.Call{Client: "claude-code"}, "", "", false, false},
		{"an entry that is half written", func(p *place) {
			p.write(".claude/sessions/7.json", registered(7, idA)[:50])
		}, without, "", "", true, false},
		{"an entry that is half written, and the call is there", func(p *place) {
			p.write(".claude/sessions/7.json", registered(7, idA)[:50])
			p.transcript(idA, called(use))
		}, withUse, idA, call, false, false},
		{"a client inside of this one, its entry half written", func(p *place) {
			p.run(17, 7, "claude")
			p.write(".claude/sessions/17.json", registered(17, idB)[:50])
		}, meter.Call{Parent: 17}, "", "", true, false},
		{"a subagent in its parent's file", func(p *place) {
			p.transcript(idA, strings.Replace(called(use), `"isSidechain":false`, `"isSidechain":true`, 1))
		}, withUse, idA, call, false, true},
		{"several roots have the session", func(p *place) {
			p.dirs = []string{p.home + "/other"}
			p.write("other/projects/-a/"+idA+".jsonl", talk(idA, "/a", "2026-09-10T09:00:00Z", "a copy"))
		}, without, idA, process, false, false},
		{"a linked root", func(p *place) {
			p.transcript(idA, called(use))
			if err := os.Rename(p.root(), p.home+"/real"); err != nil {
				p.t.Fatal(err)
			}
			p.link(p.home+"/real", ".claude")
		}, withUse, idA, call, false, false},
		{"stubs beside it", func(p *place) {
			p.write(".claude/projects/-b/"+idA+".jsonl", strings.ReplaceAll(stub, "%s", idA))
		}, without, idA, process, false, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := shop(t)
			tt.set(p)
			got, err := p.client().Caller(tt.call)
			if err != nil {
				t.Fatal(err)
			}
			file, root := "", ""
			if got.Session.ID != "" {
				file, root = strings.TrimSuffix(filepath.Base(fileOf(got.Session)), extension), got.Session.Root
			}
			if file != tt.file || got.Identity != tt.identity || (len(got.Watch) > 0) != tt.pending || got.Doubt != tt.doubt {
				t.Errorf("Caller = %+v", got)
			}
			if root != "" && root != p.root() {
				t.Errorf("root %q", root)
			}
			if got.Session.AgentID != "" && (got.Session.ID != idA || got.Session.ParentID != idA) {
				t.Errorf("subagent %+v", got.Session)
			}
			if tt.pending == (len(got.Watch) == 0) {
				t.Errorf("watch %q", got.Watch)
			}
			for _, dir := range got.Watch {
				if !files.IsDir(dir) {
					t.Errorf("%q is no folder", dir)
				}
			}
		})
	}
}

func TestWatchWhereTheAnswerMayAppear(t *testing.T) {
	for _, tt := range []struct {
		name string
		set  func(p *place)
		call meter.Call
		want []string // below the root
	}{
		{"the project", func(*place) {}, withUse, []string{"projects/-a"}},
		{"and the session's folder", func(p *place) {
			p.write(".claude/projects/-a/"+idA+"/tool-results/x.txt", "")
		}, withUse, []string{"projects/-a", "projects/-a/" + idA}},
		{"and its subagents", func(p *place) { p.agent(idA, "a1", "") }, withUse, []string{"projects/-a", "projects/-a/" + idA + "/subagents"}},
		{"the registry", func(p *place) { p.write(".claude/sessions/7.json", "{") }, without, []string{"sessions", "projects/-a"}},
		{"the project of a first session", func(p *place) { p.enter(".claude", 7, idB) }, without, []string{"projects/-a"}},
		{"all projects for the first of a project", func(p *place) {
			p.write(".claude/sessions/7.json", strings.Replace(registered(7, idB), `"/a"`, `"/new"`, 1))
		}, without, []string{"projects"}},
		{"no process, no project", func(p *place) { p.dir = "/new" }, meter.Call{Meta: withUse.Meta}, []string{"projects"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := shop(t)
			tt.set(p)
			got, _ := p.client().Caller(tt.call)
			var want []string
			for _, w := range tt.want {
				want = append(want, filepath.Join(p.root(), filepath.FromSlash(w)))
			}
			if len(got.Watch) == 0 || fmt.Sprint(got.Watch) != fmt.Sprint(want) {
				t.Errorf("watch %q, want %q", got.Watch, want)
			}
		})
	}
}

// A neighbour is no answer where the session that makes the call is known.
func TestSessionThatCannotBeReadIsAFault(t *testing.T) {
	for _, tt := range []struct {
		name    string
		set     func(p *place)
		call    meter.Call
		code    meter.Code
		pending bool
	}{
		{"its transcript is not there yet", func(p *place) {
			p.enter(".claude", 7, idC)
			p.transcript(idB, "")
		}, without, meter.CodeSessionNotFound, true},
		{"the same with an id", func(p *place) {
			p.enter(".claude", 7, idC)
		}, withUse, meter.CodeSessionNotFound, true},
		{"the same, and another client's gateway gives the same id", func(p *place) {
			p.enter(".claude", 7, idC)
			p.run(9, 1, "claude")
			p.enter(".claude", 9, idB)
			p.transcript(idB, called(use))
		}, withUse, meter.CodeSessionNotFound, true},
		{"a session whose id another one begins with", func(p *place) {
			p.enter(".claude", 7, idA[:13])
		}, without, meter.CodeSessionNotFound, true},
		{"a link out of the root", func(p *place) {
			p.enter(".claude", 7, idB)
			p.link(p.write("x.jsonl", talk(idB, "/a", "2026-09-10T09:00:00Z", "hi")), ".claude/projects/-a/"+idB+".jsonl")
		}, without, meter.CodeOutsideRoot, false},
		{"a folder in its place", func(p *place) {
			p.enter(".claude", 7, idB)
			p.write(".claude/projects/-a/"+idB+".jsonl/x", "")
		}, without, meter.CodeUnreadable, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := shop(t)
			tt.set(p)
			got, err := p.client().Caller(tt.call)
			if faultCode(t, err) != tt.code || got.Session.ID != "" || (len(got.Watch) > 0) != tt.pending || got.Identity != "" {
				t.Errorf("Caller = %+v, %v", got, err)
			}
			if strings.Contains(err.Error(), p.home) {
				t.Errorf("%v tells a path", err)
			}
		})
	}
}

// A call that stands in two transcripts, as after a fork in the middle of it,
// is nobody's where the processes say nothing.
func TestCallInTwoTranscriptsIsAmbiguous(t *testing.T) {
	p := shop(t)
	p.touch(p.transcript(idA, called(use)), p.now.Add(-time.Hour))
	p.transcript(idB, called(use))
	p.transcript(idC, called(use)+answered(use))
	got, err := p.client().Caller(meter.Call{Meta: withUse.Meta})
	if faultCode(t, err) != meter.CodeAmbiguousSession || got.Session.ID != "" {
		t.Errorf("Caller = %+v, %v", got, err)
	}
	if f, _ := errors.AsType[*meter.Fault](err); len(f.Candidates) != 2 {
		t.Errorf("candidates %+v", f.Candidates)
	}
}

// The environment of a shell names this client's session to whoever is started
// there: that is said of the call.
func TestCallOfAnotherClientIsForeign(t *testing.T) {
	p := shop(t)
	p.env["CLAUDECODE"] = "1"
	got, err := p.client().Caller(meter.Call{Client: "gemini-cli-mcp-client", Parent: 7})
	if err != nil || !got.Foreign {
		t.Errorf("Caller = %+v, %v", got, err)
	}
}

// The call that is found wins over a process whose session cannot be read.
func TestCallIsFoundThoughTheProcessesSessionIsNot(t *testing.T) {
	p := shop(t)
	p.enter(".claude", 7, idC)
	p.transcript(idB, called(use))
	got, err := p.client().Caller(withUse)
	if err != nil || got.Session.ID != idB || got.Identity != meter.IdentityCall {
		t.Errorf("Caller = %+v, %v", got, err)
	}
}
