package install

import (
	"maps"
	"slices"
	"strconv"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/edit"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wiring"
	"github.com/ctxmeter/ctxmeter/config"
)

// What ctxmeter puts in has a shape of its own: its keys stand in the order of
// the alphabet, there are no others and no comments, and the command has no
// arguments but those that are written. 'claude mcp add' and 'codex mcp add' (2.1.197,
// 0.171.0), the manuals of the clients and the README write other orders. So an
// entry can be told from one that somebody made by hand, even where the record
// of it is lost. Claude Code keeps the order when it writes the file ('claude mcp
// add' beside it, 2.1.197); 'codex mcp add' (0.171.0) writes all servers in its
// own, and then only the record tells.

func statusLineEntry(command string) edit.Object {
	return edit.Object{{Key: "command", Value: command}, {Key: "type", Value: "command"}}
}

func serverEntry(s wiring.Server) edit.Object {
	out := edit.Object{{Key: "args", Value: listOf(s.Args)}, {Key: "command", Value: s.Program}}
	if s.Typed {
		out = append(out, edit.Member{Key: "type", Value: "stdio"})
	}
	return out
}

func hookEntry(e wiring.HookEvent, command string) edit.Object {
	out := edit.Object{{Key: "hooks", Value: edit.List{edit.Object{
		{Key: "command", Value: command}, {Key: "timeout", Value: wiring.HookTimeout}, {Key: "type", Value: "command"},
	}}}}
	if e.Matcher != "" {
		out = append(out, edit.Member{Key: "matcher", Value: e.Matcher})
	}
	return out
}

func serverBlock(s wiring.Server) string {
	block := "[mcp_servers.ctxmeter]\nargs = " + tomlList(s.Args) + "\ncommand = " + config.Quote(s.Program) + "\n"
	if len(s.Pass) > 0 {
		block += "env_vars = " + tomlList(s.Pass) + "\n"
	}
	return block
}

func hookBlock(e wiring.HookEvent, command string) string {
	block := "[[hooks." + e.Event + "]]\n"
	if e.Matcher != "" {
		block += "matcher = " + config.Quote(e.Matcher) + "\n"
	}
	return block + "[[hooks." + e.Event + ".hooks]]\n" + hookLines(command, "\n")
}

func hookLines(command, between string) string {
	return "command = " + config.Quote(command) + between + "timeout = " + strconv.Itoa(wiring.HookTimeout) + between + "type = \"command\"" + lastOf(between)
}

func lastOf(between string) string {
	if between == "\n" {
		return between
	}
	return ""
}

// bare reports whether a command is a part of ctxmeter without any arguments.
func bare(command, part string) bool {
	words, _, _ := wiring.ShellWords(command)
	return wiring.Ours(command, part) && len(words) == 2
}

// bareServer is bare for a server. Only in Codex it has to be told a home.
func bareServer(program string, args []string, codex bool) bool {
	return wiring.OursServer(program, args) && (len(args) == 1 || codex && len(args) == 3 && args[1] == "--codex-home")
}

// installed is what a text has that is written as ctxmeter writes it, as a
// record of it.
func (pl target) installed(text []byte) *record {
	if pl.TOML {
		return installedTOML(text)
	}
	return pl.installedJSON(text)
}

func (pl target) installedJSON(text []byte) *record {
	r := &record{}
	j, err := edit.ParseJSON(text)
	if err != nil {
		return r
	}
	shaped := func(h wiring.Handler, kind string, path []string, keys ...string) bool {
		return h.Type == kind && slices.Equal(j.Keys(path...), keys)
	}
	if v, ok := j.Value("statusLine"); ok && slices.Contains(pl.Parts, wiring.PartStatusLine) {
		if h := wiring.HandlerOf(v); bare(h.Command, wiring.PartStatusLine) && shaped(h, "command", []string{"statusLine"}, "command", "type") {
			r.Entries = append(r.Entries, entry{Part: wiring.PartStatusLine, At: []string{"statusLine"}, Command: h.Command})
		}
	}
	for _, event := range j.Keys("hooks") {
		if !slices.Contains(pl.Parts, wiring.PartHooks) {
			break
		}
		for _, h := range wiring.HookPaths(j, event, func(h wiring.Handler) bool { return bare(h.Command, wiring.PartHooks) }) {
			timeout, _ := j.Value(append(slices.Clone(h.At), "timeout")...)
			if string(timeout) == strconv.Itoa(wiring.HookTimeout) && shaped(h.Handler, "command", h.At, "command", "timeout", "type") {
				r.Entries = append(r.Entries, entry{Part: wiring.PartHooks, At: []string{"hooks", event}, Command: h.Command})
				r.Undo.Made = append(r.Undo.Made, "/hooks/"+event)
			}
		}
	}
	at := []string{"mcpServers", "ctxmeter"}
	if v, ok := j.Value(at...); ok && slices.Contains(pl.Parts, wiring.PartMCP) {
		if h := wiring.HandlerOf(v); bareServer(h.Command, h.Args, false) && shaped(h, "stdio", at, "args", "command", "type") {
			r.Entries = append(r.Entries, entry{Part: wiring.PartMCP, At: at, Command: joined(h.Command, h.Args)})
		}
	}
	r.Undo.Made = append(r.Undo.Made, "/hooks", "/mcpServers")
	r.keep(func(entry) bool { return true })
	return r
}

func installedTOML(text []byte) *record {
	r := &record{}
	doc, err := config.DecodeTOML(string(text))
	if err != nil {
		return r
	}
	t, err := edit.ParseTOML(text, config.DecodeTOML)
	if err != nil {
		return r
	}
	seam := &edit.Seam{Before: "\n", After: "\n"}
	servers, _ := doc["mcp_servers"].(map[string]any)
	if old, ok := servers["ctxmeter"].(map[string]any); ok && t.HasHeader(serverTable...) && !t.HasComment(serverTable...) {
		program, args := wiring.ServerOf(old)
		names := t.Names(serverTable...)
		if len(old) == len(names) && bareServer(program, args, true) &&
			(slices.Equal(names, []string{"args", "command"}) || slices.Equal(names, []string{"args", "command", "env_vars"})) {
			r.Entries = append(r.Entries, entry{Part: wiring.PartMCP, At: serverTable, Command: joined(program, args), Seam: seam})
		}
	}
	events, _ := doc["hooks"].(map[string]any)
	for _, event := range slices.Sorted(maps.Keys(events)) {
		array := []string{"hooks", event, "hooks"}
		timeouts := t.ElementKeys("timeout", array...)
		for n, text := range t.ElementKeys("command", array...) {
			if command := tomlString(text); bare(command, wiring.PartHooks) && timeouts[n] == strconv.Itoa(wiring.HookTimeout) && !t.ElementHasComment(n, array...) &&
				slices.Equal(t.ElementNames(n, array...), []string{"command", "timeout", "type"}) {
				r.Entries = append(r.Entries, entry{Part: wiring.PartHooks, At: []string{"hooks", event}, Command: command, Seam: seam})
			}
		}
	}
	return r
}

// adopt adds to a record what a text has of the shape of ctxmeter's that the
// record does not know: what it listed was lost, or somebody has copied it.
func (r *record) adopt(pl target, text []byte) (some bool, err error) {
	left, err := pl.take(text, wiring.Parts(), r.clone())
	if err != nil {
		return false, err
	}
	found := pl.installed(left)
	r.Entries = append(r.Entries, found.Entries...)
	for _, container := range found.Undo.Made {
		if _, known := r.Undo.Empty[container]; !known && !slices.Contains(r.Undo.Made, container) {
			r.Undo.Made = append(r.Undo.Made, container)
		}
	}
	return len(found.Entries) > 0, nil
}
