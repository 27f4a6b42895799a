package config_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctxmeter/ctxmeter/config"
)

// A file, whatever it holds, gives settings or an error that points into it.
func FuzzFile(f *testing.F) {
	f.Add("window = 200000\n[cutoffs]\nhigh = 80\n")
	f.Add("[windows]\n\"a*\" = \"1M\"\nformat.output = \"json\"\n")
	f.Add("a.b.c = [[1], {x = 2}]\n[[a]]\n")
	path := filepath.Join(f.TempDir(), "config.toml")
	f.Fuzz(func(t *testing.T, text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := config.Resolve(config.Sources{
			Flag: func(name string) []string {
				if name == "config" {
					return []string{path}
				}
				return nil
			},
			Getenv: func(string) string { return "" },
		})
		if err == nil {
			return
		}
		e, ok := errors.AsType[*config.Error](err)
		if !ok {
			t.Fatalf("a %T: %v", err, err)
		}
		if lines := strings.Count(text, "\n") + 1; e.Origin.Line < 0 || e.Origin.Line > lines {
			t.Errorf("line %d of %d: %v", e.Origin.Line, lines, err)
		}
	})
}
