package backends_test

import (
	"context"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctxmeter/ctxmeter/backends"
	"github.com/ctxmeter/ctxmeter/calibrate"
	"github.com/ctxmeter/ctxmeter/meter"
)

type realSession struct {
	meter.Session
	client backends.Client
}

// realSessions are those of real use below a folder, of both clients.
func realSessions(t *testing.T, root string) (out []realSession) {
	t.Helper()
	env := meter.Env{Getenv: func(string) string { return "" }, Dir: root, OS: "linux"}
	for _, c := range backends.All(env) {
		err := filepath.WalkDir(filepath.Join(root, "real-"+c.Name()), func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".jsonl") {
				return err
			}
			s, err := c.File(path)
			if err == nil {
				out = append(out, realSession{s, c})
			}
			return err
		})
		if err != nil {
			t.Fatalf("the sessions of %s: %v", c.Name(), err)
		}
	}
	return out
}

// What is learned of real sessions is the same whenever it is learned, and
// says nothing of a project but a number.
func TestWhatRealSessionsTeach(t *testing.T) {
	roots := []string{"../testdata"}
	if *corpus != "" {
		roots = append(roots, *corpus)
	}
	for _, root := range roots {
		var first []byte
		for range 2 {
			l := calibrate.NewLearner()
			for _, s := range realSessions(t, root) {
				if err := l.Learn(context.Background(), s.Session, s.client.Decoder(s.Session)); err != nil {
					t.Fatal(err)
				}
			}
			learned, findings := l.Result()
			data, err := learned.Encode()
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = data
				t.Logf("%s", data)
				for _, f := range findings {
					t.Logf("%+v", f)
				}
			} else if string(first) != string(data) {
				t.Error("learned again, it is something else")
			}
			if _, err := calibrate.DecodeLearned(data); err != nil {
				t.Error(err)
			}
		}
	}
}
