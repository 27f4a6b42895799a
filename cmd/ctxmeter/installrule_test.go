package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/paths"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wiring"
)

// byHand are files with entries of ctxmeter that a person, or 'claude mcp add'
// and 'codex mcp add', put there.
func byHand(s *shop, rnd *rand.Rand) map[string]string {
	word := paths.Quoted(s.exe)
	pick := func(of ...string) string { return of[rnd.IntN(len(of))] }
	status := pick("", "",
		`,"statusLine":{"type":"command","command":"`+word+` statusline"}`,
		`,"statusLine":{"command":"`+word+` statusline --color never","type":"command"}`)
	hooks := pick("", "",
		`,"hooks":{"Stop":[{"hooks":[{"type":"command","command":"say done"}]}]}`,
		`,"hooks":{"PostToolUse":[{"hooks":[{"type":"command","command":"`+word+` hook"}]}]}`,
		`,"hooks":{"PostToolUse":[{"hooks":[{"type":"command","command":"`+word+` hook","timeout":5}]}],"Stop":[{"hooks":[{"type":"command","command":"`+word+` hook"}]}]}`)
	server := pick("", `,"mcpServers":{"x":{"command":"y"}}`,
		`,"mcpServers":{"ctxmeter":{"type":"stdio","command":"`+s.exe+`","args":["mcp"],"env":{}}}`,
		`,"mcpServers":{"ctxmeter":{"command":"`+s.exe+`","args":["mcp"],"env":{"A":"b"}}}`,
		`,"mcpServers":{"meter":{"args":["mcp"],"command":"`+s.exe+`","type":"stdio"}}`)
	table := pick("", "[mcp_servers.other]\ncommand = \"y\"\n",
		"[mcp_servers.ctxmeter]\ncommand = \""+s.exe+"\"\nargs = [\"mcp\"]\n",
		"[mcp_servers.ctxmeter]\ncommand = \""+s.exe+"\"\nargs = [\"mcp\", \"--footer\"]\nenv = { A = \"b\" }\n",
		"[mcp_servers.ctxmeter]\nargs = [\"mcp\"]\ncommand = \""+s.exe+"\" # mine\n",
		"[mcp_servers]\nctxmeter = { command = \""+s.exe+"\", args = [\"mcp\"] }\n",
		"[mcp_servers.other]\nargs = [\"mcp\"]\ncommand = \""+s.exe+"\"\n")
	tables := pick("", "\n[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = \"command\"\ncommand = \"say done\"\n",
		"\n[[hooks.PostToolUse]]\n[[hooks.PostToolUse.hooks]]\ntype = \"command\"\ncommand = \""+word+" hook\"\n",
		"\n[[hooks.PostToolUse]]\n[[hooks.PostToolUse.hooks]]\ncommand = \""+word+" hook\"\n# mine\ntimeout = 5\ntype = \"command\"\n",
		"\n[[hooks.PostToolUse]]\nhooks = [{ type = \"command\", command = \""+word+" hook\" }]\n")
	return map[string]string{
		claudeSettings: `{"a":1` + status + hooks + "}\n",
		claudeState:    `{"a":1` + server + "}\n",
		codexConfig:    strings.TrimRight("a = 1\n\n"+table+tables, "\n") + "\n",
	}
}

// Whatever one does, and whatever becomes of the records and of the program, in
// the end nothing is left of what was installed, and all is there that a person
// put there before.
func TestTheRuleOfUninstall(t *testing.T) {
	rnd := rand.New(rand.NewPCG(21, 3))
	for n := range 150 {
		s := newShop(t)
		first := s.exe
		for file, text := range byHand(s, rnd) {
			s.write(file, text)
		}
		before := s.tree()
		var done, programs []string
		for range 2 + rnd.IntN(5) {
			what := ""
			switch rnd.IntN(7) {
			case 0, 1:
				what = "install --apply"
			case 2:
				what = "install --" + wiring.Parts()[rnd.IntN(3)] + " --apply"
			case 3:
				what = "uninstall --" + wiring.Parts()[rnd.IntN(3)] + " --apply"
			case 4:
				what = "lose"
				if err := os.RemoveAll(s.path("state")); err != nil {
					t.Fatal(err)
				}
			case 5:
				what = "damage"
				for _, name := range s.records() {
					if strings.HasSuffix(name, ".json") {
						s.write("state/ctxmeter/installed/"+name, []string{"", "{", "null", "[]", `{"version":0}`}[rnd.IntN(5)])
					}
				}
			case 6:
				what = "move"
				s.exe = filepath.Join(t.TempDir(), "ctxmeter")
				s.write(s.exe, "#!")
				programs = append(programs, s.exe)
			}
			if done = append(done, what); strings.HasPrefix(what, "install") || strings.HasPrefix(what, "uninstall") {
				s.good(strings.Fields(what)...)
			}
		}
		s.good("install", "--apply")
		if rnd.IntN(2) == 0 {
			if err := os.RemoveAll(s.path("state")); err != nil {
				t.Fatal(err)
			}
			done = append(done, "lose")
		}
		s.good("uninstall", "--apply")
		after := s.tree()
		for file, text := range after { // a person's own entries may start the program where it was moved to
			for _, program := range programs {
				text = strings.ReplaceAll(text, program, first)
			}
			after[file] = text
			if _, ok := before[file]; !ok && strings.Trim(text, "{} \n") == "" {
				delete(after, file) // that it was made was forgotten
			}
		}
		if sameTree(t, after, before); t.Failed() {
			t.Fatalf("%d: %v", n, done)
		}
		if left := s.records(); len(left) > 0 {
			t.Fatalf("%d: %v: %v are left", n, done, left)
		}
	}
}

// What is left says so, and how to be rid of it.
func TestWhatIsLeftIsToldWithItsRemoval(t *testing.T) {
	s := newShop(t)
	s.write(claudeState, `{"mcpServers":{"ctxmeter":{"type":"stdio","command":"ctxmeter","args":["mcp"],"env":{}}}}`)
	s.write(codexConfig, "[mcp_servers.ctxmeter]\ncommand = \"ctxmeter\"\nargs = [\"mcp\"]\n")
	before := s.tree()
	for _, args := range [][]string{{"uninstall"}, {"uninstall", "--apply"}} {
		got := s.good(args...)
		for _, want := range []string{"left as yours", "'claude mcp remove --scope user ctxmeter'", "'codex mcp remove ctxmeter'"} {
			if !strings.Contains(got.stdout, want) {
				t.Errorf("%v: no %s in\n%s", args, want, got.stdout)
			}
		}
		sameTree(t, s.tree(), before)
	}
}

// A status line of Codex that loses its server is named; the server of a person
// keeps it.
func TestTheFooterOfCodexIsToldOf(t *testing.T) {
	const footer = "[tui]\nstatus_line_provider = { server = \"ctxmeter\", tool = \"context_status\" }\n"
	s := newShop(t)
	s.write(codexConfig, footer)
	s.good("install", "codex", "--mcp", "--apply")
	s.write(codexConfig, strings.Replace(s.read(codexConfig), `["mcp"]`, `["mcp", "--footer"]`, 1))
	for _, args := range [][]string{{"uninstall"}, {"uninstall", "--apply"}} {
		if got := s.good(args...); !strings.Contains(got.stdout, "tui.status_line_provider still names the server ctxmeter") {
			t.Errorf("%v says %s", args, got.stdout)
		}
	}
	if got := s.read(codexConfig); got != footer {
		t.Errorf("%q", got)
	}
}

// Hooks in a form that nothing can be put into do not keep the server out, and
// the message has what to write.
func TestWhatHindersAPartIsTold(t *testing.T) {
	for text, want := range map[string]string{
		"[hooks]\nPostToolUse = [{ hooks = [{ type = \"command\", command = \"x\" }] }]\n": "hooks.PostToolUse is written as one value, in brackets, and no hook was put into it; add to it: { hooks = [{ command = ",
		"hooks = { Stop = [{ hooks = [{ command = \"x\" }] }] }\n":                         "hooks is written as one value, in brackets, and no hook was put into it; add to it: PostToolUse = [{ hooks = [{ command = ",
		"hooks.Stop = [{ hooks = [{ command = \"x\" }] }]\n":                               "hooks is written by keys with dots, and no hook was put into it; add the line hooks.PostToolUse = [{ hooks = [{ command = ",
		"mcp_servers.x.command = \"y\"\n":                                                  "mcp_servers is written by keys with dots, and nothing was put into it; add the lines mcp_servers.ctxmeter.args = [\"mcp\"] and mcp_servers.ctxmeter.command = ",
		"mcp_servers = { x = { command = \"y\" } }\n":                                      "mcp_servers is written as one value, in brackets, and nothing was put into it; add to it: ctxmeter = { args = [\"mcp\"], command = ",
	} {
		s := newShop(t)
		s.write(codexConfig, text)
		got := s.do("install", "codex", "--apply")
		if got.code != 1 || !strings.Contains(got.stderr, want) {
			t.Errorf("%s: status %d, %s", text, got.code, got.stderr)
		}
		if after := s.read(codexConfig); strings.Contains(text, "hooks") && !strings.Contains(after, "[mcp_servers.ctxmeter]") {
			t.Errorf("%s: the server is not in %s", text, after)
		}
		s.good("uninstall", "--apply")
		if after := s.read(codexConfig); after != text {
			t.Errorf("%q became %q", text, after)
		}
	}
	s := newShop(t)
	text := "[[hooks.PostToolUse]]\nhooks = [{ type = \"command\", command = \"x\" }]\n"
	s.write(codexConfig, text)
	s.good("install", "codex", "--apply")
	s.good("uninstall", "--apply")
	if got := s.read(codexConfig); got != text {
		t.Errorf("%q", got)
	}
	s.write(claudeSettings, `{"hooks":3}`)
	if got := s.do("install", "claude-code", "--apply"); got.code != 1 || !strings.Contains(s.read(claudeSettings), " statusline") || !strings.Contains(got.stderr, "hooks is no object") {
		t.Errorf("status %d, %s\n%s", got.code, got.stderr, s.read(claudeSettings))
	}
}

// Entries that cannot work are not called installed.
func TestWhatCannotWorkIsNotCalledInstalled(t *testing.T) {
	for name, tt := range map[string]struct{ part, file, text, says string }{
		"no type":       {"statusline", claudeSettings, `{"statusLine":{"command":"ctxmeter statusline"}}`, "refuses this file as a whole"},
		"unknown flag":  {"statusline", claudeSettings, `{"statusLine":{"type":"command","command":"ctxmeter statusline --nonsense"}}`, "the status line cannot start with the arguments"},
		"of the server": {"mcp", codexConfig, "[mcp_servers.ctxmeter]\ncommand = \"ctxmeter\"\nargs = [\"mcp\", \"--nope\"]\n", "the MCP server cannot start with the arguments"},
	} {
		s := newShop(t)
		s.set("PATH", filepath.Dir(s.exe))
		if err := os.Chmod(s.exe, 0o700); err != nil {
			t.Fatal(err)
		}
		s.write(tt.file, tt.text)
		got := s.good("install", "--"+tt.part)
		if !strings.Contains(got.stdout, tt.says) || strings.Contains(got.stdout, s.path(tt.file)+": already installed") {
			t.Errorf("%s: %s", name, got.stdout)
		}
	}
	s := newShop(t)
	s.write(claudeSettings, `{"statusLine":{"type":"command","command":"`+paths.Quoted(s.exe)+` statusline --color never"}}`)
	if got := s.good("install", "claude-code", "--statusline"); !strings.Contains(got.stdout, "already installed") {
		t.Errorf("%s", got.stdout)
	}
}

// An entry on one line of TOML is brought up to date where it stands.
func TestEntriesOnOneLineAreBroughtUpToDate(t *testing.T) {
	s := newShop(t)
	text := "[mcp_servers]\nctxmeter = { command = \"/gone/ctxmeter\", args = [\"mcp\"], env = { A = \"b\" } } # mine\n\n[[hooks.PostToolUse]]\nhooks = [{ type = \"command\", command = '/gone/ctxmeter hook' }]\n"
	s.write(codexConfig, text)
	s.good("install", "codex", "--apply")
	want := strings.NewReplacer(`"/gone/ctxmeter"`, `"`+s.exe+`"`, "'/gone/ctxmeter hook'", `"`+paths.Quoted(s.exe)+` hook"`).Replace(text)
	if got := s.read(codexConfig); !strings.HasPrefix(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	s.good("uninstall", "--apply")
	if got := s.read(codexConfig); got != text {
		t.Errorf("%q", got)
	}
}

// Folders that an installation made for its state go with it, if nothing else
// is in them by then.
func TestFoldersOfTheStateGo(t *testing.T) {
	s := newShop(t)
	s.set("XDG_STATE_HOME", s.path("a/b"))
	before := s.tree()
	s.good("install", "--apply")
	s.good("install", "--mcp", "--apply")
	s.good("uninstall", "--apply")
	sameTree(t, s.tree(), before)
	s.good("install", "--apply")
	s.write("a/mine", "x")
	s.good("uninstall", "--apply")
	if _, err := os.Stat(s.path("a/b")); err == nil || s.read("a/mine") != "x" {
		t.Error("not only what was made is gone, or not all of it")
	}
}

// A draft whose process is gone is removed at once, even if there is nothing to
// change.
func TestDraftsOfTheDeadGoAtOnce(t *testing.T) {
	for _, args := range [][]string{{"install", "--apply"}, {"uninstall", "--apply"}} {
		s := newShop(t)
		if args[0] == "install" {
			s.good(args...)
		}
		const gone = 1 << 30 // no system numbers its processes so
		draft := fmt.Sprintf(".claude/.ctxmeter-%d.tmp", uint64(gone)<<32|7)
		mine := fmt.Sprintf(".claude/.ctxmeter-%d.tmp", uint64(os.Getpid())<<32|7)
		s.write(draft, "x")
		s.write(mine, "x")
		s.good(args[:1]...)
		s.read(draft) // a dry run changes nothing
		s.good(args...)
		if _, err := os.Stat(s.path(draft)); err == nil {
			t.Errorf("%v: it is left", args)
		}
		s.read(mine)
	}
}
