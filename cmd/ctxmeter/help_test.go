package main

import (
	"strings"
	"testing"

	"github.com/ctxmeter/ctxmeter/config"
)

func TestHelp(t *testing.T) {
	for name, args := range map[string][]string{
		"root": {"--help"}, "config": {"config", "--help"}, "demo": {"demo", "-h"},
		"config-path": {"config", "path", "--help"}, "completion": {"completion", "--help"},
		"completion-bash": {"completion", "bash", "--help"}, "help": {"help", "help"},
		"hook": {"hook", "--help"}, "accuracy": {"accuracy", "--help"}, "doctor": {"doctor", "--help"}, "statusline": {"statusline", "--help"},
	} {
		got := newRig(t).run(args...)
		if got.code != 0 || got.stderr != "" {
			t.Errorf("%v: status %d, %s", args, got.code, got.stderr)
		}
		golden(t, "help/"+name+".txt", got.stdout)
	}
	for _, pair := range [][2]string{{"help", "--help"}, {"help demo", "demo --help"}, {"help config path", "config path -h"}, {"help completion zsh", "completion zsh --help"}, {"--help demo", "demo --help"}} {
		a, b := newRig(t).run(strings.Fields(pair[0])...), newRig(t).run(strings.Fields(pair[1])...)
		if a != b || a.code != 0 {
			t.Errorf("%q says\n%s\n%q says\n%s", pair[0], a.stdout, pair[1], b.stdout)
		}
	}
}

func TestHelpFitsTheScreen(t *testing.T) {
	for _, topic := range []string{"", "config", "config path", "demo", "completion", "completion pwsh", "help", "hook", "statusline", "doctor", "accuracy"} {
		for width, most := range map[int]int{0: 78, 200: 78, 78: 78, 60: 60, 40: 40} {
			r := newRig(t)
			if width > 0 {
				r.terminal(width)
			}
			for line := range strings.SplitSeq(r.run(append([]string{"help"}, strings.Fields(topic)...)...).stdout, "\n") {
				if columns(line) > most && strings.Contains(strings.TrimSpace(line), " ") {
					t.Errorf("help %s on %d columns: %q", topic, width, line)
				}
			}
		}
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
