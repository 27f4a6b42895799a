package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctxmeter/ctxmeter/backends"
	"github.com/ctxmeter/ctxmeter/calibrate"
	"github.com/ctxmeter/ctxmeter/meter"
)

// testSizing is the sizing of a session of that client.
func testSizing(t *testing.T, client, model string, env map[string]string, root string) sizing {
	t.Helper()
	for _, c := range backends.All(meter.Env{Getenv: func(name string) string { return env[name] }}) {
		if c.Name() == client {
			state := meter.State{Model: model}
			return sizing{
				model: model, est: calibrate.Builtin(), most: mostCounted,
				limit: c.ReadLimit(meter.Session{Root: root}, state),
			}
		}
	}
	t.Fatalf("no client %s", client)
	return sizing{}
}

// rated estimates so many tokens a byte, as the mock provider counted that the
// clients were recorded with.
type rated struct {
	meter.Estimator
	rate float64
}

func (r rated) Tokens(_ string, t meter.Text) meter.Estimate {
	return meter.Estimate{Tokens: r.rate * float64(t.Tool.Bytes)}
}

// The estimate of a read is the estimate of what the client then records: the
// results in testdata/reads are those of Claude Code 2.1.197, with
// CLAUDE_CODE_FILE_READ_MAX_OUTPUT_TOKENS=1000, and of codex-cli 0.171.0, with
// tool_output_token_limit = 500.
func TestAReadIsWhatTheClientRecords(t *testing.T) {
	home := t.TempDir()
	if err := os.WriteFile(filepath.Join(home, "config.toml"), []byte("tool_output_token_limit = 500\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	env := map[string]string{"CLAUDE_CODE_FILE_READ_MAX_OUTPUT_TOKENS": "1000"}
	results, err := os.Open(filepath.Join("..", "..", "testdata", "reads", "results.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer results.Close()
	n := 0
	for lines := bufio.NewScanner(results); lines.Scan(); n++ {
		var recorded struct {
			Client, File, Result string
			Tokens               int64 // of the file, as the client says where it cuts it
		}
		if err := json.Unmarshal(lines.Bytes(), &recorded); err != nil {
			t.Fatal(err)
		}
		t.Run(recorded.Client+" "+recorded.File, func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join("..", "..", "testdata", "reads", recorded.File))
			if err != nil {
				t.Fatal(err)
			}
			model := map[string]string{"claude-code": "claude-sonnet-4-6", "codex": "gpt-5.5"}[recorded.Client]
			z := testSizing(t, recorded.Client, model, env, home)
			est := z.est
			if recorded.Client == "claude-code" {
				z.est = rated{est, max(float64(recorded.Tokens)/float64(len(data)), .1)}
			}
			got, err := z.file(bytes.NewReader(data), int64(len(data)), mostCounted)
			if err != nil {
				t.Fatal(err)
			}
			want, err := countText(strings.NewReader(recorded.Result), false)
			if err != nil {
				t.Fatal(err)
			}
			wantCut := strings.Contains(strings.ToLower(recorded.Result), "truncated")
			if (got.cut.Tool != "") != wantCut {
				t.Errorf("the limit is %v", got.cut)
			}
			planned := est.Tokens(model, got.text).Tokens
			counted := est.Tokens(model, meter.Text{Tool: want, Results: 1}).Tokens
			// What comes with the text says numbers of its own.
			if math.Abs(planned-counted) > 12+counted/100 {
				t.Errorf("%.0f tokens are planned, and %.0f recorded", planned, counted)
			}
			if recorded.Client == "claude-code" && !wantCut && got.text.Tool != want {
				t.Errorf("planned  %+v\nrecorded %+v", got.text.Tool, want)
			}
		})
	}
	if n != 10 {
		t.Errorf("%d results", n)
	}
}

// What Claude Code 2.1.197 said of larger files than are kept as test data:
// the lines of the first page, by the provider's count of the file.
func TestPagesAreThoseOfTheClient(t *testing.T) {
	words := strings.Repeat("word ", 12) + "\n"
	fox := "the quick brown fox jumps over the lazy dog again and again\n"
	for _, tt := range []struct {
		text  string
		total int64 // tokens that the client stated
		lines int64 // that it showed
	}{
		{strings.Repeat(words, 8000)[:200<<10], 52056, 1370},
		{strings.Repeat(words, 8000)[:255<<10], 66367, 1370},
		{strings.Repeat(words, 8000)[:256<<10], 66627, 1370},
		{strings.Repeat(fox, 4000)[:100_000], 25433, 1392},
		{strings.Repeat(fox, 4000)[:104_000], 26450, 1393},
		{strings.Repeat(fox, 4000)[:160_000], 40683, 1393},
		{strings.Repeat("x\n", 10) + strings.Repeat("abcdefghi ", 15000) + strings.Repeat("\nend\n", 5), 37533, 7},
		{strings.Repeat(strings.Repeat("abcdefghi ", 500)+"\n", 40), 50037, 17},
	} {
		z := testSizing(t, "claude-code", "claude-sonnet-4-6", nil, "")
		z.est = rated{z.est, float64(tt.total) / float64(len(tt.text))}
		raw, err := countText(strings.NewReader(tt.text), true)
		if err != nil {
			t.Fatal(err)
		}
		page, err := z.page(strings.NewReader(tt.text), int64(len(tt.text)), raw)
		if err != nil || page.Newlines+1 != tt.lines {
			t.Errorf("%d bytes of %d tokens: %d lines, %v; want %d", len(tt.text), tt.total, page.Newlines+1, err, tt.lines)
		}
	}
}

func TestWhereTheClientsLimitsAre(t *testing.T) {
	text := strings.Repeat("the peony on shelf seven is watered\n", 1<<15)
	cut := func(client, model string, n int) string {
		t.Helper()
		z := testSizing(t, client, model, nil, "")
		p, err := z.file(strings.NewReader(text[:n]), int64(n), mostCounted)
		if err != nil {
			t.Fatal(err)
		}
		one := z.est.Tokens(model, p.text).Tokens
		all := z.est.Tokens(model, p.whole).Tokens
		if p.cut.Tool == "" && one != all || p.cut.Tool != "" && one >= all+50 { // what is said of the cut counts too
			t.Errorf("%s: %.0f of %.0f tokens, limit %+v", client, one, all, p.cut)
		}
		if p.cut == (meter.Cut{}) {
			return ""
		}
		return cutWords(p.cut)
	}
	const page = "Read ends after 21,250 tokens"
	const large = "Read refuses files over 256 KiB"
	const ends = "exec_command shows 40,000 bytes, not the middle"
	for _, tt := range []struct {
		client, model string
		bytes         int
		want          string
	}{
		{"claude-code", "claude-sonnet-4-6", 80_000, ""},
		{"claude-code", "claude-sonnet-4-6", 200_000, page},
		{"claude-code", "claude-sonnet-4-6", 262_144, page},
		{"claude-code", "claude-sonnet-4-6", 262_145, large},
		{"claude-code", "claude-sonnet-4-6", 100_000, ""},
		{"claude-code", "claude-opus-4-8", 100_000, page}, // a tokenizer that makes more of them
		{"codex", "gpt-5.5", 40_000, ""},
		{"codex", "gpt-5.5", 40_001, ends},
		{"codex", "gpt-6.1-sol", 40_001, ends},
		{"codex", "gpt-5.2", 10_001, strings.Replace(ends, "40", "10", 1)},
	} {
		if got := cut(tt.client, tt.model, tt.bytes); got != tt.want {
			t.Errorf("%d bytes for %s: %q, want %q", tt.bytes, tt.model, got, tt.want)
		}
	}
}

// Versions that refuse a file let its parts have as many tokens as the limit.
func TestARefusedReadAddsAtMostTheLimit(t *testing.T) {
	text := strings.Repeat("the peony on shelf seven is watered\n", 1<<12)
	z := testSizing(t, "claude-code", "claude-opus-4-8", nil, "")
	z.limit.Page, z.limit.Numbered = 0, false
	p, err := z.file(strings.NewReader(text), int64(len(text)), mostCounted)
	if err != nil || cutWords(p.cut) != "Read refuses files over 25,000 tokens" {
		t.Fatalf("%v, %v", p.cut, err)
	}
	if n := z.tokens(p.text.Tool); math.Abs(n-25_000) > 10 {
		t.Errorf("%.0f tokens", n)
	}
}

// Text of few characters is never counted by the client, whatever it comes to.
func TestDenseTextBelowTheClientsNotice(t *testing.T) {
	z := testSizing(t, "claude-code", "claude-opus-4-8", nil, "")
	for n, want := range map[int]bool{24_000: false, 26_000: true} {
		text := strings.Repeat("漢", n)
		p, err := z.file(strings.NewReader(text), int64(len(text)), mostCounted)
		if err != nil || (p.cut.Tool != "") != want {
			t.Errorf("%d characters: %v, %v", n, p.cut, err)
		}
	}
}

// metered counts what is read of it: so much of the same line.
type metered struct {
	size int64
	read int64
}

func (m *metered) ReadAt(to []byte, at int64) (int, error) {
	if at >= m.size {
		return 0, fmt.Errorf("read at %d of %d", at, m.size)
	}
	n := min(int64(len(to)), m.size-at)
	for i := range to[:n] {
		to[i] = "the peony is watered\n"[(at+int64(i))%21]
	}
	m.read += n
	return int(n), nil
}

func TestNoMoreOfAFileIsReadThanNeeded(t *testing.T) {
	for _, client := range []string{"claude-code", "codex"} {
		for _, size := range []int64{1000, 1 << 18, 1 << 30, 1 << 45} {
			z := testSizing(t, client, "claude-opus-4-8", nil, "")
			m := &metered{size: size}
			p, err := z.file(m, size, mostCounted)
			if err != nil {
				t.Fatal(err)
			}
			if most := min(size, mostCounted)*2 + 1<<17; m.read > most {
				t.Errorf("%s: %d bytes read of %d", client, m.read, size)
			}
			if whole := z.tokens(p.whole.Tool); whole < float64(size)/6 || whole > float64(size) {
				t.Errorf("%s: %d bytes are %.0f tokens", client, size, whole)
			}
		}
	}
}

func TestWhatIsBinary(t *testing.T) {
	for name, text := range map[string]string{
		"NUL":    "text and then\x00",
		"PDF":    "%PDF-1.7\nall of it text\n",
		"UTF-16": "\xff\xfeh\x00i\x00",
	} {
		z := testSizing(t, "claude-code", "claude-opus-4-8", nil, "")
		if _, err := z.file(strings.NewReader(text), int64(len(text)), mostCounted); !errors.Is(err, errBinary) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Older versions of Claude Code write wide numbers.
func TestWideLineNumbers(t *testing.T) {
	var want strings.Builder
	for n := 1; n <= 100_500; n++ {
		if n > 1 {
			want.WriteString("\n")
		}
		fmt.Fprintf(&want, "%6d→x", n)
	}
	for _, tt := range []struct {
		padded bool
		text   string
	}{
		{true, want.String()},
		{false, strings.ReplaceAll(strings.ReplaceAll(want.String(), " ", ""), "→", "\t")},
	} {
		z := testSizing(t, "claude-code", "claude-opus-4-8", nil, "")
		z.limit.Padded = tt.padded
		raw, err := countText(strings.NewReader(strings.Repeat("x\n", 100_499)+"x"), true)
		if err != nil {
			t.Fatal(err)
		}
		want, err := countText(strings.NewReader(tt.text), true)
		if got := z.numbered(raw); err != nil || got != want {
			t.Errorf("counted %+v, want %+v, %v", got, want, err)
		}
	}
}

func TestDigits(t *testing.T) {
	var sum int64
	for n := int64(1); n <= 12345; n++ {
		sum += int64(len(fmt.Sprint(n)))
		if got := digits(n); got != sum {
			t.Fatalf("numbers up to %d: %d digits, want %d", n, got, sum)
		}
	}
	if digits(0) != 0 || digits(1<<48) <= 0 {
		t.Error("far numbers")
	}
}
