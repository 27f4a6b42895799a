package doctor

import (
	"context"
	"path/filepath"
	"time"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wiring"
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
	for _, client := range []string{wiring.ClientClaude, wiring.ClientCodex} {
		brought := map[string]string{} // by which plugin
		for _, g := range d.Selection.Plugins(client, project) {
			where := g.ID + " in " + g.Root
			switch {
			case !g.Enabled:
				d.ok(check, "%s is turned off (by the settings of the %s)", where, g.Scope)
				continue
			case g.Folder == "":
				d.note(check, where+" is turned on (by the settings of the "+g.Scope+"), but not installed", "'"+g.Addition()+"' installs it")
				continue
			case g.Contents() == "":
				d.note(check, where+" brings nothing of ctxmeter", "if it is meant to, '"+g.Addition()+"' installs it anew")
				continue
			}
			d.judgePlugin(ctx, g)
			for _, part := range wiring.Parts() {
				if !g.Brings(part) {
					continue
				}
				if file := have[client+part]; file != "" {
					d.twice(g, part, "in "+file, "'ctxmeter uninstall "+client+" --"+part+" --apply' takes out the one in the settings; to be without the plugin, '"+g.Removal()+"'")
				}
				if by := brought[part]; by != "" {
					d.twice(g, part, "brought by "+by, "'"+g.Removal()+"' removes one")
				}
				brought[part] = g.ID
			}
		}
		for part, by := range brought {
			have[client+part] = by
		}
	}
}

// judgePlugin says whether a plugin works: it starts ctxmeter from the PATH.
func (d *doctor) judgePlugin(ctx context.Context, g wiring.Plugin) {
	const check = "plugin"
	text := g.ID + " in " + g.Root + " brings " + g.Contents()
	program := d.onPath()
	if program == "" {
		d.problem(check, text+", but starts ctxmeter from the PATH, and there is none", "put the folder of ctxmeter on the PATH of the client")
		return
	}
	for _, w := range g.Parts {
		if w.Part != wiring.PartHooks || w.Words[0] != wiring.ByName().Program {
			continue
		}
		result, untried := d.try(ctx, wiring.Place{Client: g.Client, Path: g.Folder}, w, program)
		took := result.Took.Round(time.Millisecond).String()
		switch {
		case untried != "":
			d.ok(check, "%s; its hooks were not tried: %s", text, untried)
		case result.Fault != "":
			d.problem(check, text+", but its hooks do not work: "+result.Fault, "run 'ctxmeter demo' and see what it says")
		case result.Took > slowCommand:
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
func (d *doctor) twice(g wiring.Plugin, part, other, mend string) {
	text := "the plugin " + g.ID + " brings the MCP server, and it is " + other + ", too: its tool may stand in the agent's context twice"
	if part == wiring.PartHooks {
		text = "the plugin " + g.ID + " brings the hooks, and they are " + other + ", too: both run, and count every prompt twice"
	}
	d.note(wiring.PartName(part), text, mend)
}
