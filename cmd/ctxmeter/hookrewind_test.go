package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ctxmeter/ctxmeter/meter"
)

// after makes the next record go on from an earlier one, as after a rewind.
func (h *hookRig) after(record, tokens int) {
	h.t.Helper()
	h.write(fmt.Sprintf(`"parentUuid":"%08x-0000-4000-8000-000000000000","type":"user","message":{"role":"user","content":"again"}`, record))
	h.reply(tokens)
}

// A rewind of Claude Code writes nothing; what comes next goes on from an
// earlier record of the same transcript.
func TestHookSpeaksAfterARewind(t *testing.T) {
	h := newHookRig(t)
	h.reply(20_000)
	h.reply(92_000)
	h.speaks("PostToolUse", "critical", "Save the state")
	h.after(1, 30_000)
	h.silent("PostToolUse", "a rewind")
	h.reply(92_000)
	h.speaks("PostToolUse", "critical after a rewind", "Save the state")
}

func TestHookSpeaksAfterARewindToBeforeACompaction(t *testing.T) {
	h := newHookRig(t)
	h.reply(20_000)
	before := h.records
	h.reply(92_000)
	h.speaks("PostToolUse", "critical", "Save the state")
	h.compact(3_000)
	h.reply(25_000)
	h.speaks("UserPromptSubmit", "compacted", "which freed")
	h.after(before, 92_000)
	h.speaks("PostToolUse", "critical, with a compaction less", "Save the state")
	h.reply(93_000)
	h.silent("PostToolUse", "critical still")
}

// A rewind of Codex to before a compaction goes on in another file, which begins
// with a part of the one before (codex-cli 0.171.0, observed).
func TestHookSpeaksAfterARewindOfCodex(t *testing.T) {
	const (
		thread    = "01a22e2d-8629-73a2-9c63-44713a9dffcf"
		segment   = "01a22e2e-0000-7000-8000-000000000001"
		rollout   = "sessions/2026/11/30/rollout-2026-11-30T20-37-45-" + thread
		measured  = 43692 // bytes up to a measurement of 250,000 tokens
		compacted = 67423
		request   = 40293 // bytes before the records of that request
	)
	data, err := os.ReadFile(filepath.Join("..", "..", "testdata", "hooks", "codex-0.171.0", filepath.FromSlash(rollout+".jsonl")))
	if err != nil {
		t.Fatal(err)
	}
	h := newHookRig(t)
	h.set("CTXMETER_WINDOW", "").set("CTXMETER_COMPACT_THRESHOLD", "")
	place := func(name string) string {
		return filepath.Join(h.env["HOME"], ".codex", filepath.FromSlash(name)+".jsonl")
	}
	say := func(path string, data []byte, event, source, want string) {
		t.Helper()
		putFile(t, path, data)
		h.now = h.now.Add(time.Second)
		if err := os.Chtimes(path, h.now, h.now); err != nil {
			t.Fatal(err)
		}
		payload := fmt.Sprintf(`{"session_id":%q,"transcript_path":%q,"turn_id":"7","hook_event_name":%q,"source":%q}`, thread, filepath.ToSlash(path), event, source)
		model, _ := h.told(event, h.hook(payload))
		if want == "" && model != "" || !strings.Contains(model, want) {
			t.Errorf("%s at %d bytes says %q", event, len(data), model)
		}
	}
	say(place(rollout), data[:measured], "PostToolUse", "", "Save the state")
	say(place(rollout), data[:compacted], "SessionStart", "compact", "which freed")

	head, _, _ := bytes.Cut(data, []byte("\n"))
	var meta map[string]any
	if err := json.Unmarshal(head, &meta); err != nil {
		t.Fatal(err)
	}
	meta["ordinal"] = 12
	meta["payload"].(map[string]any)["history_base"] = map[string]any{"thread_id": thread, "end_ordinal_exclusive": 12, "end_byte_offset": request}
	head, err = json.Marshal(meta)
	if err != nil {
		t.Fatal(err)
	}
	next := strings.ReplaceAll(string(head)+"\n"+string(data[request:measured]), "T20:37:", "T20:38:")
	on := place("sessions/2026/11/30/rollout-2026-11-30T20-38-45-" + thread + "_" + segment)
	say(on, []byte(next), "PostToolUse", "", "Save the state")
	say(on, []byte(next+"\n"), "PostToolUse", "", "")
}

// Only what was read earlier, of the same file, and of less of it, is older.
func TestHookTellsAnOlderReadingFromARewind(t *testing.T) {
	dir := t.TempDir()
	long, other, cut := filepath.Join(dir, "long"), filepath.Join(dir, "other"), filepath.Join(dir, "cut")
	for path, size := range map[string]int{long: 200, other: 200, cut: 150} {
		putFile(t, path, make([]byte, size))
	}
	const mostly = 90_000
	for name, tt := range map[string]struct {
		of         seenFile
		age        time.Duration
		count      int64
		taken, low bool // into account; lowers the level
	}{
		"older":                    {seenFile{long, 100}, time.Second, 1, false, false},
		"older, before compaction": {seenFile{long, 100}, time.Second, 0, false, false},
		"newer":                    {seenFile{long, 300}, -time.Second, 1, true, false},
		"the same":                 {seenFile{long, 200}, 0, 1, true, false},
		"newer, count fell":        {seenFile{long, 300}, -time.Second, 0, true, true},
		"newer, less of it":        {seenFile{long, 100}, -time.Second, 1, true, false},
		"older, of another file":   {seenFile{other, 100}, time.Second, 0, true, true},
		"of another file":          {seenFile{other, 300}, -time.Second, 1, true, true},
		"older, of a shorter file": {seenFile{cut, 150}, time.Second, 0, true, true},
	} {
		seen := long
		if tt.of.Path == cut {
			seen = cut
		}
		m := hookMemory{Seen: seenFile{seen, 200}, Used: mostly, Compactions: 1, EventAt: testNow, Level: meter.LevelCritical}
		used, at := int64(mostly), testNow.Add(-tt.age)
		r := meter.Reading{Level: meter.LevelModerate, UsedTokens: &used, EventAt: &at, Compaction: meter.CompactionView{Count: &tt.count}}
		if taken := m.see(&r, tt.of); taken != tt.taken {
			t.Errorf("%s: %v", name, taken)
		}
		if low := m.Level == meter.LevelModerate; low != tt.low {
			t.Errorf("%s: the level is %s", name, m.Level)
		}
		if m.Before != 0 {
			t.Errorf("%s: taken for a compaction", name)
		}
	}
}
