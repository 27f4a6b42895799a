package main

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/doctor"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wiring"
)

func TestDoctorLooksAtPlugins(t *testing.T) {
	for _, tt := range []struct {
		name                string
		with                func(w *ward)
		check, status, text string // a finding that there is
		mend                string // part of what is to be done
	}{
		{"of Claude Code", func(w *ward) { w.withPlugin(wiring.ClientClaude) }, "plugin", "ok", "ctxmeter@ctxmeter in ~/.claude brings hooks and MCP server; its hooks work (0s)", ""},
		{"of Codex", func(w *ward) { w.withPlugin(wiring.ClientCodex) }, "plugin", "ok", "ctxmeter@ctxmeter in ~/.codex brings hooks and MCP server; its hooks work (0s)", ""},
		{"trust", func(w *ward) { w.withPlugin(wiring.ClientCodex) }, "hook trust", "note", "trusted", "start codex"},
		{"no program", func(w *ward) { w.withPlugin(wiring.ClientCodex); w.set("PATH", "") }, "plugin", "problem", "and there is none", "on the PATH"},
		{"does not work", func(w *ward) {
			w.withPlugin(wiring.ClientClaude)
			w.results[wiring.PartHooks] = doctor.Result{Fault: "it ends with an error"}
		}, "plugin", "problem", "its hooks do not work: it ends with an error", "demo"},
		{"slow", func(w *ward) {
			w.withPlugin(wiring.ClientClaude)
			w.results[wiring.PartHooks] = doctor.Result{Took: time.Second}
		}, "plugin", "note", "took 1s", "busy"},
		{"turned off", func(w *ward) {
			w.withPlugin(wiring.ClientClaude)
			w.write(claudeSettings, `{"enabledPlugins":{"ctxmeter@ctxmeter":false}}`)
		}, "plugin", "ok", "turned off (by the settings of the user)", ""},
		{"turned off in the project", func(w *ward) {
			w.withPlugin(wiring.ClientClaude)
			w.write(w.dir+"/.claude/settings.json", `{"enabledPlugins":{"ctxmeter@ctxmeter":false}}`)
		}, "plugin", "ok", "turned off (by the settings of the project)", ""},
		{"not installed", func(w *ward) {
			w.write(w.dir+"/.claude/settings.json", `{"enabledPlugins":{"ctxmeter@ctxmeter":true}}`)
		}, "plugin", "note", "but not installed", "'claude plugin install ctxmeter@ctxmeter --scope project'"},
		{"not installed in Codex", func(w *ward) {
			w.withPlugin(wiring.ClientCodex)
			_ = os.RemoveAll(w.path(".codex/plugins"))
		}, "plugin", "note", "but not installed", "'codex plugin add ctxmeter@ctxmeter'"},
		{"empty", func(w *ward) {
			w.withPlugin(wiring.ClientCodex)
			w.write(".codex/plugins/cache/ctxmeter/ctxmeter/local/.codex-plugin/plugin.json", "{}")
		}, "plugin", "note", "brings nothing", "anew"},
		{"hooks twice", func(w *ward) {
			w.good("install", "codex", "--hooks", "--apply")
			w.withPlugin(wiring.ClientCodex)
		}, "hooks", "note", "they are in ~/.codex/hooks.json, too", "'ctxmeter uninstall codex --hooks --apply'"},
		{"server twice", func(w *ward) {
			w.good("install", "claude-code", "--mcp", "--apply")
			w.withPlugin(wiring.ClientClaude)
		}, "MCP server", "note", "it is in ~/.claude.json, too", "'claude plugin uninstall ctxmeter@ctxmeter'"},
		{"two plugins", func(w *ward) {
			w.withPlugin(wiring.ClientCodex)
			w.write(codexConfig, w.read(codexConfig)+"[plugins.\"ctxmeter@mine\"]\n")
			w.write(".codex/plugins/cache/mine/ctxmeter/1.0.0/.codex-plugin/plugin.json", w.read(".codex/plugins/cache/ctxmeter/ctxmeter/local/.codex-plugin/plugin.json"))
		}, "hooks", "note", "they are brought by ctxmeter@ctxmeter, too", "'codex plugin remove ctxmeter@mine'"},
		{"status line with a plugin", func(w *ward) { w.withPlugin(wiring.ClientClaude) }, "status line", "note", "not installed in claude-code", "--statusline"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWard(t)
			tt.with(w)
			found := w.findings()
			for _, f := range found {
				if f.Check == tt.check && f.Status == tt.status && strings.Contains(f.Text, tt.text) && strings.Contains(f.Mend, tt.mend) {
					return
				}
			}
			t.Errorf("no such finding among %+v", found)
		})
	}
}

// What a plugin brings is not missing.
func TestDoctorDoesNotMissWhatAPluginBrings(t *testing.T) {
	w := newWard(t)
	w.withPlugin(wiring.ClientClaude).withPlugin(wiring.ClientCodex)
	for _, f := range w.findings() {
		if strings.Contains(f.Text, "not installed") && f.Check != "status line" || strings.Contains(f.Text, "too:") {
			t.Errorf("%+v", f)
		}
	}
	if len(w.trials) != 1 || w.trials[0].Words[0] != w.exe {
		t.Errorf("tried: %+v", w.trials)
	}
}
