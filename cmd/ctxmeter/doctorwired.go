package main

import (
	"maps"
	"slices"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/edit"
	"github.com/ctxmeter/ctxmeter/config"
)

// wired is a part of ctxmeter that a settings file has in it.
type wired struct {
	part    string
	name    string   // of a server
	off     bool     // of a server: the file turns it off
	command string   // as a shell gets it, "" of a server
	words   []string // program and arguments; nil if it is not ours alone
	events  []string // of hooks
	foreign bool     // it is somebody else's
}

// wiredIn is what a settings file has of ctxmeter.
func wiredIn(pl place, text []byte) (list []wired, err error) {
	if pl.toml {
		doc, err := config.DecodeTOML(string(text))
		if err != nil {
			return nil, err
		}
		return append(serversOf(doc["mcp_servers"]), hooksOf(doc["hooks"])...), nil
	}
	j, err := edit.ParseJSON(text)
	if err != nil {
		return nil, err
	}
	if slices.Contains(pl.parts, partMCP) {
		for _, key := range j.Keys("mcpServers") {
			value, _ := j.Value("mcpServers", key)
			if h := handlerOf(value); oursServer(h.Command, h.Args) {
				list = append(list, wired{part: partMCP, name: key, words: append([]string{h.Command}, h.Args...)})
			}
		}
	}
	if slices.Contains(pl.parts, partStatusLine) {
		if value, ok := j.Value("statusLine"); ok {
			if command := handlerOf(value).Command; command != "" { // else the client refuses the file
				list = append(list, commandOf(partStatusLine, command))
			}
		}
	}
	if slices.Contains(pl.parts, partHooks) {
		for _, event := range j.Keys("hooks") {
			for _, h := range hookPaths(j, event, func(h handler) bool { return callsOurs(h.Command, partHooks) }) {
				list = addHook(list, h.Command, event)
			}
		}
	}
	return list, nil
}

func commandOf(part, command string) wired {
	w := wired{part: part, command: command, foreign: !callsOurs(command, part)}
	if ours(command, part) {
		w.words, _, _ = shellWords(command)
	}
	return w
}

// addHook adds the command of an event; one that is there already has one event
// more.
func addHook(list []wired, command, event string) []wired {
	for i := range list {
		if list[i].part == partHooks && list[i].command == command {
			list[i].events = append(list[i].events, event)
			return list
		}
	}
	w := commandOf(partHooks, command)
	w.events = []string{event}
	return append(list, w)
}

func serversOf(table any) (list []wired) {
	servers, _ := table.(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(servers)) {
		server, _ := servers[name].(map[string]any)
		if program, args := serverOf(server); oursServer(program, args) {
			on, said := server["enabled"].(bool)
			list = append(list, wired{part: partMCP, name: name, off: said && !on, words: append([]string{program}, args...)})
		}
	}
	return list
}

func hooksOf(table any) (list []wired) {
	events, _ := table.(map[string]any)
	for _, h := range append(claudeHooks(), codexHooks()...) {
		for _, group := range tablesOf(events[h.event]) {
			for _, hook := range tablesOf(group["hooks"]) {
				command, _ := hook["command"].(string)
				if callsOurs(command, partHooks) && !slices.ContainsFunc(list, func(w wired) bool { return slices.Contains(w.events, h.event) }) {
					list = addHook(list, command, h.event)
				}
			}
		}
	}
	return list
}

// tablesOf is an array of tables, in whichever way it is written.
func tablesOf(v any) (out []map[string]any) {
	switch v := v.(type) {
	case []map[string]any:
		return v
	case []any:
		for _, e := range v {
			if table, ok := e.(map[string]any); ok {
				out = append(out, table)
			}
		}
	}
	return out
}
