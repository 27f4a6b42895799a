package install

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wiring"
	"github.com/ctxmeter/ctxmeter/config"
)

// sound reports whether a manifest names nothing but what ctxmeter puts in: a
// damaged one must not lead to anything else.
func (r *record) sound() bool {
	toml := strings.HasSuffix(r.Path, ".toml")
	return filepath.IsAbs(r.Path) &&
		(r.Client == wiring.ClientClaude || r.Client == wiring.ClientCodex) &&
		(r.Made || hash.MatchString(r.Before)) &&
		!slices.ContainsFunc(r.Folders, func(dir string) bool {
			return !filepath.IsAbs(dir) || !strings.HasPrefix(r.Path, dir+string(filepath.Separator))
		}) &&
		!slices.ContainsFunc(r.State, func(dir string) bool { return !filepath.IsAbs(dir) }) &&
		!slices.ContainsFunc(r.Entries, func(e entry) bool { return !e.sound(toml) }) &&
		r.soundUndo()
}

var hash = regexp.MustCompile(`^[0-9a-f]{64}$`)

// sound reports whether an entry is where one of its part is put, with a
// command of that part.
func (e entry) sound(toml bool) bool {
	servers := "mcpServers"
	if toml {
		servers = "mcp_servers"
	}
	there := false
	switch e.Part {
	case wiring.PartStatusLine:
		there = !toml && slices.Equal(e.At, []string{"statusLine"})
	case wiring.PartHooks:
		there = len(e.At) == 2 && e.At[0] == "hooks"
	case wiring.PartMCP:
		there = len(e.At) == 2 && e.At[0] == servers
	}
	if !there || !slices.Contains(strings.Fields(e.Command), wiring.Subcommand(e.Part)) {
		return false
	}
	for key, text := range e.Was {
		if key != "command" && (key != "args" || e.Part != wiring.PartMCP) || text != "" && !soundValue(text, toml) {
			return false
		}
	}
	return e.Seam == nil || strings.Trim(e.Seam.Before+e.Seam.After, "\r\n") == ""
}

// soundValue reports whether a text is one string, or a list of them.
func soundValue(text string, toml bool) bool {
	var value any
	if toml {
		doc, err := config.DecodeTOML("x = " + text + "\n")
		if err != nil || len(doc) != 1 {
			return false
		}
		value = doc["x"]
	} else if json.Unmarshal([]byte(text), &value) != nil {
		return false
	}
	switch value.(type) {
	case string, []any, []string:
		return true
	}
	return false
}

// soundUndo looks at the containers that go with the last of what was in them.
func (r *record) soundUndo() bool {
	ours := func(container string) bool {
		return container == "/" || container == "/hooks" || container == "/mcpServers" ||
			strings.HasPrefix(container, "/hooks/")
	}
	for container, inner := range r.Undo.Empty {
		if !ours(container) || strings.Trim(inner, " \t\r\n") != "" {
			return false
		}
	}
	return !slices.ContainsFunc(r.Undo.Made, func(container string) bool { return !ours(container) })
}
