package doctor

import (
	"maps"
	"path/filepath"
	"slices"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wiring"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wording"
	"github.com/ctxmeter/ctxmeter/config"
)

// checkFooters looks whether the status line of Codex that ctxmeter draws is
// wired up in full, where it is at all: the experiment is turned on, a server is
// named, and it is started with --footer (codex-cli 0.171.0).
func (d *doctor) checkFooters() {
	for _, home := range d.Selection.Homes {
		path := filepath.Join(home, "config.toml")
		if doc := d.tomlAt(path); doc != nil && !d.broken[path] {
			d.checkFooter(path, doc)
		}
	}
}

func (d *doctor) checkFooter(path string, doc map[string]any) {
	const check = "footer of Codex"
	features, _ := doc["features"].(map[string]any)
	tui, _ := doc["tui"].(map[string]any)
	provider, _ := tui["status_line_provider"].(map[string]any)
	servers, _ := doc["mcp_servers"].(map[string]any)
	named, _ := provider["server"].(string)
	tool, _ := provider["tool"].(string)
	server, there := servers[named].(map[string]any)
	program, args := wiring.ServerOf(server)
	ours := there && wiring.OursServer(program, args)
	if provider == nil {
		if name := footing(servers); name != "" {
			d.note(check, "the server "+wording.Name(name)+" in "+path+" would draw it, and is not asked to", "[tui] status_line_provider = { server = "+config.Quote(wording.Name(name))+", tool = "+config.Quote(d.Tool)+" } in that file asks it")
		}
		return
	}
	if !ours && (there || tool != d.Tool) {
		return // somebody else's
	}
	sound := true
	missing := func(text, mend string) {
		sound = false
		d.problem(check, text+", and Codex does not show it", mend)
	}
	if on, _ := features["tui_extensions_statusline"].(bool); !on {
		missing("tui_extensions_statusline is not turned on under [features] in "+path, "set it to true there")
	}
	off := false
	if on, said := server["enabled"].(bool); said {
		off = !on
	}
	switch key := "mcp_servers." + wording.Name(named); {
	case !there:
		missing("status_line_provider in "+path+" names the server "+wording.Name(named)+", and there is none", "name one that is started with 'ctxmeter mcp --footer', or take status_line_provider out")
	case tool != d.Tool:
		missing("status_line_provider in "+path+" names a tool that ctxmeter does not have", "its tool is "+d.Tool)
	case off:
		missing("the server "+wording.Name(named)+" in "+path+" is turned off", "take "+key+".enabled out, or set it to true")
	case !slices.Contains(args, "--footer"):
		missing("the server "+wording.Name(named)+" in "+path+" is started without --footer", "add \"--footer\" to "+key+".args")
	}
	if sound {
		d.ok(check, "drawn by the server %s in %s", wording.Name(named), path)
	}
}

// footing is a server of ctxmeter that is started with --footer, "" if there is
// none.
func footing(servers map[string]any) string {
	for _, name := range slices.Sorted(maps.Keys(servers)) {
		server, _ := servers[name].(map[string]any)
		if program, args := wiring.ServerOf(server); wiring.OursServer(program, args) && slices.Contains(args, "--footer") {
			return name
		}
	}
	return ""
}
