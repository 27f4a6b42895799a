package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/ctxmeter/ctxmeter/meter"
)

// learner is a rig whose clients' folders hold real sessions.
func learner(t *testing.T) (r *rig, file string) {
	t.Helper()
	state := t.TempDir()
	r = newRig(t).set("XDG_STATE_HOME", state)
	return r, filepath.Join(state, "ctxmeter", "calibration.json")
}

func (r *rig) learn(t *testing.T, args ...string) result {
	t.Helper()
	return r.run(append([]string{"calibrate", "--claude-dir", testdataPath(t, "real-claude-code"), "--codex-home", testdataPath(t, "real-codex")}, args...)...)
}

// What is learned is kept in one private file, the same whenever it is learned,
// and forgotten on demand.
func TestCalibrateKeepsAndForgets(t *testing.T) {
	r, file := learner(t)
	if got := r.learn(t, "--dry-run"); got.code != 0 || !strings.Contains(got.stdout, "nothing was kept") {
		t.Errorf("%+v", got)
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("a dry run kept something")
	}
	if got := r.run("calibrate", "--reset"); got.code != 0 || !strings.Contains(got.stdout, "nothing was learned") {
		t.Errorf("%+v", got)
	}
	got := r.learn(t)
	if got.code != 0 || got.stderr != "" {
		t.Fatalf("%+v", got)
	}
	golden(t, "calibrate.txt", regexp.MustCompile(`\d[\d,.]*`).ReplaceAllString(got.stdout, "N"))
	first, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if info, _ := os.Stat(file); runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", info.Mode())
	}
	if regexp.MustCompile(`/|\\`).Match(first) {
		t.Errorf("the file names a folder:\n%s", first)
	}
	r.now = r.now.Add(time.Hour)
	r.learn(t)
	if again, _ := os.ReadFile(file); string(again) != string(first) {
		t.Error("learned again, it is something else")
	}
	if got := r.run("doctor"); !strings.Contains(got.stdout, "calibration: learned of") {
		t.Errorf("doctor says nothing of it:\n%s", got.stdout)
	}
	for _, with := range []string{"--dry-run", "--since=3d", "--backend=codex"} {
		if got := r.run("calibrate", "--reset", with); got.code != exitNoReading || !strings.Contains(got.stderr, "does not go with") {
			t.Errorf("--reset %s: %+v", with, got)
		}
	}
	half, others := filepath.Join(filepath.Dir(file), "calibration.123.tmp"), filepath.Join(filepath.Dir(file), "calibration.mine.tmp")
	for _, path := range []string{half, others} {
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		old := r.now.Add(-3 * time.Hour)
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
	}
	r.run("doctor", "--clean")
	if _, err := os.Stat(half); err == nil {
		t.Error("what a killed run left is still there")
	}
	if err := os.Remove(others); err != nil {
		t.Error("somebody else's file is gone")
	}
	if got := r.run("calibrate", "--reset"); got.code != 0 || !strings.Contains(got.stdout, "forgotten") {
		t.Errorf("%+v", got)
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("it is still there")
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(file), "*.tmp")); len(left) > 0 {
		t.Errorf("%v is left over", left)
	}
}

// One transcript that cannot be read hides no other; an interruption changes
// nothing; without transcripts there is nothing to learn from.
func TestCalibrateGoesOn(t *testing.T) {
	r, file := learner(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	got := r.runWith(ctx, "calibrate", "--claude-dir", testdataPath(t, "real-claude-code"))
	if got.code != exitInterrupted || got.stdout != "" {
		t.Errorf("interrupted: %+v", got)
	}
	empty := t.TempDir()
	for _, dir := range []string{"projects", "sessions"} {
		if err := os.Mkdir(filepath.Join(empty, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if got := r.run("calibrate", "--claude-dir", empty, "--codex-home", empty, "--json"); got.code != exitNoReading || got.fault(t).Code != meter.CodeSessionNotFound {
		t.Errorf("nothing to learn from: %+v", got)
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("something was kept all the same")
	}
	home := t.TempDir()
	if err := os.CopyFS(home, os.DirFS(testdataPath(t, "real-claude-code"))); err != nil {
		t.Fatal(err)
	}
	projects, _ := filepath.Glob(filepath.Join(home, "projects", "*"))
	broken := filepath.Join(projects[0], "0be0be0b-0000-4000-8000-000000000000.jsonl")
	if err := os.WriteFile(broken, []byte("no transcript\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	got = r.run("calibrate", "--claude-dir", home, "--codex-home", empty, "--json")
	var v struct {
		Kept    bool
		Learned struct{ Requests int64 }
		Skipped []skippedTranscript
	}
	if err := json.Unmarshal([]byte(got.stdout), &v); err != nil || !v.Kept || v.Learned.Requests == 0 {
		t.Fatalf("%v: %+v", err, got)
	}
}

// teach writes what was learned.
func (r *rig) teach(t *testing.T, text string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "state")
	r.set("XDG_STATE_HOME", dir)
	if err := os.MkdirAll(filepath.Join(dir, "ctxmeter"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "ctxmeter", "calibration.json"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

const lesson = `{"version":1,"transcripts":3,"requests":9,
	"ratios":[{"client":"claude-code","model":"claude-sonnet-4-6","factor":1.5}],
	"overheads":[{"client":"claude-code","family":"claude","client_version":"","tokens":21000,"low":20000,"high":23000,"count":4}],
	"restored":[{"client":"claude-code","family":"claude","client_version":"","tokens":4000,"low":3000,"high":6000,"count":4}],
	"triggers":[{"client":"claude-code","model":"claude-sonnet-4-6","client_version":"2.1.197","tokens":120000,"at":"2026-11-01T00:00:00Z","count":3}]}`

// What was learned is at work, and named.
func TestReadingsUseWhatWasLearned(t *testing.T) {
	const model = "claude-sonnet-4-6"
	for name, tt := range map[string]struct {
		build func(c *conversation)
		from  string
		low   int64 // of what is used
		high  int64
	}{
		"before the first reply": {func(c *conversation) { c.prompt(0, "one") }, "learned_overhead", 21_000, 21_100},
		"a text": {func(c *conversation) {
			c.prompt(c.reply(c.prompt(0, "one"), model, 20_000), strings.Repeat("many words, ", 2_000))
		}, "learned_ratio", 27_000, 40_000},
	} {
		c := newConversation(t)
		tt.build(c)
		r := c.rig()
		r.now = c.at.Add(time.Minute)
		bare := r.run("-t", talkID, "--json").reading(t)
		r.teach(t, lesson)
		got := r.run("-t", talkID, "--json").reading(t)
		if strings.Join(got.EstimatedFrom, " ") != tt.from && !strings.Contains(strings.Join(got.EstimatedFrom, " "), tt.from) {
			t.Errorf("%s: estimated from %v", name, got.EstimatedFrom)
		}
		if got.UsedTokens == nil || *got.UsedTokens < tt.low || *got.UsedTokens > tt.high {
			t.Errorf("%s: %v used, without it %v", name, shown(got.UsedTokens), shown(bare.UsedTokens))
		}
		if bare.EstimatedFrom != nil {
			t.Errorf("%s: of nothing learned, estimated from %v", name, bare.EstimatedFrom)
		}
	}
}

// Other sessions' compactions tell of the trigger, after this session's own.
func TestATriggerThatOtherSessionsSaw(t *testing.T) {
	const model = "claude-sonnet-4-6"
	c := newConversation(t)
	c.reply(c.prompt(0, "one"), model, 20_000)
	r := c.rig()
	r.now = c.at.Add(time.Minute)
	r.teach(t, lesson)
	trigger := func() string {
		got := r.run("-t", talkID, "--json").reading(t)
		return fmt.Sprint(shown(got.Compaction.TriggerTokens), " ", str(got.Compaction.TriggerSource))
	}
	if got := trigger(); got != "120000 observed" {
		t.Errorf("%s", got)
	}
	r.set("CTXMETER_COMPACT_THRESHOLD", "100000")
	if got := trigger(); got != "100000 caller" {
		t.Errorf("what the caller says comes first: %s", got)
	}
}

// Damage to the file costs what was learned, and nothing else.
func TestDamagedCalibrationIsNone(t *testing.T) {
	c := newConversation(t)
	c.reply(c.prompt(0, "one"), "claude-sonnet-4-6", 20_000)
	r := c.rig()
	r.now = c.at.Add(time.Minute)
	want := r.run("-t", talkID, "--json").stdout
	for name, text := range map[string]string{
		"nothing": "", "torn": lesson[:200], "newer": strings.Replace(lesson, `"version":1`, `"version":2`, 1),
		"no number": strings.Replace(lesson, "21000", "549755813888", 1), "huge": lesson + strings.Repeat(" ", 1<<20), "foreign": `{"a":"secret"}`,
	} {
		r.teach(t, text)
		if got := r.run("-t", talkID, "--json"); got.stdout != want || got.stderr != "" {
			t.Errorf("%s: %s%s", name, got.stdout, got.stderr)
		}
		got := r.run("doctor")
		if !strings.Contains(got.stdout, "ctxmeter calibrate") || strings.Contains(got.stdout, "secret") {
			t.Errorf("%s: doctor says\n%s", name, got.stdout)
		}
	}
}
