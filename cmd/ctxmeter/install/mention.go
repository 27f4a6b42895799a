package install

import (
	"maps"
	"slices"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/edit"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wiring"
	"github.com/ctxmeter/ctxmeter/config"
)

// mention is a place where ctxmeter is called.
type mention struct {
	entry
	alone bool // and nothing else
}

// mentions are the places in a text where ctxmeter is called, however they are
// written.
func (pl target) mentions(text []byte) (out []mention) {
	note := func(alone bool, part, command string, at ...string) {
		if alone || wiring.CallsOurs(command, part) {
			out = append(out, mention{entry{Part: part, At: at, Command: command}, alone})
		}
	}
	add := func(part, command string, at ...string) { note(wiring.Ours(command, part), part, command, at...) }
	server := func(program string, args []string, at ...string) {
		note(wiring.OursServer(program, args), wiring.PartMCP, joined(program, args), at...)
	}
	if pl.TOML {
		doc, err := config.DecodeTOML(string(text))
		if err != nil {
			return nil
		}
		servers, _ := doc["mcp_servers"].(map[string]any)
		for _, key := range slices.Sorted(maps.Keys(servers)) {
			table, _ := servers[key].(map[string]any)
			program, args := wiring.ServerOf(table)
			server(program, args, "mcp_servers", key)
		}
		events, _ := doc["hooks"].(map[string]any)
		for _, event := range slices.Sorted(maps.Keys(events)) {
			for _, group := range wiring.Tables(events[event]) {
				for _, hook := range wiring.Tables(group["hooks"]) {
					command, _ := hook["command"].(string)
					add(wiring.PartHooks, command, "hooks", event)
				}
			}
		}
		return out
	}
	j, err := edit.ParseJSON(text)
	if err != nil {
		return nil
	}
	if value, ok := j.Value("statusLine"); ok && slices.Contains(pl.Parts, wiring.PartStatusLine) {
		add(wiring.PartStatusLine, wiring.HandlerOf(value).Command, "statusLine")
	}
	for _, event := range j.Keys("hooks") {
		for _, h := range wiring.HookPaths(j, event, func(wiring.Handler) bool { return slices.Contains(pl.Parts, wiring.PartHooks) }) {
			add(wiring.PartHooks, h.Command, "hooks", event)
		}
	}
	if slices.Contains(pl.Parts, wiring.PartMCP) {
		for _, key := range j.Keys("mcpServers") {
			value, _ := j.Value("mcpServers", key)
			h := wiring.HandlerOf(value)
			server(h.Command, h.Args, "mcpServers", key)
		}
	}
	return out
}
