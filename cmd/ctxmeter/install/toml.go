package install

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/edit"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wiring"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wording"
	"github.com/ctxmeter/ctxmeter/config"
)

// putTOML is putJSON for a configuration file of Codex.
func putTOML(text []byte, w wiring.Wiring, r *record) (outcome, error) {
	t, err := edit.ParseTOML(text, config.DecodeTOML)
	if err != nil {
		return outcome{}, err
	}
	doc, err := config.DecodeTOML(string(text))
	if err != nil {
		return outcome{}, err
	}
	b := tomlBuilder{t: t, doc: doc, r: r}
	if w.Server != nil {
		b.err = b.server(*w.Server)
	}
	for _, e := range w.Hooks {
		if b.err == nil {
			b.err = b.hook(e, w.Hook)
		}
	}
	b.out.noteWrapped(b.wrapped)
	if errors.Is(b.err, edit.ErrInline) {
		return outcome{}, fmt.Errorf("%w, and to add to that by hand is up to you", b.err)
	}
	if b.err != nil {
		return outcome{}, b.err
	}
	b.out.text = b.t.Text()
	if _, err := config.DecodeTOML(string(b.out.text)); err != nil {
		return outcome{}, fmt.Errorf("the result would be wrong: %w", err)
	}
	return b.out, nil
}

type tomlBuilder struct {
	t   edit.TOML
	doc map[string]any
	r   *record
	out outcome
	err error

	wrapped []string // events whose hooks call ctxmeter among other things
}

// The table of the server, and the keys of it that are ours.
var serverTable = []string{"mcp_servers", "ctxmeter"}

func (b *tomlBuilder) server(s wiring.Server) error {
	servers, _ := b.doc["mcp_servers"].(map[string]any)
	if b.doc["mcp_servers"] != nil && servers == nil {
		return errors.New("mcp_servers is no table")
	}
	if old, ok := servers["ctxmeter"].(map[string]any); ok {
		switch program, args := wiring.ServerOf(old); {
		case isServer(b.r, serverTable, program, args):
			return b.update(s, program, args)
		case wiring.CallsOurs(joined(program, args), wiring.PartMCP):
			b.out.note("the MCP server seems to be ctxmeter already, among other things: it is left alone")
		default:
			b.out.note("there is another MCP server by the name of ctxmeter: it is left alone")
		}
		return nil
	}
	for other, v := range servers {
		if old, ok := v.(map[string]any); ok && wiring.OursServer(wiring.ServerOf(old)) {
			b.out.note("the MCP server is there already, by the name of %s: it is left alone", wording.Name(other))
			return nil
		}
	}
	block := "[mcp_servers.ctxmeter]\ncommand = " + config.Quote(s.Program) + "\nargs = " + tomlList(s.Args) + "\n"
	if len(s.Pass) > 0 {
		block += "env_vars = " + tomlList(s.Pass) + "\n"
	}
	return b.append(entry{Part: wiring.PartMCP, At: serverTable, Command: joined(s.Program, s.Args)}, block, serverTable...)
}

func (b *tomlBuilder) append(e entry, block string, below ...string) error {
	t, seam, err := b.t.AppendTable(block, below...)
	if err != nil {
		return err
	}
	b.t = t
	e.Text, e.Seam = block, &seam
	b.r.put(e)
	return nil
}

// update brings a server of ours up to date.
func (b *tomlBuilder) update(s wiring.Server, program string, args []string) error {
	s.Args = keptArgs(args, s.Args)
	e := entry{Part: wiring.PartMCP, At: serverTable, Command: joined(s.Program, s.Args)}
	was := map[string]string{}
	for _, k := range []struct {
		key, value string
		same       bool
	}{
		{"command", config.Quote(s.Program), program == s.Program},
		{"args", tomlList(s.Args), slices.Equal(args, s.Args)},
	} {
		if k.same {
			continue
		}
		was[k.key], _ = b.t.Key(k.key, serverTable...)
		var err error
		if b.t, err = b.t.SetKey(k.value, k.key, serverTable...); err != nil {
			return err
		}
	}
	if len(was) > 0 {
		e.Was = was
		if known := b.r.entry(e.At...); known != nil && known.Was != nil {
			for key, text := range was {
				if _, ok := known.Was[key]; !ok {
					known.Was[key] = text
				}
			}
		}
		b.r.put(e)
	}
	return nil
}

func (b *tomlBuilder) hook(h wiring.HookEvent, program string) error {
	array := []string{"hooks", h.Event, "hooks"}
	at := array[:2]
	command := program + " " + wiring.Subcommand(wiring.PartHooks)
	e := entry{Part: wiring.PartHooks, At: at, Command: command}
	for n, text := range b.t.ElementKeys("command", array...) {
		old := tomlString(text)
		if !mine(b.r, wiring.PartHooks, at, old) {
			continue
		}
		if e.Command = upToDate(old, wiring.PartHooks, program); old == e.Command {
			return nil
		}
		t, err := b.t.SetElementKey(config.Quote(e.Command), "command", n, array...)
		if err == nil {
			b.t, e.Was = t, map[string]string{"command": text}
			b.r.put(e)
		}
		return err
	}
	events, _ := b.doc["hooks"].(map[string]any)
	for _, group := range wiring.Tables(events[h.Event]) {
		for _, hook := range wiring.Tables(group["hooks"]) {
			if old, _ := hook["command"].(string); wiring.CallsOurs(old, wiring.PartHooks) {
				b.wrapped = append(b.wrapped, h.Event)
				return nil
			}
		}
	}
	block := "[[hooks." + h.Event + "]]\n"
	if h.Matcher != "" {
		block += "matcher = " + config.Quote(h.Matcher) + "\n"
	}
	block += "[[hooks." + h.Event + ".hooks]]\ntype = \"command\"\ncommand = " + config.Quote(command) + fmt.Sprintf("\ntimeout = %d\n", wiring.HookTimeout)
	return b.append(e, block, array...)
}

// takeTOML is takeJSON for a configuration file of Codex.
func takeTOML(text []byte, parts []string, r *record) ([]byte, error) {
	t, err := edit.ParseTOML(text, config.DecodeTOML)
	if err != nil {
		return nil, err
	}
	doc, err := config.DecodeTOML(string(text))
	if err != nil {
		return nil, err
	}
	for _, e := range slices.Backward(slices.Clone(r.Entries)) {
		if !slices.Contains(parts, e.Part) {
			continue
		}
		seam := edit.Seam{After: "\n"}
		if e.Seam != nil {
			seam = *e.Seam
		}
		if e.Part == wiring.PartMCP {
			t, err = takeServer(t, doc, e, seam)
		} else {
			t, err = takeHook(t, e, seam)
		}
		if errors.Is(err, edit.ErrInline) {
			err = nil // it stays, and is found to be there
		}
		if err != nil {
			return nil, err
		}
	}
	r.keep(func(e entry) bool { return !slices.Contains(parts, e.Part) })
	if _, err := config.DecodeTOML(string(t.Text())); err != nil {
		return nil, fmt.Errorf("the result would be wrong: %w", err)
	}
	return t.Text(), nil
}

func takeServer(t edit.TOML, doc map[string]any, e entry, seam edit.Seam) (edit.TOML, error) {
	servers, _ := doc["mcp_servers"].(map[string]any)
	old, _ := servers[e.At[1]].(map[string]any)
	program, args := wiring.ServerOf(old)
	if !isEntry(wiring.Handler{Command: program, Args: args}, e) {
		return t, nil
	}
	if !t.HasHeader(e.At...) {
		return t, fmt.Errorf("%s: %w", strings.Join(e.At, "."), edit.ErrInline)
	}
	if e.Was == nil {
		return t.RemoveTable(seam, e.At...)
	}
	for key, text := range e.Was {
		var err error
		if text == "" {
			t, err = t.DropKey(key, e.At...)
		} else {
			t, err = t.SetKey(text, key, e.At...)
		}
		if err != nil {
			return t, err
		}
	}
	return t, nil
}

func takeHook(t edit.TOML, e entry, seam edit.Seam) (edit.TOML, error) {
	array := append(slices.Clone(e.At), "hooks")
	at, same := -1, false // the last that is the same, else that is ours
	for n, text := range t.ElementKeys("command", array...) {
		command := tomlString(text)
		switch {
		case command == "":
		case command == e.Command:
			at, same = n, true
		case !same && wiring.Ours(command, wiring.PartHooks):
			at = n
		}
	}
	switch {
	case at < 0:
		return t, nil
	case e.Was != nil:
		return t.SetElementKey(e.Was["command"], "command", at, array...)
	}
	return t.RemoveElement(seam, at, array...)
}

// recognizeTOML is recognizeJSON for a configuration file of Codex.
func recognizeTOML(text []byte) *record {
	r := &record{}
	doc, err := config.DecodeTOML(string(text))
	if err != nil {
		return r
	}
	seam := &edit.Seam{Before: "\n", After: "\n"}
	servers, _ := doc["mcp_servers"].(map[string]any)
	for _, key := range slices.Sorted(maps.Keys(servers)) {
		if old, ok := servers[key].(map[string]any); ok && wiring.OursServer(wiring.ServerOf(old)) {
			r.Entries = append(r.Entries, entry{Part: wiring.PartMCP, At: []string{"mcp_servers", key}, Command: joined(wiring.ServerOf(old)), Seam: seam})
		}
	}
	t, err := edit.ParseTOML(text, config.DecodeTOML)
	if err != nil {
		return r
	}
	events, _ := doc["hooks"].(map[string]any)
	for _, event := range slices.Sorted(maps.Keys(events)) {
		for _, text := range t.ElementKeys("command", "hooks", event, "hooks") {
			if command := tomlString(text); wiring.Ours(command, wiring.PartHooks) {
				r.Entries = append(r.Entries, entry{Part: wiring.PartHooks, At: []string{"hooks", event}, Command: command, Seam: seam})
			}
		}
	}
	return r
}

func tomlList(words []string) string {
	var quoted []string
	for _, w := range words {
		quoted = append(quoted, config.Quote(w))
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

// tomlString is the content of a string as TOML writes it, "" of anything else.
func tomlString(text string) string {
	doc, err := config.DecodeTOML("x = " + text)
	if err != nil {
		return ""
	}
	s, _ := doc["x"].(string)
	return s
}
