package formula

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/ctxmeter/ctxmeter/meter/tail"
)

// code is a thousand characters of an ordinary program.
var code = tail.Counts{
	Bytes: 1000, Chars: 1000, Letters: 600, Words: 130, CaseBreaks: 10, Digits: 50, DigitRuns: 25,
	Spaces: 170, SpaceRuns: 20, Newlines: 30, Underscores: 10, Punct: 140, PunctRuns: 105,
}

func TestKindsOfText(t *testing.T) {
	with := func(change func(*tail.Counts)) tail.Counts {
		c := code
		change(&c)
		return c
	}
	for want, c := range map[Kind]tail.Counts{
		Code:         code,
		OtherScripts: with(func(c *tail.Counts) { c.Alpha, c.Letters = 60, 540 }),
		LongWords:    with(func(c *tail.Counts) { c.Words = 60 }),
		Listing:      with(func(c *tail.Counts) { c.Signs, c.Spaces = 30, 140 }),
		Digits:       with(func(c *tail.Counts) { c.Digits, c.Letters = 160, 490 }),
		Punctuation:  with(func(c *tail.Counts) { c.Punct, c.Letters = 210, 530 }),
		Indented:     with(func(c *tail.Counts) { c.Spaces, c.Letters = 310, 460 }),
		Prose:        with(func(c *tail.Counts) { c.Letters, c.Punct = 730, 10 }),
	} {
		if got := KindOf(&c); got != want {
			t.Errorf("%+v is %q, want %q", c, got, want)
		}
	}
	if got := KindOf(&tail.Counts{}); got != Code {
		t.Errorf("nothing is %q", got)
	}
}

func TestTheCorrectionIsBounded(t *testing.T) {
	for _, by := range []float64{-100, -1, 0, 1, 100} {
		k := Correction{by}
		if f := k.Factor(&code); f < .74 || f > 1.35 || (f-1)*by < 0 {
			t.Errorf("%g: a factor of %.2f", by, f)
		}
	}
	if f := (&Correction{5}).Factor(&tail.Counts{Chars: 9, Wide: 9}); f != 1 {
		t.Errorf("text without plain characters is corrected by %.2f", f)
	}
}

func TestTermsAreSmallForOrdinaryText(t *testing.T) {
	terms, ok := TermsOf(&code)
	if !ok || terms[0] != 1 {
		t.Fatalf("%v, %v", terms, ok)
	}
	for i, x := range terms[1:] {
		if math.Abs(x) > .5 {
			t.Errorf("term %d is %.2f", i+1, x)
		}
	}
	odd, _ := TermsOf(&tail.Counts{Bytes: 10, Chars: 10, Punct: 10, PunctRuns: 1})
	for i, x := range odd[1:] {
		if math.IsNaN(x) || math.Abs(x) > 4.5 {
			t.Errorf("term %d is %.2f", i+1, x)
		}
	}
}

func TestBandsBySizeOfTheEstimate(t *testing.T) {
	bands := Bands{{Below: 100, Low: -.2, High: 2}, {Below: 1000, Low: -.1, High: .1}}
	for _, tt := range []struct {
		estimate  float64
		kind      Kind
		low, high float64
	}{
		{50, Code, -20, 200},
		{100, Code, -15, 15},
		{950, Code, -100, 100},
		{9950, Code, -1000, 1000}, // beyond the last
		{950, Punctuation, -200, 200},
	} {
		low, high := bands.Of(tt.estimate, tt.kind)
		if math.Abs(low-tt.low) > 1e-9 || math.Abs(high-tt.high) > 1e-9 {
			t.Errorf("%.0f of %s: %.1f to %.1f, want %.1f to %.1f", tt.estimate, tt.kind, low, high, tt.low, tt.high)
		}
	}
	if low, high := Bands(nil).Of(5, Code); low != 0 || high != 0 {
		t.Errorf("no bands: %f to %f", low, high)
	}
}

func TestCoefficientsReadBackAsTheyAreWritten(t *testing.T) {
	var m, back Model
	for i := range m.Linear {
		m.Linear[i] = float64(i) + .5
	}
	for i := range m.Correction {
		m.Correction[i] = float64(i) / 64
	}
	m.Scripts = Scripts{1, 2, 3, 4}
	text, err := json.Marshal(m)
	if err == nil {
		err = json.Unmarshal(text, &back)
	}
	if err != nil || back != m {
		t.Errorf("%v: %s reads as %+v", err, text, back)
	}
}
