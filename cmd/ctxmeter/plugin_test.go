package main

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wiring"
)

// The repository is a marketplace of both clients, with one plugin in it:
//
//	.claude-plugin/marketplace.json    for both (codex-cli 0.171.0 reads it too)
//	.plugin/.claude-plugin/plugin.json for Claude Code: its hooks
//	.plugin/.mcp.json                  and its server
//	.plugin/.codex-plugin/plugin.json  for Codex: hooks and server
//
// Codex would take the server of a plugin of Claude Code as it is, but not the
// hooks, and it hands a server no CODEX_HOME unless told to. Of a server within
// plugin.json Claude Code makes no mention where it lists what a plugin brings
// (2.1.197), so it has a file of its own.
//
// No manifest has a version. Without one, Claude Code goes by the commit, and
// Codex by nothing: it copies the plugin anew when the marketplace is upgraded.
// A version would have to be raised with every change, or nobody got it; and
// Codex asks for trust again whenever a byte in the folder is another one.
const (
	pluginRoot   = "../.."
	pluginFolder = ".plugin"
	pluginMarket = "ctxmeter"
)

const (
	pluginAuthor  = "The ctxmeter authors"
	pluginInstall = "go install github.com/ctxmeter/ctxmeter/cmd/ctxmeter@latest"
)

// manifest is that of a plugin, of either client.
type manifest struct {
	Name        string            `json:"name"`
	Description string            `json:"description"`
	Author      map[string]string `json:"author"`
	Homepage    string            `json:"homepage"`
	Repository  string            `json:"repository"`
	License     string            `json:"license"`
	Hooks       json.RawMessage   `json:"hooks"`
	Servers     json.RawMessage   `json:"mcpServers,omitempty"`
}

// pluginFiles are the files as they have to be, by their paths.
func pluginFiles(t *testing.T) map[string]string {
	t.Helper()
	// Only here can a person read what is needed: without the program, a hook
	// fails as 'ctxmeter: not found' (2.1.197) or 'hook exited with code 127'
	// (0.171.0), and a server without a reason.
	about := "How full the context window is: hooks that warn the agent and its user in time, and a tool that the agent can ask. Needs the program ctxmeter on the PATH: " + pluginInstall
	s := newShop(t)
	s.set("PATH", filepath.Dir(s.exe)) // a plugin starts it by its name
	if err := os.Chmod(s.exe, 0o700); err != nil {
		t.Fatal(err)
	}
	s.good("install", "--hooks", "--mcp", "--apply") // a plugin cannot bring a status line (2.1.197: statusLine in its settings.json is passed over)
	// A plugin's server is written as in config.toml, but in JSON (0.171.0).
	codexServer := map[string]any{"ctxmeter": map[string]any{"command": "ctxmeter", "args": []string{wiring.Subcommand(wiring.PartMCP)}, "env_vars": []string{"CODEX_HOME"}}}
	claude := manifest{
		Name: wiring.PluginName, Description: about, Author: map[string]string{"name": pluginAuthor},
		Homepage: "https://" + module, Repository: "https://" + module, License: "MIT",
		Hooks: member(t, []byte(s.read(claudeSettings)), "hooks"),
	}
	codex := claude
	codex.Hooks, codex.Servers = []byte(s.read(codexHookFile)), jsonText(t, codexServer)
	market := struct {
		Name     string              `json:"name"`
		Owner    map[string]string   `json:"owner"`
		Metadata map[string]string   `json:"metadata"`
		Plugins  []map[string]string `json:"plugins"`
	}{
		pluginMarket, claude.Author,
		map[string]string{"description": "ctxmeter for Claude Code and Codex"},
		[]map[string]string{{"name": wiring.PluginName, "source": "./" + pluginFolder, "description": about}},
	}
	out := map[string]string{}
	for path, v := range map[string]any{
		".claude-plugin/marketplace.json":            market,
		pluginFolder + "/.claude-plugin/plugin.json": claude,
		pluginFolder + "/.mcp.json":                  json.RawMessage(s.read(claudeState)),
		pluginFolder + "/.codex-plugin/plugin.json":  codex,
	} {
		var b bytes.Buffer
		if err := json.Indent(&b, jsonText(t, v), "", "  "); err != nil {
			t.Fatal(err)
		}
		out[path] = strings.TrimSpace(b.String()) + "\n"
	}
	return out
}

func jsonText(t *testing.T, v any) json.RawMessage {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func member(t *testing.T, object json.RawMessage, key string) json.RawMessage {
	t.Helper()
	var members map[string]json.RawMessage
	if err := json.Unmarshal(object, &members); err != nil || members[key] == nil {
		t.Fatalf("%s of %s: %v", key, object, err)
	}
	return members[key]
}

// The plugin does what 'ctxmeter install' does: its files are made from the
// same tables.
func TestPluginFilesAreUpToDate(t *testing.T) {
	want := pluginFiles(t)
	for path, text := range want {
		file := filepath.Join(pluginRoot, filepath.FromSlash(path))
		if *update {
			err := os.MkdirAll(filepath.Dir(file), 0o755)
			if err == nil {
				err = os.WriteFile(file, []byte(text), 0o644)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(file)
		if err != nil || strings.ReplaceAll(string(got), "\r\n", "\n") != text {
			t.Errorf("%s differs (go test ./cmd/ctxmeter -update rewrites it): %v\n%s\nwant\n%s", path, err, got, text)
		}
	}
	// What else lies there would be copied to everybody, and cost them the
	// trust in the hooks of Codex.
	for _, dir := range []string{pluginFolder, ".claude-plugin"} {
		err := filepath.WalkDir(filepath.Join(pluginRoot, dir), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			name, err := filepath.Rel(pluginRoot, path)
			if _, ok := want[filepath.ToSlash(name)]; !ok {
				t.Errorf("%s does not belong there", name)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// What the manifests say of the program, and the README of the plugin, leads
// somewhere.
func TestReadmeAndPluginNameEachOther(t *testing.T) {
	text, err := os.ReadFile(readmePath)
	if err != nil {
		t.Fatal(err)
	}
	id := wiring.PluginName + "@" + pluginMarket
	for _, want := range []string{
		pluginInstall,
		wiring.Plugin{ID: id, Client: wiring.ClientClaude, Scope: wiring.ScopeUser}.Addition() + "\n",
		wiring.Plugin{ID: id, Client: wiring.ClientCodex}.Addition() + "\n",
		"`" + wiring.Plugin{ID: id, Client: wiring.ClientClaude, Scope: wiring.ScopeUser}.Removal() + "`",
		"`" + wiring.Plugin{ID: id, Client: wiring.ClientCodex}.Removal() + "`",
		"`mcp__plugin_" + wiring.PluginName + "_" + "ctxmeter" + "__" + toolName + "`",
	} {
		if !bytes.Contains(text, []byte(want)) {
			t.Errorf("README.md does not have %q", want)
		}
	}
}

// withPlugin installs the plugin into a client of a shop, as the client does.
func (s *shop) withPlugin(client string) *shop {
	s.t.Helper()
	folder := filepath.Join(s.home, ".codex", "plugins", "cache", "ctxmeter", "ctxmeter", "local")
	if client == wiring.ClientClaude {
		folder = filepath.Join(s.home, ".claude", "plugins", "cache", "ctxmeter", "ctxmeter", "0123456789ab")
		s.write(claudeSettings, `{"enabledPlugins":{"ctxmeter@ctxmeter":true,"other@ctxmeter":true}}`)
		s.register("")
	} else {
		s.write(codexConfig, "[plugins.\"ctxmeter@ctxmeter\"]\nenabled = true\n")
	}
	if err := os.CopyFS(folder, os.DirFS(filepath.Join(pluginRoot, pluginFolder))); err != nil {
		s.t.Fatal(err)
	}
	return s
}

// register writes the register of Claude Code, for a project or for the user.
func (s *shop) register(project string) {
	s.t.Helper()
	text, err := json.Marshal(map[string]any{"version": 2, "plugins": map[string]any{"ctxmeter@ctxmeter": []map[string]string{{
		"scope": "user", "projectPath": project, "installPath": s.path(".claude/plugins/cache/ctxmeter/ctxmeter/0123456789ab"),
	}}}})
	if err != nil {
		s.t.Fatal(err)
	}
	s.write(".claude/plugins/installed_plugins.json", string(text))
}

func TestInstallLeavesOutWhatAPluginBrings(t *testing.T) {
	s := newShop(t).withPlugin(wiring.ClientClaude).withPlugin(wiring.ClientCodex)
	before := s.tree()
	got := s.good("install", "--apply")
	for _, want := range []string{
		s.path(claudeSettings) + ": the plugin ctxmeter@ctxmeter brings the hooks: they are left out",
		s.path(claudeState) + ": the plugin ctxmeter@ctxmeter brings the MCP server: it is left out",
		s.path(codexConfig) + ": the plugin ctxmeter@ctxmeter brings the MCP server: it is left out",
		s.path(codexHookFile) + ": the plugin ctxmeter@ctxmeter brings the hooks: they are left out",
	} {
		if !strings.Contains(got.stdout, want+"\n") {
			t.Errorf("it does not say %q:\n%s", want, got.stdout)
		}
	}
	if !strings.Contains(got.stdout, "and this one is not there: put its folder on the PATH") {
		t.Errorf("it does not say that the plugin will not find it:\n%s", got.stdout)
	}
	if text := s.read(claudeSettings); !strings.Contains(text, "ctxmeter statusline") || strings.Contains(text, " hook\"") {
		t.Errorf("the settings are\n%s", text)
	}
	if text := s.read(codexConfig); strings.Contains(text, "mcp_servers") {
		t.Errorf("the configuration is\n%s", text)
	}
	got = s.good("uninstall", "--apply")
	sameTree(t, s.tree(), before)
	for _, want := range []string{"'claude plugin uninstall ctxmeter@ctxmeter'", "'codex plugin remove ctxmeter@ctxmeter'"} {
		if !strings.Contains(got.stdout, want) {
			t.Errorf("it does not say how to remove the plugin (%s):\n%s", want, got.stdout)
		}
	}
}

// What was installed before the plugin came is not taken out unasked.
func TestInstallTellsOfWhatIsThereTwice(t *testing.T) {
	s := newShop(t)
	s.good("install", "claude-code", "--apply")
	settings, state := s.read(claudeSettings), s.read(claudeState)
	s.withPlugin(wiring.ClientClaude)
	s.write(claudeSettings, strings.Replace(settings, "{", `{"enabledPlugins":{"ctxmeter@ctxmeter":true},`, 1))
	settings = s.read(claudeSettings)
	got := s.good("install", "claude-code", "--apply")
	if s.read(claudeSettings) != settings || s.read(claudeState) != state {
		t.Error("the files were changed")
	}
	for _, want := range []string{
		"brings the hooks, and they are in this file, too: 'ctxmeter uninstall claude-code --hooks --apply' takes them out",
		"brings the MCP server, and it is in this file, too: 'ctxmeter uninstall claude-code --mcp --apply' takes it out",
	} {
		if !strings.Contains(got.stdout, want) {
			t.Errorf("it does not say %q:\n%s", want, got.stdout)
		}
	}
	s.good("uninstall", "claude-code", "--hooks", "--mcp", "--apply")
	if text := s.read(claudeSettings); strings.Contains(text, " hook\"") || !strings.Contains(text, " statusline") || !strings.Contains(text, "enabledPlugins") {
		t.Errorf("the settings are\n%s", text)
	}
}

// Only a plugin that the client goes by counts.
func TestPluginsThatDoNotCount(t *testing.T) {
	for name, spoil := range map[string]func(s *shop){
		"turned off": func(s *shop) {
			s.write(claudeSettings, `{"enabledPlugins":{"ctxmeter@ctxmeter":false}}`)
			s.write(codexConfig, "[plugins.\"ctxmeter@ctxmeter\"]\nenabled = false\n")
		},
		"uninstalled": func(s *shop) { // the folder stays for some days (2.1.197)
			s.write(claudeSettings, `{"enabledPlugins":{}}`)
			s.write(codexConfig, "")
		},
		"not installed": func(s *shop) {
			s.write(".claude/plugins/installed_plugins.json", `{"version":2,"plugins":{}}`)
			_ = os.RemoveAll(s.path(".codex/plugins"))
		},
		"somebody else's of that name": func(s *shop) {
			s.write(".claude/plugins/cache/ctxmeter/ctxmeter/0123456789ab/.claude-plugin/plugin.json", `{"name":"ctxmeter","hooks":{"Stop":[{"hooks":[{"command":"say ctxmeter hook"}]}]}}`)
			s.write(".claude/plugins/cache/ctxmeter/ctxmeter/0123456789ab/.mcp.json", `[]`)
			s.write(".codex/plugins/cache/ctxmeter/ctxmeter/local/.codex-plugin/plugin.json", `{"hooks":7}`)
		},
		"installed for another project": func(s *shop) {
			s.register("/somewhere/else")
			s.write(codexConfig, "[plugins.\"ctxmeter@..\"]\nenabled = true\n[plugins.\"ctxmeter@\"]\n[plugins.other]\n")
		},
		"of another name": func(s *shop) {
			s.write(claudeSettings, `{"enabledPlugins":{"x@ctxmeter":true}}`)
			s.write(codexConfig, "plugins = 3\n")
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newShop(t).withPlugin(wiring.ClientClaude).withPlugin(wiring.ClientCodex)
			spoil(s)
			s.good("install", "--apply")
			s.wired(t)
		})
	}
}

// The settings of a project turn a plugin on and off there (Claude Code
// 2.1.197), and say nothing of the user's own.
func TestPluginsOfAProject(t *testing.T) {
	const on, off = `{"enabledPlugins":{"ctxmeter@ctxmeter":true}}`, `{"enabledPlugins":{"ctxmeter@ctxmeter":false}}`
	for _, tt := range []struct {
		name                 string
		user, project, local string
		inUser, inProject    bool // the plugin counts
	}{
		{"by the user", on, "", "", true, true},
		{"by the project", "", on, "", false, true},
		{"by a person in the project", "", "", on, false, true},
		{"not in the project", on, off, "", true, false},
		{"not for a person in the project", on, on, off, true, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for project, want := range map[bool]bool{false: tt.inUser, true: tt.inProject} {
				s := newShop(t).withPlugin(wiring.ClientClaude)
				for file, text := range map[string]string{claudeSettings: tt.user, filepath.Join(s.dir, ".claude", "settings.json"): tt.project, filepath.Join(s.dir, ".claude", "settings.local.json"): tt.local} {
					s.write(file, "{}")
					if text != "" {
						s.write(file, text)
					}
				}
				args := []string{"install", "claude-code", "--apply"}
				if project {
					args = append(args, "--project")
				}
				if got := s.good(args...).stdout; strings.Contains(got, "brings the hooks") != want {
					t.Errorf("in a project: %v; it says\n%s", project, got)
				}
			}
		})
	}
}

// A plugin is in one folder of a client, and says nothing of another one.
func TestAPluginCountsInItsOwnFolder(t *testing.T) {
	s := newShop(t).withPlugin(wiring.ClientCodex)
	other := s.path("other")
	if err := os.Mkdir(other, 0o700); err != nil {
		t.Fatal(err)
	}
	s.good("install", "codex", "--hooks", "--apply", "--codex-home", s.path(".codex"), "--codex-home", other)
	if text := s.read("other/hooks.json"); !strings.Contains(text, "ctxmeter hook") {
		t.Errorf("the other folder has %s", text)
	}
	if _, err := os.Stat(s.path(codexHookFile)); err == nil {
		t.Error("the hooks are beside the plugin, too")
	}
}

// With both, every hook runs twice, and says what it says once.
func TestPluginAndInstallationSayItOnce(t *testing.T) {
	h := newHookRig(t)
	h.reply(95_000)
	parts := claudePluginParts(t)
	if len(parts) != 1 || len(parts[0].Words) < 2 || len(parts[0].Events) != len(wiring.ClaudeHooks()) {
		t.Fatalf("the plugin has %+v", parts)
	}
	for _, event := range []string{"UserPromptSubmit", "PostToolUse"} {
		var both sync.WaitGroup
		var said [2]string
		for n, words := range [][]string{parts[0].Words, {"ctxmeter", wiring.Subcommand(wiring.PartHooks)}} {
			both.Go(func() {
				one := *h.rig // with an input of its own
				one.stdin = h.payload(event, "")
				said[n] = one.run(words[1:]...).stdout
			})
		}
		both.Wait()
		want := 0
		if event == "UserPromptSubmit" {
			want = 1
		}
		if got := strings.Count(said[0]+said[1], "systemMessage"); got != want {
			t.Errorf("%s: said %d times\n%s\n%s", event, got, said[0], said[1])
		}
	}
}

func claudePluginParts(t *testing.T) []wiring.Wired {
	t.Helper()
	s := newShop(t).withPlugin(wiring.ClientClaude)
	list := wiring.Selection{Roots: []string{s.path(".claude")}}.Plugins(wiring.ClientClaude, "")
	if len(list) != 1 || !list[0].Brings(wiring.PartHooks) || !list[0].Brings(wiring.PartMCP) || list[0].Brings(wiring.PartStatusLine) {
		t.Fatalf("the plugins are %+v", list)
	}
	return slices.DeleteFunc(list[0].Parts, func(w wiring.Wired) bool { return w.Part != wiring.PartHooks })
}
