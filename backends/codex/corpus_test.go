package codex

import (
	"bufio"
	"encoding/json"
	"flag"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/ctxmeter/ctxmeter/calibrate"
	"github.com/ctxmeter/ctxmeter/meter"
	"github.com/ctxmeter/ctxmeter/meter/transcript"
)

var corpus = flag.String("corpus", "", "folder with codex/EXPECT.jsonl: check every rollout it names")

// row is what a reference reader says of one rollout: what the client itself
// would hold at the end of the file.
type row struct {
	File           string    `json:"file"`
	Thread         string    `json:"thread"`
	Parent         *string   `json:"parent"`
	Model          *string   `json:"model"`
	CLI            string    `json:"cli"`
	Usage          *int64    `json:"usage"`
	Window         *int64    `json:"window"`
	Compactions    int64     `json:"compactions"`
	Active         *int64    `json:"active"`
	TUIPercentLeft *int64    `json:"tui_percent_left"`
	DefaultLimit   *int64    `json:"default_auto_compact_limit"`
	HistoryBase    *struct{} `json:"history_base"`
}

func rows(t *testing.T, file string) []row {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []row
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var r row
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		out = append(out, r)
	}
	return out
}

// TestCorpus checks rollouts of the real client, 0.47.0 to 0.171.0.
func TestCorpus(t *testing.T) {
	if *corpus == "" {
		t.Skip("no -corpus")
	}
	checkRows(t, filepath.Join(*corpus, "codex"))
}

func checkRows(t *testing.T, dir string) {
	t.Helper()
	dir, err := filepath.Abs(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows(t, filepath.Join(dir, "EXPECT.jsonl")) {
		t.Run(r.File, func(t *testing.T) { check(t, filepath.Join(dir, r.File), r) })
	}
}

func check(t *testing.T, path string, want row) {
	c := New(meter.Env{Dir: filepath.Dir(path)})
	s, err := c.File(path)
	if err != nil {
		t.Fatal(err)
	}
	st, err := transcript.Load(s, c.Decoder(s), transcript.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if s.ID != want.Thread {
		t.Errorf("thread %s, want %s", s.ID, want.Thread)
	}
	if want.Parent != nil && s.ParentID != *want.Parent {
		t.Errorf("parent %q, want %q", s.ParentID, *want.Parent)
	}
	if want.HistoryBase != nil && len(s.Segments) < 2 {
		t.Errorf("%d segments of a file that goes on from another", len(s.Segments))
	}
	ctx := st.Context()
	equal(t, "usage", known(ctx.Usage.Total), want.Usage)
	equal(t, "window", known(st.Window.Tokens), want.Window)
	equal(t, "compactions", &st.Facts.Compactions, &want.Compactions)
	if want.Window != nil {
		limit := c.Limits(meter.Session{}, st).Trigger(st.Window)
		if limit.Mode != meter.ModeAuto || limit.Source != meter.SourceRollout {
			t.Errorf("trigger %+v, want one by the rollout", limit)
		}
		equal(t, "limit", &limit.Tokens, want.DefaultLimit)
	}
	if want.Model != nil && st.Model != *want.Model {
		t.Errorf("model %q, want %q", st.Model, *want.Model)
	}
	if want.Active != nil {
		active := ctx.Usage.Total + ctx.Client + ctx.Earlier
		equal(t, "active", &active, want.Active)
		closeTo(t, s, c, st, *want.Active)
	}
	if v := c.View(st, st.Window.Tokens); want.TUIPercentLeft != nil {
		if left := int64(100 - *v.UsedPercent); left != *want.TUIPercentLeft {
			t.Errorf("%d%% left on the screen, want %d", left, *want.TUIPercentLeft)
		}
	}
	if st.Damaged > 0 {
		t.Errorf("%d damaged lines", st.Damaged)
	}
}

// closeTo checks our best estimate against the client's own arithmetic. They
// differ where tool schemas come back after a compaction.
func closeTo(t *testing.T, s meter.Session, c *Client, st meter.State, active int64) {
	t.Helper()
	r := meter.Read(meter.Input{Session: s, State: st, Limits: c.Limits(s, st), Now: time.Now()}, calibrate.Builtin())
	if r.UsedTokens == nil {
		t.Fatalf("no used_tokens, want about %d", active)
	}
	if off := math.Abs(float64(*r.UsedTokens-active)) / float64(active); off > .05 {
		t.Errorf("used_tokens %d, the client counts %d: %.1f %% off", *r.UsedTokens, active, 100*off)
	}
}

func known(n int64) *int64 {
	if n == 0 {
		return nil
	}
	return &n
}

func equal(t *testing.T, what string, got, want *int64) {
	t.Helper()
	show := func(n *int64) any {
		if n == nil {
			return "unknown"
		}
		return *n
	}
	if show(got) != show(want) {
		t.Errorf("%s %v, want %v", what, show(got), show(want))
	}
}

// TestRollouts checks some of the same rollouts, which are kept here: forks
// and rewinds, reasoning that the provider drops, compactions, compressed
// files, a subagent, a refused prompt, old clients.
func TestRollouts(t *testing.T) { checkRows(t, filepath.FromSlash("../../testdata/codex")) }

// TestRecount compares the estimate of what a compaction leaves with the
// client's own, which includes the base instructions.
func TestRecount(t *testing.T) {
	dir := filepath.FromSlash("../../testdata/codex")
	if *corpus != "" {
		dir = filepath.Join(*corpus, "codex")
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		t.Fatal(err)
	}
	checked, exact := 0, 0
	for _, r := range rows(t, filepath.Join(dir, "EXPECT.jsonl")) {
		path := filepath.Join(dir, r.File)
		c := New(meter.Env{Dir: dir})
		s, err := c.File(path)
		if err != nil {
			t.Fatal(err)
		}
		var prefix, kept int64
		open := false
		_, err = transcript.Walk(s, c.Decoder(s), func(_ *meter.State, e meter.Event) {
			switch {
			case e.Prefix:
				prefix = e.Client
			case e.Kind == meter.KindBoundary:
				kept, open = e.Client, !e.Compaction.Recounted
			case e.Kind == meter.KindUsage && open:
				open = false
				checked++
				// Exact, but where tools are listed (the client counts their
				// quotes double) and where items are counted as JSON (0.145).
				most := int64(28)
				if r.CLI < "0.156" {
					most = 131
				}
				diff := e.Usage.Total - prefix - kept
				if diff == 0 {
					exact++
				}
				if !e.Usage.Estimated || diff < 0 || diff > most {
					t.Errorf("%s: recounted %d, instructions %d and kept history %d", r.File, e.Usage.Total, prefix, kept)
				}
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if checked == 0 || 2*exact < checked {
		t.Errorf("%d of %d recounts are exact", exact, checked)
	}
}
