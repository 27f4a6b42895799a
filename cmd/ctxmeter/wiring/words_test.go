package wiring

import (
	"math/rand/v2"
	"os/exec"
	"runtime"
	"strings"
	"testing"
)

// The words are those that a shell would start: asked of one, and of Windows as
// its paths are meant.
func TestWordsAreWhatAShellMakesOfThem(t *testing.T) {
	for command, want := range map[string]string{
		`\\server\share\ctxmeter.exe hook`:      `\\server\share\ctxmeter.exe|hook`,
		`"\\server\share x\ctxmeter.exe" hook`:  `\\server\share x\ctxmeter.exe|hook`,
		`C:\a\ctxmeter.exe hook --cwd "D:\b c"`: `C:\a\ctxmeter.exe|hook|--cwd|D:\b c`,
	} {
		if words, _, plain := ShellWords(command); !plain || strings.Join(words, "|") != want {
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
		words, _, plain := ShellWords("p " + b.String())
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
		if got := Ours(command, PartStatusLine); got != want {
			t.Errorf("%s: %v", command, got)
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
		if got := CallsOurs(command, PartHooks); got != want {
			t.Errorf("%s: %v", command, got)
		}
	}
}
