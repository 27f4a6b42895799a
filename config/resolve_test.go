package config_test

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/ctxmeter/ctxmeter/config"
)

// from builds sources: flags as "--name=value", variables as "NAME=value".
func from(t *testing.T, file string, given ...string) config.Sources {
	t.Helper()
	flags, env := map[string][]string{}, map[string]string{}
	for _, g := range given {
		name, value, _ := strings.Cut(g, "=")
		if flag, ok := strings.CutPrefix(name, "--"); ok {
			flags[flag] = append(flags[flag], value)
		} else {
			env[name] = value
		}
	}
	if file != "" {
		path := filepath.Join(t.TempDir(), "config.toml")
		if err := os.WriteFile(path, []byte(file), 0o600); err != nil {
			t.Fatal(err)
		}
		env["CTXMETER_CONFIG"] = path
	}
	return config.Sources{
		Flag:   func(name string) []string { return flags[name] },
		Getenv: func(name string) string { return env[name] },
		GOOS:   "linux",
	}
}

func TestFlagsBeatEnvironmentBeatsFileBeatsDefaults(t *testing.T) {
	file := "stale_after = 30\n"
	for _, tt := range []struct {
		given []string
		file  string
		want  time.Duration
		layer config.Layer
	}{
		{nil, "", 2 * time.Minute, config.LayerDefault},
		{nil, file, 30 * time.Second, config.LayerFile},
		{[]string{"CTXMETER_STALE_AFTER=40"}, file, 40 * time.Second, config.LayerEnv},
		{[]string{"CTXMETER_STALE_AFTER=40", "--stale-after=1h"}, file, time.Hour, config.LayerFlag},
		{[]string{"CTXMETER_STALE_AFTER="}, file, 30 * time.Second, config.LayerFile},
	} {
		s, err := config.Resolve(from(t, tt.file, tt.given...))
		if err != nil {
			t.Fatalf("%v: %v", tt.given, err)
		}
		if got := s.Origin("stale_after").Layer; s.StaleAfter != tt.want || got != tt.layer {
			t.Errorf("%v over %q: %v from layer %d, want %v from %d", tt.given, tt.file, s.StaleAfter, got, tt.want, tt.layer)
		}
	}
}

func TestFileSetsEveryKey(t *testing.T) {
	s, err := config.Resolve(from(t, `
backend = "codex"
claude_dirs = ["/a", "/b"]
codex_homes = "/c"
window = "200k"
compact_threshold = 167_000
stale_after = 2.5
max_scan_bytes = "1MiB"
no_cache = true
fail_at = "85%"

[cutoffs]
moderate = 40
high = 60.5
critical = 80

[format]
output = "line"
color = "never"
bar = "ascii"

[hook]
level = "critical"
block = "window"

[windows]
"glm-*" = 131072
"glm-5" = "200k"
`))
	if err != nil {
		t.Fatal(err)
	}
	want := config.Settings{
		Backend: "codex", ClaudeDirs: []string{"/a", "/b"}, CodexHomes: []string{"/c"},
		Window: 200_000, CompactThreshold: 167_000, StaleAfter: 2500 * time.Millisecond, MaxScanBytes: 1 << 20, NoCache: true,
		FailAt: config.FailAt{Percent: 85}, Cutoffs: config.Cutoffs{Moderate: 40, High: 60.5, Critical: 80},
		Output: config.OutputLine, Color: "never", Bar: "ascii",
		HookLevel: "critical", HookBlock: config.BlockWindow,
		Windows: []config.ModelWindow{{Pattern: "glm-*", Tokens: 131_072}, {Pattern: "glm-5", Tokens: 200_000}},
	}
	got, expected := reflect.ValueOf(*s), reflect.ValueOf(want)
	for i := range got.NumField() {
		field := got.Type().Field(i)
		if !field.IsExported() || field.Name == "Path" || field.Name == "Found" || field.Name == "Named" {
			continue
		}
		if !reflect.DeepEqual(got.Field(i).Interface(), expected.Field(i).Interface()) {
			t.Errorf("%s is %v, want %v", field.Name, got.Field(i), expected.Field(i))
		}
	}
	if o := s.Origin("cutoffs.high"); o.Line != 14 {
		t.Errorf("cutoffs.high comes from line %d, want 14", o.Line)
	}
}

func TestErrorsNameTheirPlace(t *testing.T) {
	for _, tt := range []struct {
		file  string
		given []string
		want  string
	}{
		{"# hello\n\nstale_aftr = 3\n", nil, `config.toml, line 3: unknown key "stale_aftr"; did you mean "stale_after"?`},
		{"stale_after = 3\nzebra_crossing_lights = 3\n", nil, `line 2: unknown key "zebra_crossing_lights": there are backend, claude_dirs, codex_homes, window, compact_threshold, stale_after, max_scan_bytes, no_cache, fail_at, and the tables [cutoffs], [format], [statusline], [hook] and [windows]`},
		{"windwo = 3\n", nil, `line 1: unknown key "windwo"; did you mean "window"?`},
		{"cutofs = 3\n", nil, `line 1: unknown key "cutofs"; did you mean [cutoffs]?`},
		{"stale-after = 3\n", nil, `line 1: unknown key "stale-after"; did you mean "stale_after"?`},
		{"claude-dir = \"/a\"\n", nil, `line 1: unknown key "claude-dir"; did you mean "claude_dirs"?`},
		{"\"a\\u001bb\" = 3\n", nil, `config.toml, line 1: unknown key "a\x1bb": there are`},
		{"[cutofs]\nhigh = 70\n", nil, `line 1: unknown table [cutofs]; did you mean [cutoffs]?`},
		{"[colours]\nbar = 70\n", nil, `line 1: unknown table [colours]: there are backend`},
		{"high = 70\n", nil, `line 1: unknown key "high": high belongs below [cutoffs]`},
		{"[format]\nhigh = 70\n", nil, `line 2: unknown key "format.high": high belongs below [cutoffs]`},
		{"[format]\nstale_after = 70\n", nil, `line 2: unknown key "format.stale_after": stale_after belongs above all tables`},
		{"[cutoffs]\nlowest = 70\n", nil, `line 2: unknown key "cutoffs.lowest": [cutoffs] holds moderate, high and critical`},
		{"[windows]\n\"x\" = \"many\"\n", nil, `line 2: windows."x" wants a number of tokens such as 200000 or 200k, not "many"`},
		{"[windows]\n\"glm-*\" = [1]\n", nil, `line 2: windows."glm-*" has a value of the wrong kind`},
		{"[cutoffs]\nhigh = 70\nhihg = 70\n", nil, `line 3: unknown key "cutoffs.hihg"; did you mean "cutoffs.high"?`},
		{"[windws]\n\"a\" = 1\n", nil, `line 1: unknown table [windws]; did you mean [windows]?`},
		{"b = 1\na = 1\n", nil, `line 1: unknown key "b"`},
		{"window = 3\nwindow = 4\n", nil, "config.toml, line 2: this is not TOML"},
		{"window =\n", nil, "config.toml, line 1: this is not TOML"},
		{"window = \"plenty\"\n", nil, `line 1: window wants a number of tokens such as 200000 or 200k, not "plenty"`},
		{"\nwindow = [1, 2]\n", nil, "line 2: window has a value of the wrong kind"},
		{"cutoffs = 3\n", nil, "line 1: cutoffs is a table: write [cutoffs]"},
		{"[windows]\n\"x\" = 0\n", nil, `line 2: windows."x" wants a number of tokens over 0`},
		{"[cutoffs]\nhigh = 95\n", nil, "line 2: cutoffs leaves the cut-offs out of order: moderate 50, high 95, critical 90 must rise"},
		{"claude_dirs = [\"/a\", \"\"]\n", nil, "line 1: claude_dirs names a folder without a name"},
		{"thread_id = \"x\"\n", nil, `line 1: unknown key "thread_id": it is for one run only: give it as --thread-id`},
		{"", []string{"--window=lots"}, `--window wants a number of tokens`},
		{"", []string{"--window=0"}, `--window wants a number of tokens over 0`},
		{"", []string{"--window=-5"}, `--window wants a number of tokens`},
		{"", []string{"CTXMETER_MAX_SCAN_BYTES=1x"}, `CTXMETER_MAX_SCAN_BYTES wants a number of bytes`},
		{"", []string{"--stale-after=-1"}, `--stale-after wants seconds`},
		{"", []string{"--stale-after=NaN"}, `--stale-after wants seconds`},
		{"", []string{"--fail-at=85"}, "--fail-at takes a plain number for tokens, and 85 is too few to mean that; did you mean 85%?"},
		{"fail_at = 85\n", nil, "line 1: fail_at takes a plain number for tokens, and 85 is too few to mean that; did you mean 85%?"},
		{"", []string{"--fail-at=0.85"}, "did you mean 85%?"},
		{"", []string{"--fail-at=1"}, "did you mean 100%?"},
		{"", []string{"--fail-at=99.5"}, "did you mean 99.5%?"},
		{"", []string{"--fail-at=999"}, "write 85% for a share of the window, 150k for tokens"},
		{"", []string{"--fail-at=1000"}, ""},
		{"", []string{"--fail-at=ok"}, "every reading is at or over ok"},
		{"", []string{"--fail-at=120%"}, "wants at most 100% of the window, not 120%: a prompt over the window is refused"},
		{"", []string{"--fail-at=NaN%"}, "--fail-at wants a level"},
		{"", []string{"--fail-at=-5%"}, "--fail-at wants a level"},
		{"", []string{"--fail-at=0%"}, "--fail-at wants a level"},
		{"", []string{"--fail-at=full"}, "--fail-at wants a level"},
		{"", []string{"--format=xml"}, `--format wants one of text, json, line, not "xml"`},
		{"", []string{"--thread-id="}, `--thread-id is empty`},
		{"", []string{"--thread-id=a", "--thread-id=b"}, `--thread-id is given 2 times`},
		{"", []string{"--thread-id=a", "--session-file=b"}, `--session-file cannot be combined with --thread-id`},
		{"", []string{"--thread-id=a", "--latest=true"}, `--latest cannot be combined with --thread-id`},
		{"", []string{"--json=true", "--format=text"}, `--json cannot be combined with --format text`},
		{"", []string{"--pretty=true", "--format=line"}, `--pretty cannot be combined with --format line`},
		{"", []string{"CTXMETER_LATEST=perhaps"}, `CTXMETER_LATEST wants yes or no, not "perhaps"`},
		{"", []string{"--window=100k", "--compact-threshold=200k"}, `--compact-threshold puts the compaction threshold (200000) over the window (100000)`},
		{"", []string{"--config=/nonexistent/ctxmeter.toml"}, "--config names no file: /nonexistent/ctxmeter.toml"},
		{"", []string{"CTXMETER_CONFIG=/nonexistent/ctxmeter.toml"}, "CTXMETER_CONFIG names no file: /nonexistent/ctxmeter.toml"},
	} {
		_, err := config.Resolve(from(t, tt.file, tt.given...))
		if tt.want == "" {
			if err != nil {
				t.Errorf("%q %v: %v", tt.file, tt.given, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q %v: %v, want %q", tt.file, tt.given, err, tt.want)
		}
		if _, ok := errors.AsType[*config.Error](err); err != nil && !ok {
			t.Errorf("%q %v: a %T", tt.file, tt.given, err)
		}
	}
}

func TestAStrongerLayerSilencesWhatItExcludes(t *testing.T) {
	s, err := config.Resolve(from(t, "[format]\noutput = \"text\"\n", "CTXMETER_THREAD_ID=abc", "--session-file=x.jsonl", "--json=true"))
	if err != nil {
		t.Fatal(err)
	}
	if s.ThreadID != "" || s.SessionFile != "x.jsonl" || s.Output != config.OutputJSON {
		t.Errorf("thread %q, file %q, output %q", s.ThreadID, s.SessionFile, s.Output)
	}
}

func TestOutputForms(t *testing.T) {
	for _, tt := range []struct {
		given []string
		want  config.Output
	}{
		{nil, ""},
		{[]string{"--json=true"}, config.OutputJSON},
		{[]string{"--json=true", "--pretty=true"}, config.OutputPretty},
		{[]string{"--format=json", "--pretty=true"}, config.OutputPretty},
		{[]string{"--json=false", "--format=text"}, config.OutputText},
		{[]string{"CTXMETER_PRETTY=1", "--format=line"}, config.OutputLine},
		{[]string{"CTXMETER_FORMAT=text", "--json=true"}, config.OutputJSON},
	} {
		s, err := config.Resolve(from(t, "", tt.given...))
		if err != nil || s.Output != tt.want {
			t.Errorf("%v: %q, %v, want %q", tt.given, s.Output, err, tt.want)
		}
	}
}

func TestWindowForTakesTheLongestPatternThatFits(t *testing.T) {
	s := config.Settings{Windows: []config.ModelWindow{{"*", 1}, {"glm-*", 2}, {"glm-?.5", 3}, {"arn:*profile/x", 4}}}
	for model, want := range map[string]int64{
		"other": 1, "glm-4": 2, "glm-4.5": 3, "glm-44.5": 2, "arn:aws:profile/x": 4, "arn:aws:a/b:profile/x": 4, "": 1,
	} {
		if got := s.WindowFor(model); got != want {
			t.Errorf("%q has %d, want %d", model, got, want)
		}
	}
}

func TestEveryFlagHasItsOwnVariable(t *testing.T) {
	seen := map[string]string{}
	for _, s := range config.All() {
		if other, ok := seen[s.Env()]; ok {
			t.Errorf("%s and %s share %s", s.Key, other, s.Env())
		}
		seen[s.Env()] = s.Key
	}
	for _, name := range []string{"CTXMETER_THREAD_ID", "CTXMETER_MAX_SCAN_BYTES", "CTXMETER_CUTOFFS_HIGH", "CTXMETER_CWD"} {
		if seen[name] == "" {
			t.Errorf("no setting reads %s", name)
		}
	}
}

func TestFoldersFromVariablesAreLists(t *testing.T) {
	src := from(t, "claude_dirs = [\"~/x\", \"/abs\"]\n", "CTXMETER_CODEX_HOME=/a"+string(filepath.ListSeparator)+"/b")
	src.Home = "/home/dev"
	s, err := config.Resolve(src)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(s.CodexHomes, " "); got != "/a /b" {
		t.Errorf("codex homes %q", got)
	}
	if got := strings.Join(s.ClaudeDirs, " "); got != filepath.Join("/home/dev", "x")+" /abs" {
		t.Errorf("claude dirs %q", got)
	}
}
