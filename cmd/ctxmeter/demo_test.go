package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/ctxmeter/ctxmeter/meter"
)

func TestDemoPrintsItsMomentsOnce(t *testing.T) {
	got := newRig(t).run("demo")
	if got.code != 0 || got.stderr != "" {
		t.Fatalf("status %d: %s", got.code, got.stderr)
	}
	golden(t, "demo.txt", got.stdout)
	if again := newRig(t).run("demo"); again.stdout != got.stdout {
		t.Error("a second run says something else")
	}
}

// What the captions claim holds, whatever the calibration says.
func TestDemoShowsWhatItClaims(t *testing.T) {
	got := newRig(t).run("demo", "--json")
	var readings []meter.Reading
	dec := json.NewDecoder(strings.NewReader(got.stdout))
	for dec.More() {
		var r meter.Reading
		if err := dec.Decode(&r); err != nil {
			t.Fatal(err)
		}
		readings = append(readings, r)
	}
	if len(readings) != len(moments()) {
		t.Fatalf("%d readings of %d moments", len(readings), len(moments()))
	}
	for i, want := range []struct {
		level  meter.Level
		status meter.Status
		basis  meter.Basis
	}{
		{meter.LevelOK, meter.StatusOK, meter.BasisMeasured},
		{meter.LevelOK, meter.StatusOK, meter.BasisBoth},
		{meter.LevelOK, meter.StatusOK, meter.BasisMeasured},
		{meter.LevelModerate, meter.StatusOK, meter.BasisMeasured},
		{meter.LevelHigh, meter.StatusOK, meter.BasisBoth},
		{meter.LevelCritical, meter.StatusOK, meter.BasisMeasured},
		{meter.LevelCritical, meter.StatusOK, meter.BasisBoth},
		{meter.LevelOK, meter.StatusAwaiting, meter.BasisEstimate},
		{meter.LevelOK, meter.StatusOK, meter.BasisMeasured},
	} {
		r := readings[i]
		if r.Level != want.level || r.Status != want.status || r.Basis == nil || *r.Basis != want.basis {
			t.Errorf("moment %d (%s) is %s, %s; want %+v", i+1, moments()[i].caption, r.Level, r.Status, want)
		}
	}
	if p := readings[5].Planned; p == nil || !*p.FitsWindow || !*p.TriggersCompaction {
		t.Errorf("the planned read: %+v", p)
	}
	if left := readings[6].Compaction.RemainingTokens; left == nil || *left != 0 {
		t.Errorf("over the trigger %v are left", left)
	}
	if moments()[len(moments())-1].records != sampleLength() {
		t.Errorf("the last moment is not the end of the session")
	}
}

func TestDemoDrawsInPlaceOnATerminal(t *testing.T) {
	r := newRig(t).terminal(80)
	var waited time.Duration
	var out strings.Builder
	p := r.program(&out, &out)
	p.wait = func(_ context.Context, d time.Duration) { waited += d }
	if code := p.run(t.Context(), []string{"ctxmeter", "demo", "--speed", "2"}); code != 0 {
		t.Fatalf("status %d: %s", code, out.String())
	}
	frames := sampleLength() + 5*len(moments())
	if want := time.Duration(frames) * frame / 2; waited != want {
		t.Errorf("it takes %v, want %v", waited, want)
	}
	if !strings.HasPrefix(out.String(), "\x1b[?25l") || !strings.HasSuffix(out.String(), "\x1b[?25h") {
		t.Error("the cursor does not come back")
	}
	// What was drawn over is told once more, as in the listed form.
	plain := newRig(t).terminal(80).run("demo", "--color", "never", "--speed", "1e6").stdout
	listed := newRig(t).run("demo").stdout
	_, kept, _ := strings.Cut(plain, "numbers jump.\n")
	kept, _, _ = strings.Cut(kept, "\nThat was a sample.")
	if kept == "" || !strings.Contains(listed, kept) {
		t.Errorf("at the end stands\n%s\nthe listed form is\n%s", kept, listed)
	}
	if !strings.Contains(plain, "ctrl-C ends it") || !strings.Contains(plain, "the planned read adds about ") {
		t.Error("how to end it, or the planned read, is not told")
	}
	if n := strings.Count(out.String(), "\r\x1b[J"); n != sampleLength()-1 {
		t.Errorf("%d frames are drawn over, want %d", n, sampleLength()-1)
	}
}

func TestDemoEndsWhenInterrupted(t *testing.T) {
	r := newRig(t).terminal(80)
	ctx, cancel := context.WithCancel(t.Context())
	var out strings.Builder
	p := r.program(&out, &out)
	n := 0
	p.wait = func(context.Context, time.Duration) {
		if n++; n == 3 {
			cancel()
		}
	}
	if code := p.run(ctx, []string{"ctxmeter", "demo"}); code != exitInterrupted || n != 3 || !strings.HasSuffix(out.String(), "\n\x1b[?25h") {
		t.Errorf("status %d after %d frames, ending in %q", code, n, out.String()[max(0, out.Len()-20):])
	}
}

func TestDemoIsInterruptedInEitherForm(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got := newRig(t).runWith(ctx, "demo"); got.code != exitInterrupted || got.stderr != "" {
		t.Errorf("status %d, %q", got.code, got.stderr)
	}
}

func TestDemoLeavesNothingBehindAndReadsNothingOfYours(t *testing.T) {
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	t.Setenv("TMP", tmp)
	r := newRig(t).set("CTXMETER_CONFIG", "/nonexistent/config.toml").set("CTXMETER_WINDOW", "nonsense").set("CLAUDE_CODE_SESSION_ID", "x")
	if got := r.run("demo"); got.code != 0 {
		t.Errorf("status %d: %s", got.code, got.stderr)
	}
	left, err := os.ReadDir(tmp)
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestDemoSaysThatThereIsNoTemporaryFolder(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("another variable names it there")
	}
	none := filepath.Join(t.TempDir(), "none")
	t.Setenv("TMPDIR", none)
	got := newRig(t).run("demo")
	if got.code != exitNoReading || !strings.Contains(got.stderr, "no temporary folder can be made in "+none) || !strings.Contains(got.stderr, "let TMPDIR name a folder") {
		t.Errorf("status %d: %s", got.code, got.stderr)
	}
}
