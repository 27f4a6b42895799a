package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctxmeter/ctxmeter/config"
)

// resolveFile resolves the settings of one configuration file.
func resolveFile(path string) (*config.Settings, error) {
	return config.Resolve(config.Sources{
		Flag: func(name string) []string {
			if name == "config" {
				return []string{path}
			}
			return nil
		},
		Getenv: func(string) string { return "" },
	})
}

// A file that would take the decoder's time or memory is refused before.
func TestMonstrousFilesAreRefused(t *testing.T) {
	for name, text := range map[string]string{
		"huge":        strings.Repeat("# nothing\n", 20_000),
		"a long line": "x = " + strings.Repeat("[", 10_000) + "\n",
		"a deep key":  "a" + strings.Repeat(".a", 100) + " = 1\n",
	} {
		path := filepath.Join(t.TempDir(), "config.toml")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := resolveFile(path); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := resolveFile(t.TempDir()); err == nil {
		t.Error("a folder: no error")
	}
}
