package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/ctxmeter/ctxmeter/config"
)

const (
	readmePath = "../../README.md"
	// The session of the README: the sample, just after a tool result.
	readmeRecords = 29
)

// readmeRig is a terminal in the folder of the sample session, four seconds
// after its newest record.
func readmeRig(t *testing.T) *rig {
	t.Helper()
	s, err := newSample()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.remove)
	if err := s.grow(readmeRecords); err != nil {
		t.Fatal(err)
	}
	r := newRig(t).terminal(80).set("NO_COLOR", "1").set("CLAUDE_CONFIG_DIR", s.dir)
	r.dir, r.now = sampleProject, s.last.Add(4*time.Second)
	return r
}

// Every command in the README is run, and every output compared.
func TestReadmeTellsTheTruth(t *testing.T) {
	data, err := os.ReadFile(readmePath)
	if err != nil {
		t.Fatal(err)
	}
	r := readmeRig(t)
	var out strings.Builder
	commands := 0
	rest := string(data)
	for {
		before, after, ok := strings.Cut(rest, "```console\n")
		out.WriteString(before)
		if !ok {
			break
		}
		block, after, ok := strings.Cut(after, "```\n")
		if !ok {
			t.Fatal("a console block does not end")
		}
		out.WriteString("```console\n")
		for line := range strings.Lines(block) {
			command, ok := strings.CutPrefix(line, "$ ")
			if !ok {
				continue // an output: it is made anew
			}
			commands++
			out.WriteString(line + r.shell(strings.TrimSpace(command)))
		}
		out.WriteString("```\n")
		rest = after
	}
	if commands < 5 {
		t.Errorf("only %d commands were found", commands)
	}
	if *update {
		if err := os.WriteFile(readmePath, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if ok, why := alike(out.String(), string(data)); !ok {
		t.Errorf("README.md is out of date (go test ./cmd/ctxmeter -update rewrites it): %s", why)
	}
}

// The answer of the tool that the README shows is the one it gives.
func TestReadmeShowsTheToolsAnswer(t *testing.T) {
	data, err := os.ReadFile(readmePath)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, _ := strings.Cut(string(data), "Called with `")
	args, rest, _ := strings.Cut(rest, "` it answers:\n\n```json\n")
	shown, after, ok := strings.Cut(rest, "```\n")
	if !ok {
		t.Fatal("no answer is shown")
	}
	r := readmeRig(t)
	r.stdin = hello + callLine(1, `{"session_id":"`+sampleID+`",`+strings.TrimPrefix(args, "{"), `{}`)
	got := answers(t, r.run("mcp").stdout)["1"].text() + "\n"
	if *update {
		text := before + "Called with `" + args + "` it answers:\n\n```json\n" + got + "```\n" + after
		if err := os.WriteFile(readmePath, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if ok, why := alike(got, shown); !ok {
		t.Errorf("README.md is out of date (go test ./cmd/ctxmeter -update rewrites it): %s\n%s", why, got)
	}
}

// shell runs a line as the README shows it, and returns what would be seen.
func (r *rig) shell(line string) string {
	line, echo := strings.CutSuffix(line, `; echo "exit status $?"`)
	args := strings.Fields(line)
	switch {
	case args[0] == "go": // run below, or by whoever reads this
		if args[1] == "run" {
			if got := r.run(args[3:]...); got.code != 0 {
				r.t.Errorf("%s: status %d, %s", line, got.code, got.stderr)
			}
		}
		return ""
	case args[0] != "ctxmeter":
		r.t.Errorf("the test cannot run %q", line)
		return ""
	}
	for i, arg := range args {
		if strings.HasPrefix(arg, "testdata/") { // as in a clone of the repository
			args[i] = testdataPath(r.t, strings.TrimPrefix(arg, "testdata/"))
		}
	}
	got := r.run(args[1:]...)
	out := got.stdout + got.stderr
	out = strings.ReplaceAll(out, r.env["HOME"], "/home/demo")
	if echo {
		out += fmt.Sprintf("exit status %d\n", got.code)
	} else if got.code != 0 {
		r.t.Errorf("%s: status %d, %s", line, got.code, got.stderr)
	}
	return out
}

// Every code of a warning that the sources hold stands in the table.
func TestReadmeNamesEveryWarning(t *testing.T) {
	readme, err := os.ReadFile(readmePath)
	if err != nil {
		t.Fatal(err)
	}
	code := regexp.MustCompile(`(?:Warning\{|Warning\{Code: |add\(|note\w+ += |n == |\bCode: )"([a-z_]+)"`)
	found := 0
	for pkg, files := range packages(t) {
		if top, _, _ := strings.Cut(pkg, "/"); top != "meter" && top != "backends" {
			continue
		}
		for _, path := range files {
			source, err := os.ReadFile(path)
			if err != nil || strings.HasSuffix(path, "_test.go") || !bytes.Contains(source, []byte("Warning{")) && !bytes.Contains(source, []byte("note")) {
				continue
			}
			for _, m := range code.FindAllSubmatch(source, -1) {
				found++
				if !bytes.Contains(readme, []byte("| `"+string(m[1])+"` |")) {
					t.Errorf("%s has the warning %s, which README.md does not explain", path, m[1])
				}
			}
		}
	}
	if found < 10 {
		t.Errorf("only %d codes were found", found)
	}
}

func TestReadmeConfigurationIsValid(t *testing.T) {
	data, err := os.ReadFile(readmePath)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(data), "```toml\n")
	example, _, ok := strings.Cut(rest, "```\n")
	if !ok {
		t.Fatal("no example")
	}
	path := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(path, []byte(example), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := config.Resolve(config.Sources{
		Flag:   func(string) []string { return nil },
		Getenv: func(name string) string { return map[string]string{"CTXMETER_CONFIG": path}[name] },
	})
	if err != nil || s.Cutoffs.Critical != 92 || s.WindowFor("glm-5") != 128_000 {
		t.Errorf("%+v, %v", s, err)
	}
}

// The hooks to put in by hand are those of the plugin, with their time limit.
func TestReadmeShowsTheHooksOfThePlugin(t *testing.T) {
	readme, err := os.ReadFile(readmePath)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(readme), "## Hooks\n")
	_, rest, _ = strings.Cut(rest, "```json\n")
	shown, _, ok := strings.Cut(rest, "```\n")
	manifest, err := os.ReadFile(filepath.Join(pluginRoot, pluginFolder, ".claude-plugin", "plugin.json"))
	if err != nil || !ok {
		t.Fatal(err, ok)
	}
	var want, got struct{ Hooks map[string]any }
	if err := json.Unmarshal([]byte(shown), &got); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(manifest, &want); err != nil {
		t.Fatal(err)
	}
	if len(want.Hooks) == 0 || !reflect.DeepEqual(got, want) {
		t.Errorf("README.md shows %v, the plugin has %v", got, want)
	}
}
