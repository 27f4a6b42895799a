package install

import (
	"errors"
	"fmt"
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
		b.out.hinder(b.server(*w.Server))
	}
	for _, e := range w.Hooks {
		b.out.hinder(b.hook(e, w.Hook))
	}
	b.out.noteWrapped(b.wrapped)
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
	e := entry{Part: wiring.PartMCP, At: serverTable, Command: joined(s.Program, s.Args)}
	err := b.append(e, serverBlock(s), serverTable...)
	args, command := "args = "+tomlList(s.Args), "command = "+config.Quote(s.Program)
	switch {
	case errors.Is(err, edit.ErrDotted):
		return fmt.Errorf("%w, and nothing was put into it; add the lines mcp_servers.ctxmeter.%s and mcp_servers.ctxmeter.%s", err, args, command)
	case errors.Is(err, edit.ErrInline):
		return fmt.Errorf("%w, and nothing was put into it; add to it: ctxmeter = { %s, %s }", err, args, command)
	}
	return err
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
		was[k.key], _ = b.t.Value(append(slices.Clone(serverTable), k.key)...)
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

// hookInTOML is the command of a hook, as it says and as it is written, and
// where it stands.
type hookInTOML struct {
	command, text string
	at            []string
}

// hooksOf are the hooks of an event that have a command, however they are
// written.
func hooksOf(t edit.TOML, event string) (out []hookInTOML) {
	t.Walk(func(p edit.Part) {
		if p.Kind == edit.Text && len(p.Path) == 6 && p.Path[0] == "hooks" && p.Path[1] == event && p.Path[3] == "hooks" && p.Path[5] == "command" {
			out = append(out, hookInTOML{p.Word, string(t.Text()[p.From:p.End]), slices.Clone(p.Path)})
		}
	})
	return out
}

func (b *tomlBuilder) hook(h wiring.HookEvent, program string) error {
	at := []string{"hooks", h.Event}
	command := program + " " + wiring.Subcommand(wiring.PartHooks)
	e := entry{Part: wiring.PartHooks, At: at, Command: command}
	there := hooksOf(b.t, h.Event)
	for _, old := range there {
		if !mine(b.r, wiring.PartHooks, at, old.command) {
			continue
		}
		if e.Command = upToDate(old.command, wiring.PartHooks, program); old.command == e.Command {
			return nil
		}
		t, err := b.t.SetValue(config.Quote(e.Command), old.at...)
		if err == nil {
			b.t, e.Was = t, map[string]string{"command": old.text}
			b.r.put(e)
		}
		return err
	}
	if slices.ContainsFunc(there, func(old hookInTOML) bool { return wiring.CallsOurs(old.command, wiring.PartHooks) }) {
		b.wrapped = append(b.wrapped, h.Event)
		return nil
	}
	err := b.append(e, hookBlock(h, command), at...)
	group := "{ hooks = [{ " + hookLines(command, ", ") + " }] }"
	switch {
	case errors.Is(err, edit.ErrDotted):
		return fmt.Errorf("%w, and no hook was put into it; add the line hooks.%s = [%s]", err, h.Event, group)
	case errors.Is(err, edit.ErrInline) && b.t.Has(at...):
		return fmt.Errorf("%w, and no hook was put into it; add to it: %s", err, group)
	case errors.Is(err, edit.ErrInline):
		return fmt.Errorf("%w, and no hook was put into it; add to it: %s = [%s]", err, h.Event, group)
	}
	return err
}

// takeTOML is takeJSON for a configuration file of Codex. What cannot be taken
// out stays in r.
func takeTOML(text []byte, parts []string, r *record) ([]byte, error) {
	t, err := edit.ParseTOML(text, config.DecodeTOML)
	if err != nil {
		return nil, err
	}
	doc, err := config.DecodeTOML(string(text))
	if err != nil {
		return nil, err
	}
	var stuck [][]string
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
		if errors.Is(err, edit.ErrInline) { // it stays, and is known to
			stuck, err = append(stuck, e.At), nil
		}
		if err != nil {
			return nil, err
		}
	}
	r.keep(func(e entry) bool {
		return !slices.Contains(parts, e.Part) || slices.ContainsFunc(stuck, func(at []string) bool { return slices.Equal(at, e.At) })
	})
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
	if e.Was == nil && !t.HasHeader(e.At...) {
		return t, edit.ErrInline
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
	there := hooksOf(t, e.At[1])
	if e.Was != nil {
		if n := lastOurs(there, e.Command); n >= 0 {
			return t.SetValue(e.Was["command"], there[n].at...)
		}
		return t, nil
	}
	array := append(slices.Clone(e.At), "hooks")
	var elements []hookInTOML // what has no command has no part in it
	for _, text := range t.ElementKeys("command", array...) {
		elements = append(elements, hookInTOML{command: tomlString(text)})
	}
	if n := lastOurs(elements, e.Command); n >= 0 {
		return t.RemoveElement(seam, n, array...)
	}
	if slices.ContainsFunc(there, func(h hookInTOML) bool { return h.command == e.Command }) {
		return t, edit.ErrInline
	}
	return t, nil
}

// lastOurs is the last hook with the same command, else the last that is
// ctxmeter's, -1 if there is none.
func lastOurs(list []hookInTOML, command string) int {
	at := -1
	for n, h := range slices.Backward(list) {
		switch {
		case h.command == command && command != "":
			return n
		case at < 0 && wiring.Ours(h.command, wiring.PartHooks):
			at = n
		}
	}
	return at
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
