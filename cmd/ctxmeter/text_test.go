package main

import (
	"strings"
	"testing"
	"time"

	"github.com/ctxmeter/ctxmeter/config"
	"github.com/ctxmeter/ctxmeter/meter"
)

// made is a reading of so many tokens, as measured by a client.
func made(backend string, basis meter.Basis, used, measured, window int64) *meter.Reading {
	p, rest := float64(used)/float64(window)*100, used-measured
	source, old := meter.SourceSettings, 60.0
	return &meter.Reading{
		Status: meter.StatusStale, Level: meter.LevelOK, UsedTokens: &used, MeasuredTokens: &measured, UnmeasuredTokens: &rest,
		Basis: &basis, WindowTokens: &window, WindowSource: &source, UsedPercent: &p, EventAgeSeconds: &old,
		Session: meter.SessionView{Backend: backend, ID: "x"},
	}
}

func textOf(r *meter.Reading, s *config.Settings) string {
	return style{width: 1000}.text(r, s)
}

// The parts of a number are said in the words of how the client counts, and
// they add up.
func TestTextTellsThePartsOfWhatIsUsed(t *testing.T) {
	const claude, codex = "claude-code", "codex"
	for _, tt := range []struct {
		reading *meter.Reading
		band    *[2]int64
		want    string
	}{
		{made(claude, meter.BasisBoth, 158_270, 148_333, 200_000), &[2]int64{156_216, 160_325}, "158,270 of 200,000 tokens (79.1 %): 148,333 in the last request, ~9,937 since, its reply included (156,216 to 160,325)"},
		{made(claude, meter.BasisMeasured, 21_650, 21_340, 200_000), &[2]int64{21_650, 21_650}, "21,650 of 200,000 tokens (10.8 %): 21,340 in the last request, 310 in its reply"},
		{made(claude, meter.BasisBoth, 103_350, 121_350, 200_000), nil, "103,350 of 200,000 tokens (51.7 %): 121,350 in the last request, ~18,000 less since"},
		{made(claude, meter.BasisEstimate, 30_512, 30_000, 200_000), &[2]int64{20_000, 40_000}, "~30,512 of 200,000 tokens (15.3 %), estimated (20,000 to 40,000)"},
		{made(codex, meter.BasisMeasured, 48_212, 48_212, 258_400), nil, "48,212 of 258,400 tokens (18.7 %): the last request and its reply"},
		{made(codex, meter.BasisBoth, 50_000, 48_212, 258_400), nil, "50,000 of 258,400 tokens (19.3 %): 48,212 in the last request and its reply, ~1,788 since"},
		// A full window after a refused prompt: no more than all of it.
		{made(codex, meter.BasisEstimate, 258_400, 258_400, 258_400), &[2]int64{206_720, 310_080}, "~258,400 of 258,400 tokens (100.0 %), estimated (206,720 to 258,400)"},
		{made(codex, meter.BasisEstimate, 260_000, 258_400, 258_400), &[2]int64{206_720, 310_080}, "~260,000 of 258,400 tokens (100.6 %), estimated"},
		{made(claude, meter.BasisEstimate, 195_000, 195_000, 200_000), &[2]int64{190_000, 210_000}, "~195,000 of 200,000 tokens (97.5 %), estimated (190,000 to 200,000)"},
		{made(claude, meter.BasisMeasured, 2_400_000, 2_400_000, 200_000), nil, "2,400,000 of 200,000 tokens (over 999 %): 2,400,000 in the last request, 0 in its reply"},
	} {
		tt.reading.UsedRange = tt.band
		if got := usedWords(tt.reading); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}

func TestTextTellsWhoseCountCompacts(t *testing.T) {
	r := made("claude-code", meter.BasisBoth, 158_270, 148_333, 200_000)
	at, by := int64(167_000), meter.SourceAssumed
	r.Compaction = meter.CompactionView{Mode: meter.ModeAuto, TriggerTokens: &at, TriggerSource: &by}
	for left, want := range map[int64]string{
		9_647: "compacts at 167,000 (assumed): 9,647 left by the client's own count",
		8_730: "compacts at 167,000 (assumed): 8,730 left",
		0:     "compacts at 167,000 (assumed): due now",
	} {
		r.Compaction.RemainingTokens = &left
		if got := compactionWords(r); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestTextTellsHowOldItIs(t *testing.T) {
	for old, want := range map[time.Duration]string{
		5 * time.Minute:      "stale: last written 5 min ago; a turn may be running, or the session is over\n",
		2 * time.Hour:        "stale: last written 2 h ago\n",
		146 * 24 * time.Hour: "stale: last written 146 days ago\n",
	} {
		r := made("codex", meter.BasisMeasured, 1000, 1000, 200_000)
		*r.EventAgeSeconds = old.Seconds()
		if got := textOf(r, &config.Settings{}); !strings.Contains(got, want) || strings.Count(got, " ago") != 1 {
			t.Errorf("%v: %q", old, got)
		}
	}
}

func TestTextTellsWhereTheWindowComesFrom(t *testing.T) {
	r := made("claude-code", meter.BasisMeasured, 150_000, 149_000, 200_000)
	source := meter.SourceAssumed
	r.WindowSource = &source
	if got := textOf(r, &config.Settings{}); !strings.Contains(got, "\nwindow assumed from the model's name: set --window if you know better\n") {
		t.Errorf("assumed: %q", got)
	}
	source = meter.SourceTranscript
	r.Warnings = []meter.Warning{{Code: codeDisproved, Text: "a request was larger than the window stated by caller"}}
	got := textOf(r, &config.Settings{Window: 64_000})
	if !strings.Contains(got, "\n--window 64,000 is overruled: a measured request was larger than that\n") || strings.Contains(got, "note:") {
		t.Errorf("overruled: %q", got)
	}
	if got := textOf(r, &config.Settings{}); !strings.Contains(got, "note: a request was larger") {
		t.Errorf("another's window: %q", got)
	}
}

// The same in the whole program: a request of 158,349 tokens does not fit
// into a window of 64,000.
func TestAnOverruledWindowIsSaidPlainly(t *testing.T) {
	r := newRig(t).set("CLAUDE_CONFIG_DIR", sampleFolder(t, 30)).set("COLUMNS", "200")
	got := r.run("--no-cache", "-t", sampleID, "--window", "64k", "--format", "text")
	if got.code != 0 || !strings.Contains(got.stdout, "\n--window 64,000 is overruled: a measured request was larger than that\n") {
		t.Errorf("%s%s", got.stdout, got.stderr)
	}
}

func TestTextTellsHowTheClientCounts(t *testing.T) {
	r := made("codex", meter.BasisMeasured, 12_500, 12_040, 258_400)
	used, p := int64(12_040), 0.0
	r.ClientView = meter.ClientView{UsedTokens: &used, UsedPercent: &p, Note: "its percentage leaves out 12,000"}
	if got := clientWords(r); got != "the client itself shows 12,040 tokens, 0 % (its percentage leaves out 12,000)" {
		t.Error(got)
	}
}
