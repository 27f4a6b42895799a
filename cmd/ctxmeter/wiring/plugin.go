package wiring

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/edit"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/paths"
	"github.com/ctxmeter/ctxmeter/config"
	"github.com/ctxmeter/ctxmeter/meter/files"
)

// PluginName is what the plugin is called, in whichever marketplace.
const PluginName = "ctxmeter"

// scopeLocal is a person's own settings in a project. Only plugins have it:
// nothing is installed there.
const scopeLocal = "local"

// Plugin is one that brings parts of ctxmeter into a client.
type Plugin struct {
	ID      string // name and marketplace: "ctxmeter@ctxmeter"
	Client  string
	Root    string // the client's folder that it lies in
	Scope   string // of the settings that turn it on or off
	Enabled bool
	Folder  string  // where it lies, "" if it is not installed
	Parts   []Wired // what it brings, if it can be read
}

// Active reports whether the client goes by it.
func (p Plugin) Active() bool { return p.Enabled && p.Folder != "" }

// Brings reports whether the client has a part from it.
func (p Plugin) Brings(part string) bool {
	return p.Active() && slices.ContainsFunc(p.Parts, func(w Wired) bool { return w.Part == part })
}

// claudePlugins are those of Claude Code. The settings say which are turned on,
// a project's in the place of the user's, and a register where each lies
// (2.1.197: "enabledPlugins" in settings.json, plugins/installed_plugins.json).
// A folder that is in the cache only is a leftover.
func claudePlugins(root, project string) (out []Plugin) {
	state := map[string]Plugin{}
	look := func(scope, file string) {
		var settings struct {
			Enabled map[string]any `json:"enabledPlugins"`
		}
		text, err := files.Read(file, MaxSettings)
		if err != nil || json.Unmarshal(text, &settings) != nil {
			return
		}
		for id, v := range settings.Enabled {
			// A list of versions turns it on, too (the schema of 2.1.197).
			if on, ok := v.(bool); isOurPlugin(id) {
				state[id] = Plugin{ID: id, Client: ClientClaude, Root: root, Scope: scope, Enabled: on || !ok && v != nil}
			}
		}
	}
	look(ScopeUser, filepath.Join(root, "settings.json"))
	if project != "" {
		look(ScopeProject, filepath.Join(project, ".claude", "settings.json"))
		look(scopeLocal, filepath.Join(project, ".claude", "settings.local.json"))
	}
	var register struct {
		Plugins map[string][]struct {
			Path    string `json:"installPath"`
			Project string `json:"projectPath"`
		} `json:"plugins"`
	}
	if text, err := files.Read(filepath.Join(root, "plugins", "installed_plugins.json"), MaxSettings); err == nil {
		_ = json.Unmarshal(text, &register) // without one, nothing is installed
	}
	for _, id := range slices.Sorted(maps.Keys(state)) {
		p := state[id]
		for _, at := range register.Plugins[id] {
			if p.Folder == "" && (at.Project == "" || at.Project == project || paths.Same(at.Project, project)) && files.IsDir(at.Path) {
				p.Folder = at.Path
			}
		}
		if p.Folder != "" {
			p.Parts = append(
				partsIn(filepath.Join(p.Folder, ".claude-plugin", "plugin.json"), PartHooks),
				partsIn(filepath.Join(p.Folder, ".mcp.json"), PartMCP)...,
			)
		}
		out = append(out, p)
	}
	return out
}

// codexPlugins are those of Codex: its configuration says which are turned on,
// and where each lies follows from its name (codex-cli 0.171.0: "local" is a
// plugin without a version, and goes before all others).
func codexPlugins(home string) (out []Plugin) {
	text, err := files.Read(filepath.Join(home, "config.toml"), MaxSettings)
	if err != nil {
		return nil
	}
	doc, err := config.DecodeTOML(string(text))
	if err != nil {
		return nil
	}
	list, _ := doc["plugins"].(map[string]any)
	for _, id := range slices.Sorted(maps.Keys(list)) {
		if !isOurPlugin(id) {
			continue
		}
		settings, _ := list[id].(map[string]any)
		on, said := settings["enabled"].(bool)
		p := Plugin{ID: id, Client: ClientCodex, Root: home, Scope: ScopeUser, Enabled: on || !said}
		name, market, _ := strings.Cut(id, "@")
		cache := filepath.Join(home, "plugins", "cache", market, name)
		versions, err := files.Names(cache)
		slices.Sort(versions)
		if slices.Contains(versions, "local") {
			versions = []string{"local"}
		}
		if err == nil && len(versions) > 0 {
			p.Folder = filepath.Join(cache, versions[len(versions)-1])
			manifest := filepath.Join(p.Folder, ".codex-plugin", "plugin.json")
			p.Parts = append(partsIn(manifest, PartHooks, "hooks"), partsIn(manifest, PartMCP)...)
		}
		out = append(out, p)
	}
	return out
}

// isOurPlugin reports the name of the plugin, of any marketplace whose name can
// be that of a folder.
func isOurPlugin(id string) bool {
	name, market, _ := strings.Cut(id, "@")
	return name == PluginName && market != "" && strings.Trim(market, folderName) == "" && strings.Trim(market, ".") != ""
}

// folderName are the characters of a marketplace whose name can be that of a
// folder.
const folderName = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_."

// partsIn is what of a part a file of a plugin has, at a path in it.
func partsIn(file, part string, path ...string) []Wired {
	text, err := files.Read(file, MaxSettings)
	if err != nil {
		return nil
	}
	if len(path) > 0 {
		j, err := edit.ParseJSON(text)
		if err != nil {
			return nil
		}
		text, _ = j.Value(path...)
	}
	list, err := WiredIn(Place{Parts: []string{part}}, text)
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(list, func(w Wired) bool { return w.Words == nil })
}

// Contents tells in words what a plugin brings.
func (p Plugin) Contents() string {
	var names []string
	for _, part := range Parts() {
		if p.Brings(part) {
			names = append(names, PartName(part))
		}
	}
	return strings.Join(names, " and ")
}

// Addition is the command of the client that installs a plugin.
func (p Plugin) Addition() string { return p.command("install", "add") }

// Removal is the command of the client that removes a plugin.
func (p Plugin) Removal() string { return p.command("uninstall", "remove") }

// command is what a client is told about a plugin, with the verb of Claude Code
// or that of Codex.
func (p Plugin) command(claude, codex string) string {
	if p.Client == ClientCodex {
		return "codex plugin " + codex + " " + p.ID
	}
	out := "claude plugin " + claude + " " + p.ID
	if p.Scope != ScopeUser {
		out += " --scope " + p.Scope
	}
	return out
}
