package main

import (
	"maps"
	"slices"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/edit"
	"github.com/ctxmeter/ctxmeter/config"
)

// mentions are the places in a text where ctxmeter is called, alone or among
// other things, however they are written.
func (pl place) mentions(text []byte) (out []entry) {
	add := func(part, command string, at ...string) {
		if ours(command, part) || callsOurs(command, part) {
			out = append(out, entry{Part: part, At: at, Command: command})
		}
	}
	if pl.toml {
		doc, err := config.DecodeTOML(string(text))
		if err != nil {
			return nil
		}
		servers, _ := doc["mcp_servers"].(map[string]any)
		for _, key := range slices.Sorted(maps.Keys(servers)) {
			server, _ := servers[key].(map[string]any)
			add(partMCP, joined(serverOf(server)), "mcp_servers", key)
		}
		events, _ := doc["hooks"].(map[string]any)
		for _, event := range slices.Sorted(maps.Keys(events)) {
			for _, group := range tablesOf(events[event]) {
				for _, hook := range tablesOf(group["hooks"]) {
					command, _ := hook["command"].(string)
					add(partHooks, command, "hooks", event)
				}
			}
		}
		return out
	}
	j, err := edit.ParseJSON(text)
	if err != nil {
		return nil
	}
	if value, ok := j.Value("statusLine"); ok && slices.Contains(pl.parts, partStatusLine) {
		add(partStatusLine, handlerOf(value).Command, "statusLine")
	}
	for _, event := range j.Keys("hooks") {
		for _, h := range hookPaths(j, event, func(handler) bool { return slices.Contains(pl.parts, partHooks) }) {
			add(partHooks, h.Command, "hooks", event)
		}
	}
	if slices.Contains(pl.parts, partMCP) {
		for _, key := range j.Keys("mcpServers") {
			value, _ := j.Value("mcpServers", key)
			h := handlerOf(value)
			add(partMCP, joined(h.Command, h.Args), "mcpServers", key)
		}
	}
	return out
}
