package transcript_test

import (
	"bytes"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctxmeter/ctxmeter/backends"
	"github.com/ctxmeter/ctxmeter/calibrate"
	"github.com/ctxmeter/ctxmeter/meter"
	"github.com/ctxmeter/ctxmeter/meter/transcript"
)

var (
	corpus = flag.String("corpus", "", "folder of transcripts that TestAnyWayOfReadingIsAlike reads as well")
	cuts   = flag.Int("cuts", 8, "at how many places TestAnyWayOfReadingIsAlike cuts each transcript")
)

// However a transcript is read, from its end or with a sidecar that grew with
// it, at once or in slices: the reading is that of a scan from the first byte.
func TestAnyWayOfReadingIsAlike(t *testing.T) {
	roots := []string{"../../testdata/claude-code", "../../testdata/real-claude-code", "../../testdata/codex", "../../testdata/real-codex"}
	if *corpus != "" {
		roots = append(roots, *corpus)
	}
	for _, root := range roots {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".jsonl") {
				return err
			}
			alike(t, path)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func alike(t *testing.T, path string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	grown := filepath.Join(dir, filepath.Base(path))
	if strings.Contains(path, "subagents") {
		grown = filepath.Join(dir, "s", "subagents", filepath.Base(path))
		if err := os.MkdirAll(filepath.Dir(grown), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for cut := range *cuts {
		at := len(data) * (cut + 1) / *cuts
		if cut%3 > 0 { // mostly whole lines
			at = bytes.LastIndexByte(data[:at], '\n') + 1
		}
		write(t, grown, data[:at])
		client, s := owner(grown)
		if client == nil {
			continue
		}
		walked, err := transcript.Walk(s, client.Decoder(s), func(*meter.State, meter.Event) {})
		if err != nil || walked.Events == 0 {
			continue
		}
		want := summary(client, s, walked)
		limited := transcript.Options{MaxScan: 1 << 30}
		cached := transcript.Options{MaxScan: 1 << 30, Cache: filepath.Join(dir, "cache")}
		slow := transcript.InSmallSteps(cached)
		slow.Cache += "-slow"
		for name, o := range map[string]transcript.Options{
			"without a limit":           {},
			"in small steps":            transcript.InSmallSteps(transcript.Options{}),
			"with a limit":              limited,
			"with a sidecar":            cached,
			"with a sidecar, in slices": slow,
		} {
			var st meter.State
			for range 400 { // slices
				if st, err = transcript.Load(s, client.Decoder(s), o); err != nil || st.FactsFrom == 0 {
					break
				}
			}
			if err != nil {
				t.Errorf("%s cut at %d, %s: %v", filepath.Base(path), at, name, err)
			} else if got := summary(client, s, st); got != want {
				t.Errorf("%s cut at %d, %s:\n got %s\nwant %s", filepath.Base(path), at, name, got, want)
			}
		}
	}
}

// owner is the client that wrote the transcript, and its session; nil where
// the file is too short to tell.
func owner(path string) (backends.Client, meter.Session) {
	env := meter.Env{Getenv: func(string) string { return "" }, Dir: filepath.Dir(path), OS: "linux"}
	for _, c := range backends.All(env) {
		s, err := c.File(path)
		if err != nil {
			continue
		}
		if st, err := transcript.Walk(s, c.Decoder(s), func(*meter.State, meter.Event) {}); err == nil && st.Events > 0 {
			return c, s
		}
	}
	return nil, meter.Session{}
}

// summary is what of a reading may not depend on how it was read. Which other
// branch is in memory does, and is left out.
func summary(c backends.Client, s meter.Session, st meter.State) string {
	r := meter.Read(meter.Input{Session: s, State: st, Limits: c.Limits(s, st), View: c.View}, calibrate.Builtin())
	show := func(n *int64) string {
		if n == nil {
			return "null"
		}
		return fmt.Sprint(*n)
	}
	project := ""
	if r.Session.Project != nil {
		project = *r.Session.Project
	}
	return fmt.Sprintf("%s used %s measured %s window %s %s trigger %s %s count %s at %v model %s largest %d project %s records %d/%d",
		r.Status, show(r.UsedTokens), show(r.MeasuredTokens), show(r.WindowTokens), deref(r.WindowSource),
		show(r.Compaction.TriggerTokens), deref(r.Compaction.TriggerSource), show(r.Compaction.Count), r.Compaction.LastAt,
		st.Model, st.Largest, project, st.Records, st.Damaged)
}

func deref(s *meter.Source) meter.Source {
	if s == nil {
		return ""
	}
	return *s
}
