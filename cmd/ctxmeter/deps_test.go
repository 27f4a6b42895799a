package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/ctxmeter/ctxmeter"

// tokenizer is the real one of GPT, 4 MB, to check the estimates against; the
// program must not carry it.
const tokenizer = "github.com/tiktoken-go/tokenizer/codec"

// may says what a package may import besides the standard library, by the
// beginning of its path below the module. Dependencies point one way; a
// library has its one place.
func may(pkg string) (own, foreign []string) {
	switch top, _, _ := strings.Cut(pkg, "/"); top {
	case "cmd":
		own = []string{"backends", "calibrate", "cmd", "config", "meter"}
		foreign = []string{"github.com/fsnotify/fsnotify", "github.com/modelcontextprotocol/go-sdk/"}
		if pkg == "cmd/ctxmeter" { // only there are flags
			foreign = append(foreign, "github.com/urfave/cli/v3")
		}
		return own, foreign
	case "backends":
		if pkg == "backends" {
			return []string{"backends", "meter"}, nil
		}
		client := strings.Join(strings.SplitN(pkg, "/", 3)[:2], "/")
		if client == "backends/codex" {
			return []string{client, "meter"}, []string{"github.com/klauspost/compress/"}
		}
		return []string{client, "meter"}, nil
	case "calibrate", "meter":
		return []string{top, "meter"}, nil
	case "config":
		return []string{"config"}, []string{"github.com/BurntSushi/toml"}
	}
	return nil, nil
}

// packages lists the folders that hold Go files, with their files.
func packages(t *testing.T) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() && path != root && (strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || name == "testdata") {
			return fs.SkipDir
		}
		if strings.HasSuffix(name, ".go") {
			dir, err := filepath.Rel(root, filepath.Dir(path))
			if err != nil {
				return err
			}
			out[filepath.ToSlash(dir)] = append(out[filepath.ToSlash(dir)], path)
		}
		return nil
	})
	if err != nil || len(out) < 5 {
		t.Fatalf("%d packages, %v", len(out), err)
	}
	return out
}

func TestDependenciesPointOneWay(t *testing.T) {
	for pkg, files := range packages(t) {
		own, foreign := may(pkg)
		for _, path := range files {
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
			if err != nil {
				t.Fatal(err)
			}
			for _, spec := range file.Imports {
				imported, _ := strconv.Unquote(spec.Path.Value)
				if !allowed(pkg, imported, own, foreign, strings.HasSuffix(path, "_test.go")) {
					t.Errorf("%s must not import %s", path, imported)
				}
			}
		}
	}
}

func allowed(pkg, imported string, own, foreign []string, test bool) bool {
	if rest, ok := strings.CutPrefix(imported, module+"/"); ok {
		if test && !strings.HasPrefix(rest, "cmd/") {
			return true // a test may bring parts together that must not know each other
		}
		return slices.ContainsFunc(own, func(p string) bool { return rest == p || strings.HasPrefix(rest, p+"/") })
	}
	if first, _, _ := strings.Cut(imported, "/"); !strings.Contains(first, ".") {
		return true
	}
	if test && (imported == "golang.org/x/tools/txtar" || imported == tokenizer && pkg == "calibrate") {
		return true
	}
	return slices.ContainsFunc(foreign, func(p string) bool {
		return imported == p || strings.HasSuffix(p, "/") && strings.HasPrefix(imported, p)
	})
}

func TestForbiddenImportsAreSeen(t *testing.T) {
	for _, tt := range []struct {
		pkg, imported string
		want          bool
	}{
		{"meter", module + "/meter/tail", true},
		{"meter/tail", "net/http", true},
		{"meter", module + "/calibrate", false},
		{"meter", "github.com/BurntSushi/toml", false},
		{"backends/codex", module + "/meter/transcript", true},
		{"backends/codex", module + "/backends/claudecode", false},
		{"backends/codex", "github.com/klauspost/compress/zstd", true},
		{"backends/claudecode", "github.com/klauspost/compress/zstd", false},
		{"config", module + "/meter", false},
		{"calibrate", module + "/backends", false},
		{"calibrate", tokenizer, false},
		{"cmd/ctxmeter", "github.com/BurntSushi/toml", false},
		{"cmd/ctxmeter", "github.com/urfave/cli/v3", true},
		{"cmd/ctxmeter/install", "github.com/urfave/cli/v3", false},
	} {
		own, foreign := may(tt.pkg)
		if got := allowed(tt.pkg, tt.imported, own, foreign, false); got != tt.want {
			t.Errorf("%s may import %s: %v", tt.pkg, tt.imported, got)
		}
	}
}

func TestEveryPackageTellsItsStory(t *testing.T) {
	for pkg, files := range packages(t) {
		if !slices.ContainsFunc(files, func(f string) bool { return !strings.HasSuffix(f, "_test.go") }) {
			continue
		}
		path := filepath.Join("..", "..", filepath.FromSlash(pkg), "doc.go")
		if _, err := os.Stat(path); err != nil {
			t.Errorf("%s has no doc.go", pkg)
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		if text := file.Doc.Text(); !strings.HasPrefix(text, "Package ") && !strings.HasPrefix(text, "Command ") {
			t.Errorf("%s says nothing about the package", path)
		}
	}
}
