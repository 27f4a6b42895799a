package codex

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctxmeter/ctxmeter/meter"
)

// asMeta decodes the _meta of a call as a server gets it.
func asMeta(t *testing.T, text string) (out map[string]any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		t.Fatal(text, err)
	}
	return out
}

func TestThreadOfACall(t *testing.T) {
	a, b, c, root := id(1), id(2), id(3), id(9)
	long := strings.Repeat("a", 1<<20)
	for _, tt := range []struct{ name, meta, want string }{
		{"0.47 to 0.111", `{"progressToken":1}`, ""},
		{"0.117", `{"progressToken":1,"x-codex-turn-metadata":{"session_id":"A","turn_id":"B"}}`, a},
		{"0.123", `{"threadId":"A","x-codex-turn-metadata":{"session_id":"A"}}`, a},
		{"0.156", `{"threadId":"A","sessionId":"R","windowId":"A:1","callId":"call_1","itemId":"x"}`, a},
		{
			"0.171, a subagent", `{"threadId":"A","sessionId":"R","windowId":"A:1","callId":"call_1","itemId":"x",
			"x-codex-turn-metadata":{"session_id":"R","thread_id":"A","parent_thread_id":"R","subagent_kind":"thread_spawn","thread_source":"subagent"}}`, a,
		},
		{"metadata as text", `{"x-codex-turn-metadata":"{\"session_id\":\"R\",\"thread_id\":\"A\"}"}`, a},
		{"upper case", `{"threadId":"` + strings.ToUpper(a) + `"}`, a},
		{"threadId before the rest", `{"threadId":"A","windowId":"C:1","x-codex-turn-metadata":{"thread_id":"B"}}`, a},
		{"thread_id before windowId", `{"windowId":"C:1","sessionId":"R","x-codex-turn-metadata":{"thread_id":"B","session_id":"R"}}`, b},
		{"windowId before session_id", `{"windowId":"C:12","sessionId":"R","x-codex-turn-metadata":{"session_id":"R"}}`, c},
		{"window without a number", `{"windowId":"C"}`, c},
		{"session_id before sessionId", `{"sessionId":"R","x-codex-turn-metadata":{"session_id":"A"}}`, a},
		{"sessionId alone", `{"sessionId":"R"}`, root},
		{"the root of a subagent is not the caller", `{"sessionId":"R","x-codex-turn-metadata":{"session_id":"R","parent_thread_id":"R"}}`, ""},
		{"by its source", `{"x-codex-turn-metadata":{"session_id":"R","thread_source":"subagent"}}`, ""},
		{"by its kind", `{"sessionId":"R","x-codex-turn-metadata":{"subagent_kind":"review"}}`, ""},

		{"null", `{"threadId":null,"x-codex-turn-metadata":null,"windowId":null}`, ""},
		{"numbers", `{"threadId":1,"x-codex-turn-metadata":2,"windowId":3,"sessionId":4}`, ""},
		{"lists", `{"threadId":["A"],"x-codex-turn-metadata":["A"],"windowId":["A:1"]}`, ""},
		{"objects", `{"threadId":{"A":1},"x-codex-turn-metadata":{"thread_id":{"A":1},"session_id":["A"]}}`, ""},
		{"no id, as if absent", `{"threadId":"../x","x-codex-turn-metadata":{"thread_id":"A"}}`, a},
		{"separators", `{"threadId":"../../` + a + `"}`, ""},
		{"an id and more", `{"threadId":"A/../x"}`, ""},
		{"a NUL", `{"threadId":"A\u0000"}`, ""},
		{"a beginning", `{"threadId":"` + a[:13] + `"}`, ""},
		{"1 MB", `{"threadId":"` + long + `","windowId":"` + long + `:1","x-codex-turn-metadata":"` + long + long + `"}`, ""},
		{"text that is no JSON", `{"x-codex-turn-metadata":"{\"thread_id\":"}`, ""},
		{"text that is no object", `{"x-codex-turn-metadata":"[\"A\"]"}`, ""},
		{"text in text", `{"x-codex-turn-metadata":"\"{}\""}`, ""},
		{"nothing", `{}`, ""},
		{"no _meta", `null`, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text := tt.meta
			for _, r := range []struct{ name, id string }{{"A", a}, {"B", b}, {"C", c}, {"R", root}} {
				text = strings.NewReplacer(
					`"`+r.name+`"`, `"`+r.id+`"`, `\"`+r.name+`\"`, `\"`+r.id+`\"`,
					`"`+r.name+`:`, `"`+r.id+`:`, `"`+r.name+`/`, `"`+r.id+`/`, `"`+r.name+`\u`, `"`+r.id+`\u`,
				).Replace(text)
			}
			if got := threadOf(asMeta(t, text)); got != tt.want {
				t.Errorf("%.300s: %q, want %q", text, got, tt.want)
			}
		})
	}
}

// The agents of one run of the real client, 0.171.0: each is found by its own
// thread, and no one gets the numbers of the root.
func TestRecordedThreadsCall(t *testing.T) {
	const agent = "01a22cf6-43a5-73b1-b74c-7757a38893d9"
	dir, err := filepath.Abs(filepath.FromSlash("../../testdata/codex/s08_subagents"))
	if err != nil {
		t.Fatal(err)
	}
	c := New(meter.Env{CodexHomes: []string{dir}, Dir: dir})
	found := one(t, c, agent)
	if found.ParentID == "" {
		t.Fatal("no subagent", found)
	}
	got, err := c.Caller(meter.Call{Client: "codex-mcp-client", Parent: 7, Meta: asMeta(t, `{"progressToken":1,"threadId":"`+agent+`","sessionId":"`+found.ParentID+`",
		"x-codex-turn-metadata":{"session_id":"`+found.ParentID+`","thread_id":"`+agent+`","parent_thread_id":"`+found.ParentID+`"}}`)})
	if err != nil || got.Session.ID != agent || got.Session.ParentID != found.ParentID || got.Identity != meter.IdentityCall || len(got.Watch) > 0 || got.Doubt {
		t.Errorf("Caller = %+v, %v", got, err)
	}
}

// Report D13: the turn names its thread, which is not the root of the session.
func TestCallerOfAReportedSubagent(t *testing.T) {
	const root, agent = "019fa438-be72-56ec-a2f8-58dfb70956ac", "019fca23-3a34-52c3-b363-c509aaeff6a7"
	dir, err := filepath.Abs(filepath.FromSlash("../../testdata/cases/D13/codex"))
	if err != nil {
		t.Fatal(err)
	}
	turn := map[string]any{"session_id": root, "thread_id": agent, "thread_source": "subagent"}
	text, err := json.Marshal(turn)
	if err != nil {
		t.Fatal(err)
	}
	for _, turn := range []any{turn, string(text)} {
		got, err := New(meter.Env{CodexHomes: []string{dir}, Dir: dir}).Caller(meter.Call{Meta: map[string]any{turnKey: turn}})
		if err != nil || got.Session.ID != agent || got.Session.ParentID != root {
			t.Errorf("%v: %+v, %v", turn, got, err)
		}
	}
}

func named(thread string) map[string]any { return map[string]any{"threadId": thread} }

func TestCallerIsFoundAsByItsID(t *testing.T) {
	h := newTree(t)
	plain, packed, archived, chained, segment := id(1), id(2), id(3), id(4), id(5)
	h.write(h.path("2026/11/30", plain, ""), meta(plain, ""))
	h.write(h.path("2026/11/30", packed, "")+".zst", meta(packed, ""))
	h.write(h.path(archiveDir, archived, ""), meta(archived, ""))
	first := meta(chained, "")
	h.write(h.path("2026/11/30", chained, ""), first)
	h.write(h.path("2026/12/01", chained, segment), meta(chained, goesOn(chained, len(first))))
	c := h.client()
	for thread, segments := range map[string]int{plain: 1, packed: 1, archived: 1, chained: 2} {
		got, err := c.Caller(meter.Call{Client: "codex-mcp-client", Meta: named(thread)})
		if err != nil || got.Session.ID != thread || len(got.Session.Segments) != segments || got.Identity != meter.IdentityCall {
			t.Errorf("%s: %+v, %v", thread, got, err)
		}
	}
}

func TestCallerThatCannotBeReadIsAFault(t *testing.T) {
	h := newTree(t)
	a, gone := id(1), id(2)
	h.write(h.path("2026/11/30", a, ""), meta(a, goesOn(gone, 10)))
	got, err := h.client().Caller(meter.Call{Meta: named(a)})
	wantFault(t, err, meter.CodeSegmentMissing, a)
	if got.Session.ID != "" || len(got.Watch) > 0 {
		t.Errorf("Caller = %+v", got)
	}
}

func TestCallOfAnotherClient(t *testing.T) {
	h := newTree(t)
	a := id(1)
	h.write(h.path("2026/11/30", a, ""), meta(a, ""))
	c := h.client()
	turn := map[string]any{turnKey: map[string]any{"thread_id": a}}
	for _, tt := range []struct {
		client string
		meta   map[string]any
		want   string
	}{
		{"", named(a), a},
		{"codex-mcp-client", named(a), a},
		{"some-relay", named(a), a},
		{"some-client", named(id(2)), ""}, // and no fault
		{"some-relay", turn, a},
		{"claude-code", map[string]any{"claudecode/toolUseId": "toolu_1"}, ""},
		{"codex-mcp-client", nil, ""},
	} {
		got, err := c.Caller(meter.Call{Client: tt.client, Meta: tt.meta, Parent: 7})
		if err != nil || got.Session.ID != tt.want || len(got.Watch) > 0 {
			t.Errorf("%s, %v: %+v, %v", tt.client, tt.meta, got, err)
		}
	}
}

func TestThreadWithoutARollout(t *testing.T) {
	a, b := id(1), id(2)
	for _, tt := range []struct {
		name  string
		set   func(h tree)
		watch []string
	}{
		{"a home with days", func(h tree) {
			h.write(h.path("2026/11/29", b, ""), meta(b, ""))
			h.write(h.path("2026/11/30", b, ""), meta(b, ""))
			h.write(h.path("2025/12/31", b, ""), meta(b, ""))
		}, []string{"sessions", "sessions/2026", "sessions/2026/11", "sessions/2026/11/30"}},
		{"a new month", func(h tree) { h.write(filepath.Join(h.dir, "sessions", "2026", "x"), "") }, []string{"sessions", "sessions/2026"}},
		{"a new home", func(tree) {}, []string{""}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := newTree(t)
			tt.set(h)
			c := h.client()
			got, err := c.Caller(meter.Call{Client: "codex-mcp-client", Meta: named(a)})
			wantFault(t, err, meter.CodeSessionNotFound, a)
			if !strings.Contains(err.Error(), "--codex-home") {
				t.Errorf("%v does not say what to do", err)
			}
			var want []string
			for _, w := range tt.watch {
				want = append(want, filepath.Join(h.dir, filepath.FromSlash(w)))
			}
			if len(got.Watch) == 0 || got.Session.ID != "" || strings.Join(got.Watch, "|") != strings.Join(want, "|") {
				t.Errorf("Caller = %+v, want %q", got, want)
			}
			h.write(h.path("2026/11/30", a, ""), meta(a, ""))
			if got, err := c.Caller(meter.Call{Client: "codex-mcp-client", Meta: named(a)}); err != nil || got.Session.ID != a || len(got.Watch) > 0 {
				t.Errorf("once it is written: %+v, %v", got, err)
			}
		})
	}
}

func TestThreadWithoutAnyHome(t *testing.T) {
	dir := t.TempDir()
	got, err := New(meter.Env{Home: dir, Dir: dir}).Caller(meter.Call{Meta: named(id(1))})
	wantFault(t, err, meter.CodeSessionNotFound, id(1))
	if len(got.Watch) > 0 {
		t.Errorf("Caller = %+v", got)
	}
}

func FuzzCallMeta(f *testing.F) {
	f.Add([]byte(`{"threadId":"01a22cf6-43a5-73b1-b74c-7757a38893d9","windowId":"01a22cf6-43a5-73b1-b74c-7757a38893d9:1"}`))
	f.Add([]byte(`{"x-codex-turn-metadata":"{\"thread_id\":\"01a22cf6-43a5-73b1-b74c-7757a38893d9\"}"}`))
	f.Add([]byte(`{"x-codex-turn-metadata":{"session_id":["x"]},"sessionId":"../x"}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		var meta map[string]any
		if json.Unmarshal(b, &meta) != nil {
			return
		}
		if id := threadOf(meta); id != "" && (!isID(id) || id != strings.ToLower(id)) {
			t.Errorf("thread %q", id)
		}
	})
}
