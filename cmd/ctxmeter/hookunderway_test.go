package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/lock"
	"github.com/ctxmeter/ctxmeter/meter"
)

// readsAs runs the hook ahead of the read of a file, as one of the tool calls of
// a reply.
func (h *hookRig) readsAs(use, path string) (model string) {
	h.t.Helper()
	model, _ = h.told("PreToolUse", h.hook(h.readPayload(use, path)))
	return model
}

func (h *hookRig) readPayload(use, path string) string {
	return h.payload("PreToolUse", fmt.Sprintf(`,"tool_name":"Read","tool_use_id":%q,"tool_input":{"file_path":%q}`, use, filepath.ToSlash(path)))
}

// result is that of a tool call, in the transcript.
func (h *hookRig) result(use, text string) {
	h.t.Helper()
	h.write(fmt.Sprintf(`"parentUuid":"%08x-0000-4000-8000-000000000000","type":"user","message":{"role":"user","content":[{"tool_use_id":%q,"type":"tool_result","content":%q}]}`, h.records, use, text))
}

// Three reads of one reply, each of about 3,200 tokens with 8,000 left: two fit,
// and the third does, were it alone.
func TestReadsOfOneReplyAreAddedUp(t *testing.T) {
	h := newHookRig(t)
	h.silent("UserPromptSubmit", "the turn")
	h.reply(92_000)
	for i, want := range []string{"", "", `Reading "c.txt" adds about 3.`} {
		name := string(rune('a' + i))
		got := h.readsAs("toolu_"+name, h.file(name+".txt", foxes(200)))
		if (got == "") != (want == "") || !strings.HasPrefix(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
		if want != "" && (!strings.Contains(got, "k with the other reads under way, and after 8k the client compacts the context") || strings.Count(got, ". ") != 1) {
			t.Errorf("%q", got)
		}
	}
}

// What has ended is in the reading: it is not counted twice.
func TestReadsThatEndedAreNotAddedUp(t *testing.T) {
	h := newHookRig(t)
	h.reply(92_000)
	for _, use := range []string{"toolu_a", "toolu_b"} {
		if said := h.readsAs(use, h.file(use+".txt", foxes(200))); said != "" {
			t.Errorf("%s: %q", use, said)
		}
	}
	h.result("toolu_a", "refused")
	h.result("toolu_b", "refused")
	if said := h.readsAs("toolu_c", h.file("c.txt", foxes(200))); said != "" {
		t.Errorf("after the results: %q", said)
	}
}

// Reads that were broken off have no result; neither the next prompt nor what
// comes long after has to do with them.
func TestReadsThatWereBrokenOffAreForgotten(t *testing.T) {
	for name, pass := range map[string]func(*hookRig){
		"a prompt": func(h *hookRig) { h.reply(92_000); h.say("UserPromptSubmit") },
		"time":     func(h *hookRig) { h.now = h.now.Add(longestUnderway + time.Second) },
	} {
		h := newHookRig(t)
		h.reply(92_000)
		h.readsAs("toolu_a", h.file("a.txt", foxes(200)))
		h.readsAs("toolu_b", h.file("b.txt", foxes(200)))
		pass(h)
		if said := h.readsAs("toolu_c", h.file("c.txt", foxes(200))); said != "" {
			t.Errorf("after %s: %q", name, said)
		}
	}
}

// With hooks and plugin installed, both are asked of the same call.
func TestACallThatIsAskedTwiceIsOneRead(t *testing.T) {
	h := newHookRig(t)
	h.reply(92_000)
	path := h.file("a.txt", foxes(200))
	for range 4 {
		if said := h.readsAs("toolu_a", path); said != "" {
			t.Errorf("%q", said)
		}
	}
}

// A read that is stopped adds nothing: a smaller one after it may fit.
func TestReadsThatAreStoppedAreNotAddedUp(t *testing.T) {
	h := newHookRig(t)
	h.set("CTXMETER_HOOK_BLOCK", "trigger")
	h.reply(92_000)
	for _, tt := range []struct {
		use   string
		lines int
		deny  bool
	}{{"a", 200, false}, {"b", 200, false}, {"c", 200, true}, {"d", 40, false}, {"e", 200, true}} {
		said := h.readsAs("toolu_"+tt.use, h.file(tt.use+".txt", foxes(tt.lines)))
		if tt.deny != strings.HasPrefix(said, "DENY ") {
			t.Errorf("%s: %q", tt.use, said)
		}
	}
}

// The hooks of one reply run at once: what another takes note of while one of
// them waits for its turn counts, too.
func TestAReadThatComesInBetweenIsAddedUp(t *testing.T) {
	h := newHookRig(t)
	h.set("CTXMETER_HOOK_BLOCK", "trigger")
	h.reply(92_000)
	a, b, c := h.file("a.txt", foxes(200)), h.file("b.txt", foxes(200)), h.file("c.txt", foxes(200))
	var out strings.Builder
	p := h.program(&out, &out)
	store, ok := p.hookStore(meter.Payload{Session: hookID}, "claude-code")
	if !ok || os.MkdirAll(store.dir, 0o700) != nil {
		t.Fatal("no place")
	}
	unlock, err := lock.Try(store.lockPath())
	if err != nil {
		t.Fatal(err)
	}
	waits := 0
	p.stdin = strings.NewReader(h.readPayload("toolu_c", c))
	p.wait = func(context.Context, time.Duration) {
		if waits++; waits > 1 {
			return
		}
		unlock()
		for use, path := range map[string]string{"toolu_a": a, "toolu_b": b} {
			if said := h.readsAs(use, path); said != "" {
				t.Errorf("%s: %q", use, said)
			}
		}
	}
	p.run(t.Context(), []string{"ctxmeter", "hook"})
	if model, _ := h.told("PreToolUse", out.String()); waits == 0 || !strings.HasPrefix(model, "DENY ") || !strings.Contains(model, "with the other reads under way") {
		t.Errorf("after %d waits: %q", waits, model)
	}
}
