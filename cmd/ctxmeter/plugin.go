package main

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

// pluginName is what the plugin is called, in whichever marketplace.
const pluginName = "ctxmeter"

// byName starts ctxmeter from the PATH. No shell takes that apart.
func byName() self { return self{"ctxmeter", "ctxmeter", "ctxmeter"} }

// scopeLocal is a person's own settings in a project. Only plugins have it:
// nothing is installed there.
const scopeLocal = "local"

// plugin is one that brings parts of ctxmeter into a client.
type plugin struct {
	id      string // name and marketplace: "ctxmeter@ctxmeter"
	client  string
	root    string // the client's folder that it lies in
	scope   string // of the settings that turn it on or off
	enabled bool
	folder  string  // where it lies, "" if it is not installed
	parts   []wired // what it brings, if it can be read
}

// active reports whether the client goes by it.
func (p plugin) active() bool { return p.enabled && p.folder != "" }

func (p plugin) brings(part string) bool {
	return p.active() && slices.ContainsFunc(p.parts, func(w wired) bool { return w.part == part })
}

// pluginsOf are the plugins of that name in a client: by the user's own
// settings, and by those of a project unless it is "".
func (i *installer) pluginsOf(client, project string) (out []plugin) {
	if client == clientClaude {
		for _, root := range i.roots {
			out = append(out, claudePlugins(root, project)...)
		}
		return out
	}
	for _, home := range i.homes {
		out = append(out, codexPlugins(home)...)
	}
	return out
}

// claudePlugins are those of Claude Code. The settings say which are turned on,
// a project's in the place of the user's, and a register where each lies
// (2.1.197: "enabledPlugins" in settings.json, plugins/installed_plugins.json).
// A folder that is in the cache only is a leftover.
func claudePlugins(root, project string) (out []plugin) {
	state := map[string]plugin{}
	look := func(scope, file string) {
		var settings struct {
			Enabled map[string]any `json:"enabledPlugins"`
		}
		text, err := files.Read(file, maxSettings)
		if err != nil || json.Unmarshal(text, &settings) != nil {
			return
		}
		for id, v := range settings.Enabled {
			// A list of versions turns it on, too (the schema of 2.1.197).
			if on, ok := v.(bool); isOurPlugin(id) {
				state[id] = plugin{id: id, client: clientClaude, root: root, scope: scope, enabled: on || !ok && v != nil}
			}
		}
	}
	look(scopeUser, filepath.Join(root, "settings.json"))
	if project != "" {
		look(scopeProject, filepath.Join(project, ".claude", "settings.json"))
		look(scopeLocal, filepath.Join(project, ".claude", "settings.local.json"))
	}
	var register struct {
		Plugins map[string][]struct {
			Path    string `json:"installPath"`
			Project string `json:"projectPath"`
		} `json:"plugins"`
	}
	if text, err := files.Read(filepath.Join(root, "plugins", "installed_plugins.json"), maxSettings); err == nil {
		_ = json.Unmarshal(text, &register) // without one, nothing is installed
	}
	for _, id := range slices.Sorted(maps.Keys(state)) {
		p := state[id]
		for _, at := range register.Plugins[id] {
			if p.folder == "" && (at.Project == "" || at.Project == project || paths.Same(at.Project, project)) && files.IsDir(at.Path) {
				p.folder = at.Path
			}
		}
		if p.folder != "" {
			p.parts = append(
				partsIn(filepath.Join(p.folder, ".claude-plugin", "plugin.json"), partHooks),
				partsIn(filepath.Join(p.folder, ".mcp.json"), partMCP)...,
			)
		}
		out = append(out, p)
	}
	return out
}

// codexPlugins are those of Codex: its configuration says which are turned on,
// and where each lies follows from its name (codex-cli 0.171.0: "local" is a
// plugin without a version, and goes before all others).
func codexPlugins(home string) (out []plugin) {
	text, err := files.Read(filepath.Join(home, "config.toml"), maxSettings)
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
		p := plugin{id: id, client: clientCodex, root: home, scope: scopeUser, enabled: on || !said}
		name, market, _ := strings.Cut(id, "@")
		cache := filepath.Join(home, "plugins", "cache", market, name)
		versions, err := files.Names(cache)
		slices.Sort(versions)
		if slices.Contains(versions, "local") {
			versions = []string{"local"}
		}
		if err == nil && len(versions) > 0 {
			p.folder = filepath.Join(cache, versions[len(versions)-1])
			manifest := filepath.Join(p.folder, ".codex-plugin", "plugin.json")
			p.parts = append(partsIn(manifest, partHooks, "hooks"), partsIn(manifest, partMCP)...)
		}
		out = append(out, p)
	}
	return out
}

// isOurPlugin reports the name of the plugin, of any marketplace whose name can
// be that of a folder.
func isOurPlugin(id string) bool {
	name, market, _ := strings.Cut(id, "@")
	return name == pluginName && market != "" && strings.Trim(market, nameAlphabet+".") == "" && strings.Trim(market, ".") != ""
}

// partsIn is what of a part a file of a plugin has, at a path in it.
func partsIn(file, part string, path ...string) []wired {
	text, err := files.Read(file, maxSettings)
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
	list, err := wiredIn(place{parts: []string{part}}, text)
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(list, func(w wired) bool { return w.words == nil })
}
