package codex

import (
	"testing"

	"github.com/ctxmeter/ctxmeter/meter"
)

// The fields are those of 0.171.0; in a subagent session_id is the root's and
// the rollout its own.
func TestHooksOfCodexNameTheThread(t *testing.T) {
	const (
		root    = "01a22cf8-7dfc-7bc1-bdfd-ff25241327ee"
		thread  = "01a22cf8-81c5-7a43-9731-908fcc431662"
		rollout = "/home/dev/.codex/sessions/2026/11/30/rollout-2026-11-30T15-00-13-" + thread + ".jsonl"
	)
	for data, want := range map[string]meter.Payload{
		`{"session_id":"` + root + `","transcript_path":"` + rollout + `","cwd":"/home/dev/shop","hook_event_name":"SessionStart","model":"gpt-5.5","permission_mode":"default","source":"compact"}`: {
			Session: thread, Transcript: rollout, Dir: "/home/dev/shop", Event: "SessionStart", Model: "gpt-5.5", Source: "compact",
		},
		`{"session_id":"` + root + `","turn_id":"7","transcript_path":null,"hook_event_name":"UserPromptSubmit","prompt":"text"}`: {
			Session: root, Event: "UserPromptSubmit",
		},
		`{"session_id":"` + root + `","thread_id":"` + thread + `","turn_id":"7","hook_event_name":"PreToolUse","tool_use_id":"call_1","agent_id":"` + thread + `"}`: {
			Session: thread, Event: "PreToolUse", ToolUse: "call_1", Agent: thread,
		},
		`{"session_id":5,"transcript_path":"C:\\Users\\dev\\.codex\\sessions\\rollout-2026-11-30T15-00-13-` + thread + `.jsonl","model":{"id":"x"}}`: {
			Session: thread, Transcript: `C:\Users\dev\.codex\sessions\rollout-2026-11-30T15-00-13-` + thread + ".jsonl",
		},
	} {
		if got, ok := New(meter.Env{}).Payload([]byte(data)); !ok || got != want {
			t.Errorf("%s: %v %+v", data, ok, got)
		}
	}
	for _, data := range []string{"", "{}", `{"session_id":"` + root + `"}`, `{"turn_id":7}`, `{"session_id":"` + root + `","turn_id":"7","transcript_path":"/home/dev/.claude/projects/-home-dev/x.jsonl"}`} {
		if p, ok := New(meter.Env{}).Payload([]byte(data)); ok {
			t.Errorf("%s is %+v", data, p)
		}
	}
}
