package claudecode

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctxmeter/ctxmeter/backends/codex"
	"github.com/ctxmeter/ctxmeter/meter"
)

// asWritten is a payload as encoding/json reads it.
type asWritten struct {
	Event      string          `json:"hook_event_name"`
	Source     string          `json:"source"`
	Session    string          `json:"session_id"`
	Agent      string          `json:"agent_id"`
	Transcript string          `json:"transcript_path"`
	Cwd        string          `json:"cwd"`
	Version    string          `json:"version"`
	Model      json.RawMessage `json:"model"`
	ToolUse    string          `json:"tool_use_id"`
	Effort     struct {
		Level string
	} `json:"effort"`
	Workspace struct {
		Project string `json:"project_dir"`
	} `json:"workspace"`
	Cost struct {
		USD float64 `json:"total_cost_usd"`
	} `json:"cost"`
	Context struct {
		Window int64           `json:"context_window_size"`
		Usage  json.RawMessage `json:"current_usage"`
	} `json:"context_window"`
}

type usageWritten struct {
	In     int64 `json:"input_tokens"`
	Create int64 `json:"cache_creation_input_tokens"`
	Read   int64 `json:"cache_read_input_tokens"`
	Out    int64 `json:"output_tokens"`
}

func (w asWritten) payload() meter.Payload {
	var u usageWritten
	_ = json.Unmarshal(w.Context.Usage, &u)
	p := meter.Payload{
		Event: w.Event, Source: w.Source, Session: w.Session, Agent: w.Agent, Transcript: w.Transcript, Dir: w.Workspace.Project,
		Version: w.Version, Effort: w.Effort.Level, Window: w.Context.Window, Used: u.In + u.Create + u.Read,
		Cached: u.Read, Output: u.Out, CostUSD: w.Cost.USD, ToolUse: w.ToolUse,
	}
	if p.Dir == "" {
		p.Dir = w.Cwd
	}
	switch usage := string(w.Context.Usage); {
	case usage == "null":
		p.Unused = meter.UnusedSinceStart
	case usage != "" && p.Used+p.Output == 0:
		p.Unused = meter.UnusedSinceBoundary
	}
	var object struct{ ID string }
	if json.Unmarshal(w.Model, &object) == nil {
		p.Model = object.ID
	} else {
		_ = json.Unmarshal(w.Model, &p.Model)
	}
	if model, ok := strings.CutSuffix(p.Model, "[1m]"); ok {
		p.Model, p.Window = model, 1_000_000
	} else if p.Event != "" && strings.HasPrefix(p.Model, "claude-") {
		p.Window = 200_000
	}
	return p
}

// recordedPayloads are what a client handed to status lines and hooks.
func recordedPayloads(t testing.TB) (all [][]byte) {
	t.Helper()
	files, err := filepath.Glob("../../testdata/statusline/payloads/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatal("no recordings", err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(data) {
			var status struct{ Stdin json.RawMessage }
			if json.Unmarshal(line, &status) == nil && status.Stdin != nil {
				line = status.Stdin
			}
			all = append(all, bytes.Clone(line))
		}
	}
	return all
}

func TestEveryRecordedPayloadIsRead(t *testing.T) {
	c, other := New(meter.Env{}), codex.New(meter.Env{})
	for _, data := range recordedPayloads(t) {
		var w asWritten
		if err := json.Unmarshal(data, &w); err != nil {
			t.Fatal(err)
		}
		got, ok := c.Payload(bytes.Clone(data))
		if want := w.payload(); !ok || got != want {
			t.Errorf("%v %+v\nwant %+v", ok, got, want)
		}
		if _, ok := other.Payload(data); ok {
			t.Errorf("Codex takes %s for its own", data)
		}
		var broad bytes.Buffer
		if err := json.Indent(&broad, data, "\r", "\t"); err != nil {
			t.Fatal(err)
		}
		if wide, _ := c.Payload(broad.Bytes()); wide != got {
			t.Errorf("in several lines: %+v", wide)
		}
	}
}

func TestEachFieldOfAPayloadCountsForItself(t *testing.T) {
	const id = "2d69b221-4171-511a-a018-099a5837e6ae"
	base := meter.Payload{Session: id}
	for text, change := range map[string]func(p *meter.Payload){
		`"model":7`:                                                                                 func(*meter.Payload) {},
		`"model":{"id":["x"]}`:                                                                      func(*meter.Payload) {},
		`"model":{"id":"m","id2":[{}]}`:                                                             func(p *meter.Payload) { p.Model = "m" },
		`"cost":{"total_cost_usd":-1}`:                                                              func(*meter.Payload) {},
		`"cost":{"total_cost_usd":1e999},"version":"2.1.1"`:                                         func(p *meter.Payload) { p.Version = "2.1.1" },
		`"cost":{"total_cost_usd":0.25}`:                                                            func(p *meter.Payload) { p.CostUSD = 0.25 },
		`"model":"claude-opus-4-8[1m]"`:                                                             func(p *meter.Payload) { p.Model, p.Window = "claude-opus-4-8", 1_000_000 },
		`"context_window":null,"cwd":"/home/dev"`:                                                   func(p *meter.Payload) { p.Dir = "/home/dev" },
		`"context_window":{"context_window_size":-5}`:                                               func(*meter.Payload) {},
		`"context_window":{"context_window_size":1e99}`:                                             func(*meter.Payload) {},
		`"context_window":{"context_window_size":2e5}`:                                              func(p *meter.Payload) { p.Window = 200_000 },
		`"context_window":{"current_usage":null,"total_input_tokens":498211}`:                       func(*meter.Payload) {},
		`"context_window":{"current_usage":{"input_tokens":3,"cache_read_input_tokens":"x"}}`:       func(*meter.Payload) {},
		`"context_window":{"current_usage":{"input_tokens":3,"cache_read_input_tokens":null}}`:      func(p *meter.Payload) { p.Used = 3 },
		`"context_window":{"current_usage":{"input_tokens":0},"used_percentage":0}`:                 func(*meter.Payload) {},
		`"transcript_path":"` + strings.Repeat("x", 5000) + `","agent_id":"a/../b"`:                 func(*meter.Payload) {},
		`"hook_event_name":"PreToolUse","tool_name":"Write","tool_input":{"file_path":"/a"}`:        func(p *meter.Payload) { p.Event = "PreToolUse" },
		`"hook_event_name":"PostToolUse","tool_name":"Read","tool_input":{"file_path":"/a"}`:        func(p *meter.Payload) { p.Event = "PostToolUse" },
		`"hook_event_name":"PreToolUse","tool_name":"Read","tool_input":{"file_path":{},"limit":4}`: func(p *meter.Payload) { p.Event, p.Read.Lines = "PreToolUse", 4 },
		`"hook_event_name":"PreToolUse","tool_name":"Read","tool_use_id":"toolu_1","tool_input":{"file_path":"/home/dev/\"a\"é.go","offset":10,"limit":20}`: func(p *meter.Payload) {
			p.Event, p.ToolUse, p.Read = "PreToolUse", "toolu_1", meter.PlannedPart{Path: `/home/dev/"a"é.go`, First: 10, Lines: 20}
		},
	} {
		want := base
		change(&want)
		for _, data := range []string{`{"session_id":"` + id + `",` + text + `}`, `{` + text + `,"session_id":"` + id + `"}`} {
			if got, ok := New(meter.Env{}).Payload([]byte(data)); !ok || got != want {
				t.Errorf("%s: %v %+v", data, ok, got)
			}
		}
	}
}

func TestWhatIsCutOffTakesNothingAwayFromWhatCameBefore(t *testing.T) {
	data := []byte(`{"session_id":"2d69b221","hook_event_name":"UserPromptSubmit","transcript_path":"/a.jsonl","effort":{"level":"high","x":[1,{"y":"z` + strings.Repeat("x", 1000))
	for cut := range data {
		p, _ := New(meter.Env{}).Payload(bytes.Clone(data[:cut]))
		for _, field := range [][2]string{{p.Session, "2d69b221"}, {p.Event, "UserPromptSubmit"}, {p.Transcript, "/a.jsonl"}, {p.Effort, "high"}} {
			if field[0] != "" && field[0] != field[1] {
				t.Fatalf("cut at %d: %q", cut, field[0])
			}
		}
		if cut > 200 && (p.Session == "" || p.Event == "" || p.Transcript == "" || p.Effort == "") {
			t.Fatalf("cut at %d: %+v", cut, p)
		}
	}
}

func TestWhatIsNoPayloadIsNone(t *testing.T) {
	for _, text := range []string{
		"", "null", "[]", "{}", "{", `{"a":1}`, `{"session_id":5}`, `"session_id"`, "\x00\x01\xff", `[{"session_id":"abcdefgh"}]x`,
		`{"session_id":"01a22cf8-7dfc-7bc1-bdfd-ff25241327ee","turn_id":"1","hook_event_name":"Stop"}`,
		`{"transcript_path":"/home/dev/.codex/sessions/2026/11/30/rollout-2026-11-30T15-00-12-01a22cf8-7dfc-7bc1-bdfd-ff25241327ee.jsonl","session_id":"a"}`,
	} {
		if p, ok := New(meter.Env{}).Payload([]byte(text)); ok {
			t.Errorf("%q is %+v", text, p)
		}
	}
}

// Whatever comes in, nothing that a person or a tool wrote comes out, and what
// is no JSON takes no longer than what is.
func FuzzPayload(f *testing.F) {
	for _, data := range recordedPayloads(f) {
		f.Add(data)
	}
	f.Add([]byte(`{"a":[[[{{{`))
	f.Add(bytes.Repeat([]byte(`[{"a":`), 1000))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, ok := New(meter.Env{}).Payload(bytes.Clone(data))
		if q, also := codex.New(meter.Env{}).Payload(bytes.Clone(data)); ok && also {
			t.Fatalf("two clients' own: %+v, %+v", p, q)
		}
		if p.Used < 0 || p.Window < 0 || p.Output < 0 || p.CostUSD < 0 || p.Read.First < 0 || p.Read.Lines < 0 {
			t.Fatalf("%+v", p)
		}
	})
}
