package main

import (
	"strings"
	"testing"
)

func TestFailAt(t *testing.T) {
	r := newRig(t).set("CLAUDE_CONFIG_DIR", sampleFolder(t, 30)) // 79.7 % of the window, 159,449 tokens, critical
	for at, want := range map[string]int{
		"moderate": 1, "high": 1, "critical": 1, "CRITICAL": 1,
		"79%": 1, "79.7%": 1, "81%": 0, "100%": 0,
		"150k": 1, "159000": 1, "160k": 0, "1M": 0,
	} {
		got := r.run("--no-cache", "-t", sampleID, "--fail-at", at)
		if got.code != want || got.stderr != "" {
			t.Errorf("%s: status %d, want %d; %s", at, got.code, want, got.stderr)
		}
		got.reading(t) // it is printed all the same
	}
}

func TestFailAtWhatIsNotKnownIsNoFailure(t *testing.T) {
	r := newRig(t).set("CLAUDE_CONFIG_DIR", sampleFolder(t, 1))
	for _, at := range []string{"high", "85%", "150k"} {
		got := r.run("--no-cache", "-t", sampleID, "--fail-at", at)
		if got.code != 0 || !strings.Contains(got.stderr, "--fail-at "+strings.Replace(at, "150k", "150000", 1)+" could not be checked, and the exit status is 0: nothing is measured in this session yet") {
			t.Errorf("%s: status %d, %q", at, got.code, got.stderr)
		}
		got.reading(t)
	}
}

func TestFailAtOfAnUnknownWindowTellsTheWayOut(t *testing.T) {
	r := newRig(t).set("CLAUDE_CONFIG_DIR", modelFolder(t, "glm-5", 5))
	got := r.run("--no-cache", "-t", sampleID, "--compact-threshold", "100k", "--fail-at", "85%")
	if got.code != 0 || !strings.Contains(got.stderr, "--fail-at 85% could not be checked, and the exit status is 0: the window of this model is not known; give --window TOKENS") {
		t.Errorf("status %d, %q", got.code, got.stderr)
	}
}
