package doctor

import (
	"errors"
	"os"
	"strings"
	"syscall"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/edit"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wiring"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wording"
	"github.com/ctxmeter/ctxmeter/config"
	"github.com/ctxmeter/ctxmeter/meter/files"
)

// wiredAt is what is in a settings file, which is looked at as a whole.
func (d *doctor) wiredAt(pl wiring.Place) []wiring.Wired {
	c, err := wiring.ReadContent(pl.Path)
	if err != nil {
		why, mend := unreadable(pl.Path, err)
		d.problem("settings", pl.Path+" cannot be read: "+why, mend)
		d.broken[pl.Path] = true
		return nil
	}
	if !c.Exists() {
		return nil
	}
	list, err := wiring.WiredIn(pl, c.Text)
	if err != nil {
		d.broken[pl.Path] = true
		why := strings.TrimPrefix(err.Error(), edit.ErrBroken.Error()+": ")
		d.problem("settings", pl.Path+": "+why+", and what is in it does nothing", "mend it; 'install' does not touch it until then")
		return nil
	}
	if !d.broken[pl.Path] && !d.aside[pl.Path] {
		d.checkShape(pl, c.Text)
	}
	return list
}

// unreadable says why a settings file cannot be read, and what to do.
func unreadable(path string, err error) (why, mend string) {
	if _, e := os.Stat(path); errors.Is(e, syscall.ELOOP) {
		return "its links lead in a circle", "let them lead to a file, or remove the link"
	}
	why = wording.Reason(err)
	switch {
	case errors.Is(err, wiring.ErrDangling):
		return why, "let it lead to a file again, or remove the link"
	case errors.Is(err, wiring.ErrLarge):
		return why, "see what in it takes so much room: settings do not"
	case errors.Is(err, files.ErrNotRegular):
		return why, "move away what is there"
	case errors.Is(err, wiring.ErrNoText):
		return why, "name the folder in UTF-8"
	}
	return why, "make it readable for you"
}

// checkShape looks for what stands where something of ctxmeter belongs, so that
// 'install' leaves the file alone: a value of another kind, or something of
// somebody else's.
func (d *doctor) checkShape(pl wiring.Place, text []byte) {
	part, key, want := wrongJSON(pl, text)
	if pl.TOML {
		part, key, want = wrongTOML(pl, text)
	}
	name := ""
	switch {
	case key != "" && want == "":
		name = "MCP server"
		d.note(name, "the one by the name of ctxmeter in "+pl.Path+" is somebody else's: ctxmeter leaves it alone", "to have ctxmeter's, give that one another name, and run "+d.again(pl, part))
	case key != "" && want == inTablesOnly:
		d.note("settings", key+" in "+pl.Path+" is written in one line, and 'install' adds nothing to that", "by hand: add ctxmeter = { command = \"ctxmeter\", args = [\"mcp\"] } to it, with the whole path if it is not on the PATH")
	case key != "":
		d.problem("settings", key+" in "+pl.Path+" is no "+want+", and 'install' does not touch the file", "make it one, or take "+key+" out")
	default:
		return
	}
	if pl.Scope == wiring.ScopeUser {
		d.taken[pl.Client+part] = true
	}
}

// inTablesOnly is the kind of a value that can be read, and not be added to.
const inTablesOnly = "table of several lines"

// wrongJSON is the key of a value in the way of a part, and what it would have
// to be: "" if it is somebody else's.
func wrongJSON(pl wiring.Place, text []byte) (part, key, want string) {
	j, err := edit.ParseJSON(text)
	if err != nil {
		return "", "", ""
	}
	is := func(open byte, path ...string) bool {
		value, ok := j.Value(path...)
		return !ok || len(value) > 0 && value[0] == open
	}
	for _, p := range pl.Parts {
		switch p {
		case wiring.PartMCP:
			if !is('{', "mcpServers") {
				return p, "mcpServers", "object"
			}
			value, ok := j.Value("mcpServers", "ctxmeter")
			if h := wiring.HandlerOf(value); ok && !wiring.CallsOurs(strings.Join(append([]string{h.Command}, h.Args...), " "), p) {
				return p, "mcpServers.ctxmeter", ""
			}
		case wiring.PartHooks:
			if pl.Client == wiring.ClientClaude {
				continue // the client's own rules say more
			}
			if !is('{', "hooks") {
				return p, "hooks", "object"
			}
			for _, e := range wiring.CodexHooks() {
				if !is('[', "hooks", e.Event) {
					return p, "hooks." + e.Event, "array"
				}
			}
		}
	}
	return "", "", ""
}

// wrongTOML is wrongJSON for a configuration file of Codex.
func wrongTOML(pl wiring.Place, text []byte) (part, key, want string) {
	const p = wiring.PartMCP
	doc, err := config.DecodeTOML(string(text))
	if err != nil {
		return "", "", ""
	}
	servers, ok := doc["mcp_servers"].(map[string]any)
	if doc["mcp_servers"] != nil && !ok {
		return p, "mcp_servers", "table"
	}
	if server, there := servers["ctxmeter"]; there {
		table, ok := server.(map[string]any)
		if !ok {
			return p, "mcp_servers.ctxmeter", "table"
		}
		if program, args := wiring.ServerOf(table); !wiring.CallsOurs(strings.Join(append([]string{program}, args...), " "), p) {
			return p, "mcp_servers.ctxmeter", ""
		}
		return "", "", ""
	}
	for _, server := range servers {
		if table, ok := server.(map[string]any); ok && wiring.OursServer(wiring.ServerOf(table)) {
			return "", "", "" // 'install' adds none
		}
	}
	t, err := edit.ParseTOML(text, config.DecodeTOML)
	if err != nil {
		return "", "", ""
	}
	if _, _, err := t.AppendTable("[mcp_servers.ctxmeter]\n", "mcp_servers", "ctxmeter"); errors.Is(err, edit.ErrInline) {
		return p, "mcp_servers", inTablesOnly
	}
	return "", "", ""
}
