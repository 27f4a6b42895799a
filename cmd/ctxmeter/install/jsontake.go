package install

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/edit"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wiring"
)

// takeJSON takes the entries of some parts out of a JSON text, and out of r.
func takeJSON(text []byte, parts []string, r *record) ([]byte, error) {
	j, err := edit.ParseJSON(text)
	if err != nil {
		return nil, err
	}
	var finder hookFinder
	for _, e := range slices.Backward(slices.Clone(r.Entries)) {
		if !slices.Contains(parts, e.Part) {
			continue
		}
		at := e.At
		if e.Part == wiring.PartHooks {
			at = finder.path(j, e)
		} else if text, ok := j.Value(at...); !ok || !isEntry(wiring.HandlerOf(text), e) {
			at = nil
		}
		switch {
		case at == nil: // somebody has taken it out
		case e.Was != nil:
			j, err = putBack(j, at, e.Was)
		case e.Part == wiring.PartHooks && len(j.Elements(at[:len(at)-1]...)) == 1:
			j = j.Remove(&r.Undo, at[:len(at)-2]...) // the group is empty without it
		default:
			j = j.Remove(&r.Undo, at...)
		}
		if err != nil {
			return nil, err
		}
	}
	r.keep(func(e entry) bool { return !slices.Contains(parts, e.Part) })
	if _, err := edit.ParseJSON(j.Text()); err != nil {
		return nil, fmt.Errorf("the result would be wrong: %w", err)
	}
	return j.Text(), nil
}

// isEntry reports whether a command is the one that was put in, or what
// somebody has made of it.
func isEntry(h wiring.Handler, e entry) bool {
	if e.Part == wiring.PartMCP {
		return wiring.OursServer(h.Command, h.Args) || h.Command != "" && joined(h.Command, h.Args) == e.Command
	}
	return wiring.Ours(h.Command, e.Part) || h.Command != "" && h.Command == e.Command
}

func joined(program string, args []string) string {
	return strings.Join(append([]string{program}, args...), " ")
}

// hookFinder finds the handlers of entries. It looks at an event once for all
// entries of one command, of which there may be thousands.
type hookFinder struct {
	event, command string
	left           []wiring.HookAt // handlers of the event that come before the one found last
}

// path is the path of the handler of an entry, nil if it is gone: the last one
// with the same command, else the last one that is ours.
func (f *hookFinder) path(j edit.JSON, e entry) []string {
	same := func(h wiring.HookAt) bool { return h.Command == e.Command }
	if f.event == e.At[1] && f.command == e.Command {
		if n := lastIndex(f.left, same); n >= 0 {
			defer func() { f.left = f.left[:n] }()
			return f.left[n].At
		}
	}
	f.event, f.command = e.At[1], e.Command
	f.left = wiring.HookPaths(j, f.event, func(h wiring.Handler) bool { return h.Command != "" })
	n := lastIndex(f.left, same)
	if n < 0 {
		n = lastIndex(f.left, func(h wiring.HookAt) bool { return wiring.Ours(h.Command, wiring.PartHooks) })
	}
	if n < 0 {
		return nil
	}
	defer func() { f.left = f.left[:n] }()
	return f.left[n].At
}

func lastIndex(list []wiring.HookAt, want func(wiring.HookAt) bool) int {
	for n, h := range slices.Backward(list) {
		if want(h) {
			return n
		}
	}
	return -1
}

// putBack gives the members of an object their old texts.
func putBack(j edit.JSON, at []string, was map[string]string) (edit.JSON, error) {
	for _, key := range slices.Sorted(maps.Keys(was)) {
		path := append(slices.Clone(at), key)
		if was[key] == "" {
			j = j.Remove(&edit.Undo{}, path...)
			continue
		}
		var err error
		if j, err = j.SetText(was[key], path...); err != nil {
			return j, err
		}
	}
	return j, nil
}
