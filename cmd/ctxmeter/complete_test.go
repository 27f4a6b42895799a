package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// completions are the words that a shell is offered after args.
func completions(r *rig, args ...string) (words []string) {
	got := r.run(append(args, "--generate-shell-completion")...)
	for line := range strings.SplitSeq(strings.TrimSpace(got.stdout), "\n") {
		word, _, _ := strings.Cut(line, ":")
		words = append(words, word)
	}
	return words
}

func TestCompletion(t *testing.T) {
	r := newRig(t).set("CLAUDE_CONFIG_DIR", sampleFolder(t, 5))
	r.dir = sampleProject
	for _, tt := range []struct {
		args []string
		want string // some of the words
	}{
		{nil, "config demo completion"},
		{[]string{"--"}, "--thread-id --window --config --version"},
		{[]string{"--co"}, "--codex-home --compact-threshold --color --config"},
		{[]string{"--json", "--fo"}, "--format"},
		{[]string{"--format"}, "text json line"},
		{[]string{"--color"}, "auto always never"},
		{[]string{"--backend"}, "auto claude-code codex"},
		{[]string{"--fail-at"}, "moderate high critical"},
		{[]string{"-t"}, sampleID},
		{[]string{"--thread-id"}, sampleID},
		{[]string{"demo", "--sp"}, "--speed"},
		{[]string{"config", "--pr"}, "--pretty"},
		{[]string{"--session-file"}, ""},
		{[]string{"completion"}, "bash zsh fish pwsh"},
	} {
		got := completions(r, tt.args...)
		for word := range strings.FieldsSeq(tt.want) {
			if !slices.Contains(got, word) {
				t.Errorf("after %v: %q lacks %s", tt.args, got, word)
			}
		}
		if tt.want == "" && strings.Join(got, "") != "" {
			t.Errorf("after %v: %q, want nothing", tt.args, got)
		}
	}
}

func TestCompletionScripts(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish", "pwsh"} {
		got := newRig(t).run("completion", shell)
		if got.code != 0 || !strings.Contains(got.stdout, "--generate-shell-completion") {
			t.Errorf("%s: status %d, %q", shell, got.code, got.stdout)
		}
	}
}

// The script in a real shell, which calls the real program.
func TestBashCompletes(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash")
	}
	dir := t.TempDir()
	script := newRig(t).run("completion", "bash").stdout
	self, err := os.Executable()
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "ctxmeter"), []byte("#!"+bash+"\nCTXMETER_TEST_BE_MAIN=1 exec '"+self+"' \"$@\"\n"), 0o700)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "script"), []byte(script), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(bash, "--norc", "-c", `
_get_comp_words_by_ref() { cur="${COMP_WORDS[COMP_CWORD]}"; }
source "$0"
COMP_WORDS=(ctxmeter --format "") COMP_CWORD=2
__ctxmeter_bash_autocomplete; echo "${COMPREPLY[@]}"
COMP_WORDS=(ctxmeter con) COMP_CWORD=1
__ctxmeter_bash_autocomplete; echo "${COMPREPLY[@]}"`, filepath.Join(dir, "script"))
	cmd.Env = append(os.Environ(), "PATH="+dir+string(filepath.ListSeparator)+os.Getenv("PATH"), "HOME="+dir)
	out, err := cmd.CombinedOutput()
	if err != nil || string(out) != "text json line\nconfig\n" {
		t.Errorf("%q, %v", out, err)
	}
}
