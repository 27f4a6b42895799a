package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// file makes a file in the project folder.
func (h *hookRig) file(name, text string) string {
	h.t.Helper()
	path := filepath.Join(h.dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		h.t.Fatal(err)
	}
	return path
}

// reads runs the hook ahead of a read with Claude Code's tool.
func (h *hookRig) reads(path, more string) (model, person string) {
	h.t.Helper()
	input := fmt.Sprintf(`,"tool_name":"Read","tool_use_id":"toolu_1","tool_input":{"file_path":%q%s}`, filepath.ToSlash(path), more)
	return h.told("PreToolUse", h.hook(h.payload("PreToolUse", input)))
}

// foxes is a text of so many lines, about 16 tokens each with their numbers.
func foxes(lines int) string {
	return strings.Repeat("the quick brown fox jumps over the lazy dog, and secret words\n", lines)
}

func TestHookWarnsOfAReadThatCrossesTheTrigger(t *testing.T) {
	h := newHookRig(t)
	h.reply(92_000)
	path := h.file("big.txt", foxes(1000))
	model, person := h.reads(path, "")
	for _, w := range []string{"Reading big.txt adds about ", "and after 8k the client compacts the context", "46 % full (92k of 200k tokens)", "Save what must not be lost, and read such a file in parts: lines 1 to "} {
		if !strings.Contains(model, w) {
			t.Errorf("%q is not in %q", w, model)
		}
	}
	if !strings.HasPrefix(person, "ctxmeter: reading big.txt adds") || strings.Contains(model+person, "secret") || strings.Contains(model+person, h.dir) {
		t.Errorf("%q, %q", model, person)
	}
	if again, _ := h.reads(path, ""); again != "" {
		t.Errorf("twice: %q", again)
	}
	h.silent("PostToolUse", "the warning said as much")
	part := regexp.MustCompile(`\((offset=(\d+) limit=(\d+))\)`).FindStringSubmatch(model)
	if part == nil {
		t.Fatalf("no part in %q", model)
	}
	other := h.file("other.txt", foxes(1000))
	if said, _ := h.reads(other, fmt.Sprintf(`,"offset":%s,"limit":%s`, part[2], part[3])); said != "" {
		t.Errorf("%s does not fit: %q", part[1], said)
	}
	if said, _ := h.reads(other, `,"offset":400,"limit":550`); !strings.Contains(said, "Reading other.txt") || !strings.Contains(said, "offset=400 limit=") {
		t.Errorf("a part that does not fit: %q", said)
	}
	h.reply(93_000)
	if said, _ := h.reads(h.file("third.txt", foxes(1000)), ""); !strings.Contains(said, "third.txt") {
		t.Errorf("another file: %q", said)
	}
	h.compact(3_000)
	h.reply(92_000)
	if said, _ := h.reads(path, ""); !strings.Contains(said, "big.txt") {
		t.Errorf("after a compaction: %q", said)
	}
}

func TestHookWarnsOfAReadThatDoesNotFitTheWindow(t *testing.T) {
	h := newHookRig(t)
	h.set("CTXMETER_WINDOW", "110000")
	h.reply(92_000)
	path := h.file("big.txt", foxes(1000))
	if said, _ := h.reads(path, ""); !strings.Contains(said, "after 8k the client compacts") {
		t.Errorf("trigger: %q", said)
	}
	h.reply(98_000)
	said, _ := h.reads(path, "")
	if !strings.Contains(said, "and the context window has 12k left") || !strings.Contains(said, "89 % full") {
		t.Errorf("window: %q", said)
	}
	if again, _ := h.reads(path, ""); again != "" {
		t.Errorf("twice: %q", again)
	}
}

func TestHookIsSilentAboutOtherReads(t *testing.T) {
	h := newHookRig(t)
	h.reply(92_000)
	link := filepath.Join(h.dir, "link")
	if err := os.Symlink("/dev/zero", link); err != nil {
		t.Log(err)
	}
	for name, read := range map[string][2]string{
		"a small file":           {h.file("small.txt", foxes(100)), ""},
		"a small part":           {h.file("big.txt", foxes(1000)), `,"offset":10,"limit":100`},
		"a part beyond the end":  {h.file("end.txt", foxes(1000)), `,"offset":5000,"limit":100`},
		"what the tool refuses":  {h.file("giant.txt", foxes(6000)), ""},
		"a part that it refuses": {h.file("giant.txt", foxes(6000)), `,"offset":2,"limit":5000`},
		"a part far behind":      {h.file("far.txt", foxes(400_000)), `,"offset":390000,"limit":1000`},
		"a binary file":          {h.file("picture.png", "\x89PNG\x00"+foxes(1000)), ""},
		"an empty file":          {h.file("empty", ""), ""},
		"no file":                {filepath.Join(h.dir, "none"), ""},
		"a folder":               {h.dir, ""},
		"a device":               {link, ""},
	} {
		if model, person := h.reads(read[0], read[1]); model != "" || person != "" {
			t.Errorf("%s: %q, %q", name, model, person)
		}
	}
	path := h.file("late.txt", foxes(1000))
	h.reply(101_000)
	if model, _ := h.reads(path, ""); model != "" {
		t.Errorf("compaction is next in any case: %q", model)
	}
	h.reply(30_000)
	if model, _ := h.reads(path, ""); model != "" {
		t.Errorf("there is room: %q", model)
	}
}

func TestHookNamesNoPartWhereNoneFits(t *testing.T) {
	h := newHookRig(t)
	h.reply(92_000)
	line := strings.ReplaceAll(foxes(1000), "\n", " ")
	if said, _ := h.reads(h.file("one-line.txt", line), ""); !strings.Contains(said, "read no more of such files") || strings.Contains(said, "offset") {
		t.Errorf("one line: %q", said)
	}
	h.reply(99_500)
	if said, _ := h.reads(h.file("big.txt", foxes(1000)), ""); !strings.Contains(said, "read no more of such files") {
		t.Errorf("next to no room: %q", said)
	}
}

// A relative path is relative to the folder that the payload names.
func TestHookKnowsWhereAReadIs(t *testing.T) {
	h := newHookRig(t)
	h.reply(92_000)
	h.file("big.txt", foxes(1000))
	if said, _ := h.reads("big.txt", ""); !strings.Contains(said, "Reading big.txt") {
		t.Errorf("%q", said)
	}
	if err := os.WriteFile(filepath.Join(h.env["HOME"], "home\u202e.txt"), []byte(foxes(1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	if said, person := h.reads("~/home\u202e.txt", ""); !strings.Contains(said, "Reading home\ufffd.txt") || strings.Contains(person, "\u202e") {
		t.Errorf("%q, %q", said, person)
	}
}

func TestHookStopsReadsOnlyIfToldTo(t *testing.T) {
	for _, tt := range []struct {
		block, window string
		want          string
	}{
		{"none", "200000", "Reading"},
		{"window", "200000", "Reading"},
		{"trigger", "200000", "DENY"},
		{"none", "105000", "Reading"},
		{"window", "105000", "DENY"},
		{"trigger", "105000", "DENY"},
	} {
		h := newHookRig(t)
		h.set("CTXMETER_HOOK_BLOCK", tt.block).set("CTXMETER_WINDOW", tt.window)
		h.reply(92_000)
		path := h.file("big.txt", foxes(1000))
		said, person := h.reads(path, "")
		if !strings.HasPrefix(said, tt.want) {
			t.Errorf("%+v: %q", tt, said)
		}
		again, _ := h.reads(path, "")
		deny := tt.want == "DENY"
		if deny && (!strings.Contains(said, "Read a part that fits: lines 1 to ") || !strings.HasSuffix(person, "stopped, as configured") || again != said) ||
			!deny && again != "" {
			t.Errorf("%+v: %q, %q, then %q", tt, said, person, again)
		}
	}
}
