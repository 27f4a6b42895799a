package claudecode

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctxmeter/ctxmeter/meter"
)

// recordedCall is a call that the real client made, and whose it was: the
// scenario was written so that this is known.
type recordedCall struct {
	Scenario string                     `json:"scenario"`
	Call     map[string]any             `json:"call"` // _meta
	Dir      string                     `json:"dir"`  // working folder of the server
	Parents  [][2]any                   `json:"parents"`
	Registry map[string]json.RawMessage `json:"registry"` // at the time of the call
	Session  string                     `json:"session"`
	Agent    string                     `json:"agent"`
	Late     bool                       `json:"late"` // its record was not on disk when the call came
}

func recordedCalls(t *testing.T) (out []recordedCall) {
	t.Helper()
	b, err := os.ReadFile("../../testdata/mcp/claude-code-2.1.197.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for d := json.NewDecoder(strings.NewReader(string(b))); d.More(); {
		var c recordedCall
		if err := d.Decode(&c); err != nil {
			t.Fatal(err)
		}
		out = append(out, c)
	}
	if len(out) != 12 {
		t.Fatal(len(out), "calls")
	}
	return out
}

// set makes the place as it was when the call came: before its record was
// written, or after.
func (r recordedCall) set(p *place, written bool) meter.Call {
	p.t.Helper()
	use := r.Call[toolUseKey].(string)
	from := "../../testdata/claude-code/" + r.Scenario
	if _, err := os.Stat(from); err != nil {
		from = "../../testdata/mcp/" + r.Scenario
	}
	for _, path := range transcripts(p.t, from) {
		b, err := os.ReadFile(path)
		if err != nil {
			p.t.Fatal(err)
		}
		text := ""
		for line := range strings.Lines(string(b)) {
			if strings.Contains(path, r.Session) && strings.Contains(line, use) && (!written || strings.Contains(line, `"tool_use_id":"`+use)) {
				break
			}
			text += line
		}
		rel, _ := filepath.Rel(from, path)
		p.write(".claude/"+filepath.ToSlash(rel), text)
	}
	for i, parent := range r.Parents {
		pid := int(parent[0].(float64))
		state := pidState{alive: meter.LiveYes, start: "1", name: parent[1].(string)}
		if i+1 < len(r.Parents) {
			state.parent = int(r.Parents[i+1][0].(float64))
		}
		p.pids[pid] = state
	}
	for name, entry := range r.Registry {
		p.write(".claude/sessions/"+name, string(entry))
		var e struct {
			PID   int
			Start string `json:"procStart"`
		}
		if err := json.Unmarshal(entry, &e); err != nil {
			p.t.Fatal(err)
		}
		state := p.pids[e.PID]
		state.alive, state.start = meter.LiveYes, e.Start
		p.pids[e.PID] = state
	}
	p.dir = r.Dir
	return meter.Call{Client: "claude-code", Meta: r.Call, Parent: int(r.Parents[0][0].(float64))}
}

func (r recordedCall) id() string { return r.Call[toolUseKey].(string) }

func TestRecordedCallsOnceTheyAreWritten(t *testing.T) {
	for _, r := range recordedCalls(t) {
		for _, processes := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s/%s/%v", r.Scenario, r.id(), processes), func(t *testing.T) {
				p := newPlace(t)
				call := r.set(p, true)
				if !processes {
					call.Parent = 0
				}
				got, err := p.client().Caller(call)
				if err != nil || got.Session.ID != r.Session || got.Session.AgentID != r.Agent || got.Identity != meter.IdentityCall {
					t.Fatalf("Caller = %+v, %v; want %s %s", got, err, r.Session, r.Agent)
				}
				if len(got.Watch) > 0 || got.Doubt || got.Uncounted || (got.Session.ParentID != "") != (r.Agent != "") {
					t.Errorf("Caller = %+v", got)
				}
			})
		}
	}
}

// Until then it is the session of the process, which may be a subagent's
// parent while that is at work.
func TestRecordedCallsBeforeTheyAreWritten(t *testing.T) {
	for _, r := range recordedCalls(t) {
		t.Run(r.Scenario+"/"+r.id(), func(t *testing.T) {
			p := newPlace(t)
			call := r.set(p, false)
			got, err := p.client().Caller(call)
			if err != nil || got.Session.ID != r.Session || got.Session.AgentID != "" || got.Identity != meter.IdentityProcess || len(got.Watch) == 0 {
				t.Fatalf("Caller = %+v, %v; want %s", got, err, r.Session)
			}
			if got.Doubt != (r.Agent != "") || !got.Uncounted {
				t.Errorf("Caller = %+v", got)
			}
			if got.Session.Live != meter.LiveYes {
				t.Errorf("live: %v", got.Session.Live)
			}
			if folder := filepath.Dir(fileOf(got.Session)); len(got.Watch) == 0 || got.Watch[0] != folder {
				t.Errorf("watch %q", got.Watch)
			}
		})
	}
}
