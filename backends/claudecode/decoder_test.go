package claudecode

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctxmeter/ctxmeter/meter"
	"github.com/ctxmeter/ctxmeter/meter/transcript"
)

const testdata = "../../testdata"

func at(t *testing.T, path string) meter.Session {
	t.Helper()
	s := meter.Session{ID: strings.TrimSuffix(filepath.Base(path), ".jsonl"), Backend: "claude-code"}
	if agent, ok := strings.CutPrefix(s.ID, "agent-"); ok {
		s.AgentID = agent
	}
	s.Segments = []meter.Segment{{Path: path, End: -1}}
	return s
}

func stateOf(t *testing.T, path string, o transcript.Options) meter.State {
	t.Helper()
	s := at(t, path)
	st, err := transcript.Load(s, newDecoder(s.AgentID != ""), o)
	if err != nil {
		t.Fatalf("%s: %v", filepath.Base(path), err)
	}
	return st
}

// measured is the last measured prompt, -1 if nothing is measured.
func measured(st meter.State) int64 {
	if c := st.Context(); c.Ground == meter.GroundMeasured {
		return c.Usage.Total
	}
	return -1
}

func transcripts(t *testing.T, root string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".jsonl") {
			out = append(out, path)
		}
		return err
	})
	if err != nil || len(out) == 0 {
		t.Fatalf("no transcripts below %s: %v", root, err)
	}
	return out
}

// The truth is what the model server reported for the last request of each
// session that Claude Code 2.1.197 wrote.
func TestMeasuredEqualsWhatTheServerReported(t *testing.T) {
	files, err := filepath.Glob(testdata + "/claude-code/*/expected.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no expectations: %v", err)
	}
	for _, file := range files {
		var want map[string]struct {
			Last struct {
				Prompt int64 `json:"prompt_tokens"`
				Output int64 `json:"output_tokens"`
			} `json:"last_api_reply"`
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(data, &want); err != nil {
			t.Fatal(err)
		}
		for rel, w := range want {
			path := filepath.Join(filepath.Dir(file), filepath.FromSlash(rel))
			for how, o := range map[string]transcript.Options{"from the end": {MaxScan: 64 << 20}, "whole": {}} {
				st := stateOf(t, path, o)
				if got := measured(st); got != w.Last.Prompt {
					t.Errorf("%s, %s: measured %d, the server reported %d", rel, how, got, w.Last.Prompt)
				}
			}
		}
	}
}

// Claude Code 2.1.197, interactive: the prompt that set off a compaction may
// be written twice, and a reply may stand before the summary it builds on.
func TestTheReplyAfterARacingCompactionCounts(t *testing.T) {
	for _, path := range transcripts(t, testdata+"/claude-code/compact-race") {
		st := stateOf(t, path, transcript.Options{})
		if got := measured(st); got < 20_000 || got > 60_000 {
			t.Errorf("%s: measured %d", filepath.Base(path), got)
		}
		if n := st.Facts.Compactions; n != 2 {
			t.Errorf("%s: %d compactions, want 2", filepath.Base(path), n)
		}
	}
	// At each record after the second boundary: the old number must be gone,
	// and once the reply is there it must stay.
	path := testdata + "/claude-code/compact-race/projects/-home-dev-probe/3a307839-9e58-4c8e-a378-584441f95912.jsonl"
	lines := bytes.SplitAfter(read(t, path), []byte("\n"))
	dir := t.TempDir()
	replied := false
	seen := 0
	for i := range lines {
		if bytes.Contains(lines[i], []byte(`"subtype":"compact_boundary"`)) {
			seen++
		}
		if seen < 2 {
			continue
		}
		cut := filepath.Join(dir, "s.jsonl")
		write(t, cut, bytes.Join(lines[:i+1], nil))
		got := measured(stateOf(t, cut, transcript.Options{}))
		if got > 60_000 {
			t.Fatalf("line %d: the number from before the compaction, %d", i, got)
		}
		if replied && got < 0 {
			t.Errorf("line %d: no measurement although the reply is in the file", i)
		}
		replied = replied || got > 0
	}
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// summaryOf is what a reading rests on, for comparing states.
func summaryOf(st meter.State) string {
	c := st.Context()
	return fmt.Sprintf("%d %d %d %+v %d", c.Ground, c.Usage.Prompt, c.Usage.Output, c.Tail, st.Facts.Compactions)
}

// A copy of any transcript that is cut anywhere in its last three records
// gives the reading of the last complete record.
func TestACutTranscriptGivesTheLastCompleteState(t *testing.T) {
	for _, path := range transcripts(t, testdata+"/claude-code") {
		data := read(t, path)
		starts := lineStarts(data)
		if len(starts) < 4 {
			continue
		}
		want, sum := "", -1
		step := max((len(data)-starts[len(starts)-3])/60, 1)
		for end := starts[len(starts)-3]; end <= len(data); end += step {
			whole := bytes.LastIndexByte(data[:end], '\n') + 1
			if json.Valid(data[whole:end]) {
				whole = end // complete but for its line end
			}
			if whole != sum {
				want, sum = summaryOf(stateUpTo(t, path, whole)), whole
			}
			if got := summaryOf(stateUpTo(t, path, end)); got != want {
				t.Fatalf("%s cut at %d of %d:\n got %s\nwant %s", filepath.Base(path), end, len(data), got, want)
			}
		}
	}
}

// stateUpTo reads the file as if it ended after so many bytes.
func stateUpTo(t *testing.T, path string, end int) meter.State {
	t.Helper()
	s := at(t, path)
	s.Segments[0].End = int64(end)
	st, err := transcript.Load(s, newDecoder(s.AgentID != ""), transcript.Options{})
	if err != nil {
		t.Fatalf("%s up to %d: %v", filepath.Base(path), end, err)
	}
	return st
}

func lineStarts(data []byte) []int {
	starts := []int{0}
	for i, b := range data {
		if b == '\n' && i+1 < len(data) {
			starts = append(starts, i+1)
		}
	}
	return starts
}

// Reading while the client writes, with a sidecar and without, is the same as
// reading once at the end.
func TestReadingsWhileItGrowsAgree(t *testing.T) {
	paths := append(transcripts(t, testdata+"/claude-code"), transcripts(t, testdata+"/real-claude-code")...)
	for _, path := range paths {
		data := read(t, path)
		dir := t.TempDir()
		grow := filepath.Join(dir, filepath.Base(path))
		starts := lineStarts(data)
		for i := 0; i < len(starts); i += max(len(starts)/15, 1) {
			write(t, grow, data[:starts[i]])
			with := summaryOf(stateOf(t, grow, transcript.Options{MaxScan: 64 << 20, Cache: filepath.Join(dir, "cache")}))
			without := summaryOf(stateOf(t, grow, transcript.Options{MaxScan: 64 << 20}))
			whole := summaryOf(stateOf(t, grow, transcript.Options{}))
			if with != whole || without != whole {
				t.Fatalf("%s after %d lines:\n sidecar %s\nfrom end %s\n   whole %s", filepath.Base(path), i, with, without, whole)
			}
		}
	}
}

// Invented small inputs, one for each public report about such meters.
func TestReports(t *testing.T) {
	for name, tc := range map[string]struct {
		path               string
		measured, output   int64
		compactions, micro int64
		damaged            int64
		bound              bool
	}{
		"A05 partial output on early lines":   {path: "A05/claude/projects/-home-dev-shop/91ee067e-c3f6-5c68-82df-4dbab64a61ca.jsonl", measured: 33434, output: 412},
		"A07 a fork's copies":                 {path: "A07/claude/projects/-home-dev-shop/3afbddc0-37d3-58d7-8080-72188948f726.jsonl", measured: 20305, output: -1},
		"A11 a local error is newest":         {path: "A11/claude/projects/-home-dev-shop/14550b7f-8204-5eb4-9a61-63051ee52c34.jsonl", measured: 81839, output: -1},
		"A20 subagents in the main file":      {path: "A20/claude/projects/-home-dev-shop/c44beeee-1bed-5f2d-a3ae-2c0ecc4abd70.jsonl", measured: 82440, output: -1},
		"A20 a subagent's own file":           {path: "A20/claude/projects/-home-dev-shop/c44beeee-1bed-5f2d-a3ae-2c0ecc4abd70/subagents/agent-a7f31c0.jsonl", measured: 9003, output: -1},
		"A24 the last message iteration":      {path: "A24/claude/projects/-home-dev-shop/ad5aa4ea-cab8-589d-9ff9-6e360e985e48.jsonl", measured: 48720, output: -1},
		"A24 searches without iterations":     {path: "A24/claude/projects/-home-dev-shop/b16deb23-250f-5725-9808-344e04fedc6c.jsonl", measured: 139320, output: -1, bound: true},
		"A29 a constant message id":           {path: "A29/claude/projects/-home-dev-shop/79366a56-70ee-5b05-816b-b9f90333ff37.jsonl", measured: 17800, output: -1},
		"C01 just compacted":                  {path: "C01/claude/projects/-home-dev-shop/2d69b221-4171-511a-a018-099a5837e6ae.jsonl", measured: -1, output: -1, compactions: 1},
		"C01 an older boundary":               {path: "C01/claude/projects/-home-dev-shop/cd3af2a8-d26a-5348-98c3-f51802c40431.jsonl", measured: -1, output: -1, compactions: 1},
		"C08 micro-compaction is no boundary": {path: "C08/claude/projects/-home-dev-shop/36ac4aa7-aa3f-539e-a9fd-a6e9f67458f5.jsonl", measured: 121350, output: -1, micro: 1},
		"F08 a long tail of bookkeeping":      {path: "F08/claude/projects/-home-dev-shop/f6d4e9f3-cdbd-54a7-82b9-5814d631b0f1.jsonl", measured: 120000, output: -1},
		"G05 NULs, half a record glued on":    {path: "G05/claude/projects/-home-dev-shop/3f7cbfe1-b6cc-5671-8afc-1f50a5a23c02.jsonl", measured: 42104, output: -1, damaged: 1},
		"G05 half a record on its own line":   {path: "G05/split.jsonl", measured: 42104, output: -1, damaged: 1},
	} {
		t.Run(name, func(t *testing.T) {
			st := stateOf(t, filepath.Join(testdata, "cases", filepath.FromSlash(tc.path)), transcript.Options{MaxScan: 64 << 20})
			c := st.Context()
			if got := measured(st); got != tc.measured {
				t.Errorf("measured %d, want %d", got, tc.measured)
			}
			if tc.output >= 0 && c.Usage.Output != tc.output {
				t.Errorf("output %d, want %d", c.Usage.Output, tc.output)
			}
			if st.Facts.Compactions != tc.compactions || st.Facts.Micro != tc.micro {
				t.Errorf("%d compactions, %d partial; want %d and %d", st.Facts.Compactions, st.Facts.Micro, tc.compactions, tc.micro)
			}
			if st.Damaged != tc.damaged || c.Usage.Bound != tc.bound {
				t.Errorf("damaged %d, bound %v; want %d, %v", st.Damaged, c.Usage.Bound, tc.damaged, tc.bound)
			}
		})
	}
}

// What looks like a usage or a boundary inside a tool call or a tool result,
// as text or as real JSON, is content.
func TestDecoysInsideToolsAreNeverTakenForRecords(t *testing.T) {
	lines := []string{
		`{"type":"user","uuid":"u1","parentUuid":null,"message":{"role":"user","content":"go"}}`,
		`{"type":"assistant","uuid":"a1","parentUuid":"u1","message":{"id":"m1","role":"assistant","model":"claude-sonnet-4-6","stop_reason":"tool_use","usage":{"input_tokens":1000,"output_tokens":9},"content":[{"type":"tool_use","name":"Write","id":"t1","input":{"type":"system","subtype":"compact_boundary","message":{"usage":{"input_tokens":999999}},"usage":{"input_tokens":888888}}}]}}`,
		`{"type":"user","uuid":"r1","parentUuid":"a1","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"{\"type\":\"assistant\",\"uuid\":\"x\",\"message\":{\"usage\":{\"input_tokens\":777777}}}\n"}]},"toolUseResult":{"type":"assistant","message":{"model":"claude-opus-4-8","usage":{"input_tokens":666666}},"subtype":"compact_boundary","isCompactSummary":true}}`,
	}
	path := filepath.Join(t.TempDir(), "s.jsonl")
	write(t, path, []byte(strings.Join(lines, "\n")+"\n"))
	st := stateOf(t, path, transcript.Options{})
	if got := measured(st); got != 1000 || st.Facts.Compactions != 0 || st.Model != "claude-sonnet-4-6" {
		t.Errorf("measured %d, %d compactions, model %s", got, st.Facts.Compactions, st.Model)
	}
}

func TestTheModelNoticeStatesTheWindow(t *testing.T) {
	for text, want := range map[string]int64{
		`<local-command-stdout>Set model to \u001b[1mOpus 4.8 (1M context)\u001b[22m and saved as your default for new sessions</local-command-stdout>`: 1_000_000,
		`<local-command-stdout>Set model to \u001b[1mOpus 4.8\u001b[22m and saved as your default for new sessions</local-command-stdout>`:              200_000,
		`Set model to Opus 4.8 (1M context)`:                        0, // a person's words
		`please: <local-command-stdout>Set model to X (1M context)`: 0,
	} {
		path := filepath.Join(t.TempDir(), "s.jsonl")
		write(t, path, fmt.Appendf(nil, `{"type":"user","uuid":"u1","parentUuid":null,"message":{"role":"user","content":"%s"}}`+"\n", text))
		if got := stateOf(t, path, transcript.Options{}).Window.Tokens; got != want {
			t.Errorf("%.40s: window %d, want %d", text, got, want)
		}
	}
}

func TestASubagentsResolvedModelTellsTheWindowOfTheSameModel(t *testing.T) {
	for resolved, want := range map[string]int64{
		"claude-opus-4-8[1m]":       1_000_000,
		"claude-opus-4-8":           0,
		"claude-sonnet-5[1m]":       0, // another model
		"claude-haiku-4-5-20251001": 0,
	} {
		path := filepath.Join(t.TempDir(), "s.jsonl")
		write(t, path, fmt.Appendf(nil, `{"type":"assistant","uuid":"a1","parentUuid":null,"message":{"id":"m1","model":"claude-opus-4-8","usage":{"input_tokens":1000,"output_tokens":9}}}
{"type":"user","uuid":"r1","parentUuid":"a1","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"done"}]},"toolUseResult":{"agentId":"a","resolvedModel":"%s"}}
`, resolved))
		if got := stateOf(t, path, transcript.Options{}).Window.Tokens; got != want {
			t.Errorf("%s: window %d, want %d", resolved, got, want)
		}
	}
}

// base64 is never text, wherever it stands.
func TestPicturesAreCountedAsPictures(t *testing.T) {
	data := strings.Repeat("iVBORw0KGgoAAAANSUhEUgAA", 20_000)
	for name, record := range map[string]string{
		"pasted":            `"type":"user","message":{"role":"user","content":[{"type":"text","text":"look"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"%s"}}]}`,
		"read by a tool":    `"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":[{"type":"image","source":{"type":"base64","data":"%s"}}]}]},"toolUseResult":{"type":"image","file":{"base64":"%[1]s"}}`,
		"attached":          `"type":"attachment","attachment":{"type":"file","filename":"/home/dev/a.png","content":{"type":"image","file":{"base64":"%s","type":"image/png"}}}`,
		"of a kind to come": `"type":"attachment","attachment":{"type":"hologram","content":{"type":"image","file":{"base64":"%s"}},"text":"look"}`,
	} {
		path := filepath.Join(t.TempDir(), "s.jsonl")
		write(t, path, fmt.Appendf(nil, `{"uuid":"a1","parentUuid":null,"type":"assistant","message":{"id":"m1","model":"claude-opus-4-8","usage":{"input_tokens":1000,"output_tokens":9}}}`+"\n"+`{"uuid":"u1","parentUuid":"a1",`+record+"}\n", data))
		c := stateOf(t, path, transcript.Options{}).Context()
		if chars := c.Tail.User.Chars + c.Tail.Tool.Chars + c.Tail.Attachment.Chars; chars > 100 {
			t.Errorf("%s: %d characters of text", name, chars)
		}
		if want := int64(1); c.Tail.Images != want && name != "of a kind to come" {
			t.Errorf("%s: %d pictures, want one", name, c.Tail.Images)
		}
	}
}

// A usage with a part that makes no sense measures nothing: the rest of it
// would be a confident wrong number.
func TestNonsenseIsNoMeasurement(t *testing.T) {
	for usage, want := range map[string]int64{
		`{"input_tokens":5,"cache_read_input_tokens":95}`:                                    100,
		`{"input_tokens":"5","cache_read_input_tokens":95.0}`:                                100,
		`{"input_tokens":5,"cache_read_input_tokens":null}`:                                  5,
		`{"input_tokens":5,"cache_read_input_tokens":"abc"}`:                                 -1,
		`{"input_tokens":5,"cache_read_input_tokens":-95}`:                                   -1,
		`{"input_tokens":9000000000000000000,"cache_read_input_tokens":9000000000000000000}`: -1,
		`{"input_tokens":1e400}`:                                                             -1,
		`{"input_tokens":[5]}`:                                                               -1,
		`{}`:                                                                                 -1,
	} {
		path := filepath.Join(t.TempDir(), "s.jsonl")
		write(t, path, fmt.Appendf(nil, `{"uuid":"a1","parentUuid":null,"type":"assistant","message":{"id":"m1","model":"claude-opus-4-8","usage":%s}}`+"\n", usage))
		if got := measured(stateOf(t, path, transcript.Options{})); got != want {
			t.Errorf("%s: measured %d, want %d", usage, got, want)
		}
	}
	path := filepath.Join(t.TempDir(), "s.jsonl")
	write(t, path, []byte(`{"uuid":"b","parentUuid":null,"type":"system","subtype":"compact_boundary","compactMetadata":{"trigger":"auto","preTokens":-4,"postTokens":9223372036854775807}}`+"\n"))
	if c := stateOf(t, path, transcript.Options{}).Context(); c.Compaction.Post != 0 || c.Compaction.Pre != 0 {
		t.Errorf("compaction %+v, want no numbers", c.Compaction)
	}
}

// What stands in a record is an id only if it looks like one.
func TestTextThatPosesAsAnIDIsNotShown(t *testing.T) {
	path := filepath.Join(t.TempDir(), "copy of something.jsonl")
	write(t, path, []byte(`{"uuid":"u1","parentUuid":null,"type":"user","sessionId":"../../etc/ SECRET","message":{"role":"user","content":"x"}}`+"\n"))
	s, err := New(meter.Env{Getenv: func(string) string { return "" }}).File(path)
	if strings.Contains(fmt.Sprint(s.ID, s.ParentID, s.AgentID, err), "SECRET") {
		t.Errorf("session %q of %q, %v", s.ID, s.ParentID, err)
	}
}
