package main

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ctxmeter/ctxmeter/meter"
)

// testdataPath is a path below testdata, whatever the working folder of a run.
func testdataPath(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("..", "..", "testdata", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// score runs the command and decodes what it prints.
func score(t *testing.T, r *rig, status int, args ...string) accuracyView {
	t.Helper()
	got := r.run(append([]string{"accuracy", "--json"}, args...)...)
	var v accuracyView
	if err := json.Unmarshal([]byte(got.stdout), &v); err != nil || got.code != status {
		t.Fatalf("%v: status %d, %v\n%s\n%s", args, got.code, err, got.stdout, got.stderr)
	}
	return v
}

// The kinds of requests that there are, in transcripts which the clients wrote.
// What an estimate has to do with is left out: it changes with every fit.
func TestAccuracyReports(t *testing.T) {
	for name, paths := range map[string][]string{
		"real-codex":       {"real-codex"},
		"real-claude-code": {"real-claude-code"},
		"compaction":       {"claude-code/s05-compact-interactive", "claude-code/s06-auto-interactive"},
		"rewind":           {"claude-code/s08-resume-rewind-branch", "codex/s23_old_rollback_0.130.0"},
		"subagents":        {"claude-code/s04-subagents", "codex/s08_subagents"},
	} {
		args := []string{"accuracy", "--worst", "3"}
		for _, p := range paths {
			args = append(args, testdataPath(t, p))
		}
		r := newRig(t)
		text := r.run(args...)
		table := r.run(append(args, "--csv")...)
		if text.code != 0 || table.code != 0 || text.stderr != "" {
			t.Errorf("%s: status %d and %d: %s", name, text.code, table.code, text.stderr)
		}
		figure := regexp.MustCompile(`[0-9.]+`)
		var out strings.Builder
		report, worst, _ := strings.Cut(text.stdout, "\nfarthest off\n")
		for line := range strings.Lines(report + "\n" + table.stdout) {
			if strings.Contains(line, "  ctxmeter ") || strings.Contains(line, ", alone ") || strings.Contains(line, ",ctxmeter") {
				line = strings.Join(strings.Fields(figure.ReplaceAllString(line, "#")), " ") + "\n"
			}
			out.WriteString(line)
		}
		golden(t, "accuracy/"+name+".txt", out.String())
		if n := strings.Count(strings.Join(strings.Fields(worst), " "), ": said "); n != 3 {
			t.Errorf("%s: %d are listed as the worst:\n%s", name, n, worst)
		}
	}
}

// What a replay says of a request is what the program says of the transcript as
// it was just before.
func TestAccuracyIsThatOfTheProgram(t *testing.T) {
	compared := 0
	for _, path := range []string{
		"real-claude-code/projects/-home-dev-p050/0ec69a76-625d-a9de-10f4-fe3871e965b0.jsonl",
		"real-claude-code/projects/-home-dev-p049/3b19881b-cd28-ac8b-d4dc-8a53fff5967d.jsonl",
		"real-codex/sessions/2026/06/17/rollout-2026-06-17T18-07-05-5092dac5-8ed8-ca40-ff07-b0a5681884e9.jsonl",
		"claude-code/s05-compact-interactive",
		"claude-code/s06-auto-interactive",
		"claude-code/s08-resume-rewind-branch",
		"codex/s23_old_rollback_0.130.0",
		"claude-code/s04-subagents",
		"claude-code/s06-reactive",
		"claude-code/s09-errors-interrupts",
		"claude-code/s13-attachments",
		"claude-code/s18-concurrent",
		"claude-code/s19-rewind-summarize",
		"claude-code/s20-misc",
		"claude-code/s23-leaf-choice",
		"claude-code/s24-1m-resume",
		"codex/s03_reasoning",
		"codex/s05_threshold",
		"codex/s09_errors",
		"codex/s20_old_0.47.0",
		"codex/s20_old_0.80.0",
	} {
		whole := testdataPath(t, path)
		for _, w := range score(t, newRig(t), 0, "--worst", "1000", whole).Worst {
			file := ""
			_ = filepath.WalkDir(whole, func(p string, _ os.DirEntry, _ error) error {
				if filepath.Base(p) == w.File {
					file = p
				}
				return nil
			})
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if n := int64(strings.Count(string(data[:w.Offset]), "\n")); w.Line == nil || *w.Line != n+1 {
				t.Errorf("%s: byte %d is in line %d, not %v", path, w.Offset, n+1, w.Line)
			}
			cut := filepath.Join(t.TempDir(), w.File)
			if err := os.WriteFile(cut, data[:w.Offset], 0o600); err != nil {
				t.Fatal(err)
			}
			r := newRig(t).set("CODEX_HOME", whole).run("--json", "--no-cache", "--session-file", cut).reading(t) // its home has what it goes on from
			if r.UsedTokens == nil || *r.UsedTokens != w.Predicted || *r.UsedRange != w.Range {
				t.Errorf("%s, byte %d: the program says %v in %v, the replay %d in %v", path, w.Offset, r.UsedTokens, r.UsedRange, w.Predicted, w.Range)
			}
			compared++
		}
	}
	if compared < 150 {
		t.Errorf("only %d requests were compared", compared)
	}
}

func TestAccuracyFields(t *testing.T) {
	got := newRig(t).run("accuracy", "--json", "--worst", "1", testdataPath(t, "claude-code/s05-compact-interactive"))
	var top map[string]json.RawMessage
	if err := json.Unmarshal([]byte(got.stdout), &top); err != nil {
		t.Fatal(err)
	}
	sameKeys(t, top, "schema_version complete learned transcripts requests groups worst skipped")
	var lists struct {
		Groups, Worst []map[string]json.RawMessage
		Transcripts   map[string]json.RawMessage
	}
	if err := json.Unmarshal([]byte(got.stdout), &lists); err != nil || len(lists.Groups) < 4 || len(lists.Worst) != 1 {
		t.Fatalf("%d groups, %d worst, %v", len(lists.Groups), len(lists.Worst), err)
	}
	sameKeys(t, lists.Transcripts, "replayed empty skipped")
	sameKeys(t, lists.Worst[0], "error_percent session_id agent_id backend file line offset model kind measured_tokens used_tokens used_tokens_range last_measured_tokens tail_characters tail_tokens")
	for _, g := range lists.Groups {
		sameKeys(t, g, "model kind requests not_predicted errors_percent tail_errors_percent used_tokens_range")
		var rules map[string]json.RawMessage
		if err := json.Unmarshal(g["errors_percent"], &rules); err != nil {
			t.Fatal(err)
		}
		sameKeys(t, rules, "ctxmeter last_measured characters_by_4 bytes_by_3.2_and_43500")
	}
}

// Every number of --csv stands in --json.
func TestAccuracyTableIsThatOfTheJSON(t *testing.T) {
	path := testdataPath(t, "real-claude-code")
	v := score(t, newRig(t), 0, path)
	lines, err := csv.NewReader(strings.NewReader(newRig(t).run("accuracy", "--csv", path).stdout)).ReadAll()
	if err != nil || len(lines) != 1+5*len(v.Groups) {
		t.Fatalf("%d lines for %d groups, %v", len(lines), len(v.Groups), err)
	}
	for i, g := range v.Groups {
		for _, l := range lines[1+5*i : 6+5*i] {
			e := g.TailPercent
			for rule, errs := range g.ErrorsPercent {
				if string(rule) == l[2] {
					e = errs
				}
			}
			want := []string{"0", "", "", "", ""}
			if e != nil {
				want = []string{fmt.Sprint(e.Requests), decimal(e.P50), decimal(e.P90), decimal(e.P95), decimal(e.P99)}
			}
			model := ""
			if g.Model != nil {
				model = *g.Model
			}
			if !slices.Equal(l[3:8], want) || l[0] != model || l[1] != string(g.Kind) {
				t.Errorf("%q, want %q of %s", l, want, model)
			}
		}
	}
}

// One that cannot be read hides no other, and is named.
func TestAccuracyOfBrokenTranscripts(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	const id = "0ec69a76-625d-a9de-10f4-fe3871e965b0"
	data, err := os.ReadFile(testdataPath(t, "real-claude-code/projects/-home-dev-p050/"+id+".jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	whole := score(t, newRig(t), 0, write(id+".jsonl", string(data))).Requests
	torn := write("00000000-0000-4000-8000-000000000001.jsonl", string(data[:len(data)-len(data)/3]))
	empty := write("00000000-0000-4000-8000-000000000002.jsonl", "")
	write("rollout-2026-11-30T12-00-00-00000000-0000-4000-8000-000000000003.jsonl", `{"a":"private words"}`+"\n")
	write("notes.jsonl", `{"a":"private words"}`+"\n")
	write("00000000-0000-4000-8000-000000000004.jsonl", "private words\n")

	if v := score(t, newRig(t), 0, torn); v.Requests == 0 || v.Requests >= whole {
		t.Errorf("%d requests in a torn transcript of %d", v.Requests, whole)
	}
	if v := score(t, newRig(t), 0, empty); v.Requests != 0 || v.Transcripts != (transcriptsView{1, 1, 0}) || len(v.Groups) != 0 {
		t.Errorf("an empty transcript: %+v", v)
	}
	v := score(t, newRig(t), exitLimit, dir)
	if v.Transcripts != (transcriptsView{3, 1, 2}) || len(v.Skipped) != 2 || v.Requests <= whole {
		t.Errorf("%+v, %+v", v.Transcripts, v.Skipped)
	}
	for _, s := range v.Skipped {
		if s.Code != meter.CodeNotATranscript || !strings.HasPrefix(filepath.Base(s.Name), "rollout-") && !strings.HasSuffix(s.Name, "4.jsonl") {
			t.Errorf("%+v", s)
		}
	}
	for _, form := range []string{"--format=text", "--csv", "--json"} {
		got := newRig(t).run("accuracy", form, dir)
		if got.code != exitLimit || !strings.Contains(got.stderr, "2 transcripts could not be replayed") || strings.Contains(got.stdout+got.stderr, "private") {
			t.Errorf("%s: status %d, %s\n%s", form, got.code, got.stderr, got.stdout)
		}
	}

	for _, args := range [][]string{
		{filepath.Join(dir, "nothing.jsonl")}, {write("notes2.jsonl", "x\n")}, {"12345678"}, {t.TempDir()}, {},
	} {
		got := newRig(t).run(append([]string{"accuracy"}, args...)...)
		if got.code != exitNoReading || got.fault(t) == nil {
			t.Errorf("%v: status %d", args, got.code)
		}
	}
	for _, args := range [][]string{
		{"--last", "0"}, {"--last", "x"}, {"--worst=-1"}, {"--since", "yesterday"}, {"--csv", "--json"}, {"--planned", "x"}, {"--last", "3", dir},
	} {
		got := newRig(t).set("CLAUDE_CONFIG_DIR", sampleFolder(t, 5)).run(append([]string{"accuracy"}, args...)...)
		if fault := got.fault(t); fault == nil || fault.Code != meter.CodeBadArgument {
			t.Errorf("%v: status %d, %+v", args, got.code, fault)
		}
	}
}

// Without arguments the newest transcripts of both clients are taken.
func TestAccuracyTakesTheNewest(t *testing.T) {
	claude, codex := t.TempDir(), t.TempDir()
	for dir, from := range map[string]string{claude: "real-claude-code", codex: "real-codex"} {
		if err := os.CopyFS(dir, os.DirFS(testdataPath(t, from))); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.CopyFS(claude, os.DirFS(testdataPath(t, "claude-code/s04-subagents"))); err != nil {
		t.Fatal(err)
	}
	age := 0
	for _, dir := range []string{claude, codex} {
		_ = filepath.WalkDir(dir, func(path string, _ os.DirEntry, _ error) error {
			if strings.HasSuffix(path, ".jsonl") {
				at := testNow.Add(-time.Duration(age) * 24 * time.Hour)
				age++
				return os.Chtimes(path, at, at)
			}
			return nil
		})
	}
	r := newRig(t).set("CLAUDE_CONFIG_DIR", claude).set("CODEX_HOME", codex)
	replayed := func(args ...string) int { return score(t, r, 0, args...).Transcripts.Replayed }
	if n := replayed(); n != age {
		t.Errorf("%d transcripts of %d", n, age)
	}
	for _, tt := range []struct {
		args []string
		want int
	}{
		{[]string{"--last", "4"}, 4},
		{[]string{"--since", "84h"}, 4},
		{[]string{"--since", "3.5d"}, 4},
		{[]string{"--since", "0.5w"}, 4},
		{[]string{"--since", "2026-01-12"}, 4},
		{[]string{"--since", "2026-01-12T09:30"}, 4},
		{[]string{"--since", "2026-01-12", "--last", "2"}, 2},
		{[]string{"--backend", "codex"}, 5},
		{[]string{"0ec69a76"}, 1},
		{[]string{"0ec69a76", filepath.Join(claude, "projects", "-home-dev-p050"), "5092dac5"}, 2},
	} {
		if n := replayed(tt.args...); n != tt.want {
			t.Errorf("%v: %d transcripts, want %d", tt.args, n, tt.want)
		}
	}
	agents := 0
	for _, w := range score(t, r, 0, "--worst", "10000").Worst {
		if w.Agent != nil {
			agents++
		}
	}
	if agents == 0 {
		t.Error("the transcripts of subagents are not taken")
	}
}

func TestAccuracyCanBeInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	r := newRig(t)
	var stdout, stderr strings.Builder
	p := r.program(&stdout, &stderr)
	clock := testNow
	p.now = func() time.Time { clock = clock.Add(time.Second); return clock }
	shown := 0
	r.screen = screen{terminal: true, width: 80}
	p.stderr = watched{&stderr, func(text string) {
		if shown++; strings.Contains(text, "2 of 7 transcripts, ") {
			cancel()
		}
	}}
	code := p.run(ctx, []string{"ctxmeter", "accuracy", "--json", testdataPath(t, "real-claude-code")})
	var v accuracyView
	if err := json.Unmarshal([]byte(stdout.String()), &v); err != nil || code != exitInterrupted || v.Complete || v.Transcripts.Replayed != 1 || v.Requests == 0 {
		t.Errorf("status %d, %v, %+v", code, err, v.Transcripts)
	}
	if !strings.Contains(stderr.String(), "interrupted: this is of 1 transcript of 7") || !strings.Contains(stderr.String(), "\r\x1b[Kctxmeter: ") {
		t.Errorf("%q", stderr.String())
	}
}

// watched tells of what is written.
type watched struct {
	to   *strings.Builder
	tell func(string)
}

func (w watched) Write(b []byte) (int, error) {
	w.tell(string(b))
	return w.to.Write(b)
}
