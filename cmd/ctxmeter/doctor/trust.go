package doctor

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ctxmeter/ctxmeter/backends/codex"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wiring"
	"github.com/ctxmeter/ctxmeter/config"
	"github.com/ctxmeter/ctxmeter/meter/files"
)

// mostPointer is more than the file is large that leads from a work tree to its
// repository, bytes.
const mostPointer = 4 << 20

// trustKnown is the version of Codex whose way to write trust down is known.
const trustKnown = "0.171."

// checkFeatures looks whether Codex runs hooks at all.
func (d *doctor) checkFeatures() {
	for _, home := range d.Selection.Homes {
		path := filepath.Join(home, "config.toml")
		features, _ := d.tomlAt(path)["features"].(map[string]any)
		if on, said := features["hooks"].(bool); !said || on || !d.Selection.Found(wiring.ClientCodex) {
			continue
		}
		d.problem("settings", "hooks = false under [features] in "+path+": Codex runs no hook", "take it out, or set it to true")
		for _, name := range []string{path, filepath.Join(home, "hooks.json")} {
			d.idle[idle{name, wiring.PartHooks}] = "which [features] turns off"
		}
	}
}

// tomlAt is what a TOML file says, nil if it cannot be read.
func (d *doctor) tomlAt(path string) map[string]any {
	return remembered(&d.tomls, path, func() map[string]any { return tomlAt(path) })
}

func tomlAt(path string) map[string]any {
	text, err := files.Read(path, wiring.MaxSettings)
	if err != nil {
		return nil
	}
	doc, err := config.DecodeTOML(string(text))
	if err != nil {
		return nil
	}
	return doc
}

// trusts reports whether Codex trusts a folder, itself or the repository that
// it is in (codex-cli 0.171.0: without, neither the servers nor the hooks of a
// project count). Of a work tree elsewhere nobody knows here, nor without a
// home: then it does.
func (d *doctor) trusts(dir string) bool {
	root := repository(dir)
	if info, err := files.Read(filepath.Join(root, ".git"), mostPointer); root != "" && err == nil && len(info) > 0 {
		return true
	}
	known := false
	for _, home := range d.Selection.Homes {
		known = true
		projects, _ := d.tomlAt(filepath.Join(home, "config.toml"))["projects"].(map[string]any)
		for _, dir := range []string{dir, root, resolved(dir), resolved(root)} {
			project, _ := projects[dir].(map[string]any)
			if project["trust_level"] == "trusted" {
				return true
			}
		}
	}
	return !known
}

func resolved(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// checkTrust looks whether Codex runs the hooks: only those that a person has
// trusted as they are. in is where it has hooks, a file or a plugin, "" if it
// has none.
func (d *doctor) checkTrust(places []wiring.Place, in string) {
	const check = "hook trust"
	if in == "" || d.noHooks() {
		return
	}
	said := false
	for _, pl := range places {
		if pl.Client != wiring.ClientCodex {
			continue
		}
		hooks := trustedHooks(pl)
		if len(hooks) == 0 {
			continue
		}
		said = true
		if pl.Scope == wiring.ScopeProject && !d.trusts(projectOf(pl)) {
			continue // that was said
		}
		home := pl.Root
		if home == "" && len(d.Selection.Homes) > 0 {
			home = d.Selection.Homes[0]
		}
		d.judgeTrust(pl, home, hooks)
	}
	if !said || !filepath.IsAbs(in) {
		d.note(check, "Codex runs hooks only after you have trusted them, and whether you have those of "+in+" cannot be seen; 'codex exec' passes over untrusted ones in silence", "start codex once, and trust them where it asks")
	}
}

// noHooks reports whether all homes of Codex have hooks turned off.
func (d *doctor) noHooks() bool {
	for _, home := range d.Selection.Homes {
		if d.idle[idle{filepath.Join(home, "hooks.json"), wiring.PartHooks}] == "" {
			return false
		}
	}
	return len(d.Selection.Homes) > 0
}

func (d *doctor) judgeTrust(pl wiring.Place, home string, hooks []codex.Hook) {
	const check = "hook trust"
	table, _ := d.tomlAt(filepath.Join(home, "config.toml"))["hooks"].(map[string]any)
	state, _ := table["state"].(map[string]any)
	var off, unknown, changed []string
	for _, h := range hooks {
		entry, found := state[h.Key(pl.Path)].(map[string]any)
		if !found {
			entry, found = state[h.Key(resolved(pl.Path))].(map[string]any)
		}
		on, said := entry["enabled"].(bool)
		switch hash, _ := entry["trusted_hash"].(string); {
		case said && !on:
			off = append(off, h.Event)
		case !found || hash == "":
			unknown = append(unknown, h.Event)
		case hash != h.Hash():
			changed = append(changed, h.Event)
		}
	}
	const mend = "start codex, and trust them where it asks"
	for _, f := range []struct {
		events []string
		what   string
	}{
		{unknown, "are not trusted yet: Codex does not run them, and 'codex exec' does not say so"},
		{changed, "have changed since you trusted them: Codex does not run them, and 'codex exec' does not say so"},
	} {
		if len(f.events) == 0 {
			continue
		}
		text := "those for " + config.List(f.events, "and") + " in " + pl.Path + " " + f.what
		if strings.HasPrefix(d.clients[home], trustKnown) {
			d.problem(check, text, mend)
		} else {
			d.note(check, text+" (by the rules of Codex 0.171; another version may have others)", mend)
		}
	}
	if len(off) > 0 {
		d.note(check, "those for "+config.List(off, "and")+" in "+pl.Path+" are switched off", "switch them on in /hooks of Codex, if you want them")
	}
	if len(unknown)+len(changed)+len(off) == 0 {
		d.ok(check, "those in %s are trusted", pl.Path)
	}
}

// trustedHooks are our hooks in a file of Codex, with their places in it.
func trustedHooks(pl wiring.Place) (out []codex.Hook) {
	var events map[string]any
	if pl.TOML {
		events, _ = tomlAt(pl.Path)["hooks"].(map[string]any)
	} else if text, err := files.Read(pl.Path, wiring.MaxSettings); err == nil {
		var doc struct {
			Hooks map[string]any `json:"hooks"`
		}
		if json.Unmarshal(text, &doc) == nil {
			events = doc.Hooks
		}
	}
	for _, e := range wiring.CodexHooks() {
		for n, group := range wiring.Tables(events[e.Event]) {
			for i, hook := range wiring.Tables(group["hooks"]) {
				h := codex.Hook{Event: e.Event, Group: n, Index: i}
				h.Matcher, _ = group["matcher"].(string)
				h.Command, _ = hook["command"].(string)
				h.Message, _ = hook["statusMessage"].(string)
				h.Async, _ = hook["async"].(bool)
				switch t := hook["timeout"].(type) {
				case float64:
					h.Timeout = int64(t)
				case int64:
					h.Timeout = t
				}
				if wiring.CallsOurs(h.Command, wiring.PartHooks) {
					out = append(out, h)
				}
			}
		}
	}
	slices.SortStableFunc(out, func(a, b codex.Hook) int { return strings.Compare(a.Event, b.Event) })
	return out
}
