package main

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/ctxmeter/ctxmeter/meter"
	"github.com/ctxmeter/ctxmeter/meter/tail"
)

func TestPlannedReads(t *testing.T) {
	dir := t.TempDir()
	text := strings.Repeat("The peony on shelf 7 is watered.\n", 1000)
	path := filepath.Join(dir, "12000t") // a file that exists wins over the size it looks like
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	empty := filepath.Join(dir, "empty")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	r := newRig(t).set("CLAUDE_CONFIG_DIR", sampleFolder(t, 30))
	for _, tt := range []struct {
		planned, source string
		least, most     int64
		fits, compacts  bool
	}{
		{"12000t", "size", 12000, 12000, true, true},
		{"1kt", "size", 1000, 1000, true, false},
		{"60000t", "size", 60000, 60000, false, true},
		{"40KiB", "size", 8000, 20000, true, true},
		{"1000", "size", 150, 600, true, false},
		{"0", "size", 0, 0, true, false},
		{"0t", "size", 0, 0, true, false},
		{empty, "path", 10, 100, true, false}, // the client says that it is empty
		{path, "path", 5000, 15000, true, true},
	} {
		got := r.run("--no-cache", "-t", sampleID, "--planned", tt.planned).reading(t).Planned
		if got == nil || got.Source != tt.source || got.Tokens < tt.least || got.Tokens > tt.most ||
			got.FitsWindow == nil || *got.FitsWindow != tt.fits || got.TriggersCompaction == nil || *got.TriggersCompaction != tt.compacts {
			out, _ := json.Marshal(got)
			t.Errorf("%s: %s", tt.planned, out)
		}
	}
	if got := r.run("--no-cache", "-t", sampleID).reading(t).Planned; got != nil {
		t.Errorf("planned without being asked: %v", got)
	}
}

// A read that the client's limit cuts adds what is left of it, and all of the
// file is told beside it; what lies beyond the first part of a file is taken to
// be like it.
func TestAHugePlannedFileIsCutAndExtrapolated(t *testing.T) {
	write := func(name, line string, times int) string {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, bytes.Repeat([]byte(line), times), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	const line = "0123456789 the peony is watered\n" // 32 bytes
	r := newRig(t).set("CLAUDE_CONFIG_DIR", sampleFolder(t, 30)).set("COLUMNS", "250")
	planned := func(path string) *meter.PlannedView {
		return r.run("--no-cache", "-t", sampleID, "--planned", path).reading(t).Planned
	}
	a, b := planned(write("whole", line, 1<<15)), planned(write("huge", line, 5<<13))
	if a.Tokens != b.Tokens || a.Tokens > 32_000 || len(a.Limits) != 1 || !slices.Equal(a.Limits, b.Limits) {
		t.Errorf("read at once: %d tokens by %v, and of a larger one %d by %v", a.Tokens, a.Limits, b.Tokens, b.Limits)
	}
	if b.WholeTokens < a.WholeTokens*5/4-1000 || b.WholeTokens > a.WholeTokens*5/4+10_000 { // longer line numbers
		t.Errorf("%d tokens, and a fourth more of the same are %d", a.WholeTokens, b.WholeTokens)
	}
	sparse := filepath.Join(t.TempDir(), "sparse") // a terabyte, text as far as is looked
	if err := os.WriteFile(sparse, bytes.Repeat([]byte(line), 1<<15), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(sparse, 1<<40); err != nil {
		t.Skip("no sparse files here")
	}
	if p := planned(sparse); p.WholeTokens < 1<<36 || p.Tokens != a.Tokens {
		t.Errorf("of a terabyte %d tokens are read, and it has %d", p.Tokens, p.WholeTokens)
	}
	got := r.run("--no-cache", "-t", sampleID, "--planned", sparse, "--format", "text")
	if want := ": it fits, but compaction comes first (Read refuses files over 256 KiB; the whole file is about "; !strings.Contains(got.stdout, want) {
		t.Errorf("%s", got.stdout)
	}
}

func TestTextTellsAFileFromASize(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "40k"), []byte("some words\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := newRig(t).set("CLAUDE_CONFIG_DIR", sampleFolder(t, 5)).set("COLUMNS", "200")
	r.dir = dir
	for planned, want := range map[string]string{
		"40k":  "\nthe planned file (there is one of the name 40k) adds about ",
		"50k":  "\nthe planned read adds about ",
		"500t": "\nthe planned read adds 500 tokens, ",
		"0":    "\nthe planned read adds about 0 tokens, ",
	} {
		if got := r.run("--no-cache", "-t", sampleID, "--planned", planned, "--format", "text"); !strings.Contains(got.stdout, want) {
			t.Errorf("%s: %s", planned, got.stdout)
		}
	}
}

// A file is counted as the scanner would count it in a transcript, in
// whatever pieces it comes.
func TestCountTextIsTheScannersCount(t *testing.T) {
	text := "package flower\n\t\"quoted\\n\" \\ 12345 é 漢字 🌷\r\n\x01\x7f" + strings.Repeat("abc ", 100)
	want := tail.Counts{}
	{
		line, _ := json.Marshal(map[string]string{"t": text})
		c := newCounting()
		if _, err := c.scanner.Stream(bytes.NewReader(append(line, '\n')), 0, c); err != nil {
			t.Fatal(err)
		}
		want = c.counts
	}
	if want.Chars == 0 || want.Wide != 2 || want.Digits != 5 {
		t.Fatalf("the scanner counts %+v", want)
	}
	for name, r := range map[string]func() (tail.Counts, error){
		"whole":  func() (tail.Counts, error) { return countText(strings.NewReader(text), false) },
		"bytes":  func() (tail.Counts, error) { return countText(iotest.OneByteReader(strings.NewReader(text)), false) },
		"halves": func() (tail.Counts, error) { return countText(iotest.HalfReader(strings.NewReader(text)), false) },
		"eof":    func() (tail.Counts, error) { return countText(iotest.DataErrReader(strings.NewReader(text)), false) },
	} {
		if got, err := r(); err != nil || got != want {
			t.Errorf("%s: %+v, %v; want %+v", name, got, err, want)
		}
	}
	if _, err := countText(iotest.ErrReader(os.ErrClosed), false); err == nil {
		t.Error("an error of the file is lost")
	}
}

// Text in another encoding is counted, roughly; it is no reason to fail.
func TestCountTextTakesAnyBytesButNUL(t *testing.T) {
	latin := bytes.Repeat([]byte("caf\xe9 cr\xe8me\n"), 1000)
	got, err := countText(bytes.NewReader(latin), false)
	if err != nil || got.Letters < 7000 || got.Newlines != 1000 {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := countText(strings.NewReader("a\x00b"), false); err != errBinary {
		t.Errorf("NUL: %v", err)
	}
}

func TestSourceTextAddsUp(t *testing.T) {
	for _, n := range []int64{0, 1, 7, 1000, 1 << 40} {
		c := sourceText(n)
		if sum := c.Letters + c.Digits + c.Spaces + c.Newlines + c.Underscores + c.Punct; sum != n || c.Chars != n || c.Punct < 0 {
			t.Errorf("%d bytes are %+v", n, c)
		}
	}
	var _ meter.Text
}

// countText counts one text.
func countText(r io.Reader, unix bool) (tail.Counts, error) { return newCounting().count(r, unix) }

func TestCountingGoesOnAfterAnError(t *testing.T) {
	c := newCounting()
	for range 2 {
		if got, err := c.count(strings.NewReader("abc\r\n"), true); err != nil || got.Letters != 3 || got.Newlines != 1 || got.Chars != 4 {
			t.Errorf("%+v, %v", got, err)
		}
		for _, bad := range []string{"ab\x00c", strings.Repeat("many words ", 1<<16) + "\x00"} {
			if got, err := c.count(strings.NewReader(bad), true); err != errBinary || got != (tail.Counts{}) {
				t.Errorf("%+v, %v", got, err)
			}
		}
	}
}
