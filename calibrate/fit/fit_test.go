package main

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ctxmeter/ctxmeter/calibrate"
	"github.com/ctxmeter/ctxmeter/calibrate/formula"
)

// The invented sessions in testdata grew by these prices, 2 % off either way.
// One request in ten holds a reminder besides, or followed a rewind; a few
// replies have only their first number, and a few rows a picture.
var (
	olderPrices = formula.Linear{.9, .03, 1.8, .25, 1.2, .02, .8, .9, .7, .25, .8, .4}
	gptPrices   = formula.Linear{.8, .04, .7, .3, .9, .03, .5, .5, .1, .2, .5, 1}
	newerScales = [...]float64{1.5, 1, 1.2, 1.1}
)

func makeTable(t *testing.T) (text []byte, said string) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "table.json")
	var stdout, stderr bytes.Buffer
	at := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	if err := run([]string{"-rows", "testdata", "-out", out}, &stdout, &stderr, at); err != nil {
		t.Fatal(err, stderr.String())
	}
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	return text, stdout.String()
}

// truth is what the prices make of a text.
func truth(l formula.Linear, r *row) float64 { return l.Tokens(&r.counts) }

func TestKnownPricesAreFittedBack(t *testing.T) {
	text, said := makeTable(t)
	shippedHasTheFormOf(t, text)
	if again, saidAgain := makeTable(t); !bytes.Equal(again, text) || saidAgain != said {
		t.Error("two runs differ")
	}
	if !strings.Contains(said, "over 1500 characters") {
		t.Errorf("no figures by size:\n%s", said)
	}
	table, err := calibrate.ParseTable(text)
	if err != nil {
		t.Fatal(err)
	}
	newerPrices := olderPrices
	for i, g := range scaled {
		if g >= 0 {
			newerPrices[i] *= newerScales[g]
		}
	}
	d, err := load("testdata", "")
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []struct {
		prices         formula.Linear
		first, further float64
	}{{olderPrices, 12, 48}, {newerPrices, 8, 50}, {gptPrices, 10, 13}} {
		f := table.Families[i]
		if math.Abs(f.FirstBlock-want.first) > 8 || math.Abs(f.FurtherBlock-want.further) > 8 {
			t.Errorf("%s: %.1f for the first block, %.1f for a further one; want %.0f and %.0f", f.Name, f.FirstBlock, f.FurtherBlock, want.first, want.further)
		}
		for j, name := range formula.LinearNames() {
			// What is rare or goes along with something else is hard to tell.
			if got := f.Model.Linear[j]; math.Abs(got-want.prices[j]) > .15+.2*want.prices[j] {
				t.Errorf("%s: %s cost %.3f, want %.3f", f.Name, name, got, want.prices[j])
			}
		}
		for _, r := range d.rows[f.Name] {
			if got, want := f.Model.Tokens(&r.counts), truth(want.prices, r); math.Abs(got-want) > .07*want+5 {
				t.Errorf("%s: %.0f tokens for a text of %.0f", f.Name, got, want)
			}
		}
		all := f.Residuals[0]
		if all.Of != "all" || all.Rows != f.Rows || all.P50 > 3 {
			t.Errorf("%s: %+v", f.Name, all)
		}
		if f.Rows > 100 && (all.Inside < 75 || all.Inside > 98) { // else there are too few for bands by size
			t.Errorf("%s: %.0f %% lie in the bands", f.Name, all.Inside)
		}
	}
}

// shippedHasTheFormOf checks that the table that ships has the same keys in the
// same order as one that this program wrote.
func shippedHasTheFormOf(t *testing.T, ours []byte) {
	t.Helper()
	shipped, err := os.ReadFile(filepath.Join("..", "table.json"))
	if err != nil {
		t.Fatal(err)
	}
	if a, b := keys(ours), keys(shipped); a != b {
		t.Errorf("keys differ:\n%s\n%s", a, b)
	}
}

// keys are the keys of a table outside its lists of residuals, which have a
// line for each kind that there is.
func keys(table []byte) string {
	var out []string
	for line := range strings.Lines(string(table)) {
		key, _, ok := strings.Cut(strings.TrimSpace(line), ":")
		if ok && !strings.HasPrefix(key, "{") {
			out = append(out, key)
		}
	}
	return strings.Join(out, " ")
}

func TestRowsThatHoldMoreThanTheirTextAreLeftOut(t *testing.T) {
	d, err := load("testdata", "")
	if err != nil {
		t.Fatal(err)
	}
	for name, rows := range d.rows {
		for _, r := range rows {
			if r.images > 0 || r.family() != name || name == calibrate.Claude && r.output <= 60 {
				t.Errorf("%s: %+v", name, r)
			}
		}
	}
}

func TestTablesThatCannotBeRead(t *testing.T) {
	for name, text := range map[string]string{
		"empty":           "",
		"a column misses": "model,version,session\nclaude,1,2\n",
		"no number":       "model,version,session,growth\nclaude,1,2,many\n",
		"ragged":          "model,version\nclaude\n",
	} {
		if rows, err := readRows(strings.NewReader(text)); err == nil {
			t.Errorf("%s: %d rows and no error", name, len(rows))
		}
	}
	if err := run([]string{"-rows", t.TempDir()}, &bytes.Buffer{}, &bytes.Buffer{}, time.Time{}); err == nil {
		t.Error("no error without tables")
	}
}
