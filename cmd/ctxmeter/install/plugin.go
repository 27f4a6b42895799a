package install

import (
	"fmt"
	"slices"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/paths"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wiring"
)

// leaveOut takes out of the places what a plugin brings already: hooks would
// run twice, and the tool stand in the agent's context twice.
func (i *installer) leaveOut(places []target) {
	for n := range places {
		pl := &places[n]
		for _, g := range i.Plugins(pl.Client, i.Project) {
			if pl.Root != "" && g.Root != pl.Root {
				continue
			}
			hooks, server := len(pl.Wiring.Hooks) > 0 && g.Brings(wiring.PartHooks), pl.Wiring.Server != nil && g.Brings(wiring.PartMCP)
			if hooks {
				pl.Wiring.Hooks = nil
				pl.brought = append(pl.brought, brought{wiring.PartHooks, g.ID})
			}
			if server {
				pl.Wiring.Server = nil
				pl.brought = append(pl.brought, brought{wiring.PartMCP, g.ID})
			}
		}
	}
}

// brought is a part that a plugin brings.
type brought struct{ part, by string }

// broughtAlready says what is left out of a file, and what of it is there all
// the same.
func (i *installer) broughtAlready(pl target, text []byte) (notes []string) {
	list, err := wiring.WiredIn(pl.Place, text)
	if err != nil {
		list = nil // what is said of a broken file is said elsewhere
	}
	for _, b := range pl.brought {
		is, it := "it is", "it"
		if b.part == wiring.PartHooks {
			is, it = "they are", "them"
		}
		note := fmt.Sprintf("the plugin %s brings the %s: %s left out", b.by, wiring.PartName(b.part), is)
		for _, w := range list {
			if w.Part == b.part && !w.Foreign {
				note = fmt.Sprintf("the plugin %s brings the %s, and %s in this file, too: '%s' takes %s out", b.by, wiring.PartName(b.part), is, pl.undo(b.part), it)
				if !i.putIn(pl, text, b.part) {
					note = fmt.Sprintf("the plugin %s brings the %s, and %s in this file, too, by hand: %s", b.by, wiring.PartName(b.part), is, pl.byHand(b.part, w.Name))
				}
			}
		}
		notes = append(notes, note)
	}
	return notes
}

// putIn reports whether a part was put into a file by an installation.
func (i *installer) putIn(pl target, text []byte, part string) bool {
	of := func(e entry) bool { return e.Part == part && e.Was == nil }
	if r, err := i.recordOf(pl); err == nil && r != nil && slices.ContainsFunc(r.Entries, of) {
		return true
	}
	return slices.ContainsFunc(pl.installed(text).Entries, of)
}

// byHand tells how to take out what no installation has put in; name is that of
// a server.
func (pl target) byHand(part, name string) string {
	switch {
	case part != wiring.PartMCP:
		return "take it out by hand if you do not want it"
	case pl.Client == wiring.ClientCodex && pl.Scope == wiring.ScopeUser:
		return "'codex mcp remove " + paths.Quoted(name) + "' removes it"
	case pl.Client == wiring.ClientCodex:
		return "take it out by hand if you do not want it"
	}
	return "'claude mcp remove --scope " + pl.Scope + " " + paths.Quoted(name) + "' removes it"
}

// undo is the command that takes a part out of a file.
func (pl target) undo(part string) string {
	out := "ctxmeter uninstall " + pl.Client + " --" + part
	if pl.Scope == wiring.ScopeProject {
		out += " --project"
	}
	return out + " --apply"
}

// remaining names the plugins, which are the clients' to take out.
func (i *installer) remaining() {
	for _, client := range []string{wiring.ClientClaude, wiring.ClientCodex} {
		if !i.Wants(client) {
			continue
		}
		for _, g := range i.Plugins(client, i.Project) {
			if g.Active() && (g.Brings(wiring.PartHooks) && i.WantsPart(wiring.PartHooks) || g.Brings(wiring.PartMCP) && i.WantsPart(wiring.PartMCP)) {
				i.tell("The plugin %s of %s stays: '%s' removes it.", g.ID, client, g.Removal())
			}
		}
	}
}
