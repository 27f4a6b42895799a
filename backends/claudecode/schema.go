package claudecode

import (
	"bytes"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strings"
)

// Refused tells the key for which the client refuses a settings file as a
// whole, and what it wants there; "" if it is none of those that are known.
// 2.1.197 was given each of these (one -p run each, with a hook in the same
// file): a value of another kind, null too, and nothing in the file counts: no
// status line, no hook. A terminal shows a dialog at the start, -p says
// nothing. Unknown keys and events of hooks pass, and so do bad values of
// autoCompactWindow, env.NAME, padding below 0 and refreshInterval.
//
// A text that is no JSON object is not looked at.
func Refused(text []byte) (key, want string) {
	var raw map[string]json.RawMessage
	if json.Unmarshal(bytes.TrimPrefix(text, []byte("\ufeff")), &raw) != nil {
		return "", ""
	}
	for _, key := range slices.Sorted(maps.Keys(raw)) {
		if kind, known := kinds[key]; known && !kind.fits(raw[key]) {
			return key, kind.name
		}
	}
	if v, ok := raw["statusLine"]; ok {
		if key, want := refusedStatusLine(v); key != "" {
			return key, want
		}
	}
	return refusedHook(raw["hooks"])
}

// kind is what a value has to be.
type kind struct {
	name string
	fits func(json.RawMessage) bool
}

func is[T any](raw json.RawMessage) bool {
	_, ok := value[T](raw)
	return ok
}

func kindText() kind   { return kind{"a text", is[string]} }
func kindTruth() kind  { return kind{"true or false", is[bool]} }
func kindTexts() kind  { return kind{"a list of texts", is[[]string]} }
func kindObject() kind { return kind{"an object", is[map[string]json.RawMessage]} }
func kindNumber() kind { return kind{"a number", is[float64]} }

var kinds = map[string]kind{
	"model": kindText(), "apiKeyHelper": kindText(), "outputStyle": kindText(), "language": kindText(),
	"disableAllHooks": kindTruth(), "allowManagedHooksOnly": kindTruth(), "autoCompactEnabled": kindTruth(),
	"enableAllProjectMcpServers": kindTruth(), "includeCoAuthoredBy": kindTruth(), "alwaysThinkingEnabled": kindTruth(), "spinnerTipsEnabled": kindTruth(),
	"enabledMcpjsonServers": kindTexts(), "disabledMcpjsonServers": kindTexts(),
	"env": kindObject(), "hooks": kindObject(), "permissions": kindObject(), "statusLine": kindObject(),
	// 0, 0.5, 1.5 and -1 were refused.
	"cleanupPeriodDays": {"a whole number from 1 on", func(raw json.RawMessage) bool {
		n, ok := value[float64](raw)
		return ok && n >= 1 && n == math.Trunc(n)
	}},
}

func refusedStatusLine(raw json.RawMessage) (key, want string) {
	var entry map[string]json.RawMessage
	if json.Unmarshal(raw, &entry) != nil {
		return "", "" // it is in the table
	}
	if t, ok := value[string](entry["type"]); !ok || t != "command" {
		return "statusLine.type", `"command"`
	}
	if !is[string](entry["command"]) {
		return "statusLine.command", "a text"
	}
	for key, kind := range map[string]kind{"padding": kindNumber(), "hideVimModeIndicator": kindTruth()} {
		if v, ok := entry[key]; ok && !kind.fits(v) {
			return "statusLine." + key, kind.name
		}
	}
	return "", ""
}

// refusedHook looks at the groups of the events; an event that is no list is
// passed over by the client, and the rest counts.
func refusedHook(raw json.RawMessage) (key, want string) {
	var events map[string]json.RawMessage
	if len(raw) == 0 || json.Unmarshal(raw, &events) != nil {
		return "", ""
	}
	for _, event := range slices.Sorted(maps.Keys(events)) {
		at := "hooks." + event
		if strings.Trim(event, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
			at = "hooks" // nobody knows what such a name says
		}
		groups, _ := value[[]map[string]json.RawMessage](events[event])
		for _, group := range groups {
			if m, ok := group["matcher"]; ok && !is[string](m) {
				return at + ".matcher", "a text"
			}
			list, ok := value[[]map[string]json.RawMessage](group["hooks"])
			if !ok {
				return at + ".hooks", "a list"
			}
			for _, h := range list {
				if key, want := refusedHandler(h); key != "" {
					return at + ".hooks." + key, want
				}
			}
		}
	}
	return "", ""
}

// refusedHandler knows handlers that are commands; other kinds have keys of
// their own.
func refusedHandler(h map[string]json.RawMessage) (key, want string) {
	t, ok := value[string](h["type"])
	switch {
	case !ok:
		return "type", "a text"
	case t != "command":
		return "", ""
	case !is[string](h["command"]):
		return "command", "a text"
	}
	if v, ok := h["timeout"]; ok {
		if n, ok := value[float64](v); !ok || n <= 0 {
			return "timeout", "a number above 0"
		}
	}
	if v, ok := h["async"]; ok && !is[bool](v) {
		return "async", "true or false"
	}
	return "", ""
}

// Managed are the places of an administrator's settings on this system.
func (c *Client) Managed() []string { return c.managed }
