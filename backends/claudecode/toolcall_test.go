package claudecode

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/ctxmeter/ctxmeter/meter"
)

const use = "toolu_01CtxMeter"

// called is the record of a call of an MCP tool, answered that of its result.
func called(id string) string {
	return fmt.Sprintf(`{"isSidechain":false,"message":{"id":"m","role":"assistant","content":[{"type":"tool_use","id":%q,"name":"mcp__ctxmeter__context_status","input":{}}]},"type":"assistant","uuid":"c","timestamp":"2026-11-30T15:06:37.740Z"}`+"\n", id)
}

func answered(id string) string {
	return fmt.Sprintf(`{"type":"user","message":{"role":"user","content":[{"tool_use_id":%q,"type":"tool_result","content":[{"type":"text","text":"ok"}]}]},"uuid":"r","timestamp":"2026-11-30T15:06:38.243Z"}`+"\n", id)
}

// quoted is a JSON string.
func quoted(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

func TestCallInATranscript(t *testing.T) {
	long := strings.Repeat("x", 400<<10)
	filler := strings.Repeat(answered("toolu_other"), 4000) // more than is read at first
	for _, tt := range []struct {
		name, text string
		want       bool
	}{
		{"last record", called("toolu_other") + called(use), true},
		{"no newline yet", strings.TrimSuffix(called(use), "\n"), true},
		{"half written", called("toolu_other") + called(use)[:150], false},
		{"with others, one of them has its result", called(use) + called("toolu_b") + answered("toolu_b"), true},
		{"several blocks in a record", strings.Replace(called(use), `"content":[`, `"content":[{"type":"text","text":"x"},`, 1), true},
		{"type first", strings.Replace(strings.Replace(called(use), `,"type":"assistant"`, ``, 1), `{`, `{"type":"assistant",`, 1), true},
		{"has its result", called(use) + answered(use), false},
		{"its id is given a second time", called(use) + answered(use) + called(use), true},
		{"another id that begins alike", called(use + "2"), false},
		{"in text of a reply", strings.Replace(called("toolu_b"), `"input":{}`, `"input":{"pattern":`+quoted(called(use))+`}`, 1), false},
		{"in text of a result", strings.Replace(answered("toolu_b"), `"ok"`, quoted(called(use)), 1), false},
		{"as an object in a result", strings.Replace(answered("toolu_b"), `{"type":"text","text":"ok"}`, `{"type":"tool_use","id":"`+use+`"}`, 1), false},
		{"as an object beside the message", `{"type":"assistant","toolUseResult":` + strings.TrimSpace(called(use)) + `}` + "\n", false},
		{"as the progress of an old build", `{"type":"progress","data":{"message":` + strings.TrimSpace(called(use)) + `}}` + "\n", false},
		{"of the user", strings.Replace(called(use), `"type":"assistant"`, `"type":"user"`, 1), false},
		{"in what a hook left", `{"attachment":{"type":"hook_success","hookName":"PreToolUse","toolUseID":"` + use + `","content":""},"type":"attachment"}` + "\n", false},
		{"only as that of a result", answered(use), false},
		{"a message that is text", `{"type":"assistant","message":{"content":"` + use + `"}}` + "\n", false},
		{"the second of two messages counts", `{"type":"assistant","message":{"content":[{"type":"tool_use","id":"` + use + `"}]},"message":{"content":[]}}` + "\n", false},
		{"before long results", called(use) + called("toolu_b") + strings.Replace(answered("toolu_b"), `"ok"`, quoted(long+long), 1), true},
		{"behind a line of many megabytes", `{"type":"user","x":"` + strings.Repeat(long, 20) + `"}` + "\n" + called(use), true},
		{"before a line of many megabytes", called(use) + `{"type":"user","x":"` + strings.Repeat(long, 20) + `"}` + "\n", false},
		{"long ago", called(use) + filler, false},
		{"after much", filler + called(use), true},
		{"empty", "", false},
		{"no JSON", strings.Repeat("\x00{", 300<<10), false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newPlace(t)
			f := newCallFinder(use)
			found, answered := f.find(p.write("x.jsonl", tt.text))
			if found != tt.want || f.side || answered != (tt.name == "has its result") {
				t.Errorf("found %v, answered %v, side %v", found, answered, f.side)
			}
		})
	}
}

func TestCallOfASubagentInItsParentsFile(t *testing.T) {
	p := newPlace(t)
	path := p.write("x.jsonl", strings.Replace(called(use), `"isSidechain":false`, `"isSidechain":true`, 1))
	f := newCallFinder(use)
	if found, _ := f.find(path); !found || !f.side {
		t.Errorf("found %v, side %v", found, f.side)
	}
}

func TestCallInNoTranscript(t *testing.T) {
	p := newPlace(t)
	p.write("folder/x", "")
	for _, name := range []string{"", "/folder", "/none"} {
		if found, _ := newCallFinder(use).find(p.home + name); found {
			t.Errorf("found in %q", name)
		}
	}
}

// A window may begin at any byte of a line.
func TestLinesThatBeginInTheEndOfAFile(t *testing.T) {
	text := "ab\ncd\n\nefg"
	f := newCallFinder(use)
	for n := range len(text) + 2 {
		want := text
		if from := len(text) - n; from > 0 {
			_, want, _ = strings.Cut(text[from-1:], "\n")
		}
		got, err := f.read(strings.NewReader(text), int64(len(text)), int64(n))
		if err != nil || string(got) != want {
			t.Errorf("the last %d bytes: %q, want %q, %v", n, got, want, err)
		}
	}
	if got, err := f.read(strings.NewReader(text[:5]), int64(len(text)), 100); err == nil {
		t.Errorf("a file that was cut meanwhile: %q", got)
	}
}

func TestToolUseIsAnID(t *testing.T) {
	for _, tt := range []struct {
		value any
		want  string
	}{
		{use, use},
		{"call_0-1", "call_0-1"},
		{"", ""},
		{nil, ""},
		{7.0, ""},
		{[]any{use}, ""},
		{map[string]any{"id": use}, ""},
		{"../" + use, ""},
		{`a\b`, ""},
		{"a/b", ""},
		{use + "\x00", ""},
		{"tooluº", ""},
		{strings.Repeat("a", 1<<20), ""},
	} {
		if got := toolUse(map[string]any{toolUseKey: tt.value}); got != tt.want {
			t.Errorf("%.40v: %q", tt.value, got)
		}
	}
	if got := toolUse(nil); got != "" {
		t.Errorf("no _meta: %q", got)
	}
}

func FuzzCallMeta(f *testing.F) {
	f.Add([]byte(`{"claudecode/toolUseId":"toolu_mock0b6aa228525c49f49e","progressToken":4}`))
	f.Add([]byte(`{"claudecode/toolUseId":["x"]}`))
	f.Add([]byte(`{"claudecode/toolUseId":"../../x"}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		var meta map[string]any
		if json.Unmarshal(b, &meta) != nil {
			return
		}
		if id := toolUse(meta); id != "" && !isID(id) {
			t.Errorf("id %q", id)
		}
	})
}

// The result of a call, and nothing that only looks like it.
func TestAnsweredCalls(t *testing.T) {
	for name, tt := range map[string]struct {
		text string
		want bool
	}{
		"no result":              {called(use), false},
		"a result":               {called(use) + answered(use), true},
		"a result alone":         {answered(use), true},
		"of another":             {called(use) + called("toolu_b") + answered("toolu_b"), false},
		"in the text of another": {called(use) + strings.Replace(answered("toolu_b"), `"ok"`, quoted(answered(use)), 1), false},
		"nothing":                {"", false},
	} {
		p := newPlace(t)
		c := New(meter.Env{Home: p.home})
		if got := c.Answered(p.write("x.jsonl", tt.text), use); got != tt.want {
			t.Errorf("%s: %v", name, got)
		}
		if c.Answered(p.home+"/none", use) || c.Answered(p.write("x.jsonl", tt.text), "") {
			t.Errorf("%s: answered in no file, or of no call", name)
		}
	}
}
