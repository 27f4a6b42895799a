package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
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
		{empty, "path", 0, 0, true, false},
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

// What lies beyond the first part of a file is taken to be like it.
func TestAHugePlannedFileIsExtrapolated(t *testing.T) {
	write := func(name, line string, times int) string {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, bytes.Repeat([]byte(line), times), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	const line = "0123456789 the peony is watered\n" // 32 bytes
	r := newRig(t).set("CLAUDE_CONFIG_DIR", sampleFolder(t, 30)).set("COLUMNS", "200")
	tokens := func(path string) int64 {
		return r.run("--no-cache", "-t", sampleID, "--planned", path).reading(t).Planned.Tokens
	}
	whole := write("whole", line, 1<<15)
	huge := write("huge", line, 5<<13)
	if a, b := tokens(whole), tokens(huge); b < a*5/4-100 || b > a*5/4+100 {
		t.Errorf("%d tokens, and a fourth more of the same are %d", a, b)
	}
	sparse := filepath.Join(t.TempDir(), "sparse") // a terabyte, text as far as is looked
	if err := os.WriteFile(sparse, bytes.Repeat([]byte(line), 1<<15), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(sparse, 1<<40); err != nil {
		t.Skip("no sparse files here")
	}
	if n := tokens(sparse); n < 1<<36 {
		t.Errorf("a terabyte adds %d tokens", n)
	}
	got := r.run("--no-cache", "-t", sampleID, "--planned", sparse, "--format", "text")
	if !strings.Contains(got.stdout, "the planned read adds about ") || !strings.Contains(got.stdout, " tokens, over 999 % then: it does not fit the window\n") {
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
		schema := tail.NewSchema()
		h := &counting{text: schema.Count("t")}
		if _, err := tail.NewScanner(schema).Stream(bytes.NewReader(append(line, '\n')), 0, h); err != nil {
			t.Fatal(err)
		}
		want = h.counts
	}
	if want.Chars == 0 || want.Wide != 2 || want.Digits != 5 {
		t.Fatalf("the scanner counts %+v", want)
	}
	for name, r := range map[string]func() (tail.Counts, error){
		"whole":  func() (tail.Counts, error) { return countText(strings.NewReader(text)) },
		"bytes":  func() (tail.Counts, error) { return countText(iotest.OneByteReader(strings.NewReader(text))) },
		"halves": func() (tail.Counts, error) { return countText(iotest.HalfReader(strings.NewReader(text))) },
		"eof":    func() (tail.Counts, error) { return countText(iotest.DataErrReader(strings.NewReader(text))) },
	} {
		if got, err := r(); err != nil || got != want {
			t.Errorf("%s: %+v, %v; want %+v", name, got, err, want)
		}
	}
	if _, err := countText(iotest.ErrReader(os.ErrClosed)); err == nil {
		t.Error("an error of the file is lost")
	}
}

// Text in another encoding is counted, roughly; it is no reason to fail.
func TestCountTextTakesAnyBytesButNUL(t *testing.T) {
	latin := bytes.Repeat([]byte("caf\xe9 cr\xe8me\n"), 1000)
	got, err := countText(bytes.NewReader(latin))
	if err != nil || got.Letters < 7000 || got.Newlines != 1000 {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := countText(strings.NewReader("a\x00b")); err != errBinary {
		t.Errorf("NUL: %v", err)
	}
}

func TestSourceTextAddsUp(t *testing.T) {
	for _, n := range []int64{0, 1, 7, 1000, 1 << 40} {
		c := sourceText(n)
		if sum := c.Letters + c.Digits + c.Spaces + c.Newlines + c.Punct; sum != n || c.Chars != n || c.Punct < 0 {
			t.Errorf("%d bytes are %+v", n, c)
		}
	}
	var _ meter.Text
}

func TestPlannedBinary(t *testing.T) {
	dir := t.TempDir()
	binary := filepath.Join(dir, "image.png")
	if err := os.WriteFile(binary, []byte("\x89PNG\x00tulip"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := newRig(t).set("CLAUDE_CONFIG_DIR", sampleFolder(t, 5))
	if f := r.run("--no-cache", "-t", sampleID, "--planned", binary).fault(t); f.Code != meter.CodeBadArgument || !strings.Contains(f.Message, "binary") {
		t.Errorf("%+v", f)
	}
}
