package wiring

import (
	"maps"
	"slices"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/edit"
	"github.com/ctxmeter/ctxmeter/config"
)

// Wired is a part of ctxmeter that a settings file has in it.
type Wired struct {
	Part    string
	Name    string   // of a server
	Off     bool     // of a server: the file turns it off
	Command string   // as a shell gets it, "" of a server
	Words   []string // program and arguments; nil if it is not ours alone
	Events  []string // of hooks
	Foreign bool     // it is somebody else's
}

// WiredIn is what a settings file has of ctxmeter.
func WiredIn(pl Place, text []byte) (list []Wired, err error) {
	if pl.TOML {
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
	if slices.Contains(pl.Parts, PartMCP) {
		for _, key := range j.Keys("mcpServers") {
			value, _ := j.Value("mcpServers", key)
			if h := HandlerOf(value); OursServer(h.Command, h.Args) {
				list = append(list, Wired{Part: PartMCP, Name: key, Words: append([]string{h.Command}, h.Args...)})
			}
		}
	}
	if slices.Contains(pl.Parts, PartStatusLine) {
		if value, ok := j.Value("statusLine"); ok {
			if command := HandlerOf(value).Command; command != "" { // else the client refuses the file
				list = append(list, commandOf(PartStatusLine, command))
			}
		}
	}
	if slices.Contains(pl.Parts, PartHooks) {
		for _, event := range j.Keys("hooks") {
			for _, h := range HookPaths(j, event, func(h Handler) bool { return CallsOurs(h.Command, PartHooks) }) {
				list = addHook(list, h.Command, event)
			}
		}
	}
	return list, nil
}

func commandOf(part, command string) Wired {
	w := Wired{Part: part, Command: command, Foreign: !CallsOurs(command, part)}
	if Ours(command, part) {
		w.Words, _, _ = ShellWords(command)
	}
	return w
}

// addHook adds the command of an event; one that is there already has one event
// more.
func addHook(list []Wired, command, event string) []Wired {
	for i := range list {
		if list[i].Part == PartHooks && list[i].Command == command {
			list[i].Events = append(list[i].Events, event)
			return list
		}
	}
	w := commandOf(PartHooks, command)
	w.Events = []string{event}
	return append(list, w)
}

func serversOf(table any) (list []Wired) {
	servers, _ := table.(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(servers)) {
		server, _ := servers[name].(map[string]any)
		if program, args := ServerOf(server); OursServer(program, args) {
			on, said := server["enabled"].(bool)
			list = append(list, Wired{Part: PartMCP, Name: name, Off: said && !on, Words: append([]string{program}, args...)})
		}
	}
	return list
}

func hooksOf(table any) (list []Wired) {
	events, _ := table.(map[string]any)
	for _, h := range append(ClaudeHooks(), CodexHooks()...) {
		for _, group := range Tables(events[h.Event]) {
			for _, hook := range Tables(group["hooks"]) {
				command, _ := hook["command"].(string)
				if CallsOurs(command, PartHooks) && !slices.ContainsFunc(list, func(w Wired) bool { return slices.Contains(w.Events, h.Event) }) {
					list = addHook(list, command, h.Event)
				}
			}
		}
	}
	return list
}
