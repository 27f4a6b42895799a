package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctxmeter/ctxmeter/config"
	"github.com/ctxmeter/ctxmeter/meter"
)

const configSample = `stale_after = 30
claude_dirs = ["/srv/claude"]

[cutoffs]
high = 70

[windows]
"glm-*" = "128k"
`

func TestConfigTellsValuesAndOrigins(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(path, []byte(configSample), 0o600); err != nil {
		t.Fatal(err)
	}
	r := newRig(t).set("CTXMETER_CONFIG", path).set("CTXMETER_FAIL_AT", "85%")
	got := r.run("config", "--window", "200k")
	if got.code != 0 || got.stderr != "" {
		t.Fatalf("status %d: %s", got.code, got.stderr)
	}
	golden(t, "config.txt", strings.Replace(got.stdout, path, "CONFIG", 1))

	again := filepath.Join(t.TempDir(), "again.toml")
	if err := os.WriteFile(again, []byte(got.stdout), 0o600); err != nil {
		t.Fatal(err)
	}
	second := newRig(t).run("config", "--config", again)
	if second.code != 0 {
		t.Fatalf("what it prints is no configuration: %s", second.stderr)
	}
	plain := func(text string) (out []string) {
		for line := range strings.SplitSeq(text, "\n") {
			if setting, _, ok := strings.Cut(line, " #"); ok && !strings.HasPrefix(line, "#") {
				out = append(out, strings.TrimSpace(setting))
			}
		}
		return out
	}
	if a, b := strings.Join(plain(got.stdout), "\n"), strings.Join(plain(second.stdout), "\n"); a != b {
		t.Errorf("read again it says\n%s\ninstead of\n%s", b, a)
	}
}

func TestConfigAsJSON(t *testing.T) {
	got := newRig(t).set("CTXMETER_STALE_AFTER", "9").run("config", "--json")
	var out configJSON
	if err := json.Unmarshal([]byte(got.stdout), &out); err != nil {
		t.Fatal(err)
	}
	values := map[string]settingsJSON{}
	for _, s := range out.Settings {
		values[s.Key] = s
	}
	if v := values["stale_after"]; v.Value != 9.0 || v.Source != "environment" || v.Name != "CTXMETER_STALE_AFTER" {
		t.Errorf("stale_after is %+v", v)
	}
	if v := values["window"]; v.Value != nil || v.Source != "default" {
		t.Errorf("window is %+v", v)
	}
	if v := values["cutoffs.critical"]; v.Value != 90.0 {
		t.Errorf("cutoffs.critical is %+v", v)
	}
}

func TestConfigPath(t *testing.T) {
	r := newRig(t)
	want := filepath.Join(r.env["HOME"], ".config", "ctxmeter", "config.toml") + "\n"
	if got := r.run("config", "path"); got.stdout != want {
		t.Errorf("%q, want %q", got.stdout, want)
	}
	broken := filepath.Join(t.TempDir(), "broken.toml")
	if err := os.WriteFile(broken, []byte("["), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := r.run("config", "path", "--config", broken); got.stdout != broken+"\n" || got.code != 0 {
		t.Errorf("of a broken file: %q, %d", got.stdout, got.code)
	}
	var found pathJSON
	if err := json.Unmarshal([]byte(r.run("config", "path", "--config", broken, "--json").stdout), &found); err != nil || found != (pathJSON{1, broken, true}) {
		t.Errorf("as JSON: %+v, %v", found, err)
	}
	delete(r.env, "HOME")
	if f := r.run("config", "path").fault(t); f.Code != meter.CodeBadConfig {
		t.Errorf("without a home: %v", f)
	}
}

func TestConfiguredWindowsAnswerForUnknownModels(t *testing.T) {
	dir := modelFolder(t, "glm-5", 5)
	file := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(file, []byte(configSample), 0o600); err != nil {
		t.Fatal(err)
	}
	r := newRig(t).set("CLAUDE_CONFIG_DIR", dir)
	if got := r.run("--no-cache", "-t", sampleID).reading(t); got.Status != meter.StatusWindowUnknown || got.WindowTokens != nil {
		t.Errorf("an unknown model has status %s, window %v", got.Status, got.WindowTokens)
	}
	got := r.set("CTXMETER_CONFIG", file).run("--no-cache", "-t", sampleID).reading(t)
	if got.WindowTokens == nil || *got.WindowTokens != 128_000 || *got.WindowSource != meter.SourceSettings {
		t.Errorf("configured: %v from %v", got.WindowTokens, got.WindowSource)
	}
	got = r.run("--no-cache", "-t", sampleID, "--window", "64k").reading(t)
	if *got.WindowTokens != 64_000 || *got.WindowSource != meter.SourceCaller {
		t.Errorf("given: %v from %v", *got.WindowTokens, *got.WindowSource)
	}
}

func TestUnknownVariablesAreToldToPeople(t *testing.T) {
	r := newRig(t).set("CLAUDE_CONFIG_DIR", sampleFolder(t, 5)).set("CTXMETER_STALE_AFTR", "3")
	const want = "ctxmeter: CTXMETER_STALE_AFTR is no variable of ctxmeter and has no effect; did you mean CTXMETER_STALE_AFTER?\n"
	if got := r.run("config"); got.code != 0 || got.stderr != want {
		t.Errorf("config: status %d, %q", got.code, got.stderr)
	}
	if got := r.run("-t", sampleID); got.stderr != "" {
		t.Errorf("a program is told, too: %q", got.stderr)
	}
	for _, command := range []string{"config", "hook", "statusline", "-t " + sampleID} {
		r.set("CTXMETER_DEBUG", "1").stdin = "{}"
		if got := r.run(strings.Fields(command)...); strings.Count(got.stderr, want) != 1 || !strings.HasPrefix(got.stderr, want) {
			t.Errorf("for who looks for the cause, %s: %q", command, got.stderr)
		}
		delete(r.env, "CTXMETER_DEBUG")
	}
	if got := r.terminal(200).run("-t", sampleID); got.code != 0 || got.stderr != want {
		t.Errorf("on a terminal: status %d, %q", got.code, got.stderr)
	}
}

// What 'ctxmeter config' shows commented out can be taken over.
func TestConfigShowsEveryKeyAndItsValues(t *testing.T) {
	got := newRig(t).run("config").stdout
	for _, s := range config.All() {
		_, key, ok := strings.Cut(s.Key, ".")
		if !ok {
			key = s.Key
		}
		if s.File && !strings.Contains(got, "\n"+key+" = ") && !strings.Contains(got, "\n# "+key+" = ") {
			t.Errorf("%s is missing", s.Key)
		}
		for _, c := range s.Choices {
			if !strings.Contains(got, c) {
				t.Errorf("%s can be %s, which is not said", s.Key, c)
			}
		}
	}
	if !strings.Contains(got, "\n[windows]\n") || !strings.Contains(got, "auto, claude-code or codex") {
		t.Error("the windows or the clients are missing")
	}
	for line := range strings.SplitSeq(got, "\n") {
		if columns(line) > 80 && !strings.Contains(line, " is not there") {
			t.Errorf("%d columns: %s", columns(line), line)
		}
	}
}

func TestReadingWorksWithoutAHome(t *testing.T) {
	r := newRig(t).set("CLAUDE_CONFIG_DIR", sampleFolder(t, 5))
	r.env = map[string]string{"CLAUDE_CONFIG_DIR": r.env["CLAUDE_CONFIG_DIR"]}
	if got := r.run("-t", sampleID); got.code != 0 {
		t.Errorf("status %d: %s", got.code, got.stderr)
	}
}

// A broken file is what a person asks 'ctxmeter config' about.
func TestConfigTellsAllThatIsWrongInTheFile(t *testing.T) {
	r := newRig(t)
	p := r.program(nil, nil)
	path := config.FindPlaces(p.getenv, p.home(), p.goos).File
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("windwo = 3\n\n[windows]\n\"glm-*\" = \"lots\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	place := filepath.Join("~", ".config", "ctxmeter", "config.toml")
	first, second := place+`, line 1: unknown key "windwo"; did you mean "window"?`, place+`, line 4: windows."glm-*" wants a number of tokens such as 200000 or 200k, not "lots"`
	got := r.terminal(200).run("config")
	if want := "ctxmeter: " + first + "\nctxmeter: " + second + "\n"; got.code != exitNoReading || got.stderr != want || got.stdout != "" {
		t.Errorf("status %d, %q, %q; want %q", got.code, got.stderr, got.stdout, want)
	}
	r.screen = screen{}
	if f := r.run("config"); f.code != exitNoReading || !strings.Contains(f.stdout, `"code":"bad_config"`) {
		t.Errorf("for a program: %+v", f)
	}
	if f := r.run().fault(t); f.Message != first+" ('ctxmeter config' lists 1 more)" {
		t.Errorf("another command: %s", f.Message)
	}
}

// Which flags have no variable is told where it is said that the others have.
func TestHelpAndReadmeNameTheFlagsWithoutAVariable(t *testing.T) {
	readme, err := os.ReadFile(readmePath)
	if err != nil {
		t.Fatal(err)
	}
	r := newRig(t)
	help := strings.Join(strings.Fields(r.run("--help").stdout), " ")
	for _, f := range flags() {
		for _, name := range f.Names() {
			if len(name) == 1 {
				continue
			}
			variable := "CTXMETER_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
			unknown := config.UnknownVariables([]string{variable + "=1"})
			if len(unknown) == 0 {
				continue
			}
			if !strings.Contains(string(readme), "`--"+name+"`") || !strings.Contains(help, " --"+name+" can be") && !strings.Contains(help, "but --"+name+" ") && !strings.Contains(help, " for --"+name+")") {
				t.Errorf("--%s has no variable, and README.md or the help do not say so", name)
			}
		}
	}
	if got := config.UnknownVariables([]string{"CTXMETER_SESSION_ID=1"}); len(got) != 1 || !strings.HasSuffix(got[0], "; did you mean CTXMETER_THREAD_ID?") {
		t.Errorf("%q", got)
	}
}
