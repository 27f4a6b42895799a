package wiring

import (
	"encoding/json"
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
		keys, servers := members(j, "mcpServers")
		for _, key := range keys {
			if h := HandlerOf(servers[key]); OursServer(h.Command, h.Args) {
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
		var hooks hookList
		keys, events := members(j, "hooks")
		for _, event := range keys {
			for _, text := range arrayOf(events[event]) {
				var group map[string]json.RawMessage
				if json.Unmarshal(text, &group) != nil {
					continue // no object
				}
				for _, text := range arrayOf(group["hooks"]) {
					if h := HandlerOf(text); CallsOurs(h.Command, PartHooks) {
						hooks.add(h.Command, event)
					}
				}
			}
		}
		list = append(list, hooks.wired...)
	}
	return list, nil
}

// members are the values of an object in a text, and its keys in their order,
// each once. It is read in one go: a file that others bring along may have very
// many. What is no object has none.
func members(j edit.JSON, key string) (keys []string, values map[string]json.RawMessage) {
	text, _ := j.Value(key)
	if json.Unmarshal(text, &values) != nil {
		return nil, nil
	}
	seen := map[string]bool{}
	for _, k := range j.Keys(key) {
		if !seen[k] {
			keys = append(keys, k)
		}
		seen[k] = true
	}
	return keys, values
}

// arrayOf are the elements of an array, none of anything else.
func arrayOf(text json.RawMessage) (out []json.RawMessage) {
	_ = json.Unmarshal(text, &out)
	return out
}

func commandOf(part, command string) Wired {
	w := Wired{Part: part, Command: command, Foreign: !CallsOurs(command, part)}
	if Ours(command, part) {
		w.Words, _, _ = ShellWords(command)
	}
	return w
}

// hookList are the hooks of a file, each command once.
type hookList struct {
	wired []Wired
	at    map[string]int // by command
}

// add adds the command of an event; one that is there already has one event
// more.
func (l *hookList) add(command, event string) {
	if i, known := l.at[command]; known {
		l.wired[i].Events = append(l.wired[i].Events, event)
		return
	}
	if l.at == nil {
		l.at = map[string]int{}
	}
	l.at[command] = len(l.wired)
	w := commandOf(PartHooks, command)
	w.Events = []string{event}
	l.wired = append(l.wired, w)
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

func hooksOf(table any) []Wired {
	events, _ := table.(map[string]any)
	var list hookList
	for _, event := range slices.Sorted(maps.Keys(events)) {
		for _, group := range Tables(events[event]) { // "state" is no array
			for _, hook := range Tables(group["hooks"]) {
				if command, _ := hook["command"].(string); CallsOurs(command, PartHooks) {
					list.add(command, event)
				}
			}
		}
	}
	return list.wired
}
