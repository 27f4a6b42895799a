package calibrate

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"math"
	"math/rand"
	"strings"
	"testing"

	"github.com/ctxmeter/ctxmeter/meter"
	"github.com/ctxmeter/ctxmeter/meter/tail"
)

// One model of each family, and two that are not known.
var models = []string{"claude-opus-4-6", "claude-opus-4-8", "gpt-5.5", "kimi-k2", ""}

func random(n int) []byte {
	b := make([]byte, n)
	rand.New(rand.NewSource(1)).Read(b)
	return b
}

// lines repeats a text with numbers that change.
func lines(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i, i*7919%1000)
	}
	return b.String()
}

// What a character of a text can cost, in tokens, by what is known of
// tokenizers: a text below or above that is priced absurdly.
func TestTokensAreSaneForEveryKindOfText(t *testing.T) {
	count := newCounter()
	for _, tt := range []struct {
		name, text string
		min, max   float64 // tokens a code point
	}{
		{"English", strings.Repeat("The gardener waters the peonies before the sun is up. ", 50), .17, .4},
		{"German", strings.Repeat("Der Gärtner gießt die Pfingstrosen, bevor die Sonne aufgeht. ", 50), .17, .5},
		{"Vietnamese", strings.Repeat("Người làm vườn tưới hoa mẫu đơn trước khi mặt trời mọc. ", 50), .2, .9},
		{"Russian", strings.Repeat("Садовник поливает пионы до восхода солнца. ", 50), .2, .6},
		{"Greek", strings.Repeat("Ο κηπουρός ποτίζει τις παιώνιες πριν βγει ο ήλιος. ", 50), .2, .8},
		{"Arabic", strings.Repeat("يسقي البستاني زهور الفاوانيا قبل شروق الشمس. ", 50), .2, .8},
		{"Hebrew", strings.Repeat("הגנן משקה את האדמוניות לפני הזריחה. ", 50), .2, .8},
		{"Hindi", strings.Repeat("माली सूरज निकलने से पहले फूलों को पानी देता है। ", 50), .2, .8},
		{"Thai", strings.Repeat("คนสวนรดน้ำดอกโบตั๋นก่อนพระอาทิตย์ขึ้น ", 50), .2, .8},
		{"Chinese", strings.Repeat("园丁在日出之前给牡丹浇水。", 100), .6, 1.5},
		{"Japanese", strings.Repeat("庭師は日の出前に牡丹に水をやる。", 100), .5, 1.5},
		{"Korean", strings.Repeat("정원사는 해가 뜨기 전에 모란에 물을 준다. ", 50), .4, 1.5},
		{"emoji", strings.Repeat("🌷🌱🌻", 200), 1, 4},
		{"boxes", strings.Repeat("┌──┬──┐\n│  │  │\n└──┴──┘\n", 50), .2, 1.3},
		{"base64", base64.StdEncoding.EncodeToString(random(3000)), .5, 1},
		{"hex", hex.EncodeToString(random(3000)), .4, 1},
		{"minified code", strings.Repeat(`function a(b,c){for(var d=0;d<b.length;d++){if(b[d]!==c[d])return!1}return!0};`, 60), .25, .95},
		{"code", strings.Repeat("\tfor i := range beds {\n\t\tif err := water(beds[i]); err != nil {\n\t\t\treturn err\n\t\t}\n\t}\n", 60), .25, .6},
		{"snake case", strings.Repeat("water_the_flower_bed(bed_number, litres_of_water)\n", 60), .2, .6},
		{"log", lines(200, "2026-11-30T15:04:%02d.%03dZ INFO  bed watered id=4711 took=12ms\n"), .3, .75},
		{"JSON", lines(200, `{"bed": %d, "litres": %d, "kind": "peony"}`+"\n"), .3, .7},
		{"numbered lines", lines(200, "%6d→\twater(bed, %d)\n"), .3, .8},
		{"digits", strings.Repeat("31415926535897932384626433832795", 60), .2, 1},
		{"blanks", strings.Repeat(" ", 10_000), .015, .3},
		{"newlines", strings.Repeat("\n", 10_000), .015, 1},
		{"dashes", strings.Repeat("-", 10_000), .015, .5},
		{"a million letters", strings.Repeat("a", 1_000_000), .02, .6},
		{"control characters", strings.Repeat("\x00\x1b\x07", 1000), .05, 1},
		{"invalid UTF-8", strings.Repeat("\xff\xfe", 1000), .2, 3},
	} {
		c := count.count(t, tt.text)
		for _, model := range models {
			e := Builtin().Tokens(model, meter.Text{Tool: c})
			if rate := e.Tokens / float64(c.Chars); rate < tt.min || rate > tt.max {
				t.Errorf("%s for %q: %.3f tokens a character, want %.2f to %.2f", tt.name, model, rate, tt.min, tt.max)
			}
			if e.Below <= 0 || e.Above <= 0 || e.Below > e.Tokens {
				t.Errorf("%s for %q: %+v is no band", tt.name, model, e)
			}
		}
	}
}

func TestNothingIsNoTokens(t *testing.T) {
	for _, model := range models {
		if e := Builtin().Tokens(model, meter.Text{}); e != (meter.Estimate{}) {
			t.Errorf("%q: %+v", model, e)
		}
	}
}

func TestATextOfOneCharacterIsOneTokenOrSo(t *testing.T) {
	count := newCounter()
	for _, text := range []string{"a", "Z", "7", " ", "\n", "\t", "_", "{", "é", "я", "ẞ", "漢", "→", "🌷", "\x00"} {
		c := count.count(t, text)
		for _, model := range models {
			if e := Builtin().Tokens(model, meter.Text{Tool: c}); e.Tokens <= 0 || e.Tokens > 3 {
				t.Errorf("%q for %q: %.2f tokens", text, model, e.Tokens)
			}
		}
	}
}

// someText is a text of up to so many pieces of every kind.
func someText(rng *rand.Rand, pieces int) string {
	words := []string{
		"the", "peony", "waterTheFlowerBed", "HTTPServer", "x", "internationalisation", "flower_bed_id", "0x1F", "4711",
		"3.14159", " ", "  ", "\t", "\n", "\n\n", "        ", "{", "});", "->", "===", "//", "\"", "é", "сад", "花园", "정원",
		"🌷", "→", "│", "—", "a1b2c3d4e5f60718", "QmFzZTY0IHRleHQgaGVyZQ", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "\x00", "-----",
	}
	some := words[rng.Intn(len(words)/2):][:1+rng.Intn(len(words)/2)]
	var b strings.Builder
	for range rng.Intn(pieces) {
		b.WriteString(some[rng.Intn(len(some))])
		if rng.Intn(3) > 0 {
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// The estimate is never below .02 tokens a byte nor above one. Appending text
// may change what a text is like, and lower the estimate: by .3 at most, which
// takes texts that are as different as can be; by more than .05 in one pair of
// a hundred.
func TestPropertiesOfRandomTexts(t *testing.T) {
	const pairs, mostLowered, mostMore = 1000, .3, 1.6
	lowered := 0
	rng := rand.New(rand.NewSource(7))
	count := newCounter()
	tokens := func(model string, c tail.Counts) float64 {
		return Builtin().Tokens(model, meter.Text{Tool: c}).Tokens
	}
	for range pairs {
		a, b := count.count(t, someText(rng, 400)), count.count(t, someText(rng, 400))
		both := a
		both.Add(b)
		for _, model := range models[:3] {
			ta, tb, t2 := tokens(model, a), tokens(model, b), tokens(model, both)
			if math.IsNaN(t2) || t2 < .02*float64(both.Bytes) || t2 > float64(both.Bytes) {
				t.Fatalf("%s: %.1f tokens for %d bytes: %+v", model, t2, both.Bytes, both)
			}
			larger := max(ta, tb)
			if t2 < .95*larger {
				lowered++
			}
			if t2 < (1-mostLowered)*larger {
				t.Fatalf("%s: %.0f tokens together, %.0f and %.0f apart: %+v and %+v", model, t2, ta, tb, a, b)
			}
			if t2 > mostMore*(ta+tb)+1 {
				t.Fatalf("%s: %.0f tokens together, %.0f and %.0f apart", model, t2, ta, tb)
			}
		}
	}
	if lowered > 3*pairs/50 {
		t.Errorf("%d of %d estimates were lowered by more than .05", lowered, 3*pairs)
	}
}

// A text twice costs twice as much: files are sized by their beginning.
func TestTheEstimateGrowsWithTheText(t *testing.T) {
	rng := rand.New(rand.NewSource(8))
	count := newCounter()
	for range 100 {
		c := count.count(t, someText(rng, 300))
		hundred := c
		for range 99 {
			hundred.Add(c)
		}
		for _, model := range models {
			one := Builtin().Tokens(model, meter.Text{Tool: c}).Tokens
			all := Builtin().Tokens(model, meter.Text{Tool: hundred}).Tokens
			if math.Abs(all-100*one) > 1e-6*all {
				t.Fatalf("%q: %.3f tokens, and %.3f a hundred times", model, one, all)
			}
		}
	}
}

func TestUnknownModelsHaveAWiderBand(t *testing.T) {
	c := newCounter().count(t, lines(100, "%6d\twater(bed, %d)\n"))
	text := meter.Text{Tool: c, Results: 1}
	for _, tt := range []struct{ unknown, nearest string }{
		{"kimi-k2", "gpt-5.5"},
		{"claude-opus-7", "claude-opus-4-8"},
		{"", "claude-opus-4-8"},
	} {
		known, unknown := Builtin().Tokens(tt.nearest, text), Builtin().Tokens(tt.unknown, text)
		if unknown.Tokens != known.Tokens {
			t.Errorf("%q: %.0f tokens, want those of %s, %.0f", tt.unknown, unknown.Tokens, tt.nearest, known.Tokens)
		}
		if unknown.Below < 1.5*known.Below || unknown.Above < 1.5*known.Above {
			t.Errorf("%q: the band %+v is not wider than %+v", tt.unknown, unknown, known)
		}
	}
}

// The families stand in the order of what they make of the same text.
func TestNewerClaudeModelsMakeMoreTokens(t *testing.T) {
	c := newCounter().count(t, lines(100, "%6d\twater(bed, %d)\nif err != nil { return err }\n"))
	text := meter.Text{Tool: c}
	older, newer, gpt := Builtin().Tokens("claude-opus-4-6", text).Tokens, Builtin().Tokens("claude-opus-4-8", text).Tokens, Builtin().Tokens("gpt-5.5", text).Tokens
	if newer < 1.1*older || older < 1.05*gpt {
		t.Errorf("%.0f for 4.8, %.0f for 4.6, %.0f for GPT", newer, older, gpt)
	}
}

func TestPicturesAndFixedAmountsAddUp(t *testing.T) {
	e := Builtin().Tokens("claude-opus-4-6", meter.Text{Images: 2, Fixed: -100})
	if e.Tokens != 2900 || e.Below < 2000 || e.Above > e.Below {
		t.Errorf("%+v", e)
	}
}

func TestFurtherResultsCostMoreThanTheFirst(t *testing.T) {
	one := Builtin().Tokens("claude-opus-4-6", meter.Text{Results: 1}).Tokens
	three := Builtin().Tokens("claude-opus-4-6", meter.Text{Results: 3}).Tokens
	if one < 5 || one > 20 || three-one < 60 || three-one > 140 {
		t.Errorf("%.0f tokens for one, %.0f for three", one, three)
	}
}

func TestEstimatesAllocateNothing(t *testing.T) {
	c := newCounter().count(t, lines(100, "%6d\twater(bed, %d)\n"))
	table, text := Builtin(), meter.Text{User: c, Tool: c, Call: c, Results: 3, Calls: 1}
	ctx := meter.Context{Model: "claude-opus-4-6", Version: "2.1.2", Usage: meter.Usage{Output: 5}, Body: text}
	for _, model := range models {
		if n := testing.AllocsPerRun(100, func() { table.Tokens(model, text); table.Reply(ctx) }); n > 0 {
			t.Errorf("%q: %.0f allocations", model, n)
		}
	}
}

func BenchmarkTokens(b *testing.B) {
	c := newCounter().count(b, lines(100, "%6d\twater(bed, %d)\n"))
	table, text := Builtin(), meter.Text{User: c, Tool: c, Results: 3, Calls: 1}
	b.ReportAllocs()
	for b.Loop() {
		table.Tokens("claude-opus-4-6", text)
	}
}

// One sign again and again takes next to nothing, signs that all differ take
// much: where the counts cannot tell, the band holds both (o200k_base).
func TestTheBandHoldsWhatCountsCannotTell(t *testing.T) {
	for name, tt := range map[string]struct {
		text  string
		truth float64
	}{
		"one line of a box":    {strings.Repeat("─", 6000), 375},
		"replacement signs":    {strings.Repeat("\ufffd", 6000), 750},
		"rulers":               {strings.Repeat(strings.Repeat("=", 80)+"\n", 100), 200},
		"a number without end": {strings.Repeat("31415926535897932384", 1000), 6667},
	} {
		e := Builtin().Tokens("gpt-5.5", meter.Text{User: newCounter().count(t, tt.text)})
		if tt.truth < e.Tokens-e.Below || tt.truth > e.Tokens+e.Above {
			t.Errorf("%s: %.0f, from %.0f to %.0f, is %.0f", name, e.Tokens, e.Tokens-e.Below, e.Tokens+e.Above, tt.truth)
		}
	}
}
