package edit

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestUnified(t *testing.T) {
	for name, tt := range map[string]struct {
		before, after string
		around        int
		want          string
	}{
		"equal":          {"a\n", "a\n", 3, ""},
		"from nothing":   {"", "a\nb\n", 3, "@@ -0,0 +1,2 @@\n+a\n+b\n"},
		"to nothing":     {"a\n", "", 3, "@@ -1 +0,0 @@\n-a\n"},
		"no line end":    {"a", "a\nb", 3, "@@ -1 +1,2 @@\n-a\n\\ No newline at end of file\n+a\n+b\n\\ No newline at end of file\n"},
		"two hunks":      {"a\nb\nc\n-\nd\ne\n", "a\nB\nc\n-\nd\nE\n", 1, "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n@@ -5,2 +5,2 @@\n d\n-e\n+E\n"},
		"without others": {"a\nb\nc\n", "a\nx\ny\nb\nc\n", 0, "@@ -1,0 +2,2 @@\n+x\n+y\n"},
	} {
		got := Unified(Side{Name: "old", Text: tt.before}, Side{Name: "new", Text: tt.after}, tt.around)
		if tt.want != "" {
			tt.want = "--- old\n+++ new\n" + tt.want
		}
		if got != tt.want {
			t.Errorf("%s:\n%s\nwant:\n%s", name, got, tt.want)
		}
	}
}

// The oracle is patch, where there is one.
func TestPatchUnderstandsTheDifference(t *testing.T) {
	patch, err := exec.LookPath("patch")
	if err != nil {
		t.Skip("no patch")
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	text := func(n int) string {
		var b strings.Builder
		for range n {
			b.WriteString(string(rune('a'+rnd.IntN(4))) + "\n")
		}
		return strings.TrimSuffix(b.String(), "\n") + []string{"", "\n"}[rnd.IntN(2)]
	}
	dir := t.TempDir()
	for n := range 60 {
		before, after := text(1+rnd.IntN(20)), text(1+rnd.IntN(20))
		path := filepath.Join(dir, "file")
		if err := os.WriteFile(path, []byte(before), 0o600); err != nil {
			t.Fatal(err)
		}
		diff := Unified(Side{Name: "file", Text: before}, Side{Name: "file", Text: after}, n%4)
		if diff == "" {
			continue
		}
		cmd := exec.Command(patch, "-s", "--posix", path)
		cmd.Stdin = strings.NewReader(diff)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s\n%s", err, out, diff)
		}
		if got, _ := os.ReadFile(path); string(got) != after {
			t.Errorf("%q patched to %q, want %q, by\n%s", before, got, after, diff)
		}
	}
}

// Too many changes are shown as one.
func TestADifferenceOfLargeTexts(t *testing.T) {
	var a, b strings.Builder
	for n := range 3000 {
		a.WriteString(strings.Repeat("a", n%7) + "\n")
		b.WriteString(strings.Repeat("b", n%5) + "\n")
	}
	got := Unified(Side{Name: "a", Text: a.String()}, Side{Name: "b", Text: b.String()}, 3)
	if strings.Count(got, "\n-")+strings.Count(got, "\n+") < 3000 {
		t.Errorf("%d bytes", len(got))
	}
}
