package main

import (
	"strings"
	"testing"

	"github.com/ctxmeter/ctxmeter/config"
)

func TestHelp(t *testing.T) {
	for name, args := range map[string][]string{
		"root": {"--help"}, "config": {"config", "--help"}, "demo": {"demo", "-h"},
	} {
		got := newRig(t).run(args...)
		if got.code != 0 || got.stderr != "" {
			t.Errorf("%v: status %d, %s", args, got.code, got.stderr)
		}
		golden(t, "help/"+name+".txt", got.stdout)
	}
	if a, b := newRig(t).run("help", "demo"), newRig(t).run("demo", "--help"); a != b {
		t.Errorf("'help demo' says\n%s\n'demo --help' says\n%s", a.stdout, b.stdout)
	}
}

func TestHelpNamesEveryFlag(t *testing.T) {
	got := newRig(t).run("--help").stdout
	for _, s := range config.All() {
		if s.Flag != "" && !strings.Contains(got, "--"+s.Flag) {
			t.Errorf("--%s is missing", s.Flag)
		}
	}
	if strings.Contains(got, "`") {
		t.Error("a placeholder kept its quotes")
	}
}

func TestVersion(t *testing.T) {
	for _, flag := range []string{"--version", "-v"} {
		got := newRig(t).run(flag)
		if got.code != 0 || !strings.HasPrefix(got.stdout, "ctxmeter ") || strings.Count(got.stdout, "\n") != 1 {
			t.Errorf("%s: status %d, %q", flag, got.code, got.stdout)
		}
	}
}
