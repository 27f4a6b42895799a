package install

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/edit"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wiring"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wording"
)

// outcome is what became of a text, and what is to be said about it.
type outcome struct {
	text     []byte
	notes    []string
	hindered []error // why a part is not in it
}

func (o *outcome) note(format string, args ...any) {
	o.notes = append(o.notes, fmt.Sprintf(format, args...))
}

// hinder notes that a part could not be put in, which does not keep the others
// from it.
func (o *outcome) hinder(err error) {
	if err != nil && !slices.ContainsFunc(o.hindered, func(e error) bool { return e.Error() == err.Error() }) {
		o.hindered = append(o.hindered, err)
	}
}

// putJSON puts the wiring into a JSON text, and writes down in r what it did.
func putJSON(text []byte, w wiring.Wiring, r *record) (outcome, error) {
	j, err := edit.ParseJSON(text)
	if err != nil {
		return outcome{}, err
	}
	b := jsonBuilder{j: j, r: r}
	if w.StatusLine != "" {
		b.statusLine(w.StatusLine)
	}
	for _, e := range w.Hooks {
		b.hook(e, w.Hook)
	}
	if w.Server != nil {
		b.server(*w.Server)
	}
	b.out.noteWrapped(b.wrapped)
	var off bool
	if switched, _ := b.j.Value("disableAllHooks"); w.StatusLine+w.Hook != "" && json.Unmarshal(switched, &off) == nil && off {
		b.out.note("disableAllHooks turns hooks and status lines off: nothing runs until it is taken out, or false")
	}
	b.out.text = b.j.Text()
	if _, err := edit.ParseJSON(b.out.text); err != nil {
		return outcome{}, fmt.Errorf("the result would be wrong: %w", err)
	}
	return b.out, nil
}

type jsonBuilder struct {
	j   edit.JSON
	r   *record
	out outcome

	wrapped []string // events whose hooks call ctxmeter among other things
}

// mine reports whether a command is ctxmeter's: by what it is, or because the
// record says so.
func mine(r *record, part string, at []string, command string) bool {
	if wiring.Ours(command, part) {
		return true
	}
	e := r.entry(at...)
	return e != nil && e.Part == part && command != "" && e.Command == command
}

// upToDate is a command of ctxmeter with another program, and with what it is
// called with as it is.
func upToDate(old, part, program string) string {
	if wiring.Ours(old, part) {
		return wiring.WithProgram(old, program)
	}
	return program + " " + wiring.Subcommand(part) // under a name that it had
}

func (b *jsonBuilder) statusLine(program string) {
	const key = "statusLine"
	at := []string{key}
	old, ok := b.j.Value(key)
	switch h := wiring.HandlerOf(old); {
	case !ok:
		command := program + " " + wiring.Subcommand(wiring.PartStatusLine)
		b.set(statusLineEntry(command), entry{Part: wiring.PartStatusLine, At: at, Command: command})
	case mine(b.r, wiring.PartStatusLine, at, h.Command):
		command := upToDate(h.Command, wiring.PartStatusLine, program)
		b.update(entry{Part: wiring.PartStatusLine, At: at, Command: command}, at, edit.Member{Key: "command", Value: command})
	case wiring.CallsOurs(h.Command, wiring.PartStatusLine):
		b.out.note("the status line seems to call ctxmeter already, among other things: it is left alone")
	case string(old) == "null":
		b.out.note("statusLine is null there: it is left alone; remove it from the file if you want the one of ctxmeter")
	default:
		b.out.note("there is a status line of somebody else: it is left alone; remove it from the file if you want this one instead")
	}
}

func (b *jsonBuilder) server(s wiring.Server) {
	const key = "mcpServers"
	at := []string{key, "ctxmeter"}
	if old, ok := b.j.Value(at...); ok {
		switch h := wiring.HandlerOf(old); {
		case isServer(b.r, at, h.Command, h.Args):
			args := keptArgs(h.Args, s.Args)
			e := entry{Part: wiring.PartMCP, At: at, Command: joined(s.Program, args)}
			b.update(e, at, edit.Member{Key: "command", Value: s.Program}, edit.Member{Key: "args", Value: listOf(args)})
		case wiring.CallsOurs(joined(h.Command, h.Args), wiring.PartMCP):
			b.out.note("the MCP server seems to be ctxmeter already, among other things: it is left alone")
		default:
			b.out.note("there is another MCP server by the name of ctxmeter: it is left alone")
		}
		return
	}
	for _, other := range b.j.Keys(key) {
		old, _ := b.j.Value(key, other)
		if h := wiring.HandlerOf(old); wiring.OursServer(h.Command, h.Args) {
			b.out.note("the MCP server is there already, by the name of %s: it is left alone", wording.Name(other))
			return
		}
	}
	b.set(serverEntry(s), entry{Part: wiring.PartMCP, At: at, Command: joined(s.Program, s.Args)})
}

// isServer is mine for a server.
func isServer(r *record, at []string, program string, args []string) bool {
	if wiring.OursServer(program, args) {
		return true
	}
	e := r.entry(at...)
	return e != nil && e.Part == wiring.PartMCP && program != "" && e.Command == joined(program, args)
}

// keptArgs are the arguments of a server that was there: its own, if it has
// more than what every one has.
func keptArgs(old, wanted []string) []string {
	if len(old) > 1 {
		return old
	}
	return wanted
}

func (b *jsonBuilder) hook(e wiring.HookEvent, program string) {
	list := []string{"hooks", e.Event}
	for _, found := range wiring.HookPaths(b.j, e.Event, func(h wiring.Handler) bool { return mine(b.r, wiring.PartHooks, list, h.Command) }) {
		command := upToDate(found.Command, wiring.PartHooks, program)
		b.update(entry{Part: wiring.PartHooks, At: list, Command: command}, found.At, edit.Member{Key: "command", Value: command})
		return
	}
	if len(wiring.HookPaths(b.j, e.Event, func(h wiring.Handler) bool { return wiring.CallsOurs(h.Command, wiring.PartHooks) })) > 0 {
		b.wrapped = append(b.wrapped, e.Event)
		return
	}
	command := program + " " + wiring.Subcommand(wiring.PartHooks)
	put := entry{Part: wiring.PartHooks, At: list, Command: command}
	// Behind the others: Codex remembers which hooks are trusted by their
	// places (codex-rs/hooks/src/engine/discovery.rs).
	j, err := b.j.Append(&b.r.Undo, hookEntry(e, command), list...)
	if err != nil {
		b.out.hinder(err)
		return
	}
	b.j = j
	elements := b.j.Elements(list...)
	put.Text = string(elements[len(elements)-1])
	b.r.put(put)
}

// noteWrapped says which hooks were left alone.
func (o *outcome) noteWrapped(events []string) {
	if len(events) > 0 {
		o.note("hooks seem to call ctxmeter already, among other things (%s): they are left alone", strings.Join(events, ", "))
	}
}

// set makes a member.
func (b *jsonBuilder) set(value any, e entry) {
	j, err := b.j.Set(&b.r.Undo, value, e.At...)
	if err != nil {
		b.out.hinder(err)
		return
	}
	b.j = j
	text, _ := b.j.Value(e.At...)
	e.Text = string(text)
	b.r.put(e)
}

// update brings an entry of ours up to date: the members of the object at a
// path that differ.
func (b *jsonBuilder) update(e entry, at []string, members ...edit.Member) {
	was := map[string]string{}
	for _, m := range members {
		path := append(slices.Clone(at), m.Key)
		old, ok := b.j.Value(path...)
		if ok && sameJSON(old, m.Value) {
			continue
		}
		j, err := b.j.Set(&b.r.Undo, m.Value, path...)
		if err != nil {
			b.out.hinder(err)
			return
		}
		b.j, was[m.Key] = j, string(old)
	}
	if len(was) == 0 {
		return
	}
	text, _ := b.j.Value(at...)
	e.Text, e.Was = string(text), was
	if old := b.r.entry(e.At...); old != nil && old.Was != nil {
		for key, text := range was {
			if _, known := old.Was[key]; !known {
				old.Was[key] = text
			}
		}
	}
	b.r.put(e)
}

func sameJSON(text json.RawMessage, value any) bool {
	switch v := value.(type) {
	case string:
		var s string
		return json.Unmarshal(text, &s) == nil && s == v
	case edit.List:
		var list []string
		return json.Unmarshal(text, &list) == nil && slices.Equal(listOf(list), v)
	}
	return false
}

func listOf(words []string) (out edit.List) {
	for _, w := range words {
		out = append(out, w)
	}
	return out
}
