package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

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
	delete(r.env, "HOME")
	if f := r.run("config", "path").fault(t); f.Code != meter.CodeBadConfig {
		t.Errorf("without a home: %v", f)
	}
}

func TestConfiguredWindowsAnswerForUnknownModels(t *testing.T) {
	dir := sampleFolder(t, 5)
	path := filepath.Join(dir, "projects", "-home-demo-flower-shop", sampleID+".jsonl")
	data, err := os.ReadFile(path)
	if err == nil {
		err = os.WriteFile(path, []byte(strings.ReplaceAll(string(data), "claude-sonnet-4-6", "glm-5")), 0o600)
	}
	file := filepath.Join(t.TempDir(), "config.toml")
	if err == nil {
		err = os.WriteFile(file, []byte(configSample), 0o600)
	}
	if err != nil {
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

func TestReadingWorksWithoutAHome(t *testing.T) {
	r := newRig(t).set("CLAUDE_CONFIG_DIR", sampleFolder(t, 5))
	r.env = map[string]string{"CLAUDE_CONFIG_DIR": r.env["CLAUDE_CONFIG_DIR"]}
	if got := r.run("-t", sampleID); got.code != 0 {
		t.Errorf("status %d: %s", got.code, got.stderr)
	}
}
