package main

import (
	"context"
	"path/filepath"
	"time"
)

// checkPlugins looks for the plugins that bring ctxmeter along, whether they
// work, and what is there twice with them. have has the files that a part of a
// client is in, and gets what plugins bring.
func (d *doctor) checkPlugins(ctx context.Context, have map[string]string) {
	const check = "plugin"
	project := ""
	if filepath.IsAbs(d.dir) {
		project = d.dir
	}
	for _, client := range []string{clientClaude, clientCodex} {
		brought := map[string]string{} // by which plugin
		for _, g := range d.installer.pluginsOf(client, project) {
			where := g.id + " in " + g.root
			switch {
			case !g.enabled:
				d.ok(check, "%s is turned off (by the settings of the %s)", where, g.scope)
				continue
			case g.folder == "":
				d.note(check, where+" is turned on (by the settings of the "+g.scope+"), but not installed", "'"+g.addition()+"' installs it")
				continue
			case g.content() == "":
				d.note(check, where+" brings nothing of ctxmeter", "if it is meant to, '"+g.addition()+"' installs it anew")
				continue
			}
			d.judgePlugin(ctx, g)
			for _, part := range allParts() {
				if !g.brings(part) {
					continue
				}
				if file := have[client+part]; file != "" {
					d.twice(g, part, "in "+file, "'ctxmeter uninstall "+client+" --"+part+" --apply' takes out the one in the settings; to be without the plugin, '"+g.removal()+"'")
				}
				if by := brought[part]; by != "" {
					d.twice(g, part, "brought by "+by, "'"+g.removal()+"' removes one")
				}
				brought[part] = g.id
			}
		}
		for part, by := range brought {
			have[client+part] = by
		}
	}
}

// judgePlugin says whether a plugin works: it starts ctxmeter from the PATH.
func (d *doctor) judgePlugin(ctx context.Context, g plugin) {
	const check = "plugin"
	text := g.id + " in " + g.root + " brings " + g.content()
	program := d.onPath()
	if program == "" {
		d.problem(check, text+", but starts ctxmeter from the PATH, and there is none", "put the folder of ctxmeter on the PATH of the client")
		return
	}
	for _, w := range g.parts {
		if w.part != partHooks || w.words[0] != byName().program {
			continue
		}
		result := d.trial(ctx, d.trialOf(w, program))
		took := result.took.Round(time.Millisecond).String()
		switch {
		case result.fault != "":
			d.problem(check, text+", but its hooks do not work: "+result.fault, "run 'ctxmeter demo' and see what it says")
		case result.took > slowCommand:
			d.note(check, text+"; its hooks work, but took "+took, "they stand in the way of the client: see whether the machine is busy, or a scanner looks at every program that starts")
		default:
			d.ok(check, "%s; its hooks work (%s)", text, took)
		}
		return
	}
	d.ok(check, "%s", text)
}

// twice reports a part that a plugin brings, and something else too. Of two
// servers with the same command Claude Code takes the one in the settings, and
// so does Codex of two with the same name (2.1.197, 0.171.0).
func (d *doctor) twice(g plugin, part, other, mend string) {
	text := "the plugin " + g.id + " brings the MCP server, and it is " + other + ", too: its tool may stand in the agent's context twice"
	if part == partHooks {
		text = "the plugin " + g.id + " brings the hooks, and they are " + other + ", too: both run, and count every prompt twice"
	}
	d.note(partName(part), text, mend)
}

// addition is the command of the client that installs a plugin.
func (p plugin) addition() string {
	if p.client == clientCodex {
		return "codex plugin add " + p.id
	}
	out := "claude plugin install " + p.id
	if p.scope != scopeUser {
		out += " --scope " + p.scope
	}
	return out
}
