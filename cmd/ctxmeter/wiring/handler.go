package wiring

import (
	"encoding/json"
	"fmt"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/edit"
)

// Handler is a command that a client runs, as settings files have it.
type Handler struct {
	Type    string   `json:"type"`
	Command string   `json:"command"`
	Args    []string `json:"args"`
}

// HandlerOf is the handler that a JSON text holds, as far as it is one.
func HandlerOf(text json.RawMessage) (h Handler) {
	_ = json.Unmarshal(text, &h)
	return h
}

// HookAt is a handler of an event, and its path in the file.
type HookAt struct {
	Handler
	At []string
}

// HookPaths are the handlers of an event that are as asked.
func HookPaths(j edit.JSON, event string, want func(Handler) bool) (out []HookAt) {
	for g, text := range j.Elements("hooks", event) {
		group, err := edit.ParseJSON(text)
		if err != nil {
			continue // no object
		}
		for i, text := range group.Elements("hooks") {
			if h := HandlerOf(text); want(h) {
				out = append(out, HookAt{h, []string{"hooks", event, fmt.Sprint(g), "hooks", fmt.Sprint(i)}})
			}
		}
	}
	return out
}

// ServerOf is what a table of TOML says of a server, as far as it is one.
func ServerOf(table map[string]any) (program string, args []string) {
	program, _ = table["command"].(string)
	list, _ := table["args"].([]any)
	for _, v := range list {
		word, _ := v.(string)
		args = append(args, word)
	}
	return program, args
}

// Tables is an array of tables, in whichever way it is written.
func Tables(v any) (out []map[string]any) {
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
