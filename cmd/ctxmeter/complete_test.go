package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ctxmeter/ctxmeter/config"
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
		{nil, "config demo completion help"},
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
		{[]string{"accuracy", "--"}, "--last --since --worst --csv --backend"},
		{[]string{"config", "--pr"}, "--pretty"},
		{[]string{"--format="}, "--format=text --format=json --format=line"},
		{[]string{"--json", "--color=a"}, "--color=auto --color=always"},
		{[]string{"-t="}, "-t=" + sampleID},
		{[]string{"--cwd="}, ""},
		{[]string{"config"}, "path"},
		{[]string{"help"}, "config demo completion"},
		{[]string{"help", "config"}, "path"},
		{[]string{"help", "nothing"}, ""},
		{[]string{"--session-file"}, ""},
		{[]string{"completion"}, "bash zsh fish pwsh"},
		{[]string{"install"}, "claude-code codex"},
		{[]string{"help", "install"}, ""},
		{[]string{"install", "--hooks"}, "--hooks"},
		{[]string{"install", "--apply", "codex"}, "claude-code"},
		{[]string{"uninstall"}, "claude-code codex"},
		{[]string{"uninstall", "codex", "claude-code"}, ""},
		{[]string{"install", "--c"}, "--claude-dir --codex-home --cwd --config"},
		{[]string{"mcp", "--"}, "--footer --http --thread-id --help"},
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

// A flag is offered where it is taken, and not where it is refused.
func TestCompletionOffersNoFlagThatIsRefused(t *testing.T) {
	for _, command := range []string{"demo", "config", "config path", "install", "uninstall", "doctor", "mcp"} {
		r := newRig(t).set("CLAUDE_CONFIG_DIR", sampleFolder(t, 5))
		path := strings.Fields(command)
		offered := completions(r, append(path, "--")...)
		refused := 0
		for _, s := range config.All() {
			if s.Flag == "" {
				continue
			}
			args := append(slices.Clone(path), "--"+s.Flag)
			if s.Kind != config.KindBool {
				args = append(args, "1")
			}
			refuses := strings.Contains(r.run(args...).stderr, "takes no --"+s.Flag)
			if refuses {
				refused++
			}
			if refuses == slices.Contains(offered, "--"+s.Flag) {
				t.Errorf("%s offers --%s %v, and refuses it %v", command, s.Flag, !refuses, refuses)
			}
		}
		if refused == 0 && command != "config" {
			t.Errorf("%s refuses nothing", command)
		}
	}
}

func TestCompletionScripts(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish", "pwsh", "powershell"} {
		got := newRig(t).run("completion", shell)
		if got.code != 0 || !strings.Contains(got.stdout, "--generate-shell-completion") {
			t.Errorf("%s: status %d, %q", shell, got.code, got.stdout)
		}
	}
}

// The script in a real shell without any package for completion, which calls
// the real program. Bash takes a word apart at "=", so do these lines.
func TestBashCompletes(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash")
	}
	dir := t.TempDir()
	self, err := os.Executable()
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "ctxmeter"), []byte("#!"+bash+"\nCTXMETER_TEST_BE_MAIN=1 exec '"+self+"' \"$@\"\n"), 0o700)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "script"), []byte(newRig(t).run("completion", "bash").stdout), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	var script, want strings.Builder
	script.WriteString("set -u\nsource \"$0\"\ncomplete -p ctxmeter\n")
	want.WriteString("complete -o bashdefault -o default -F _ctxmeter ctxmeter\n")
	for _, tt := range []struct{ words, want string }{
		{`""`, "accuracy calibrate config demo hook mcp install uninstall doctor statusline help completion"},
		{`con`, "config"},
		{`config ""`, "path"},
		{`config pa`, "path"},
		{`completion ""`, "bash zsh fish pwsh"},
		{`completion f`, "fish"},
		{`help d`, "demo doctor"},
		{`--format ""`, "text json line"},
		{`--format t`, "text"},
		{`--format =`, "text json line"},
		{`--format = l`, "line"},
		{`--json --color = a`, "auto always"},
		{`--form`, "--format"},
		{`--format`, "--format"},
		{`--com`, "--compact-threshold"},
		{`config --pr`, "--pretty"},
		{`--cwd ""`, ""},
		{`--session-file = x`, ""},
		{`-t ""`, sampleID},
		{`--thread-id = 5ca1`, sampleID},
		{`--thread-id =`, sampleID},
		{`help config ""`, "path"},
		{`install cl`, "claude-code"},
		{`uninstall --apply codex ""`, "claude-code"},
		{`install --w`, ""},
		{`--thread-id 6`, ""},
		{`--claude-dir "~/x" --format j`, "json"},
		{`'$(touch oops)' --format j`, "json"},
	} {
		words := "ctxmeter " + tt.words
		script.WriteString("COMP_WORDS=(" + words + "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMPREPLY=(); _ctxmeter; echo \"${COMPREPLY[*]}\"\n")
		want.WriteString(tt.want + "\n")
	}
	script.WriteString(`COMP_TYPE=63 COMP_WORDS=(ctxmeter de); COMP_CWORD=1; _ctxmeter; echo "${COMPREPLY[*]}"
COMP_TYPE=63 COMP_WORDS=(ctxmeter --co); COMP_CWORD=1; _ctxmeter; printf "%s\n" "${COMPREPLY[@]}"` + "\n")
	want.WriteString("demo\n" + `--codex-home         (search this Codex home first; may be repeated)
--compact-threshold  (the client compacts when so many are used)
--color              (use colors: auto, always or never)
--config             (the configuration file)` + "\n")
	cmd := exec.Command(bash, "--norc", "--noprofile", "-c", script.String(), filepath.Join(dir, "script"))
	cmd.Dir = dir
	cmd.Env = []string{
		"PATH=" + dir + string(filepath.ListSeparator) + os.Getenv("PATH"), "HOME=" + dir,
		"CLAUDE_CONFIG_DIR=" + sampleFolder(t, 5), "CTXMETER_CWD=" + sampleProject,
		"GORACE=atexit_sleep_ms=0", // the race detector would wait a second in every process
	}
	out, err := cmd.CombinedOutput()
	if err != nil || string(out) != want.String() {
		t.Errorf("%v\ngot:\n%s\nwant:\n%s", err, out, want.String())
	}
	if _, err := os.Stat(filepath.Join(dir, "oops")); err == nil {
		t.Error("completion runs what is typed")
	}
}
