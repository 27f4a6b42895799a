package config_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ctxmeter/ctxmeter/config"
)

func TestNearNamesAreSuggestedAndNoOthers(t *testing.T) {
	names := []string{"version", "session-file", "window", "config", "color", "compact-threshold", "codex-home", "claude-dir", "json", "latest"}
	for word, want := range map[string]string{
		"windwo": "window", "session": "session-file", "versin": "version", "colour": "color", "confg": "config", "jsn": "json", "claude": "claude-dir", "compact": "compact-threshold",
		"co": "", "zebra": "", "x": "", "": "", "list": "", "col": "color", "lates": "latest",
	} {
		if got := strings.Join(config.Near(word, names...), " "); got != want {
			t.Errorf("near %q is %q, want %q", word, got, want)
		}
	}
}

func TestVariablesThatLookLikeSettingsAreNamed(t *testing.T) {
	got := config.UnknownVariables([]string{
		"CTXMETER_STALE_AFTR=3", "CTXMETER_ZEBRA=1", "CTXMETER_EMPTY=", "CTXMETER_WINDOW=3", "CTXMETER_CONFIG=x", "CTXMETER_DEBUG=1", "HOME=/x", "MY_CTXMETER_X=1",
	})
	want := []string{
		"CTXMETER_STALE_AFTR is no variable of ctxmeter and has no effect; did you mean CTXMETER_STALE_AFTER?",
		"CTXMETER_ZEBRA is no variable of ctxmeter and has no effect",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestTruthIsWrittenInManyWays(t *testing.T) {
	for text, want := range map[string]bool{"yes": true, "On": true, "1": true, "TRUE": true, "no": false, "off": false, "0": false, "False": false} {
		s, err := config.Resolve(from(t, "", "CTXMETER_NO_CACHE="+text))
		if err != nil || s.NoCache != want {
			t.Errorf("%s is %v, %v", text, s, err)
		}
	}
	for _, value := range []string{`"yes"`, "1", "true"} {
		s, err := config.Resolve(from(t, "no_cache = "+value+"\n"))
		if err != nil || !s.NoCache {
			t.Errorf("%s is %v, %v", value, s, err)
		}
	}
}

func TestAnErrorNamesTheFile(t *testing.T) {
	src := from(t, "windwo = 3\n")
	path := src.Getenv("CTXMETER_CONFIG")
	if _, err := config.Resolve(src); err == nil || !strings.HasPrefix(err.Error(), path+", line 1: ") {
		t.Errorf("named: %v", err)
	}
	src.Home = t.TempDir()
	place := config.FindPlaces(func(string) string { return "" }, src.Home, "linux").File
	if err := os.MkdirAll(filepath.Dir(place), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path, place); err != nil {
		t.Fatal(err)
	}
	src.Getenv = func(string) string { return "" }
	short := filepath.Join("~", ".config", "ctxmeter", "config.toml")
	if _, err := config.Resolve(src); err == nil || !strings.HasPrefix(err.Error(), short+", line 1: ") {
		t.Errorf("the usual one: %v", err)
	}
	src.Flag = func(name string) []string {
		return map[string][]string{"config": {"~" + strings.TrimPrefix(place, src.Home)}}[name]
	}
	if _, err := config.Resolve(src); err == nil || !strings.HasPrefix(err.Error(), place+", line 1: ") {
		t.Errorf("below the home folder: %v", err)
	}
}

// Who mends a file is told all that is wrong in it, not one thing at a time.
func TestAnErrorHoldsAllThatIsWrongInTheFile(t *testing.T) {
	src := from(t, "windwo = 3\nstale_after = \"soon\"\n\n[windows]\n\"glm-*\" = 0\n\n[cutoffs]\nhihg = 70\n")
	src.Flag = func(name string) []string { // a stronger layer does not hide it
		return map[string][]string{"stale-after": {"60"}}[name]
	}
	_, err := config.Resolve(src)
	e, ok := errors.AsType[*config.Error](err)
	if !ok {
		t.Fatalf("a %T: %v", err, err)
	}
	said := []string{e.Error()}
	for _, more := range e.More {
		said = append(said, more.Error())
	}
	path := src.Getenv("CTXMETER_CONFIG")
	want := []string{
		path + `, line 1: unknown key "windwo"; did you mean "window"?`,
		path + `, line 2: stale_after wants seconds such as 120, or 2m, not "soon"`,
		path + `, line 5: windows."glm-*" wants a number of tokens over 0`,
		path + `, line 8: unknown key "cutoffs.hihg"; did you mean "cutoffs.high"?`,
	}
	if !slices.Equal(said, want) {
		t.Errorf("%q, want %q", said, want)
	}
}
