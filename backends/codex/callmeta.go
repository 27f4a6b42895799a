package codex

import (
	"encoding/json"
	"strings"
)

// turnKey is where a call says most of its turn, since 0.117: an object, or
// its JSON as a string.
const turnKey = "x-codex-turn-metadata"

const turnMost = 1 << 20 // bytes of that string

// threadOf is the thread that makes a call of an MCP tool, by the call's
// _meta; "" if it does not tell. What versions say (observed):
//
//	0.47 to 0.111  nothing
//	0.117          turn metadata with session_id, which is the thread
//	0.123          threadId
//	0.156          sessionId, which is the root of the tree of agents, and windowId
//	0.171          thread_id in the turn metadata; session_id there is the root
//
// The root is the thread only where nothing else names one: a subagent would
// get its parent's numbers.
func threadOf(meta map[string]any) string {
	turn := turnOf(meta)
	window, _ := meta["windowId"].(string) // "<thread>:<number of the window>"
	if colon := strings.LastIndexByte(window, ':'); colon >= 0 {
		window = window[:colon]
	}
	names := []any{meta["threadId"], turn["thread_id"], window}
	if !isSubagent(turn) {
		names = append(names, turn["session_id"], meta["sessionId"])
	}
	for _, name := range names {
		if id, ok := name.(string); ok && isID(id) {
			return strings.ToLower(id)
		}
	}
	return ""
}

// isSubagent reports whether a call's turn is one of a subagent (0.171.0).
func isSubagent(turn map[string]any) bool {
	for _, key := range []string{"parent_thread_id", "subagent_kind"} {
		if turn[key] != nil {
			return true
		}
	}
	return turn["thread_source"] == "subagent"
}

func turnOf(meta map[string]any) (turn map[string]any) {
	switch v := meta[turnKey].(type) {
	case map[string]any:
		return v
	case string:
		if len(v) > turnMost || json.Unmarshal([]byte(v), &turn) != nil {
			return nil
		}
	}
	return turn
}
