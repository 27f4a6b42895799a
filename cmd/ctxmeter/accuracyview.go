package main

import (
	"encoding/csv"
	"math"
	"strconv"
	"strings"

	"github.com/ctxmeter/ctxmeter/calibrate"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wording"
	"github.com/ctxmeter/ctxmeter/meter"
	"github.com/ctxmeter/ctxmeter/meter/transcript"
)

// accuracyView is what --json prints. Unknown is null.
type accuracyView struct {
	SchemaVersion int                 `json:"schema_version"`
	Complete      bool                `json:"complete"` // false: it was interrupted
	Transcripts   transcriptsView     `json:"transcripts"`
	Requests      int64               `json:"requests"`
	Learned       bool                `json:"learned"` // with what 'ctxmeter calibrate' learned
	Groups        []groupView         `json:"groups"`  // by kind for all models, then by model and kind
	Worst         []worstView         `json:"worst"`
	Skipped       []skippedTranscript `json:"skipped"`
}

type transcriptsView struct {
	Replayed int `json:"replayed"`
	Empty    int `json:"empty"` // of these, without any request that was measured
	Skipped  int `json:"skipped"`
}

type groupView struct {
	Model         *string                       `json:"model"` // null: all
	Kind          calibrate.After               `json:"kind"`
	Requests      int64                         `json:"requests"`
	NotPredicted  map[calibrate.Blank]int64     `json:"not_predicted"`
	ErrorsPercent map[calibrate.Rule]*errorView `json:"errors_percent"`
	TailPercent   *errorView                    `json:"tail_errors_percent"` // of tails of more than 1,500 characters, by what they came to
	Range         *rangeView                    `json:"used_tokens_range"`
}

type errorView struct {
	Requests int64   `json:"requests"`
	P50      float64 `json:"p50"`
	P90      float64 `json:"p90"`
	P95      float64 `json:"p95"`
	P99      float64 `json:"p99"`
}

type rangeView struct {
	Requests      int64   `json:"requests"`
	InsidePercent float64 `json:"inside_percent"`
}

type worstView struct {
	ErrorPercent  float64         `json:"error_percent"`
	Session       string          `json:"session_id"`
	Agent         *string         `json:"agent_id"`
	Backend       string          `json:"backend"`
	File          string          `json:"file"`
	Line          *int64          `json:"line"`
	Offset        int64           `json:"offset"`
	Model         string          `json:"model"`
	Kind          calibrate.After `json:"kind"`
	Truth         int64           `json:"measured_tokens"` // by the request
	Predicted     int64           `json:"used_tokens"`     // as it was said before it
	Range         [2]int64        `json:"used_tokens_range"`
	Last          *int64          `json:"last_measured_tokens"`
	TailChars     int64           `json:"tail_characters"`
	TailPredicted int64           `json:"tail_tokens"`
}

// row is a group with its names.
type row struct {
	model *string
	after calibrate.After
	*calibrate.Group
}

// rows are all groups: by kind for all models, then by model and kind.
func (r *accuracyRun) rows() (out []row) {
	add := func(model *string, group func(calibrate.After) *calibrate.Group) {
		for _, after := range calibrate.Kinds() {
			if g := group(after); g != nil {
				out = append(out, row{model, after, g})
			}
		}
	}
	add(nil, r.score.All)
	for _, model := range r.score.Models() {
		add(&model, func(after calibrate.After) *calibrate.Group { return r.score.Group(model, after) })
	}
	return out
}

func (r *accuracyRun) view() accuracyView {
	v := accuracyView{
		SchemaVersion: meter.SchemaVersion, Complete: !r.interrupted, Requests: r.requests, Learned: r.learned,
		Transcripts: transcriptsView{r.replayed, r.empty, len(r.skipped)},
		Groups:      []groupView{}, Worst: r.worst(), Skipped: r.skipped,
	}
	if v.Skipped == nil {
		v.Skipped = []skippedTranscript{}
	}
	for _, row := range r.rows() {
		g := groupView{
			Model: row.model, Kind: row.after, Requests: row.Requests, NotPredicted: row.Blanks,
			ErrorsPercent: map[calibrate.Rule]*errorView{}, TailPercent: errorsOf(&row.Tails),
		}
		for rule, h := range row.Errors {
			g.ErrorsPercent[rule] = errorsOf(h)
		}
		if part, ok := row.Coverage(); ok {
			g.Range = &rangeView{row.Ranged, hundred(part)}
		}
		v.Groups = append(v.Groups, g)
	}
	return v
}

// errorsOf is nil for no errors at all.
func errorsOf(h *calibrate.Histogram) *errorView {
	if h.Count() == 0 {
		return nil
	}
	q := func(p float64) float64 { return threeFigures(h.Quantile(p)) }
	return &errorView{h.Count(), q(.5), q(.9), q(.95), q(.99)}
}

// hundred is a part in percent, to four decimals.
func hundred(part float64) float64 { return math.Round(part*1e6) / 1e4 }

// threeFigures is a part in percent; a quantile is not known any better.
func threeFigures(part float64) float64 {
	f, _ := strconv.ParseFloat(strconv.FormatFloat(100*part, 'g', 3, 64), 64)
	return f
}

func (r *accuracyRun) worst() []worstView {
	out := []worstView{}
	steps := r.score.Worst.Steps()
	places := r.places(steps)
	for i := range steps {
		s, at := &steps[i], &places[i]
		v := worstView{
			ErrorPercent: hundred(s.Error()), Session: s.Session, Backend: s.Client, File: at.File, Offset: at.Offset,
			Model: s.Model, Kind: s.After, Truth: s.Truth, Predicted: s.Predicted, Range: s.Range,
			TailChars: s.Tail.Chars, TailPredicted: s.Tail.Predicted,
		}
		if s.Agent != "" {
			v.Agent = &s.Agent
		}
		if at.Line > 0 {
			v.Line = &at.Line
		}
		if s.Last > 0 {
			v.Last = &s.Last
		}
		out = append(out, v)
	}
	return out
}

// places tells where steps stand, and reads each transcript once for that.
func (r *accuracyRun) places(steps []calibrate.Step) []transcript.Place {
	out := make([]transcript.Place, len(steps))
	bySource := map[int][]int{}
	for i, s := range steps {
		bySource[s.Source] = append(bySource[s.Source], i)
	}
	for source, which := range bySource {
		var offsets []int64
		for _, i := range which {
			offsets = append(offsets, steps[i].Offset)
		}
		for n, at := range transcript.Places(r.list[source].session, offsets) {
			out[which[n]] = at
		}
	}
	return out
}

// csv is a line for each group and rule; percent, and empty where nothing is
// known. An empty model is all.
func (r *accuracyRun) csv() string {
	var b strings.Builder
	w := csv.NewWriter(&b)
	_ = w.Write(strings.Split("model,kind,rule,requests,p50,p90,p95,p99,in_range", ","))
	for _, row := range r.rows() {
		model := ""
		if row.model != nil {
			model = wording.Name(*row.model)
		}
		line := func(rule string, h *calibrate.Histogram, inside string) {
			fields := []string{model, string(row.after), rule, strconv.FormatInt(h.Count(), 10)}
			for _, p := range []float64{.5, .9, .95, .99} {
				text := ""
				if h.Count() > 0 {
					text = decimal(threeFigures(h.Quantile(p)))
				}
				fields = append(fields, text)
			}
			_ = w.Write(append(fields, inside))
		}
		for _, rule := range calibrate.Rules() {
			inside := ""
			if part, ok := row.Coverage(); ok && rule == calibrate.RuleOurs {
				inside = decimal(hundred(part))
			}
			line(string(rule), row.Errors[rule], inside)
		}
		line("ctxmeter_tail", &row.Tails, "")
	}
	w.Flush()
	return b.String()
}

func decimal(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
