package doctor

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/paths"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wiring"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wording"
	"github.com/ctxmeter/ctxmeter/config"
)

// mostWired is how many commands of a settings file are looked at.
const mostWired = 200

// checkWiring looks what is in the settings of the clients, the user's own and
// those of the project, and whether it works.
func (d *doctor) checkWiring(ctx context.Context) {
	places := d.settingsFiles()
	have := map[string]string{} // the file that a part of a client is in
	for _, pl := range places {
		list := d.wiredAt(pl)
		for n, w := range list {
			if w.Part == wiring.PartHooks {
				d.collect(pl, w)
			}
			if n >= mostWired {
				continue
			}
			d.about = about{place: pl.Path + "\x00" + w.Part}
			if len(w.Words) > 0 {
				d.about.words = w.Words[:1]
			}
			if w.Foreign {
				if !d.aside[pl.Path] {
					d.taken[pl.Client+w.Part] = true
					d.note(wiring.PartName(w.Part), "the one in "+pl.Path+" is somebody else's: ctxmeter leaves it alone", "to have both, let its command call "+d.typed("statusline")+" with the same standard input; for this one instead, remove it and run "+d.again(pl, wiring.PartStatusLine))
				}
				continue
			}
			have[pl.Client+w.Part] = pl.Path
			why, mend, sick := d.unused(pl, w)
			switch {
			case sick:
				d.problem(wiring.PartName(w.Part), "in "+pl.Path+", "+why, mend)
			case why != "":
				d.note(wiring.PartName(w.Part), "in "+pl.Path+", "+why, mend)
			case w.Words == nil:
				d.parts[w.Part] = true
				d.note(wiring.PartName(w.Part), "the command in "+pl.Path+" seems to call ctxmeter among other things: it was not tried", "")
			default:
				d.parts[w.Part] = true
				if w.Part == wiring.PartStatusLine && pl.Scope == wiring.ScopeUser {
					d.lines[pl.Root] = pl.Path
				}
				d.judge(ctx, pl, w)
			}
		}
		d.about = about{}
		if more := len(list) - mostWired; more > 0 {
			d.note("settings", "of the commands of ctxmeter in "+pl.Path+" the last "+wording.Number(int64(more))+" were not looked at", "")
		}
	}
	d.checkEvents()
	d.checkPlugins(ctx, have)
	d.checkTrust(places, have[wiring.ClientCodex+wiring.PartHooks])
	for _, client := range []string{wiring.ClientClaude, wiring.ClientCodex} {
		d.missing(client, places, have)
	}
}

// unused says why a client does not go by what is in a settings file, "" if it
// does; sick is a case of its own, not one that was reported already.
func (d *doctor) unused(pl wiring.Place, w wiring.Wired) (why, mend string, sick bool) {
	for _, part := range []string{"", w.Part} {
		if why := d.idle[idle{pl.Path, part}]; why != "" {
			return why, "", false
		}
	}
	switch {
	case pl.Client == wiring.ClientCodex && pl.Scope == wiring.ScopeProject && !d.trusts(projectOf(pl)):
		return "but Codex does not trust that folder, and goes by nothing in it", "start codex in " + projectOf(pl) + ", and trust the folder where it asks", true
	case w.Off:
		return "which is turned off there (enabled = false)", "take that out, or set it to true", false
	case pl.Client == wiring.ClientClaude && w.Part == wiring.PartMCP:
		why, mend := d.server(pl, w.Name)
		return why, mend, false
	}
	return "", "", false
}

// judge says whether a part works.
func (d *doctor) judge(ctx context.Context, pl wiring.Place, w wiring.Wired) {
	check := wiring.PartName(w.Part)
	where := "in " + pl.Path
	mend := d.replace(pl, w)
	program := d.programOf(w.Words[0])
	named := !strings.ContainsAny(w.Words[0], `/\`)
	switch {
	case program == "" && named && d.inAgent():
		d.note(check, where+" by the name of ctxmeter, and there is none on the PATH of this shell", "the client may have another PATH: see what 'ctxmeter doctor' says in your own terminal")
		return
	case program == "" && named:
		d.problem(check, where+" by the name of ctxmeter, and there is none on the PATH", mend+"; or put its folder on the PATH")
		return
	case program == "" && d.isFile(w.Words[0]):
		d.problem(check, where+" starts a file that may not be run: "+w.Words[0], mend+"; or, if it is the right one, chmod u+x "+d.word(w.Words[0]))
		return
	case program == "":
		d.problem(check, where+" starts a program that is not there: "+w.Words[0], mend)
		return
	}
	same := d.self != "" && paths.Same(program, d.self)
	other := where + " starts another ctxmeter than this one: " + program
	result, untried := d.try(ctx, pl, w, program)
	took := "(" + result.Took.Round(time.Millisecond).String() + ")"
	if named {
		took += " with this shell's PATH"
	}
	switch {
	case untried != "" && !same:
		d.note(check, other+", not tried: "+untried, mend)
		return
	case untried != "":
		d.ok(check, "%s, not tried: %s", where, untried)
		return
	case result.Fault != "" && !same:
		d.problem(check, other+", and that does not work: "+result.Fault, d.correct(pl, w, false))
		return
	case !same:
		d.note(check, other, mend)
	}
	switch {
	case result.Fault != "":
		d.problem(check, where+" does not work: "+result.Fault, d.correct(pl, w, true))
	case result.Took > slowCommand:
		d.note(check, where+" works, but is slow "+took, "it stands in the way of the client: see whether the machine is busy, or a scanner looks at every program that starts")
	default:
		d.ok(check, "%s, works %s", where, took)
	}
}

// programOf is the path of the program that a word starts, "" if there is none.
func (d *doctor) programOf(word string) string {
	if !strings.ContainsAny(word, `/\`) {
		return d.onPath()
	}
	if rest, ok := strings.CutPrefix(word, "~/"); ok {
		word = filepath.Join(d.env.Home, rest)
	}
	if !filepath.IsAbs(word) || !d.runs(word) {
		return ""
	}
	return word
}

// isFile reports whether there is a file at an absolute path.
func (d *doctor) isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && filepath.IsAbs(path) && info.Mode().IsRegular()
}

// hooked is for which events hooks are in a settings file.
type hooked struct {
	wiring.Place
	events []string
}

// collect takes note of the events of a file. Those of the two files of a home
// of Codex count together.
func (d *doctor) collect(pl wiring.Place, w wiring.Wired) {
	for i := range d.hooked {
		at := &d.hooked[i]
		if at.Path != pl.Path && (pl.Client != wiring.ClientCodex || filepath.Dir(at.Path) != filepath.Dir(pl.Path)) {
			continue
		}
		if at.Path != pl.Path {
			d.note(wiring.PartName(wiring.PartHooks), "they are in config.toml and in hooks.json of "+filepath.Dir(pl.Path)+": Codex runs both, and complains at every start", "take them out of one of the two")
		}
		at.events = append(at.events, w.Events...)
		return
	}
	d.hooked = append(d.hooked, hooked{pl, w.Events})
}

// checkEvents looks whether the hooks are there for all they are good for.
func (d *doctor) checkEvents() {
	for _, at := range d.hooked {
		wanted := wiring.ClaudeHooks()
		if at.Client == wiring.ClientCodex {
			wanted = wiring.CodexHooks()
		}
		var lacking []string
		for _, h := range wanted {
			if !slices.Contains(at.events, h.Event) {
				lacking = append(lacking, h.Event)
			}
		}
		if len(lacking) > 0 && at.Scope != scopeManaged && !d.aside[at.Path] {
			mend := d.again(at.Place, wiring.PartHooks) + " adds them"
			if d.blocked || filepath.Base(at.Path) == "settings.local.json" || !d.writable(at.Place) {
				mend = "put the same command under " + config.List(lacking, "and") + " there, by hand"
			}
			d.note(wiring.PartName(wiring.PartHooks), "in "+at.Path+" are none for "+config.List(lacking, "and"), mend)
		}
	}
}

// missing names what is not installed, unless a file stands in the way of that.
func (d *doctor) missing(client string, places []wiring.Place, have map[string]string) {
	if !d.Selection.Found(client) {
		return
	}
	at := wiring.Place{Client: client}
	if dirs := d.Selection.Roots; client == wiring.ClientClaude && len(dirs) > 0 {
		at.Root = dirs[0]
	}
	if dirs := d.Selection.Homes; client == wiring.ClientCodex && len(dirs) > 0 {
		at.Root = dirs[0]
	}
	for _, part := range wiring.Parts() {
		stuck := slices.ContainsFunc(places, func(pl wiring.Place) bool {
			return pl.Client == client && pl.Scope == wiring.ScopeUser && d.broken[pl.Path] && slices.Contains(pl.Parts, part)
		})
		if have[client+part] != "" || stuck || d.taken[client+part] || part == wiring.PartStatusLine && client == wiring.ClientCodex {
			continue
		}
		d.note(wiring.PartName(part), "not installed in "+client, d.again(at, part)+", if you want it")
	}
}
