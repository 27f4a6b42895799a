package wiring

import (
	"slices"
	"testing"
)

func names(list []Wired) (out []string) {
	for _, w := range list {
		out = append(out, w.Name+w.Command)
	}
	return out
}

// Of several members with the same name the last one counts, and it is told
// once.
func TestWiredInTakesTheLastOfAName(t *testing.T) {
	pl := Place{Parts: []string{PartMCP, PartHooks}}
	list, err := WiredIn(pl, []byte(`{
		"mcpServers": {"a": {"command": "other"}, "b": {"command": "ctxmeter", "args": ["mcp"]}, "a": {"command": "ctxmeter", "args": ["mcp"]}},
		"hooks": {"Stop": [{"hooks": [{"command": "first"}]}], "Stop": [3, {"hooks": 3}, {"hooks": [3, {"command": "ctxmeter hook"}]}], "x": {}}
	}`))
	if got := names(list); err != nil || !slices.Equal(got, []string{"a", "b", "ctxmeter hook"}) || !slices.Equal(list[2].Events, []string{"Stop"}) {
		t.Errorf("%q, %+v, %v", got, list, err)
	}
}

// Every hook of Codex is seen, the second of an event and those at any event.
func TestWiredInSeesAllHooksOfCodex(t *testing.T) {
	list, err := WiredIn(Place{TOML: true}, []byte(`
[[hooks.Stop]]
[[hooks.Stop.hooks]]
command = "/a/ctxmeter hook"
[[hooks.PostToolUse]]
[[hooks.PostToolUse.hooks]]
command = "ctxmeter hook"
[[hooks.PostToolUse.hooks]]
command = "/b/ctxmeter hook"
[hooks.state."x"]
trusted_hash = "y"
`))
	if got := names(list); err != nil || !slices.Equal(got, []string{"ctxmeter hook", "/b/ctxmeter hook", "/a/ctxmeter hook"}) {
		t.Errorf("%q, %v", got, err)
	}
}
