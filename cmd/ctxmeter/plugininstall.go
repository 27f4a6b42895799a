package main

import (
	"fmt"
	"strings"
)

// leaveOut takes out of the places what a plugin brings already: hooks would
// run twice, and the tool stand in the agent's context twice.
func (i *installer) leaveOut(places []place) {
	for n := range places {
		pl := &places[n]
		for _, g := range i.pluginsOf(pl.client, i.project) {
			if pl.root != "" && g.root != pl.root {
				continue
			}
			hooks, server := len(pl.wiring.hooks) > 0 && g.brings(partHooks), pl.wiring.server != nil && g.brings(partMCP)
			if hooks {
				pl.wiring.hooks = nil
				pl.brought = append(pl.brought, brought{partHooks, g.id})
			}
			if server {
				pl.wiring.server = nil
				pl.brought = append(pl.brought, brought{partMCP, g.id})
			}
		}
	}
}

// brought is a part that a plugin brings.
type brought struct{ part, by string }

// broughtAlready says what is left out of a file, and what of it is there all
// the same.
func (pl place) broughtAlready(text []byte) (notes []string) {
	list, err := wiredIn(pl, text)
	if err != nil {
		list = nil // what is said of a broken file is said elsewhere
	}
	for _, b := range pl.brought {
		is, it := "it is", "it"
		if b.part == partHooks {
			is, it = "they are", "them"
		}
		note := fmt.Sprintf("the plugin %s brings the %s: %s left out", b.by, partName(b.part), is)
		for _, w := range list {
			if w.part == b.part && !w.foreign {
				note = fmt.Sprintf("the plugin %s brings the %s, and %s in this file, too: '%s' takes %s out", b.by, partName(b.part), is, pl.undo(b.part), it)
			}
		}
		notes = append(notes, note)
	}
	return notes
}

// undo is the command that takes a part out of a file.
func (pl place) undo(part string) string {
	out := "ctxmeter uninstall " + pl.client + " --" + part
	if pl.scope == scopeProject {
		out += " --project"
	}
	return out + " --apply"
}

// remaining names the plugins, which are the clients' to take out.
func (i *installer) remaining() {
	for _, client := range []string{clientClaude, clientCodex} {
		if !i.wants(client) {
			continue
		}
		for _, g := range i.pluginsOf(client, i.project) {
			if g.active() && (g.brings(partHooks) && i.wantsPart(partHooks) || g.brings(partMCP) && i.wantsPart(partMCP)) {
				i.tell("The plugin %s of %s stays: '%s' removes it.", g.id, client, g.removal())
			}
		}
	}
}

// removal is the command of the client that removes a plugin.
func (p plugin) removal() string {
	if p.client == clientCodex {
		return "codex plugin remove " + p.id
	}
	out := "claude plugin uninstall " + p.id
	if p.scope != scopeUser {
		out += " --scope " + p.scope
	}
	return out
}

// content tells in words what a plugin brings.
func (p plugin) content() string {
	var names []string
	for _, part := range allParts() {
		if p.brings(part) {
			names = append(names, partName(part))
		}
	}
	return strings.Join(names, " and ")
}
