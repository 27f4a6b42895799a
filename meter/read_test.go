package meter

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
)

// plain is an estimator that is easy to compute by hand: four letters a
// token, 100 tokens come back after a compaction.
type plain struct{}

func (plain) Tokens(_ string, t Text) Estimate {
	n := float64(t.User.Chars+t.Tool.Chars+t.Attachment.Chars+t.Reply.Chars) / 4
	return Estimate{Tokens: n, Below: n / 10, Above: n / 10}
}
func (plain) Reply(c Context) Estimate  { return Estimate{Tokens: float64(c.Usage.Output)} }
func (plain) Dropped(Context) float64   { return 0 }
func (plain) Restored(Context) Estimate { return Estimate{Tokens: 100} }
func (plain) Overhead(Context) Estimate { return Estimate{} }

var now = time.Date(2026, 11, 30, 15, 0, 0, 0, time.UTC)

func auto(tokens int64) func(Claim) Trigger {
	return func(Claim) Trigger { return Trigger{Mode: ModeAuto, Tokens: tokens, Source: SourceAssumed} }
}

func window(tokens int64) Limits {
	return Limits{Windows: []Claim{{Tokens: tokens, Source: SourceSettings}}, Sizes: []int64{200_000, 1_000_000}, Trigger: auto(167_000)}
}

func at(e Event, t time.Time) Event {
	e.Time = t
	return e
}

func TestReadingOfAMeasuredSession(t *testing.T) {
	s := fold(say(1, 0, 40), reply(2, 1, 7, 148_000, 210), at(say(3, 2, 4000), now.Add(-4*time.Second)))
	r := Read(Input{State: s, Limits: window(200_000), Now: now, StaleAfter: 2 * time.Minute}, plain{})
	got, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"status":"ok"`, `"level":"high"`, `"used_tokens":149210`, `"measured_tokens":148000`, `"unmeasured_tokens":1210`,
		`"used_tokens_range":[149110,149310]`, `"basis":"measured+estimate"`, `"window_tokens":200000`, `"window_source":"settings"`,
		`"used_percent":74.6`, `"remaining_tokens":50790`, `"remaining_percent":25.4`,
		`"mode":"auto"`, `"trigger_tokens":167000`, `"trigger_source":"assumed"`, `"percent":89.3`, `"remaining_tokens":17790`,
		`"count":0`, `"awaiting_usage":false`, `"event_age_seconds":4`, `"warnings":[]`,
	} {
		if !strings.Contains(string(got), want) {
			t.Errorf("no %s in %s", want, got)
		}
	}
	if strings.Contains(string(got), "planned") {
		t.Error("planned is in the reading although nobody asked")
	}
}

func TestStatusIsTheMostRestrictiveThatApplies(t *testing.T) {
	long := now.Add(-time.Hour)
	measured := []Event{say(1, 0, 40), at(reply(2, 1, 7, 1000, 5), long)}
	for name, tc := range map[string]struct {
		events []Event
		limits Limits
		want   Status
		basis  Basis
	}{
		"nothing":           {[]Event{say(1, 0, 40)}, window(200_000), StatusNoReading, ""},
		"stale":             {measured, window(200_000), StatusStale, BasisMeasured},
		"no times":          {[]Event{say(1, 0, 40), reply(2, 1, 7, 1000, 5)}, window(200_000), StatusTimeUnknown, BasisMeasured},
		"no window":         {measured, Limits{}, StatusWindowUnknown, BasisMeasured},
		"just compacted":    {append(measured, boundary(3, true, 1005, 80)), window(200_000), StatusAwaiting, BasisEstimate},
		"compacted, no win": {append(measured, boundary(3, true, 1005, 80)), Limits{}, StatusAwaiting, BasisEstimate},
		"fresh":             {append(measured, at(reply(4, 2, 8, 1100, 5), now)), window(200_000), StatusOK, BasisMeasured},
	} {
		t.Run(name, func(t *testing.T) {
			r := Read(Input{State: fold(tc.events...), Limits: tc.limits, Now: now, StaleAfter: 2 * time.Minute}, plain{})
			if r.Status != tc.want {
				t.Errorf("status %s, want %s", r.Status, tc.want)
			}
			if tc.basis == "" != (r.Basis == nil) || r.Basis != nil && *r.Basis != tc.basis {
				t.Errorf("basis %v, want %q", r.Basis, tc.basis)
			}
		})
	}
}

func TestAfterACompactionNothingIsMeasuredAndNothingIsTheOldNumber(t *testing.T) {
	// The first request carried 1,000 tokens, 10 of them from its 40 letters:
	// 990 are fixed.
	s := fold(say(1, 0, 40), reply(2, 1, 7, 1000, 5), reply(3, 2, 8, 150_000, 5), boundary(4, true, 150_005, 300), summary(5, 4, 900), attach(6, 5, 40))
	r := Read(Input{State: s, Limits: window(200_000), Now: now}, plain{})
	if r.MeasuredTokens != nil {
		t.Errorf("measured %d, want null", *r.MeasuredTokens)
	}
	if want := int64(990 + 300 + 10 + 100); r.UsedTokens == nil || *r.UsedTokens != want {
		t.Errorf("used %v, want overhead + summary + attachment + restored = %d", r.UsedTokens, want)
	}
	if !r.Compaction.AwaitingUsage || r.Compaction.Count == nil || *r.Compaction.Count != 1 {
		t.Errorf("compaction %+v", r.Compaction)
	}
}

func TestEvidenceBeatsEveryLabel(t *testing.T) {
	s := fold(say(1, 0, 40), reply(2, 1, 7, 312_480, 5))
	r := Read(Input{State: s, Limits: window(200_000), Now: now}, plain{})
	if r.WindowTokens == nil || *r.WindowTokens != 1_000_000 || *r.WindowSource != SourceTranscript {
		t.Errorf("window %v", r.WindowTokens)
	}
	if len(r.Warnings) != 1 || r.Warnings[0].Code != "window_disproved" {
		t.Errorf("warnings %v", r.Warnings)
	}
	r = Read(Input{State: s, Limits: Limits{Windows: []Claim{{200_000, SourceAssumed}}}, Now: now}, plain{})
	if r.WindowTokens != nil {
		t.Errorf("window %d although every claim is disproved", *r.WindowTokens)
	}
}

func TestTheCallersWordsComeFirst(t *testing.T) {
	s := fold(say(1, 0, 40), reply(2, 1, 7, 90_000, 0))
	r := Read(Input{State: s, Limits: window(200_000), Window: 100_000, Trigger: 95_000, Now: now}, plain{})
	if *r.WindowTokens != 100_000 || *r.WindowSource != SourceCaller || *r.Compaction.TriggerTokens != 95_000 || *r.Compaction.TriggerSource != SourceCaller {
		t.Errorf("window %d by %s, trigger %d by %s", *r.WindowTokens, *r.WindowSource, *r.Compaction.TriggerTokens, *r.Compaction.TriggerSource)
	}
	if r.Level != LevelCritical {
		t.Errorf("level %s, want critical: 94.7 %% of the trigger", r.Level)
	}
}

func TestLevelIsByTheTriggerWhereItIsKnown(t *testing.T) {
	for name, tc := range map[string]struct {
		used    int64
		trigger func(Claim) Trigger
		want    Level
	}{
		"by the trigger":          {130_000, auto(167_000), LevelHigh},
		"by the window":           {130_000, nil, LevelModerate},
		"reactive: by the window": {130_000, func(Claim) Trigger { return Trigger{Mode: ModeReactive} }, LevelModerate},
		"over the trigger":        {170_000, auto(167_000), LevelCritical},
		"low":                     {10_000, auto(167_000), LevelOK},
	} {
		t.Run(name, func(t *testing.T) {
			limits := window(200_000)
			limits.Trigger = tc.trigger
			r := Read(Input{State: fold(say(1, 0, 4), reply(2, 1, 7, tc.used, 0)), Limits: limits, Now: now}, plain{})
			if r.Level != tc.want {
				t.Errorf("level %s, want %s", r.Level, tc.want)
			}
		})
	}
}

func TestPlannedReads(t *testing.T) {
	s := fold(say(1, 0, 4), reply(2, 1, 7, 160_000, 0))
	for name, tc := range map[string]struct {
		planned  Planned
		tokens   int64
		fits     bool
		compacts bool
	}{
		"small":            {Planned{Tokens: 100}, 100, true, false},
		"over the trigger": {Planned{Tokens: 8000}, 8000, true, true},
		"over the window":  {Planned{Tokens: 50_000}, 50_000, false, true},
		"by its text":      {Planned{Text: Text{Tool: letters(4000)}}, 1000, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			p := Read(Input{State: s, Limits: window(200_000), Planned: &tc.planned, Now: now}, plain{}).Planned
			if p.Tokens != tc.tokens || *p.FitsWindow != tc.fits || *p.TriggersCompaction != tc.compacts {
				t.Errorf("%d tokens, fits %v, compacts %v", p.Tokens, *p.FitsWindow, *p.TriggersCompaction)
			}
		})
	}
}

// Where counting ended early, what would be fine may not be.
func TestPlannedAtLeast(t *testing.T) {
	s := fold(say(1, 0, 4), reply(2, 1, 7, 160_000, 0))
	for name, tc := range map[string]struct {
		tokens int64
		want   string
	}{
		"small":            {100, `{"source":"path","tokens":100,"used_percent_after":80.1,"fits_window":null,"triggers_compaction":null,"skipped":2,"at_least":true}`},
		"over the trigger": {8000, `{"source":"path","tokens":8000,"used_percent_after":84,"fits_window":null,"triggers_compaction":true,"skipped":2,"at_least":true}`},
		"over the window":  {50_000, `{"source":"path","tokens":50000,"used_percent_after":105,"fits_window":false,"triggers_compaction":true,"skipped":2,"at_least":true}`},
	} {
		t.Run(name, func(t *testing.T) {
			planned := Planned{Source: "path", Tokens: tc.tokens, AtLeast: true, Skipped: 2}
			got, _ := json.Marshal(Read(Input{State: s, Limits: window(200_000), Planned: &planned, Now: now}, plain{}).Planned)
			if string(got) != tc.want {
				t.Errorf("got  %s\nwant %s", got, tc.want)
			}
		})
	}
}

func TestPlannedThatALimitCuts(t *testing.T) {
	s := fold(say(1, 0, 4), reply(2, 1, 7, 160_000, 0))
	files := int64(0)
	planned := Planned{Source: "path", Text: Text{Tool: letters(4000)}, Whole: Text{Tool: letters(40_000)}, Limits: []Cut{{Tool: "Read", How: CutPage, Tokens: 9}}, Files: &files}
	got, _ := json.Marshal(Read(Input{State: s, Limits: window(200_000), Planned: &planned, Now: now}, plain{}).Planned)
	want := `{"source":"path","tokens":1000,"used_percent_after":80.5,"fits_window":true,"triggers_compaction":false,"limits":[{"tool":"Read","how":"first_page","tokens":9}],"whole_tokens":10000,"files":0}`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestUnknownIsNullInTheJSON(t *testing.T) {
	r := Read(Input{State: fold(say(1, 0, 40)), Now: now}, plain{})
	got, _ := json.Marshal(r)
	for _, want := range []string{
		`"used_tokens":null`, `"measured_tokens":null`, `"used_tokens_range":null`, `"basis":null`, `"window_tokens":null`,
		`"used_percent":null`, `"trigger_tokens":null`, `"event_at":null`, `"model":null`, `"level":"unknown"`, `"mode":"unknown"`,
	} {
		if !strings.Contains(string(got), want) {
			t.Errorf("no %s in %s", want, got)
		}
	}
}

func TestABoundIsNotGivenAsExact(t *testing.T) {
	e := reply(2, 1, 7, 139_000, 320)
	e.Usage.Bound = true
	r := Read(Input{State: fold(say(1, 0, 4), e), Limits: window(200_000), Now: now}, plain{})
	if *r.Basis == BasisMeasured || r.UsedRange[0] > 60_000 || len(r.Warnings) != 1 {
		t.Errorf("basis %s, range %v, warnings %v", *r.Basis, *r.UsedRange, r.Warnings)
	}
}

func TestARolloutsWindowStandsEvenWhenExceeded(t *testing.T) {
	l := Limits{Windows: []Claim{{258_400, SourceRollout}}}
	r := Read(Input{State: fold(person(4), wrote(4), measured(1, 259_999, 1)), Limits: l, Now: now}, plain{})
	if r.WindowTokens == nil || *r.WindowTokens != 258_400 || *r.RemainingTokens != 0 || len(r.Warnings) != 1 {
		t.Errorf("window %v, warnings %v", r.WindowTokens, r.Warnings)
	}
}

func TestARollbackIsNoCompaction(t *testing.T) {
	recount := Event{Kind: KindUsage, Usage: Usage{Key: 9, Total: 50_000, Estimated: true}}
	back := fold(person(8), wrote(4), measured(1, 100_000, 5), recount, Event{Kind: KindRewind})
	r := Read(Input{State: back, Limits: window(200_000), Now: now}, plain{})
	if r.Compaction.AwaitingUsage || r.Status == StatusAwaiting || *r.Basis != BasisEstimate {
		t.Errorf("status %s, basis %s, awaiting %v", r.Status, *r.Basis, r.Compaction.AwaitingUsage)
	}
	after := fold(person(8), wrote(4), measured(1, 100_000, 5), compacted(60), recount)
	if r := Read(Input{State: after, Limits: window(200_000), Now: now}, plain{}); r.Status != StatusAwaiting {
		t.Errorf("after a compaction: status %s", r.Status)
	}
}

func TestATriggerBeyondTheWindowDisarmsNothing(t *testing.T) {
	s := fold(say(1, 0, 4), reply(2, 1, 7, 190_000, 0))
	r := Read(Input{State: s, Limits: window(200_000), Trigger: 600_000, Now: now}, plain{})
	if r.Level != LevelCritical || len(r.Warnings) != 1 || r.Warnings[0].Code != "trigger_over_window" {
		t.Errorf("level %s, warnings %v", r.Level, r.Warnings)
	}
}

func TestTheBandBeginsAtWhatIsSentAgain(t *testing.T) {
	s := fold(say(1, 0, 4), reply(2, 1, 7, 100_000, 50), say(3, 2, 40))
	wide := spreading{plain{}}
	if r := Read(Input{State: s, Limits: window(200_000), Now: now}, wide); r.UsedRange[0] != 100_000 {
		t.Errorf("range %v, want it to begin at the measured prompt", *r.UsedRange)
	}
}

// spreading is an estimator that is never sure.
type spreading struct{ plain }

func (spreading) Tokens(_ string, t Text) Estimate {
	return Estimate{Tokens: float64(t.User.Chars) / 4, Below: 5000, Above: 5000}
}
