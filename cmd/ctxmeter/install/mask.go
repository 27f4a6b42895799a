package install

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/edit"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wiring"
	"github.com/ctxmeter/ctxmeter/config"
)

// Settings hold keys and tokens, and a difference is copied into reports. What
// is shown of a text are its marks, the names of its keys, and what ctxmeter
// itself writes, where it writes it. All other values and all comments appear
// as hidden, whatever they look like, changed or not.
const hidden = "…"

// shown is how the lines of a text are shown, without their ends.
func (pl target) shown(text []byte) []string {
	m := masker{pl: pl, own: map[string]bool{}, words: map[string]string{}}
	walk := pl.walker(text)
	if walk == nil { // cannot be: what does not parse is not edited
		return slices.Repeat([]string{hidden}, bytes.Count(text, []byte("\n"))+1)
	}
	walk(m.learn)
	m.servers()
	var out strings.Builder
	at := 0
	walk(func(p edit.Part) {
		if p.Kind == edit.Group {
			return
		}
		out.WriteString(marks(text[at:p.From]))
		at = p.End
		raw := string(text[p.From:p.End])
		mask := m.mask(p, raw)
		out.WriteString(mask)
		for range strings.Count(raw, "\n") {
			out.WriteString("\n" + hidden)
		}
	})
	out.WriteString(marks(text[at:]))
	lines := strings.Split(out.String(), "\n")
	for n := range lines {
		lines[n] = strings.TrimSuffix(lines[n], "\r")
	}
	return lines
}

// walker visits the parts of a text; nil if it cannot be taken apart.
func (pl target) walker(text []byte) func(func(edit.Part)) {
	if pl.TOML {
		t, err := edit.ParseTOML(text, config.DecodeTOML)
		if err != nil {
			return nil
		}
		return t.Walk
	}
	j, err := edit.ParseJSON(text)
	if err != nil {
		return nil
	}
	return j.Walk
}

// marks is what stands between the parts of a text. There should be nothing but
// marks; what is not one does not appear.
func marks(text []byte) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" \t\r\n[]{},:=.\ufeff", r) {
			return r
		}
		return []rune(hidden)[0]
	}, string(text))
}

// masker knows which objects of a text are entries of ctxmeter.
type masker struct {
	pl    target
	own   map[string]bool   // paths of handlers, and of groups with one
	words map[string]string // programs and first arguments of servers, by their paths
}

func (m *masker) name(path []string) string { return strings.Join(path, "\x00") }

// partAt is the part of ctxmeter whose handler may be at a path, "" if none.
func (m *masker) partAt(path []string) string {
	part := ""
	switch {
	case len(path) == 1 && path[0] == "statusLine" && !m.pl.TOML:
		part = wiring.PartStatusLine
	case len(path) == 5 && path[0] == "hooks" && path[3] == "hooks":
		part = wiring.PartHooks
	case len(path) == 2 && (path[0] == "mcp_servers" && m.pl.TOML || path[0] == "mcpServers" && !m.pl.TOML):
		part = wiring.PartMCP
	}
	if !slices.Contains(m.pl.Parts, part) {
		return ""
	}
	return part
}

// learn notes which commands are ctxmeter's.
func (m *masker) learn(p edit.Part) {
	n := len(p.Path) - 1
	if p.Kind != edit.Text || n < 1 {
		return
	}
	switch {
	case p.Path[n] == "command" && m.partAt(p.Path[:n]) == wiring.PartMCP, p.Path[n] == "0" && p.Path[n-1] == "args":
		m.words[m.name(p.Path)] = p.Word
	case p.Path[n] == "command":
		if part := m.partAt(p.Path[:n]); part != "" && wiring.Ours(p.Word, part) {
			m.own[m.name(p.Path[:n])] = true
			if part == wiring.PartHooks {
				m.own[m.name(p.Path[:3])] = true
			}
		}
	}
}

// servers notes which of the servers are.
func (m *masker) servers() {
	for path, word := range m.words {
		server, ok := strings.CutSuffix(path, "\x00command")
		if ok && wiring.OursServer(word, []string{m.words[server+"\x00args\x000"]}) {
			m.own[server] = true
		}
	}
}

// plainKey is the name of a key that is shown: an identifier. Keys may be paths
// and addresses, too.
var plainKey = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]{0,39}$`)

// mask is the first line of what a part is shown as.
func (m *masker) mask(p edit.Part, raw string) string {
	switch p.Kind {
	case edit.Key:
		if plainKey.MatchString(p.Word) {
			return raw
		}
		return `"` + hidden + `"`
	case edit.Comment:
		return "# " + hidden
	}
	if text := m.ours(p, raw); text != "" && !strings.Contains(raw, "\n") {
		return text
	}
	if p.Kind == edit.Text {
		return `"` + hidden + `"`
	}
	return hidden
}

// ours is what a value is shown as that ctxmeter writes where it stands; "" of
// any other.
func (m *masker) ours(p edit.Part, raw string) string {
	n := len(p.Path) - 1
	if n < 1 {
		return ""
	}
	key, around := p.Path[n], p.Path[:n]
	index, err := strconv.Atoi(key)
	if list := p.Path[n-1]; err == nil && (list == "args" || list == "env_vars") {
		around = p.Path[:n-1]
		if m.partAt(around) == wiring.PartMCP && m.own[m.name(around)] && m.argument(list, index, p.Word) {
			return raw
		}
		return ""
	}
	if !m.own[m.name(around)] {
		return ""
	}
	part := m.partAt(around)
	switch {
	case key == "command" && part == wiring.PartMCP && wiring.IsCtxmeter(p.Word):
		return raw
	case key == "command" && part != "" && part != wiring.PartMCP && wiring.Ours(p.Word, part):
		return m.command(p.Word, part, raw)
	case key == "type" && part == wiring.PartMCP && p.Word == "stdio",
		key == "type" && part != wiring.PartMCP && p.Word == "command",
		key == "timeout" && part == wiring.PartHooks && raw == strconv.Itoa(wiring.HookTimeout),
		key == "matcher" && len(around) == 3 && slices.ContainsFunc(wiring.ClaudeHooks(), func(h wiring.HookEvent) bool { return h.Matcher == p.Word }):
		return raw
	}
	return ""
}

// command is a command of ctxmeter: what comes behind the subcommand is the
// user's.
func (m *masker) command(command, part, raw string) string {
	words, end, _ := wiring.ShellWords(command)
	if len(words) == 2 {
		return raw
	}
	text := command[:end] + " " + wiring.Subcommand(part) + " " + hidden
	if m.pl.TOML {
		return config.Quote(text)
	}
	return jsonText(text)
}

// argument reports whether ctxmeter writes a word into such a list of a server.
func (m *masker) argument(list string, index int, word string) bool {
	written := []string{wiring.Subcommand(wiring.PartMCP)}
	if s := m.pl.Wiring.Server; list == "env_vars" {
		written = []string{"CODEX_HOME"}
	} else if s != nil {
		written = s.Args
	}
	return index < len(written) && written[index] == word
}

func jsonText(text string) string {
	out, err := json.Marshal(text)
	if err != nil { // cannot be
		return ""
	}
	return string(out)
}
