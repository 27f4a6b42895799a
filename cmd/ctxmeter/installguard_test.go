package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/paths"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wiring"
)

func (s *shop) link(to, from string) {
	s.t.Helper()
	if err := os.Symlink(to, s.path(from)); err != nil {
		s.t.Skip("no symbolic links: ", err)
	}
}

// refused is do for what must change nothing, and say why.
func (s *shop) refused(says string, args ...string) {
	s.t.Helper()
	before := s.tree()
	got := s.do(args...)
	if got.code == 0 || !strings.Contains(got.stderr, says) {
		s.t.Errorf("%v: status %d, wanted %q in\n%s%s", args, got.code, says, got.stdout, got.stderr)
	}
	sameTree(s.t, s.tree(), before)
}

// A folder of a client on a disk that is not mounted.
func TestLinksToNothingStay(t *testing.T) {
	s := newShop(t)
	for _, dir := range []string{".claude", ".codex"} {
		if err := os.Remove(s.path(dir)); err != nil {
			t.Fatal(err)
		}
		s.link(s.path("notmounted/"+dir), dir)
	}
	s.refused("link to nothing", "install", "claude-code", "--hooks", "--statusline", "--apply")
	s.refused("link to nothing", "install", "codex", "--apply")
}

// A folder that was made, and was moved away and replaced by a link since; and
// a file that was.
func TestLinksThatTookAPlaceStay(t *testing.T) {
	s := newShop(t)
	if err := os.Remove(s.path(".claude")); err != nil {
		t.Fatal(err)
	}
	s.good("install", "claude-code", "--apply")
	s.write("dotfiles/x", "")
	for _, err := range []error{
		os.Rename(s.path(".claude"), s.path("dotfiles/claude")),
		os.Rename(s.path(claudeState), s.path("dotfiles/state")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	s.link("dotfiles/claude", ".claude")
	s.link("dotfiles/state", claudeState)
	s.good("uninstall", "--apply")
	for file, want := range map[string]string{".claude": "dotfiles/claude", claudeState: "dotfiles/state"} {
		if to, _ := os.Readlink(s.path(file)); to != want {
			t.Errorf("%s leads to %q", file, to)
		}
	}
	if text := s.read("dotfiles/state"); strings.Contains(text, "ctxmeter") {
		t.Errorf("left: %s", text)
	}
	s.good("install", "claude-code", "--apply")
}

func TestOnlyWhatMayBeWrittenIsReplaced(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links and modes of Unix")
	}
	s := newShop(t)
	s.write(claudeSettings, "{\"a\":1}")
	if err := os.Link(s.path(claudeSettings), s.path("other.json")); err != nil {
		t.Skip("no hard links: ", err)
	}
	for _, args := range [][]string{{"install", "claude-code", "--hooks"}, {"install", "claude-code", "--hooks", "--apply"}} {
		s.refused("hard links", args...)
	}
	if err := os.Remove(s.path("other.json")); err != nil {
		t.Fatal(err)
	}
	want := fs.ModeSetuid | fs.ModeSetgid | 0o640
	if err := os.Chmod(s.path(claudeSettings), want); err != nil {
		t.Fatal(err)
	}
	s.good("install", "claude-code", "--hooks", "--apply")
	if info, err := os.Stat(s.path(claudeSettings)); err != nil || info.Mode() != want {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if os.Getuid() == 0 {
		t.Skip("the superuser may write everything")
	}
	if err := os.Chmod(s.path(".claude"), 0o500); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(s.path(".claude"), 0o700) })
	s.refused("its folder may not be written", "uninstall", "--hooks")
	s.refused("its folder may not be written", "uninstall", "--hooks", "--apply")
}

// A repository does not lead an installation to the files of its user.
func TestAProjectStaysInside(t *testing.T) {
	s := newShop(t)
	s.write(claudeState, "{\"a\":1}")
	s.write("repo/x", "")
	s.link("../.claude.json", "repo/.mcp.json")
	s.link("../.claude", "repo/.claude")
	s.link("../.codex", "repo/.codex")
	s.dir = s.path("repo")
	for _, part := range wiring.Parts() {
		s.refused("leads out of the project", "install", "claude-code", "codex", "--project", "--"+part, "--apply")
	}
	s.write("inside/x/settings.json", "{}")
	s.link("x", "inside/.claude")
	s.dir = s.path("inside")
	s.good("install", "claude-code", "--hooks", "--project", "--apply")
}

// What was written by hand, or by an older ctxmeter, keeps what it is called
// with.
func TestArgumentsStay(t *testing.T) {
	s := newShop(t)
	s.write(claudeSettings, `{"statusLine":{"type":"command","command":"/old/ctxmeter statusline --color never"},"hooks":{"PostToolUse":[{"hooks":[{"type":"command","command":"'/o l d/ctxmeter'  hook --claude-dir '/srv/c d'"}]}]}}`)
	s.write(claudeState, `{"mcpServers":{"ctxmeter":{"type":"stdio","command":"/old/ctxmeter","args":["mcp","--claude-dir","/srv/c"]}}}`)
	s.write(codexConfig, "[mcp_servers.ctxmeter]\ncommand = \"/old/ctxmeter\"\nargs = [\"mcp\",  \"--footer\"] # mine\n\n[[hooks.PostToolUse]]\n[[hooks.PostToolUse.hooks]]\ntype = \"command\"\ncommand = \"/old/ctxmeter hook --codex-home /srv/x\"\n")
	before := s.tree()
	s.good("install", "--apply")
	word := paths.Quoted(s.exe)
	for file, want := range map[string][]string{
		claudeSettings: {word + " statusline --color never\"", word + "  hook --claude-dir '/srv/c d'\""},
		claudeState:    {`"` + s.exe + `","args":["mcp","--claude-dir","/srv/c"]`},
		codexConfig:    {"command = \"" + s.exe + "\"\nargs = [\"mcp\",  \"--footer\"] # mine\n", word + " hook --codex-home /srv/x\""},
	} {
		for _, w := range want {
			if got := s.read(file); !strings.Contains(got, w) || strings.Contains(got, "old/") {
				t.Errorf("%s has not %s:\n%s", file, w, got)
			}
		}
	}
	installed := s.tree()
	s.good("install", "--apply")
	sameTree(t, s.tree(), installed)
	if got := s.good("uninstall", "--apply"); !strings.Contains(got.stdout, "left as yours") {
		t.Errorf("it says\n%s", got.stdout)
	}
	sameTree(t, s.tree(), before)
}

// Hooks with something around them get no second one beside them, in any form.
func TestWrappedHooksAreLeftAlone(t *testing.T) {
	for name, tt := range map[string]struct{ client, file, text string }{
		"claude":      {"claude-code", claudeSettings, `{"hooks":{"PostToolUse":[{"hooks":[{"type":"command","command":"ctxmeter hook || true"}]}]}}`},
		"codex":       {"codex", codexHookFile, `{"hooks":{"PostToolUse":[{"hooks":[{"type":"command","command":"ctxmeter hook || true"}]}]}}`},
		"config":      {"codex", codexConfig, "[[hooks.PostToolUse]]\n[[hooks.PostToolUse.hooks]]\ntype = \"command\"\ncommand = \"ctxmeter hook || true\"\n"},
		"inline hook": {"codex", codexConfig, "[[hooks.PostToolUse]]\nhooks = [{type = \"command\", command = \"ctxmeter hook || true\"}]\n"},
	} {
		s := newShop(t)
		s.write(tt.file, tt.text)
		got := s.good("install", tt.client, "--hooks", "--apply")
		if after := s.read(tt.file); strings.Count(after, "PostToolUse") != strings.Count(tt.text, "PostToolUse") || !strings.Contains(got.stdout, "already, among other things (PostToolUse)") {
			t.Errorf("%s: %s\n%s", name, got.stdout, after)
		}
		for range 2 { // and it is said that they stay
			got := s.do("uninstall", tt.client, "--apply")
			if got.code != 1 || !strings.Contains(got.stderr, "still called (hooks.PostToolUse)") || s.read(tt.file) != tt.text {
				t.Errorf("%s: status %d, %s\n%s", name, got.code, got.stderr, s.read(tt.file))
			}
		}
	}
}

// Hooks of Codex go where ours are, whatever comes beside them.
func TestHooksOfCodexStayTogether(t *testing.T) {
	s := newShop(t)
	conf := "[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = \"command\"\ncommand = \"mine\"\n"
	s.write(codexConfig, conf)
	s.good("install", "codex", "--hooks", "--apply")
	s.write(codexHookFile, `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"mine"}]}]}}`)
	if got := s.good("install", "codex", "--hooks", "--apply"); !strings.Contains(got.stdout, "already installed") || strings.Contains(s.read(codexHookFile), "ctxmeter") {
		t.Errorf("%s\n%s", got.stdout, s.read(codexHookFile))
	}
	s.good("uninstall", "--apply")
	if got := s.read(codexConfig); got != conf {
		t.Errorf("%q", got)
	}
}

func TestPathsAreMadePlain(t *testing.T) {
	s := newShop(t)
	s.set("CODEX_HOME", s.path(".codex")+"/")
	s.good("install", "codex", "--mcp", "--apply")
	if got := s.read(codexConfig); strings.Contains(got, "--codex-home") {
		t.Error(got)
	}
	if runtime.GOOS != "linux" {
		return
	}
	s.refused("no valid UTF-8", "install", "codex", "--codex-home", s.path("a\xff"), "--apply")
	s.exe = filepath.Join(filepath.Dir(s.exe), "a\xff", "ctxmeter")
	s.refused("no valid UTF-8", "install", "--apply")
	s.exe = filepath.Join(filepath.Dir(filepath.Dir(s.exe)), "ctxmeter-linux-amd64")
	s.refused("rename it to ctxmeter", "install", "--apply")
	s.exe = filepath.Join(filepath.Dir(s.exe), "a\nb", "ctxmeter")
	s.refused("has control characters", "install", "--apply")
}

func TestWhatTurnsHooksOffIsSaid(t *testing.T) {
	s := newShop(t)
	s.write(claudeSettings, `{"disableAllHooks": true}`)
	if got := s.good("install", "claude-code", "--apply"); !strings.Contains(got.stdout, "disableAllHooks") {
		t.Errorf("%s", got.stdout)
	}
}

// What was killed while it wrote is removed by the next one that writes there,
// and nothing else is.
func TestHalfWrittenCopiesGo(t *testing.T) {
	s := newShop(t)
	old := time.Now().Add(-20 * time.Minute)
	stay := []string{".claude/.ctxmeter-2.tmp", ".claude/.ctxmeter-x.tmp", ".claude/ctxmeter-1.tmp", ".claude/.ctxmeter-1.tmp.json"}
	for _, name := range append([]string{".claude/.ctxmeter-12.tmp"}, stay...) {
		s.write(name, "x")
		if name != stay[0] { // which somebody is writing
			if err := os.Chtimes(s.path(name), old, old); err != nil {
				t.Fatal(err)
			}
		}
	}
	s.good("install", "claude-code", "--hooks", "--apply")
	if _, err := os.Stat(s.path(".claude/.ctxmeter-12.tmp")); err == nil {
		t.Error("it is left")
	}
	for _, name := range stay {
		s.read(name)
	}
	names, _ := filepath.Glob(s.path(".claude/.ctxmeter-*"))
	if slices.Sort(names); len(names) != 3 {
		t.Errorf("%v", names)
	}
}

// The work grows with the text, not with its square: what a file of so many
// hooks takes is bounded, and one that is too large is declined.
func TestManyHooksAndHugeFiles(t *testing.T) {
	s := newShop(t)
	s.write(claudeSettings, `{"a":"`+strings.Repeat("x", wiring.MaxSettings)+`"}`)
	s.refused("larger than 16 MB", "install", "claude-code", "--hooks", "--apply")
	s.refused("larger than 16 MB", "uninstall", "--apply")
	group := `{"matcher":"x","hooks":[{"type":"command","command":"echo"}]}`
	s.write(claudeSettings, `{"hooks":{"PostToolUse":[`+strings.Repeat(group+",", 20_000)+group+`]}}`)
	before := s.tree()
	s.good("install", "claude-code", "--hooks", "--apply")
	s.good("uninstall", "--apply")
	sameTree(t, s.tree(), before)
}

// 'ctxmeter install --apply | head -1' installs all of it.
func TestInstallationOutlivesItsReader(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("signals of Unix")
	}
	s := newShop(t)
	text, err := os.ReadFile(os.Args[0])
	if err == nil {
		err = os.WriteFile(s.exe, text, 0o700)
	}
	if err == nil {
		err = os.Chmod(s.exe, 0o700)
	}
	if err != nil {
		t.Fatal(err)
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	cmd := exec.Command(s.exe, "install", "--apply")
	cmd.Env = []string{"CTXMETER_TEST_BE_MAIN=1", "HOME=" + s.home, "XDG_STATE_HOME=" + s.path("state"), "PATH=/usr/bin:/bin"}
	cmd.Dir, cmd.Stdout = s.home, w
	err = cmd.Run()
	w.Close()
	if code := cmd.ProcessState.ExitCode(); code < 0 {
		t.Errorf("it ended with %v", err)
	}
	s.wired(t)
}

// What Claude Code would wait for does not stay.
func TestTheLockOfTheClientIsGivenBack(t *testing.T) {
	s := newShop(t)
	s.good("install", "claude-code", "--apply")
	if _, err := os.Stat(s.path(claudeState + ".lock")); err == nil {
		t.Error("it is left")
	}
}
