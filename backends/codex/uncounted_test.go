package codex

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctxmeter/ctxmeter/meter"
)

// A tool runs while its reply may still be written: what the reply cost comes
// after it. The rollout is one that the real client wrote (0.171.0), cut
// behind each of its records.
func TestReplyThatIsNotCountedYet(t *testing.T) {
	from := filepath.FromSlash("../../testdata/codex/s08_subagents")
	rollouts, err := filepath.Glob(filepath.Join(from, "sessions", "*", "*", "*", "*.jsonl"))
	if err != nil || len(rollouts) == 0 {
		t.Fatal("no rollouts", err)
	}
	open, counted := 0, 0
	for _, path := range rollouts {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		cut := filepath.Join(t.TempDir(), filepath.Base(path))
		s := meter.Session{Segments: []meter.Segment{{Path: cut, End: -1}}}
		want := false
		text := ""
		for line := range strings.Lines(string(b)) {
			text += line
			switch {
			case strings.Contains(line, `"type":"token_usage_record"`):
				want = false
				counted++
			case strings.Contains(line, `"type":"response_item"`) && strings.Contains(line, `_call","id"`):
				want = true
				open++
			}
			if err := os.WriteFile(cut, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			if got := uncounted(s); got != want {
				t.Fatalf("%s, after %.120s: %t", filepath.Base(path), line, got)
			}
		}
	}
	if open == 0 || counted == 0 {
		t.Errorf("%d calls and %d usages in the recording", open, counted)
	}
}

func TestCallerWaitsForWhatTheReplyCost(t *testing.T) {
	h := newTree(t)
	path := h.write(h.path("2026/11/30", id(1), ""), meta(id(1), ""))
	add := func(line string) {
		f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
		if err == nil {
			_, err = f.WriteString(line + "\n")
			f.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	said := map[string]any{"threadId": id(1), "windowId": id(1) + ":1"}
	add(`{"type":"response_item","payload":{"type":"function_call","name":"context_status","call_id":"c"}}`)
	got, err := h.client().Caller(meter.Call{Meta: said})
	if err != nil || !got.Uncounted || len(got.Watch) != 1 || got.Watch[0] != filepath.Dir(path) {
		t.Errorf("%+v, %v", got, err)
	}
	add(`{"type":"token_usage_record","payload":{"usage":{"total_tokens":5}}}`)
	got, err = h.client().Caller(meter.Call{Meta: said})
	if err != nil || got.Uncounted || len(got.Watch) > 0 || got.Session.ID != id(1) {
		t.Errorf("%+v, %v", got, err)
	}
	// A version that writes no such record.
	got, err = h.client().Caller(meter.Call{Meta: named(id(1))})
	if err != nil || !got.Uncounted || len(got.Watch) > 0 || got.Session.ID != id(1) {
		t.Errorf("%+v, %v", got, err)
	}
}
