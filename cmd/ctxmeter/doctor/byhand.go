package doctor

import (
	"path/filepath"
	"slices"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/edit"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wiring"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wording"
	"github.com/ctxmeter/ctxmeter/config"
	"github.com/ctxmeter/ctxmeter/meter/files"
)

// replace is how a command is made to start this ctxmeter: by 'install' where
// that puts in another program, and else by hand.
func (d *doctor) replace(pl wiring.Place, w wiring.Wired) string {
	switch {
	case pl.Scope == scopeManaged:
		return "whoever administers this machine can change it"
	case d.installs(pl, w):
		return d.again(pl, w.Part) + " puts in this ctxmeter"
	}
	return "in " + pl.Path + ", by hand: let " + keysOf(pl, w, "command") + " start " + d.called() + whole(d.called()) + ", or take it out"
}

// whole reminds of what no client makes of a ~.
func whole(program string) string {
	if program == wiring.ByName().Program {
		return ""
	}
	return ", by its whole path"
}

// keysOf are the keys of a part in its file: the command's, or where a server
// says what it is called with.
func keysOf(pl wiring.Place, w wiring.Wired, ofServer string) string {
	switch {
	case w.Part == wiring.PartStatusLine:
		return "statusLine.command"
	case w.Part == wiring.PartMCP && pl.TOML:
		return "mcp_servers." + wording.Name(w.Name) + "." + ofServer
	case w.Part == wiring.PartMCP:
		return "mcpServers." + wording.Name(w.Name) + "." + ofServer
	}
	var keys []string
	for _, e := range w.Events {
		if key := "hooks." + wording.Name(e); !slices.Contains(keys, key) && len(keys) < mostKeys {
			keys = append(keys, key)
		}
	}
	return "the hook of ctxmeter in " + config.List(keys, "and")
}

// mostKeys is how many keys a mend names.
const mostKeys = 6

// installs reports whether 'install' puts another program into a command: only
// into what it would have put there itself, in a file that it may write.
func (d *doctor) installs(pl wiring.Place, w wiring.Wired) bool {
	if d.blocked || filepath.Base(pl.Path) == "settings.local.json" || !d.writable(pl) {
		return false
	}
	switch w.Part {
	case wiring.PartMCP:
		return w.Name == "ctxmeter" && (!pl.TOML || inTables(pl.Path))
	case wiring.PartHooks:
		return d.installsHooks(pl, w)
	}
	return true
}

// writable reports whether 'install' writes a file: one with the right to write
// and a single name, and for a project one that lies in it.
func (d *doctor) writable(pl wiring.Place) bool {
	return remembered(&d.writables, pl.Path, func() bool { return writable(pl) })
}

// remembered is what a look at a file has shown, which is taken once.
func remembered[T any](seen *map[string]T, path string, look func() T) T {
	if out, ok := (*seen)[path]; ok {
		return out
	}
	if *seen == nil {
		*seen = map[string]T{}
	}
	out := look()
	(*seen)[path] = out
	return out
}

func writable(pl wiring.Place) bool {
	c, err := wiring.ReadContent(pl.Path)
	if err != nil || !c.Exists() || c.Info.Mode().Perm()&0o200 == 0 || names(c.Info) > 1 || !mayMake(filepath.Dir(c.Path)) {
		return false
	}
	return pl.Scope != wiring.ScopeProject || within([]string{resolved(projectOf(pl))}, c.Path)
}

// inTables reports whether the server in a file of Codex stands in a table of
// its own, not in one line.
func inTables(path string) bool {
	text, err := files.Read(path, wiring.MaxSettings)
	if err != nil {
		return false
	}
	t, err := edit.ParseTOML(text, config.DecodeTOML)
	return err == nil && t.HasHeader("mcp_servers", "ctxmeter")
}

// installsHooks reports whether all hooks with a command are the first of ours
// at events that 'install' puts hooks at, in the file where it puts them.
func (d *doctor) installsHooks(pl wiring.Place, w wiring.Wired) bool {
	wanted := wiring.ClaudeHooks()
	if pl.Client == wiring.ClientCodex {
		wanted = wiring.CodexHooks()
	}
	first := d.firstHooks(pl)
	if pl.TOML && len(d.firstHooks(wiring.Place{Path: filepath.Join(filepath.Dir(pl.Path), "hooks.json")})) > 0 {
		return false // it goes on where ours are already, and there first
	}
	once := map[string]bool{}
	for _, e := range w.Events {
		known := slices.ContainsFunc(wanted, func(h wiring.HookEvent) bool { return h.Event == e })
		if !known || once[e] || first[e] != w.Command {
			return false
		}
		once[e] = true
	}
	return true
}

// firstHooks is the first command of ours at each event of a file, as far as it
// can be changed there.
func (d *doctor) firstHooks(pl wiring.Place) map[string]string {
	return remembered(&d.firsts, pl.Path, func() map[string]string { return firstHooks(pl) })
}

func firstHooks(pl wiring.Place) map[string]string {
	out := map[string]string{}
	text, err := files.Read(pl.Path, wiring.MaxSettings)
	if err != nil {
		return out
	}
	if !pl.TOML {
		j, err := edit.ParseJSON(text)
		if err != nil {
			return out
		}
		for _, e := range append(wiring.ClaudeHooks(), wiring.CodexHooks()...) {
			list := wiring.HookPaths(j, e.Event, func(h wiring.Handler) bool { return wiring.Ours(h.Command, wiring.PartHooks) })
			if len(list) > 0 {
				out[e.Event] = list[0].Command
			}
		}
		return out
	}
	t, err := edit.ParseTOML(text, config.DecodeTOML)
	if err != nil {
		return out
	}
	for _, e := range wiring.CodexHooks() {
		for _, value := range t.ElementKeys("command", "hooks", e.Event, "hooks") {
			doc, err := config.DecodeTOML("x = " + value)
			if err != nil {
				continue
			}
			if command, _ := doc["x"].(string); wiring.Ours(command, wiring.PartHooks) {
				out[e.Event] = command
				break
			}
		}
	}
	return out
}

// correct is how a command is put right that does not work. What it is called
// with 'install' leaves alone; same is that it starts this very program.
func (d *doctor) correct(pl wiring.Place, w wiring.Wired, same bool) string {
	own := len(w.Words) > 2
	if w.Part == wiring.PartMCP {
		own = !asInstalled(w) && !slices.Contains(w.Words, "--codex-home")
	}
	switch {
	case pl.Scope == scopeManaged:
		return "whoever administers this machine can change it"
	case own:
		return "in " + pl.Path + ", by hand: see what " + keysOf(pl, w, "args") + " calls it with; " + inQuotes(d.called()+" "+wiring.Subcommand(w.Part)) + " is all that it needs"
	case same:
		return "see what " + d.typed("demo") + " says, which does the same"
	}
	return d.replace(pl, w)
}
