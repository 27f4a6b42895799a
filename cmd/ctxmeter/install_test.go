package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/paths"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wiring"
)

// shop is a home with both clients, and an installed ctxmeter.
type shop struct {
	*rig
	t    *testing.T
	home string
	exe  string
}

func newShop(t *testing.T) *shop {
	t.Helper()
	r := newRig(t)
	s := &shop{rig: r, t: t, home: r.env["HOME"], exe: filepath.Join(t.TempDir(), "bin", "ctxmeter")}
	r.set("XDG_STATE_HOME", filepath.Join(s.home, "state"))
	s.write(s.exe, "#!")
	for _, dir := range []string{".claude", ".codex"} {
		if err := os.Mkdir(filepath.Join(s.home, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// path is a path below the home folder, or an absolute one.
func (s *shop) path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(s.home, filepath.FromSlash(name))
}

func (s *shop) write(name, text string) {
	s.t.Helper()
	path := s.path(name)
	err := os.MkdirAll(filepath.Dir(path), 0o700)
	if err == nil {
		err = os.WriteFile(path, []byte(text), 0o600)
	}
	if err != nil {
		s.t.Fatal(err)
	}
}

func (s *shop) read(name string) string {
	s.t.Helper()
	text, err := os.ReadFile(s.path(name))
	if err != nil {
		s.t.Fatal(err)
	}
	return string(text)
}

// do runs 'ctxmeter install' or 'ctxmeter uninstall', as if the program were
// the one in the shop.
func (s *shop) do(args ...string) result {
	s.t.Helper()
	var stdout, stderr bytes.Buffer
	code := s.programIn(&stdout, &stderr).run(context.Background(), append([]string{"ctxmeter"}, args...))
	return result{stdout.String(), stderr.String(), code}
}

// programIn is the program in the shop.
func (s *shop) programIn(stdout, stderr io.Writer) *program {
	p := s.program(stdout, stderr)
	p.executable = func() (string, error) { return s.exe, nil }
	p.try = func(context.Context, wiring.Self, string) error { return nil }
	return p
}

// good is do for what must succeed.
func (s *shop) good(args ...string) result {
	s.t.Helper()
	got := s.do(args...)
	if got.code != 0 || got.stderr != "" {
		s.t.Fatalf("%v: status %d\n%s%s", args, got.code, got.stdout, got.stderr)
	}
	return got
}

// tree is every file and folder below the home, without the state folder.
func (s *shop) tree() map[string]string {
	s.t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(s.home, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(s.home, path)
		switch {
		case name == "state":
			return fs.SkipDir
		case d.IsDir():
			out[name] = "folder"
		case d.Type()&fs.ModeSymlink != 0:
			out[name], err = os.Readlink(path)
		default:
			out[name] = s.read(path)
		}
		return err
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return out
}

func sameTree(t *testing.T, got, want map[string]string) {
	t.Helper()
	for name := range want {
		if got[name] != want[name] {
			t.Errorf("%s is %q, want %q", name, got[name], want[name])
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s is left: %q", name, got[name])
		}
	}
}

const (
	claudeSettings = ".claude/settings.json"
	claudeState    = ".claude.json"
	codexConfig    = ".codex/config.toml"
	codexHookFile  = ".codex/hooks.json"
)

// The files of homes as people have them.
func homes() map[string]map[string]string {
	settings := "{\n  \"model\": \"opus\",\n  \"hooks\": {\n    \"PostToolUse\": [\n      {\n        \"matcher\": \"Edit\",\n        \"hooks\": [{ \"type\": \"command\", \"command\": \"gofmt -w .\" }]\n      }\n    ],\n    \"Stop\": []\n  },\n  \"permissions\": { \"allow\": [\"Bash(ls:*)\", \"Read\"], \"n\": 1.0e3 }\n}\n"
	state := "{\n  \"numStartups\": 7,\n  \"mcpServers\": {\n    \"other\": {\n      \"type\": \"stdio\",\n      \"command\": \"other\",\n      \"args\": []\n    }\n  },\n  \"projects\": {\"/x\": {\"history\": []}}\n}"
	conf := "# mine\nmodel = \"gpt-5.5\" # the good one\n\n[mcp_servers.other]\ncommand = 'other'\nargs = [\n  \"a\", # first\n]\n\n[projects.\"/x\"]\ntrust_level = \"trusted\"\n"
	hooks := "{\"hooks\": {\"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"say done\"}]}]}}"
	crlf := func(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") }
	all := func(change func(string) string) map[string]string {
		return map[string]string{claudeSettings: change(settings), claudeState: change(state), codexConfig: change(conf), codexHookFile: change(hooks)}
	}
	out := map[string]map[string]string{
		"fresh":               {},
		"populated":           all(func(s string) string { return s }),
		"carriage returns":    all(crlf),
		"byte order marks":    all(func(s string) string { return "\ufeff" + s }),
		"tabs":                all(func(s string) string { return strings.ReplaceAll(s, "  ", "\t") }),
		"no end of line":      all(func(s string) string { return strings.TrimRight(s, "\n") }),
		"many ends of line":   all(func(s string) string { return s + "\n\n\n" }),
		"empty files":         all(func(string) string { return "" }),
		"empty objects":       {claudeSettings: "{}", claudeState: "{ }\n", codexHookFile: "{\"hooks\":{}}", codexConfig: "\n"},
		"only comments":       {codexConfig: "# nothing\n# yet"},
		"hooks in the config": {codexConfig: conf + "\n[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = \"command\"\ncommand = \"say done\"\n\n[hooks.state]\n"},
		"narrow":              {claudeSettings: "{\"a\":1,\"hooks\":{\"SessionStart\":[]}}", claudeState: "{\"mcpServers\":{}}"},
	}
	return out
}

func TestInstallAndUninstallLeaveNoTrace(t *testing.T) {
	for name, content := range homes() {
		t.Run(name, func(t *testing.T) {
			s := newShop(t)
			for file, text := range content {
				s.write(file, text)
			}
			before := s.tree()
			dry := s.good("install")
			sameTree(t, s.tree(), before)
			if _, err := os.Stat(s.path("state")); err == nil {
				t.Error("the dry run made the state folder")
			}
			if !strings.Contains(dry.stdout, "+++ "+s.path(claudeSettings)) || !strings.Contains(dry.stdout, "Nothing was written") {
				t.Errorf("the dry run says\n%s", dry.stdout)
			}
			s.good("install", "--apply")
			s.wired(t)
			installed := s.tree()
			again := s.good("install", "--apply")
			sameTree(t, s.tree(), installed)
			if strings.Count(again.stdout, "already installed") < 3 {
				t.Errorf("the second run says\n%s", again.stdout)
			}
			if got := s.good("uninstall"); !strings.Contains(got.stdout, "--- "+s.path(claudeSettings)) {
				t.Errorf("the dry run says\n%s", got.stdout)
			}
			sameTree(t, s.tree(), installed)
			s.good("uninstall", "--apply")
			sameTree(t, s.tree(), before)
			if left := s.records(); len(left) > 0 {
				t.Errorf("left in the state folder: %v", left)
			}
			if got := s.good("uninstall", "--apply"); got.stdout != "There is nothing of ctxmeter to take out.\n" {
				t.Errorf("a second uninstall says %s", got.stdout)
			}
		})
	}
}

// records are the manifests and backups that are kept.
func (s *shop) records() (out []string) {
	list, _ := os.ReadDir(s.path("state/ctxmeter/installed"))
	for _, f := range list {
		if f.Name() != "lock" {
			out = append(out, f.Name())
		}
	}
	return out
}

// wired looks whether everything is where the clients look for it.
func (s *shop) wired(t *testing.T) {
	t.Helper()
	var settings struct {
		StatusLine wiring.Handler
		Hooks      map[string][]struct {
			Matcher string
			Hooks   []wiring.Handler
		}
	}
	var state struct{ McpServers map[string]wiring.Handler }
	for file, to := range map[string]any{claudeSettings: &settings, claudeState: &state} {
		if err := json.Unmarshal([]byte(strings.TrimPrefix(s.read(file), "\ufeff")), to); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
	}
	word := paths.Quoted(s.exe)
	if h := settings.StatusLine; h.Type != "command" || h.Command != word+" statusline" {
		t.Errorf("the status line is %+v", h)
	}
	for _, e := range wiring.ClaudeHooks() {
		groups := settings.Hooks[e.Event]
		last := groups[len(groups)-1]
		if len(last.Hooks) != 1 || last.Hooks[0].Command != word+" hook" || last.Matcher != e.Matcher {
			t.Errorf("%s has %+v", e.Event, groups)
		}
	}
	if h := state.McpServers["ctxmeter"]; h.Type != "stdio" || h.Command != s.exe || !slices.Equal(h.Args, []string{"mcp"}) {
		t.Errorf("the server is %+v", h)
	}
	if text := s.read(codexConfig); !strings.Contains(text, "[mcp_servers.ctxmeter]") {
		t.Errorf("Codex has\n%s", text)
	}
	inConfig := strings.Count(s.read(codexConfig), word+" hook")
	inFile, _ := os.ReadFile(s.path(codexHookFile))
	if n := bytes.Count(inFile, []byte(word+" hook")); n+inConfig != 3 || n > 0 && inConfig > 0 {
		t.Errorf("Codex has %d hooks in its configuration and %d beside it", inConfig, n)
	}
}

// What a person, or the client, writes in between stays as it is.
func TestHandEditsStay(t *testing.T) {
	json := map[string]func(string) string{
		"before":  func(s string) string { return strings.Replace(s, "{", "{\n  \"first\": [1,  2],", 1) },
		"changed": func(s string) string { return strings.ReplaceAll(s, "Bash(ls:*)", "Bash(rm:*)") },
		"nothing": func(s string) string { return s },
	}
	toml := map[string]func(string) string{
		"before": func(s string) string { return "# new first line\n" + s },
		"after":  func(s string) string { return s + "\n[tui]\nnotifications = true\n" },
	}
	for name, content := range homes() {
		if name == "fresh" || name == "empty objects" || name == "empty files" || name == "byte order marks" {
			continue // see below
		}
		for how, edit := range json {
			s := newShop(t)
			for file, text := range content {
				s.write(file, text)
			}
			before := s.tree()
			s.good("install", "--apply")
			for file := range content {
				if strings.HasSuffix(file, ".json") {
					s.write(file, edit(s.read(file)))
					before[filepath.FromSlash(file)] = edit(before[filepath.FromSlash(file)])
				}
			}
			s.good("uninstall", "--apply")
			if t.Run(name+", "+how, func(t *testing.T) { sameTree(t, s.tree(), before) }); t.Failed() {
				return
			}
		}
		for how, edit := range toml {
			s := newShop(t)
			for file, text := range content {
				s.write(file, text)
			}
			if content[codexConfig] == "" {
				continue
			}
			s.good("install", "--apply")
			s.write(codexConfig, edit(s.read(codexConfig)))
			s.good("uninstall", "--apply")
			if got, want := s.read(codexConfig), edit(content[codexConfig]); got != want {
				t.Errorf("%s, %s: %q, want %q", name, how, got, want)
			}
		}
	}
}

// Edits beside and inside our entries, in files that were made for them too.
func TestHandEditsAtOurEntries(t *testing.T) {
	for name, tt := range map[string]struct{ file, before, old, new, want string }{
		"behind ours":           {claudeSettings, "{\n  \"a\": 1\n}\n", "\"type\": \"command\"\n  }", "\"type\": \"command\"\n  },\n  \"b\": 2", "{\n  \"a\": 1,\n  \"b\": 2\n}\n"},
		"a key in ours":         {claudeSettings, "{\n  \"a\": 1\n}\n", " statusline\",\n", " statusline\",\n    \"padding\": 0,\n", "{\n  \"a\": 1\n}\n"},
		"a flag in ours":        {claudeSettings, "{\n  \"a\": 1\n}\n", " statusline\"", " statusline --ascii\"", "{\n  \"a\": 1\n}\n"},
		"a hook in our event":   {claudeSettings, "{\"a\":1}", "\"UserPromptSubmit\":[", "\"UserPromptSubmit\":[{\"hooks\":[]},", "{\"a\":1,\"hooks\":{\"UserPromptSubmit\":[{\"hooks\":[]}]}}"},
		"a hook in our group":   {claudeSettings, "{\"a\":1}", "\"PreToolUse\":[{\"hooks\":[", "\"PreToolUse\":[{\"hooks\":[{\"command\":\"x\"},", "{\"a\":1,\"hooks\":{\"PreToolUse\":[{\"hooks\":[{\"command\":\"x\"}],\"matcher\":\"Read\"}]}}"},
		"ours is gone":          {claudeSettings, "{\"a\":1}", ",\"statusLine\"", ",\"theirs\"", ""},
		"in a file made for us": {claudeSettings, "", "{\n", "{\n  \"b\": 2,\n", "{\n  \"b\": 2\n}\n"},
		"in an empty object":    {claudeSettings, "{}", "\"type\": \"command\"\n  },", "\"type\": \"command\"\n  },\n  \"b\": 2,", "{\n  \"b\": 2\n}"},
		"a server beside ours":  {claudeState, "{\"a\":1}", "\"mcpServers\":{", "\"mcpServers\":{\"x\":{},", "{\"a\":1,\"mcpServers\":{\"x\":{}}}"},
		"a key of the server":   {codexConfig, "a = 1\n", "ctxmeter\"\n", "ctxmeter\"\nstartup_timeout_sec = 3\n[mcp_servers.ctxmeter.env]\nX = \"1\"\n", "a = 1\n"},
		"a table behind ours":   {codexConfig, "a = 1", "ctxmeter\"", "ctxmeter\"\n[b]\n", "a = 1\n[b]\n"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newShop(t)
			if tt.before != "" {
				s.write(tt.file, tt.before)
			}
			s.good("install", "--apply")
			text := s.read(tt.file)
			if !strings.Contains(text, tt.old) {
				t.Fatalf("%q is not in %s", tt.old, text)
			}
			s.write(tt.file, strings.Replace(text, tt.old, tt.new, 1))
			s.good("uninstall", "--apply")
			if got := s.read(tt.file); tt.want != "" && got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			} else if strings.Contains(got, " hook") || tt.want != "" && strings.Contains(got, s.exe) {
				t.Errorf("something is left: %s", got)
			}
		})
	}
}

func TestWhatIsNotOursStays(t *testing.T) {
	for name, tt := range map[string]struct{ file, text, says string }{
		"a status line":         {claudeSettings, `{"statusLine":{"type":"command","command":"~/mine.sh"}}`, "status line of somebody else"},
		"a status line around":  {claudeSettings, `{"statusLine":{"type":"command","command":"a | ctxmeter statusline | b"}}`, "seems to call ctxmeter already"},
		"no status line":        {claudeSettings, `{"statusLine":null}`, "statusLine is null there"},
		"a server of our name":  {claudeState, `{"mcpServers":{"ctxmeter":{"type":"http","url":"http://127.0.0.1:8765/mcp"}}}`, "another MCP server by the name of ctxmeter"},
		"ours by another name":  {claudeState, `{"mcpServers":{"meter":{"command":"/opt/ctxmeter","args":["mcp"]}}}`, "by the name of meter"},
		"a table of our name":   {codexConfig, "[mcp_servers.ctxmeter]\nurl = \"http://127.0.0.1:8765/mcp\"\n", "another MCP server by the name of ctxmeter"},
		"a table under another": {codexConfig, "[mcp_servers.meter]\ncommand = \"ctxmeter\"\nargs = [\"mcp\", \"--no-cache\"]\n", "by the name of meter"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newShop(t)
			s.write(tt.file, tt.text)
			got := s.good("install", "--apply")
			if !strings.Contains(got.stdout, tt.says) {
				t.Errorf("it says\n%s", got.stdout)
			}
			if after := s.read(tt.file); !strings.Contains(after, strings.Trim(tt.text, "{}\n")) {
				t.Errorf("it became %s", after)
			}
		})
	}
}

// Broken and read-only files, and links to nothing: each is named, none is
// touched, and the others are edited all the same.
func TestWhatCannotBeEditedIsNamed(t *testing.T) {
	s := newShop(t)
	broken := map[string]string{claudeSettings: "{\"a\": 1,}", codexHookFile: "// hooks\n{}"}
	for file, text := range broken {
		s.write(file, text)
	}
	s.write(codexConfig, "a = 1\n")
	if err := os.Chmod(s.path(codexConfig), 0o400); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(s.path(codexConfig), 0o600) })
	for _, args := range [][]string{{"install"}, {"install", "--apply"}} {
		got := s.do(args...)
		if got.code != 1 {
			t.Errorf("%v: status %d", args, got.code)
		}
		for file, says := range map[string]string{claudeSettings: "no valid JSON in line 1", codexHookFile: "no valid JSON in line 1", codexConfig: "read-only"} {
			if !strings.Contains(got.stderr, s.path(file)+": ") || !strings.Contains(got.stderr, says) {
				t.Errorf("%v says of %s:\n%s", args, file, got.stderr)
			}
		}
	}
	for file, text := range broken {
		if s.read(file) != text {
			t.Errorf("%s was touched", file)
		}
	}
	if s.read(codexConfig) != "a = 1\n" || !strings.Contains(s.read(claudeState), "ctxmeter") {
		t.Errorf("%q, %q", s.read(codexConfig), s.read(claudeState))
	}
	if n := len(s.records()); n != 1 {
		t.Errorf("%d files are kept, want the manifest of the one that was written", n)
	}
	got := s.do("uninstall", "--apply")
	if got.code != 0 || got.stderr != "" {
		t.Errorf("uninstall: status %d, %s", got.code, got.stderr)
	}
}

// What was broken after the installation is named, and mended by its owner.
func TestUninstallNamesWhatItCannotEdit(t *testing.T) {
	s := newShop(t)
	s.write(claudeSettings, "{\"a\":1}")
	s.good("install", "--apply")
	good := s.read(claudeSettings)
	s.write(claudeSettings, good+"x")
	got := s.do("uninstall", "--apply")
	if got.code != 1 || !strings.Contains(got.stderr, s.path(claudeSettings)) || s.read(claudeSettings) != good+"x" {
		t.Errorf("status %d: %s%s", got.code, got.stdout, got.stderr)
	}
	if _, err := os.Stat(s.path(codexHookFile)); err == nil {
		t.Error("one broken file kept the others from being edited")
	}
	s.write(claudeSettings, good)
	s.good("uninstall", "--apply")
	if s.read(claudeSettings) != "{\"a\":1}" {
		t.Error(s.read(claudeSettings))
	}
}

func TestLinksStayLinks(t *testing.T) {
	s := newShop(t)
	s.write("dotfiles/settings.json", "{\n\t\"a\": 1\n}\n")
	s.write("dotfiles/config.toml", "a = 1\n")
	for from, to := range map[string]string{claudeSettings: "dotfiles/settings.json", codexConfig: "dotfiles/config.toml"} {
		if err := os.Symlink(s.path(to), s.path(from)); err != nil {
			t.Skip("no symbolic links: ", err)
		}
	}
	if err := os.Symlink("nowhere", s.path(codexHookFile)); err != nil {
		t.Fatal(err)
	}
	before := s.tree()
	got := s.do("install", "--apply")
	if got.code != 1 || !strings.Contains(got.stderr, "link to nothing") || !strings.Contains(got.stdout, "a link to ") {
		t.Errorf("status %d: %s%s", got.code, got.stdout, got.stderr)
	}
	if to, _ := os.Readlink(s.path(claudeSettings)); to != s.path("dotfiles/settings.json") || !strings.Contains(s.read("dotfiles/settings.json"), "statusline") {
		t.Errorf("the link leads to %q", to)
	}
	if err := os.Remove(s.path(codexHookFile)); err != nil {
		t.Fatal(err)
	}
	delete(before, filepath.FromSlash(codexHookFile))
	s.good("uninstall", "--apply")
	sameTree(t, s.tree(), before)
}

func TestModesStay(t *testing.T) {
	s := newShop(t)
	s.write(claudeSettings, "{\"a\":1}")
	if err := os.Chmod(s.path(claudeSettings), 0o640); err != nil {
		t.Fatal(err)
	}
	want, _ := os.Stat(s.path(claudeSettings))
	s.good("install", "--apply")
	for file, mode := range map[string]fs.FileMode{claudeSettings: want.Mode(), claudeState: 0o600, codexHookFile: 0o600} {
		info, err := os.Stat(s.path(file))
		if err != nil || filepath.Separator == '/' && info.Mode() != mode {
			t.Errorf("%s: %v, %v", file, info.Mode(), err)
		}
	}
	err := filepath.WalkDir(s.path("state"), func(path string, d fs.DirEntry, err error) error {
		if info, e := d.Info(); e == nil && filepath.Separator == '/' && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("others can read %s", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// An entry that an older ctxmeter made in another place is brought up to date,
// and comes back as it was.
func TestOlderEntriesAreBroughtUpToDate(t *testing.T) {
	s := newShop(t)
	s.write(claudeSettings, `{"statusLine":{"command":"/old/ctxmeter statusline --x","type":"command","padding":1},"hooks":{"PreToolUse":[{"matcher":"Read|Grep","hooks":[{"type":"command","command":"'/o l d/ctxmeter' hook"}]}]}}`)
	s.write(claudeState, `{"mcpServers":{"ctxmeter":{"command":"C:\\old\\ctxmeter.exe","args":["mcp","--no-cache"],"env":{"A":"b"}}}}`)
	s.write(codexConfig, "[mcp_servers.ctxmeter]\ncommand = '/old/ctxmeter' # here\nargs = [ \"mcp\" ]\nenabled = true\n")
	before := s.tree()
	s.good("install", "--apply")
	for file, want := range map[string]string{
		claudeSettings: `"padding":1}`, claudeState: `"args":["mcp","--no-cache"],"env":{"A":"b"}`,
		codexConfig: "command = \"" + s.exe + "\" # here\nargs = [ \"mcp\" ]\nenabled = true\n",
	} {
		if got := s.read(file); !strings.Contains(got, want) || strings.Contains(got, "old") || strings.Contains(got, "o l d") {
			t.Errorf("%s is now %s", file, got)
		}
	}
	s.good("uninstall", "--apply")
	sameTree(t, s.tree(), before)
}

// The program moves after it was installed.
func TestAMovedProgramInstallsAnew(t *testing.T) {
	s := newShop(t)
	for file, text := range homes()["populated"] {
		s.write(file, text)
	}
	before := s.tree()
	s.good("install", "--apply")
	s.exe = filepath.Join(t.TempDir(), "new place", "ctxmeter")
	s.write(s.exe, "#!")
	s.good("install", "--apply")
	s.wired(t)
	s.good("uninstall", "--apply")
	sameTree(t, s.tree(), before)
}

// Parts come and go one by one, in any order.
func TestParts(t *testing.T) {
	for _, order := range [][]string{{"statusline", "hooks", "mcp"}, {"mcp", "hooks", "statusline"}, {"hooks", "mcp", "statusline"}} {
		for _, name := range []string{"fresh", "populated", "empty objects", "hooks in the config", "narrow"} {
			s := newShop(t)
			for file, text := range homes()[name] {
				s.write(file, text)
			}
			trees := []map[string]string{s.tree()}
			for _, part := range order {
				s.good("install", "--"+part, "--apply")
				trees = append(trees, s.tree())
			}
			s.wired(t)
			for i, part := range slices.Backward(order) {
				s.good("uninstall", "--"+part, "--apply")
				sameTree(t, s.tree(), trees[i])
			}
			for _, part := range order {
				s.good("install", "--apply")
				s.good("uninstall", "--"+part, "--apply")
			}
			s.good("uninstall", "--apply")
			sameTree(t, s.tree(), trees[0])
			if t.Failed() {
				t.Fatalf("%s, %v", name, order)
			}
		}
	}
}

func TestProjects(t *testing.T) {
	s := newShop(t)
	s.dir = filepath.Join(s.home, "shop")
	if err := os.Mkdir(s.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	before := s.tree()
	s.set("CODEX_HOME", s.path("elsewhere"))
	got := s.good("install", "--project", "--apply", "claude-code", "codex")
	for file, want := range map[string]string{".mcp.json": `"ctxmeter": {`, ".claude/settings.json": " statusline", ".codex/config.toml": "env_vars = [\"CODEX_HOME\"]", ".codex/hooks.json": " hook"} {
		if text := s.read(filepath.Join(s.dir, file)); !strings.Contains(text, want) {
			t.Errorf("%s: %s", file, text)
		}
	}
	if !strings.Contains(got.stdout, "others who share the project") {
		t.Errorf("it says\n%s", got.stdout)
	}
	if got := s.good("uninstall", "--apply"); !strings.Contains(got.stdout, "installed elsewhere too") {
		t.Errorf("it says\n%s", got.stdout)
	}
	s.good("uninstall", "--project", "--apply", "--cwd", s.dir)
	sameTree(t, s.tree(), before)
}

func TestOtherFolders(t *testing.T) {
	s := newShop(t)
	claude, codexHome := s.path("c c"), s.path("x")
	s.set("CLAUDE_CONFIG_DIR", claude).set("CODEX_HOME", codexHome)
	s.good("install", "claude-code", "codex", "--apply")
	for file, want := range map[string]string{
		claude + "/settings.json": "statusline", claude + "/.claude.json": "mcpServers",
		codexHome + "/config.toml": "\"--codex-home\", \"" + codexHome + "\"", codexHome + "/hooks.json": "hook",
	} {
		if text := s.read(file); !strings.Contains(text, want) {
			t.Errorf("%s: %s", file, text)
		}
	}
	s.good("uninstall", "--apply")
	for _, dir := range []string{claude, codexHome} {
		if _, err := os.Stat(dir); err == nil {
			t.Errorf("%s is left", dir)
		}
	}
}

func TestWithoutManifestsOursIsRecognized(t *testing.T) {
	for _, name := range []string{"fresh", "populated", "hooks in the config"} {
		s := newShop(t)
		for file, text := range homes()[name] {
			s.write(file, text)
		}
		before := s.tree()
		s.good("install", "--apply")
		if err := os.RemoveAll(s.path("state")); err != nil {
			t.Fatal(err)
		}
		s.good("uninstall", "--apply")
		after := s.tree()
		for file, text := range after {
			if strings.Contains(text, "ctxmeter") {
				t.Errorf("%s: %s has %s", name, file, text)
			}
			if was, ok := before[file]; ok && was != text {
				t.Errorf("%s: %s is %q, was %q", name, file, text, was)
			}
		}
	}
}

func TestConcurrentInstallations(t *testing.T) {
	s := newShop(t)
	for file, text := range homes()["populated"] {
		s.write(file, text)
	}
	before := s.tree()
	var all sync.WaitGroup
	for n := range 12 {
		all.Go(func() {
			if got := s.do("install", "--"+wiring.Parts()[n%3], "--apply"); got.code != 0 {
				t.Errorf("status %d: %s", got.code, got.stderr)
			}
		})
	}
	all.Wait()
	s.wired(t)
	for range 6 {
		all.Go(func() {
			if got := s.do("uninstall", "--apply"); got.code != 0 {
				t.Errorf("status %d: %s", got.code, got.stderr)
			}
		})
	}
	all.Wait()
	sameTree(t, s.tree(), before)
}

func TestWithoutBackupNothingIsWritten(t *testing.T) {
	s := newShop(t)
	s.write("state", "a file in the place of the folder")
	before := s.tree()
	got := s.do("install", "--apply")
	if got.code != 1 || !strings.Contains(got.stderr, "state folder") {
		t.Errorf("status %d, %s", got.code, got.stderr)
	}
	sameTree(t, s.tree(), before)
}

func TestLargeFiles(t *testing.T) {
	s := newShop(t)
	line := "    \"/home/demo/a/project\": {\"history\": [{\"display\": \"a question with \\\"quotes\\\" and {braces}\"}]},\n"
	s.write(claudeState, "{\n  \"projects\": {\n"+strings.Repeat(line, 10<<20/len(line))+"    \"x\": {}\n  }\n}")
	s.write(claudeSettings, `{"env":{"X":"`+strings.Repeat("x", 1<<20)+`"},"a":1}`)
	before := s.tree()
	if got := s.good("install"); len(got.stdout) > 64<<10 {
		t.Errorf("%d bytes are shown", len(got.stdout))
	}
	s.good("install", "--apply")
	s.good("uninstall", "--apply")
	sameTree(t, s.tree(), before)
}

func TestInstallationIsRefused(t *testing.T) {
	s := newShop(t)
	for _, tt := range []struct {
		exe, says string
		args      []string
	}{
		{s.exe, "there is no client", []string{"install", "cursor"}},
		{s.exe, "takes no --json", []string{"--json", "install"}},
		{s.exe, "there is no flag --hook", []string{"install", "--hook"}},
		{"/tmp/go-build1234/b001/exe/ctxmeter", "made by 'go run'", []string{"install"}},
		{"/home/x/.cache/go-build/3f/3fab-d/ctxmeter", "made by 'go run'", []string{"install"}},
	} {
		s.exe = tt.exe
		if got := s.do(tt.args...); got.code != exitNoReading || !strings.Contains(got.stderr, tt.says) {
			t.Errorf("%v with %s: status %d, %s", tt.args, tt.exe, got.code, got.stderr)
		}
	}
	none := newShop(t)
	for _, dir := range []string{".claude", ".codex"} {
		if err := os.Remove(none.path(dir)); err != nil {
			t.Fatal(err)
		}
	}
	if got := none.do("install"); got.code != exitNoReading || !strings.Contains(got.stderr, "neither Claude Code nor Codex") {
		t.Errorf("status %d, %s", got.code, got.stderr)
	}
}

func TestHelpOfInstallation(t *testing.T) {
	for _, command := range []string{"install", "uninstall"} {
		golden(t, "help/"+command+".txt", newRig(t).run(command, "--help").stdout)
	}
}
