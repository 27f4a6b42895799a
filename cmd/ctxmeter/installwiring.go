package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/edit"
)

// wiring is what is to be in one settings file. Parts that do not belong there
// are empty.
type wiring struct {
	statusLine string
	hooks      []hookEvent
	hook       string // the command of the hooks
	server     *server
}

type hookEvent struct{ event, matcher string }

type server struct {
	program string
	args    []string
	typed   bool     // Claude Code writes the kind of the server down
	pass    []string // variables that Codex is to pass on
}

// hookTimeout is how long a hook may take, in seconds, in both clients. Their
// own limits, 60 and 600 s, are no good for what stands before every prompt.
const hookTimeout = 5

// claudeHooks are the events of Claude Code that ctxmeter has something to say
// at. Of all tools, only reading a file is planned in tokens.
func claudeHooks() []hookEvent {
	return []hookEvent{{"UserPromptSubmit", ""}, {"PostToolUse", ""}, {"PreToolUse", "Read"}, {"SessionStart", ""}}
}

func codexHooks() []hookEvent {
	return []hookEvent{{"UserPromptSubmit", ""}, {"PostToolUse", ""}, {"SessionStart", ""}}
}

// outcome is what became of a text, and what is to be said about it.
type outcome struct {
	text  []byte
	notes []string
}

func (o *outcome) note(format string, args ...any) {
	o.notes = append(o.notes, fmt.Sprintf(format, args...))
}

// putJSON puts the wiring into a JSON text, and writes down in r what it did.
func putJSON(text []byte, w wiring, r *record) (outcome, error) {
	j, err := edit.ParseJSON(text)
	if err != nil {
		return outcome{}, err
	}
	b := jsonBuilder{j: j, r: r}
	if w.statusLine != "" {
		b.statusLine(w.statusLine)
	}
	for _, e := range w.hooks {
		b.hook(e, w.hook)
	}
	if w.server != nil {
		b.server(*w.server)
	}
	if b.err != nil {
		return outcome{}, b.err
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
	err error
}

// handler is a command that a client runs, as settings files have it.
type handler struct {
	Type    string   `json:"type"`
	Command string   `json:"command"`
	Args    []string `json:"args"`
}

func handlerOf(text json.RawMessage) (h handler) {
	_ = json.Unmarshal(text, &h)
	return h
}

func (b *jsonBuilder) statusLine(command string) {
	const key = "statusLine"
	old, ok := b.j.Value(key)
	switch h := handlerOf(old); {
	case !ok:
		value := edit.Object{{Key: "type", Value: "command"}, {Key: "command", Value: command}}
		b.set(value, entry{Part: partStatusLine, At: []string{key}, Command: command})
	case ours(h.Command, partStatusLine):
		b.update(entry{Part: partStatusLine, At: []string{key}, Command: command}, []string{key}, edit.Member{Key: "command", Value: command})
	case callsOurs(h.Command, partStatusLine):
		b.out.note("the status line seems to call ctxmeter already, among other things: it is left alone")
	default:
		b.out.note("there is a status line of somebody else: it is left alone; remove it from the file if you want this one instead")
	}
}

func (b *jsonBuilder) server(s server) {
	const key = "mcpServers"
	at := []string{key, "ctxmeter"}
	value := edit.Object{{Key: "command", Value: s.program}, {Key: "args", Value: listOf(s.args)}}
	if s.typed {
		value = slices.Insert(value, 0, edit.Member{Key: "type", Value: "stdio"})
	}
	e := entry{Part: partMCP, At: at, Command: strings.Join(append([]string{s.program}, s.args...), " ")}
	if old, ok := b.j.Value(at...); ok {
		if h := handlerOf(old); oursServer(h.Command, h.Args) {
			b.update(e, at, value[len(value)-2:]...)
		} else {
			b.out.note("there is another MCP server by the name of ctxmeter: it is left alone")
		}
		return
	}
	for _, other := range b.j.Keys(key) {
		old, _ := b.j.Value(key, other)
		if h := handlerOf(old); oursServer(h.Command, h.Args) {
			b.out.note("the MCP server is there already, by the name of %s: it is left alone", name(other))
			return
		}
	}
	b.set(value, e)
}

func (b *jsonBuilder) hook(e hookEvent, command string) {
	list := []string{"hooks", e.event}
	put := entry{Part: partHooks, At: list, Command: command}
	for _, at := range hookPaths(b.j, e.event, func(h handler) bool { return ours(h.Command, partHooks) }) {
		b.update(put, at, edit.Member{Key: "command", Value: command})
		return
	}
	value := edit.Object{{Key: "hooks", Value: edit.List{edit.Object{
		{Key: "type", Value: "command"}, {Key: "command", Value: command}, {Key: "timeout", Value: hookTimeout},
	}}}}
	if e.matcher != "" {
		value = slices.Insert(value, 0, edit.Member{Key: "matcher", Value: e.matcher})
	}
	if b.err != nil {
		return
	}
	// Behind the others: Codex remembers which hooks are trusted by their
	// places (codex-rs/hooks/src/engine/discovery.rs).
	if b.j, b.err = b.j.Append(&b.r.Undo, value, list...); b.err != nil {
		return
	}
	elements := b.j.Elements(list...)
	put.Text = string(elements[len(elements)-1])
	b.r.put(put)
}

// hookPaths are the paths of the handlers of an event that are as asked.
func hookPaths(j edit.JSON, event string, want func(handler) bool) (out [][]string) {
	for g := range j.Elements("hooks", event) {
		group := []string{"hooks", event, fmt.Sprint(g), "hooks"}
		for i, text := range j.Elements(group...) {
			if want(handlerOf(text)) {
				out = append(out, append(slices.Clone(group), fmt.Sprint(i)))
			}
		}
	}
	return out
}

// set makes a member.
func (b *jsonBuilder) set(value any, e entry) {
	if b.err != nil {
		return
	}
	if b.j, b.err = b.j.Set(&b.r.Undo, value, e.At...); b.err != nil {
		return
	}
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
		if b.err != nil || ok && sameJSON(old, m.Value) {
			continue
		}
		was[m.Key] = string(old)
		b.j, b.err = b.j.Set(&b.r.Undo, m.Value, path...)
	}
	if len(was) == 0 || b.err != nil {
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
