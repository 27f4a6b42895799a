package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wording"
	"github.com/ctxmeter/ctxmeter/meter"
)

func TestFormFollowsTheTerminalUnlessAsked(t *testing.T) {
	r := newRig(t).set("CLAUDE_CONFIG_DIR", sampleFolder(t, 30))
	const jsonStart, prettyStart = `{"schema_version":1,`, "{\n  \"schema_version\": 1,\n"
	for _, tt := range []struct {
		terminal bool
		args     []string
		env      string
		begins   string
		lines    int
	}{
		{false, nil, "", jsonStart, 1},
		{false, []string{"--pretty"}, "", prettyStart, 0},
		{false, []string{"--format", "text"}, "", "███", 0},
		{false, []string{"--format", "line"}, "", "███", 1},
		{true, nil, "", "\x1b[1;31m███", 0},
		{true, []string{"--json"}, "", jsonStart, 1},
		{true, []string{"--color", "never"}, "", "███", 0},
		{true, nil, "NO_COLOR=1", "███", 0},
		{true, nil, "TERM=dumb", "###", 0},
		{true, []string{"--color=always"}, "NO_COLOR=1", "\x1b[1;31m███", 0},
		{true, nil, "CTXMETER_FORMAT=json", jsonStart, 1},
		{false, nil, "CTXMETER_PRETTY=true", prettyStart, 0},
		{false, []string{"--format=text"}, "LANG=C", "###", 0},
		{false, []string{"--format=text"}, "LC_ALL=en_US.UTF-8", "███", 0},
	} {
		r.screen = screen{}
		if tt.terminal {
			r.terminal(80)
		}
		name, value, _ := strings.Cut(tt.env, "=")
		r.set(name, value)
		got := r.run(append(tt.args, "--no-cache", "-t", sampleID)...)
		delete(r.env, name)
		if got.code != 0 || got.stderr != "" || !strings.HasPrefix(got.stdout, tt.begins) {
			t.Errorf("%v %s on a terminal %v: status %d, %q, %q; want %q", tt.args, tt.env, tt.terminal, got.code, got.stderr, got.stdout, tt.begins)
		}
		if n := strings.Count(got.stdout, "\n"); tt.lines > 0 && n != tt.lines {
			t.Errorf("%v: %d lines, want %d", tt.args, n, tt.lines)
		}
	}
}

// The states of the sample session, each as the text a person gets.
func TestTextOfEveryState(t *testing.T) {
	for _, tt := range []struct {
		name    string
		records int
		args    []string
	}{
		{"nothing-yet", 1, nil},
		{"measured", 3, nil},
		{"growing", 21, nil},
		{"critical", 30, nil},
		{"planned", 30, []string{"--planned", "40KiB"}},
		{"planned-fits", 5, []string{"--planned", "5000t"}},
		{"planned-too-much", 30, []string{"--planned", "60000t"}},
		{"over", 34, nil},
		{"compacted", 36, nil},
		{"own-window", 30, []string{"--window", "1M", "--compact-threshold", "900k"}},
		{"own-cutoffs", 5, []string{"--fail-at", "moderate"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t).set("CLAUDE_CONFIG_DIR", sampleFolder(t, tt.records))
			if tt.name == "own-cutoffs" {
				r.set("CTXMETER_CUTOFFS_MODERATE", "10")
			}
			var out strings.Builder
			for _, form := range []string{"text", "line"} {
				got := r.run(append(tt.args, "--no-cache", "--format", form, "-t", sampleID)...)
				if got.code > exitLimit {
					t.Fatalf("status %d: %s", got.code, got.stderr)
				}
				fmt.Fprintf(&out, "$ --format %s\n%sstatus %d\n", form, got.stdout, got.code)
			}
			golden(t, "text/"+tt.name+".txt", out.String())
		})
	}
}

func TestTextFitsTheScreen(t *testing.T) {
	dir := sampleFolder(t, 30)
	for _, width := range []int{20, 30, 50, 80, 132} {
		r := newRig(t).set("CLAUDE_CONFIG_DIR", dir).set("COLUMNS", fmt.Sprint(width)).terminal(200).set("NO_COLOR", "1")
		got := r.run("--no-cache", "-t", sampleID)
		for line := range strings.SplitSeq(got.stdout, "\n") {
			// A word that is longer than the screen cannot be broken.
			if n := columns(line); n > width && strings.Contains(strings.TrimSpace(line), " ") {
				t.Errorf("%d columns on a screen of %d: %q", n, width, line)
			}
		}
	}
}

// Names of models and folders come from a transcript, which may hold
// anything: nothing a terminal obeys may get through, in any form.
func TestNothingInANameReachesTheTerminal(t *testing.T) {
	dir := sampleFolder(t, 5)
	path := filepath.Join(dir, "projects", "-home-demo-flower-shop", sampleID+".jsonl")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(string(data), "claude-sonnet-4-6", `claude-\u001b[31mred\u0007\u009b2J\u202eevil\u2028x`)
	text = strings.ReplaceAll(text, sampleProject, `/home/\u001b]0;title\u0007/shop`)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, form := range [][]string{{"--format", "text"}, {"--format", "line"}, {"--json"}, {"--pretty"}} {
		got := newRig(t).set("CLAUDE_CONFIG_DIR", dir).run(append(form, "--no-cache", "-t", sampleID)...)
		if got.code != 0 {
			t.Fatalf("%v: %s", form, got.stderr)
		}
		for _, r := range got.stdout {
			if r != '\n' && wording.Hostile(r) || r == utf8.RuneError && form[0] != "--format" {
				t.Errorf("%v lets %U through: %q", form, r, got.stdout)
				break
			}
		}
		if form[0] == "--json" {
			var r meter.Reading
			if err := json.Unmarshal([]byte(got.stdout), &r); err != nil || r.Session.Model == nil || !strings.Contains(*r.Session.Model, "\u202eevil") {
				t.Errorf("the JSON does not hold the true name: %v %v", err, r.Session.Model)
			}
		}
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, os.ErrClosed }

func TestUnwritableOutputIsNoReading(t *testing.T) {
	var stderr strings.Builder
	p := newRig(t).set("CLAUDE_CONFIG_DIR", sampleFolder(t, 5)).program(broken{}, &stderr)
	code := p.run(t.Context(), []string{"ctxmeter", "-t", sampleID, "--no-cache"})
	if code != exitNoReading || !strings.Contains(stderr.String(), "standard output cannot be written") {
		t.Errorf("status %d: %s", code, stderr.String())
	}
}

// The fields are the contract: all of them, always.
func TestJSONHasEveryFieldAlways(t *testing.T) {
	const always = "schema_version status level used_tokens measured_tokens unmeasured_tokens used_tokens_range basis " +
		"window_tokens window_source used_percent remaining_tokens remaining_percent compaction event_at event_age_seconds " +
		"observed_at session client_view warnings"
	below := map[string]string{
		"compaction":  "mode trigger_tokens trigger_source percent remaining_tokens count last_at awaiting_usage",
		"session":     "id backend model agent_id parent_id segments identity project",
		"client_view": "used_tokens used_percent",
		"planned":     "source tokens used_percent_after fits_window triggers_compaction",
	}
	for _, records := range []int{1, 5, 30, 36} {
		for _, planned := range []string{"", "1k"} {
			args, want := []string{"--no-cache", "-t", sampleID}, always
			if planned != "" {
				args, want = append(args, "--planned", planned), always+" planned"
			}
			got := newRig(t).set("CLAUDE_CONFIG_DIR", sampleFolder(t, records)).run(args...)
			var top map[string]json.RawMessage
			if err := json.Unmarshal([]byte(got.stdout), &top); err != nil {
				t.Fatal(err)
			}
			sameKeys(t, top, want)
			for key, want := range below {
				if raw, ok := top[key]; ok {
					var sub map[string]json.RawMessage
					if err := json.Unmarshal(raw, &sub); err != nil {
						t.Fatalf("%s: %v", key, err)
					}
					sameKeys(t, sub, want)
				}
			}
			if string(top["warnings"]) == "null" {
				t.Error("warnings is null")
			}
		}
	}
}

func sameKeys(t *testing.T, got map[string]json.RawMessage, want string) {
	t.Helper()
	a, b := slices.Sorted(maps.Keys(got)), strings.Fields(want)
	slices.Sort(b)
	if !slices.Equal(a, b) {
		t.Errorf("the keys are %v, want %v", a, b)
	}
}
