package main

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/paths"
)

func TestHowTheClientsStartCtxmeter(t *testing.T) {
	s := newShop(t)
	other := t.TempDir()
	s.write(filepath.Join(other, "ctxmeter"), "#!")
	for _, name := range []string{s.exe, filepath.Join(other, "ctxmeter")} {
		if err := os.Chmod(name, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	here := filepath.Dir(s.exe)
	for _, tt := range []struct{ path, want string }{
		{"", s.exe},
		{here, "ctxmeter"},
		{other + string(filepath.ListSeparator) + here, s.exe}, // another one comes first
		{here + string(filepath.ListSeparator) + other, "ctxmeter"},
		{".", s.exe},
	} {
		i := newInstaller(s.set("PATH", tt.path).program(nil, nil))
		i.executable = func() (string, error) { return s.exe, nil }
		got, err := i.findSelf()
		if err != nil || got.program != tt.want || got.shell != paths.Quoted(tt.want) || got.cmd != paths.Quoted(tt.want) {
			t.Errorf("with %q: %+v, %v", tt.path, got, err)
		}
	}
}

func TestHowTheClientsStartCtxmeterOnWindows(t *testing.T) {
	short := func(path string) (string, error) {
		return strings.ReplaceAll(path, "Program Files", "PROGRA~1"), nil
	}
	none := func(string) (string, error) { return "", errors.New("no short names") }
	for _, tt := range []struct {
		exe        string
		short      func(string) (string, error)
		shell, cmd string // "" is refused
	}{
		{`C:\Users\jo\go\bin\ctxmeter.exe`, none, "C:/Users/jo/go/bin/ctxmeter.exe", `C:\Users\jo\go\bin\ctxmeter.exe`},
		{`C:\Program Files\ctxmeter\ctxmeter.exe`, short, "C:/PROGRA~1/ctxmeter/ctxmeter.exe", `C:\PROGRA~1\ctxmeter\ctxmeter.exe`},
		{`C:\Program Files\ctxmeter\ctxmeter.exe`, none, "", ""},
		{`C:\Users\jo & al\ctxmeter.exe`, short, "", ""},
	} {
		got, err := windowsSelf(tt.exe, tt.short)
		if (err != nil) != (tt.shell == "") || got.shell != tt.shell || got.cmd != tt.cmd {
			t.Errorf("%s: %+v, %v", tt.exe, got, err)
		}
		if err == nil && (got.program != tt.exe || !ours(got.shell+" statusline", partStatusLine) || !ours(got.cmd+" hook", partHooks)) {
			t.Errorf("%s: %+v is not recognized", tt.exe, got)
		}
	}
}

// A shell is asked, as the client will ask it, with a path that needs quoting.
func TestTheCommandIsTried(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a script stands in for ctxmeter")
	}
	if _, err := exec.LookPath("/bin/sh"); err != nil {
		t.Skip("no shell")
	}
	dir := filepath.Join(t.TempDir(), "it's here $HOME")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	exe := filepath.Join(dir, "ctxmeter")
	for script, fine := range map[string]bool{
		"#!/bin/sh\necho ctxmeter v1 $#\n": true, "#!/bin/sh\necho something\n": false, "#!/bin/sh\nexit 3\n": false,
	} {
		if err := os.WriteFile(exe, []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
		err := self{exe, paths.Quoted(exe), paths.Quoted(exe)}.try(context.Background(), "linux")
		if (err == nil) != fine {
			t.Errorf("%q: %v", script, err)
		}
	}
}

func TestWhatDoesNotWorkIsNotInstalled(t *testing.T) {
	s := newShop(t)
	before := s.tree()
	p := s.program(&strings.Builder{}, &strings.Builder{})
	i := newInstaller(p)
	i.executable = func() (string, error) { return s.exe, nil } // no program at all
	i.selection = selection{install: true, apply: true, parts: allParts(), clients: []string{clientClaude}, roots: []string{s.path(".claude")}}
	if err := i.run(context.Background()); !errors.Is(err, errPartly) {
		t.Errorf("%v", err)
	}
	sameTree(t, s.tree(), before)
}

func TestCommandsOfOursAreRecognized(t *testing.T) {
	for command, want := range map[string]bool{
		"ctxmeter statusline":                        true,
		"/usr/local/bin/ctxmeter  statusline":        true,
		"'/o l d/ctxmeter' statusline --ascii":       true,
		`"C:/Program Files/ctxmeter.exe" statusline`: true,
		`C:\bin\CTXMETER.EXE statusline`:             true,
		`'/it'\''s/ctxmeter' statusline`:             true,
		"ctxmeter hook":                              false,
		"ctxmeter":                                   false,
		"":                                           false,
		"my-ctxmeter statusline":                     false,
		"ctxmeter statusline | tee /tmp/x":           false,
		"ctxmeter statusline; other":                 false,
		"echo ctxmeter statusline":                   false,
		"$HOME/bin/ctxmeter statusline":              false, // a shell would do more than run it
		`"/open/ctxmeter statusline`:                 false,
		"sh -c 'ctxmeter statusline'":                false,

		`ctxmeter statusline "\" ' "$(id) # '`:   false, // a quote in quotes
		`ctxmeter statusline "\" ' ">/tmp/x #'`:  false,
		`ctxmeter statusline "a\\"`:              false,
		"ctxmeter statusline # note":             false,
		"ctxmeter statusline *":                  false,
		"ctxmeter statusline a?":                 false,
		"ctxmeter statusline [a]":                false,
		"ctxmeter statusline {a,b}":              false,
		"ctxmeter statusline !a":                 false,
		"ctxmeter statusline ~/a":                false,
		"~/bin/ctxmeter statusline":              false,
		"ctxmeter statusline \"%PATH%\"":         false,
		"ctxmeter statusline ^a":                 false,
		"ctxmeter statusline\nother":             false,
		"ctxmeter statusline 'a\nb'":             false,
		"ctxmeter statusline\r":                  false,
		"ctxmeter statusline \xff":               false,
		"ctxmeter statusline (a)":                false,
		"ctxmeter statusline a&b":                false,
		"ctxmeter statusline \"`id`\"":           false,
		"A=/ctxmeter statusline":                 false,
		`/opt/a\b/ctxmeter statusline`:           false, // sh takes the backslash away
		`'/opt/a\b/ctxmeter' statusline`:         true,
		`/opt/a\ b/ctxmeter statusline`:          true,
		`"/opt/a\b/ctxmeter" statusline`:         true,
		`\\server\share\ctxmeter.exe statusline`: true,
		"ctxmeter statusline --claude-dir=/a":    true,
		"C:/PROGRA~1/x/ctxmeter.exe statusline":  true,
		"/opt/ü/ctxmeter statusline":             true,
		`"/a b/(x) #1*/ctxmeter" statusline`:     true, // nothing special in quotes
		`'$HOME' statusline`:                     false,
	} {
		if got := ours(command, partStatusLine); got != want {
			t.Errorf("%s: %v", command, got)
		}
	}
}

// The words are those that a shell would start: asked of one, and of Windows as
// its paths are meant.
func TestWordsAreWhatAShellMakesOfThem(t *testing.T) {
	for command, want := range map[string]string{
		`\\server\share\ctxmeter.exe hook`:      `\\server\share\ctxmeter.exe|hook`,
		`"\\server\share x\ctxmeter.exe" hook`:  `\\server\share x\ctxmeter.exe|hook`,
		`C:\a\ctxmeter.exe hook --cwd "D:\b c"`: `C:\a\ctxmeter.exe|hook|--cwd|D:\b c`,
	} {
		if words, _, plain := shellWords(command); !plain || strings.Join(words, "|") != want {
			t.Errorf("%s: %q, %v", command, words, plain)
		}
	}
	sh, err := exec.LookPath("/bin/sh")
	if err != nil || runtime.GOOS == "windows" {
		t.Skip("no shell")
	}
	pieces := []string{"a", "ctxmeter", " ", "  ", "'", `"`, `\`, `\\`, `\"`, `\'`, "$A", "`", "#", "*", "?", "[a]", "~", "{a,b}", "!", "=", "%", "^", ";", "|", "&", "<", ">", "(", ")", "\n", "\t", "/", ":", ",", "ü", "-", "."}
	rnd := rand.New(rand.NewPCG(3, 4))
	var script strings.Builder
	var commands, want []string
	script.WriteString("p() { printf '%s|' \"$@\"; printf '\\n'; }\n")
	for range 20_000 {
		var b strings.Builder
		for range 1 + rnd.IntN(7) {
			b.WriteString(pieces[rnd.IntN(len(pieces))])
		}
		words, _, plain := shellWords("p " + b.String())
		if !plain || strings.Contains(b.String(), ":") { // a path of Windows, perhaps
			continue
		}
		commands, want = append(commands, b.String()), append(want, strings.Join(words[1:], "|")+"|")
		script.WriteString("p " + b.String() + "\n")
	}
	if len(commands) < 200 {
		t.Fatalf("only %d plain commands were made up", len(commands))
	}
	cmd := exec.Command(sh)
	cmd.Stdin, cmd.Dir = strings.NewReader(script.String()), t.TempDir()
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if len(got) != len(want) {
		t.Fatalf("%d lines of %d", len(got), len(want))
	}
	for n := range want {
		if got[n] != want[n] {
			t.Errorf("%q is %q to a shell, not %q", commands[n], got[n], want[n])
		}
	}
}

// What mentions ctxmeter without running that part of it, is no concern.
func TestCommandsThatCallOursAreRecognized(t *testing.T) {
	for command, want := range map[string]bool{
		"ctxmeter hook || true":             true,
		"cd /x && /opt/ctxmeter hook":       true,
		`sh -c 'ctxmeter hook'`:             true,
		`"C:/a b/ctxmeter.exe" hook; other`: true,
		"ctxmeter --color never hook":       true,
		"~/src/ctxmeter/hooks/format.sh":    false,
		"my-ctxmeter hook":                  false,
		"ctxmeter line | hook":              false,
		"hook ctxmeter":                     false,
	} {
		if got := callsOurs(command, partHooks); got != want {
			t.Errorf("%s: %v", command, got)
		}
	}
}

func TestHelpOfInstallation(t *testing.T) {
	for _, command := range []string{"install", "uninstall"} {
		golden(t, "help/"+command+".txt", newRig(t).run(command, "--help").stdout)
	}
}
