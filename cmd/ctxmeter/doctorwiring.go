package main

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/paths"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wording"
	"github.com/ctxmeter/ctxmeter/config"
)

// partNames are what the parts are called in the report.
func partName(part string) string {
	switch part {
	case partStatusLine:
		return "status line"
	case partMCP:
		return "MCP server"
	}
	return part
}

// checkWiring looks what is in the settings of the clients, the user's own and
// those of the project, and whether it works.
func (d *doctor) checkWiring(ctx context.Context) {
	places := d.settingsFiles()
	have, other := map[string]string{}, map[string]bool{} // have: the file that a part of a client is in
	for _, pl := range places {
		for _, w := range d.wiredAt(pl) {
			if w.foreign {
				if !d.aside[pl.path] {
					other[pl.client] = true
					d.note(partName(w.part), "the one in "+pl.path+" is somebody else's: ctxmeter leaves it alone", "to have both, let its command call "+d.typed("statusline")+" with the same standard input; for this one instead, remove it and run "+d.again(pl, partStatusLine))
				}
				continue
			}
			have[pl.client+w.part] = pl.path
			why, mend, sick := d.unused(pl, w)
			switch {
			case sick:
				d.problem(partName(w.part), "in "+pl.path+", "+why, mend)
			case why != "":
				d.note(partName(w.part), "in "+pl.path+", "+why, mend)
			case w.words == nil:
				d.parts[w.part] = true
				d.note(partName(w.part), "the command in "+pl.path+" seems to call ctxmeter among other things: it was not tried", "")
			default:
				d.parts[w.part] = true
				if w.part == partStatusLine && pl.scope == scopeUser {
					d.lines[pl.root] = pl.path
				}
				d.judge(ctx, pl, w)
			}
			if w.part == partHooks {
				d.collect(pl, w)
			}
		}
	}
	d.checkEvents()
	d.checkPlugins(ctx, have)
	d.checkTrust(places, have[clientCodex+partHooks])
	for _, client := range []string{clientClaude, clientCodex} {
		d.missing(client, places, have, other)
	}
}

// unused says why a client does not go by what is in a settings file, "" if it
// does; sick is a case of its own, not one that was reported already.
func (d *doctor) unused(pl place, w wired) (why, mend string, sick bool) {
	for _, part := range []string{"", w.part} {
		if why := d.idle[idle{pl.path, part}]; why != "" {
			return why, "", false
		}
	}
	switch {
	case pl.client == clientCodex && pl.scope == scopeProject && !d.trusts(projectOf(pl)):
		return "but Codex does not trust that folder, and goes by nothing in it", "start codex in " + projectOf(pl) + ", and trust the folder where it asks", true
	case w.off:
		return "which is turned off there (enabled = false)", "take that out, or set it to true", false
	case pl.client == clientClaude && w.part == partMCP:
		why, mend := d.server(pl, w.name)
		return why, mend, false
	}
	return "", "", false
}

// wiredAt is what is in a settings file.
func (d *doctor) wiredAt(pl place) []wired {
	c, err := readContent(pl.path)
	if err != nil {
		d.problem("settings", pl.path+" cannot be read: "+wording.Reason(err), "make it readable, or remove it")
		return nil
	}
	if !c.exists() {
		return nil
	}
	list, err := wiredIn(pl, c.text)
	if err != nil {
		d.broken[pl.path] = true
		form := "JSON"
		if pl.toml {
			form = "TOML"
		}
		d.problem("settings", pl.path+" is no valid "+form+", and what is in it does nothing", "mend it; 'install' does not touch it until then")
		return nil
	}
	return list
}

// judge says whether a part works.
func (d *doctor) judge(ctx context.Context, pl place, w wired) {
	check := partName(w.part)
	where := "in " + pl.path
	mend := d.again(pl, w.part) + " puts in this ctxmeter"
	if pl.scope == scopeManaged {
		mend = "whoever administers this machine can change it"
	}
	program := d.programOf(w.words[0])
	named := !strings.ContainsAny(w.words[0], `/\`)
	switch {
	case program == "" && named && d.inAgent():
		d.note(check, where+" by the name of ctxmeter, and there is none on the PATH of this shell", "the client may have another PATH: see what 'ctxmeter doctor' says in your own terminal")
		return
	case program == "" && named:
		d.problem(check, where+" by the name of ctxmeter, and there is none on the PATH", mend+"; or put its folder on the PATH")
		return
	case program == "":
		d.problem(check, where+" starts a program that is not there: "+w.words[0], mend)
		return
	}
	same := d.self != "" && paths.Same(program, d.self)
	other := where + " starts another ctxmeter than this one: " + program
	// What a project brings along is not started: it may be anything.
	if !same && pl.scope == scopeProject {
		d.note(check, other, mend)
		return
	}
	if w.part == partMCP && slices.ContainsFunc(w.words, func(word string) bool { return strings.HasPrefix(word, "--http") }) {
		d.ok(check, "%s, not tried: it serves HTTP", where)
		return
	}
	result := d.trial(ctx, d.trialOf(w, program))
	took := "(" + result.took.Round(time.Millisecond).String() + ")"
	if named {
		took += " with this shell's PATH"
	}
	switch {
	case result.fault != "" && !same:
		d.problem(check, other+", and that does not work: "+result.fault, mend)
		return
	case !same:
		d.note(check, other, mend)
	}
	switch {
	case result.fault != "":
		d.problem(check, where+" does not work: "+result.fault, "run "+d.typed("demo")+" and, if that works, "+mend)
	case result.took > slowCommand:
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
		word = filepath.Join(d.p.home(), rest)
	}
	if !filepath.IsAbs(word) || !d.runs(word) {
		return ""
	}
	return word
}

// hooked is for which events hooks are in a settings file.
type hooked struct {
	place
	events []string
}

// collect takes note of the events of a file. Those of the two files of a home
// of Codex count together.
func (d *doctor) collect(pl place, w wired) {
	for i := range d.hooked {
		at := &d.hooked[i]
		if at.path != pl.path && (pl.client != clientCodex || filepath.Dir(at.path) != filepath.Dir(pl.path)) {
			continue
		}
		if at.path != pl.path {
			d.note(partName(partHooks), "they are in config.toml and in hooks.json of "+filepath.Dir(pl.path)+": Codex runs both, and complains at every start", "take them out of one of the two")
		}
		at.events = append(at.events, w.events...)
		return
	}
	d.hooked = append(d.hooked, hooked{pl, w.events})
}

// checkEvents looks whether the hooks are there for all they are good for.
func (d *doctor) checkEvents() {
	for _, at := range d.hooked {
		wanted := claudeHooks()
		if at.client == clientCodex {
			wanted = codexHooks()
		}
		var lacking []string
		for _, h := range wanted {
			if !slices.Contains(at.events, h.event) {
				lacking = append(lacking, h.event)
			}
		}
		if len(lacking) > 0 && at.scope != scopeManaged && !d.aside[at.path] {
			d.note(partName(partHooks), "in "+at.path+" are none for "+config.List(lacking, "and"), d.again(at.place, partHooks)+" adds them")
		}
	}
}

// missing names what is not installed, unless a file stands in the way of that.
func (d *doctor) missing(client string, places []place, have map[string]string, other map[string]bool) {
	if !d.installer.found(client) {
		return
	}
	at := place{client: client}
	if dirs := d.installer.roots; client == clientClaude && len(dirs) > 0 {
		at.root = dirs[0]
	}
	if dirs := d.installer.homes; client == clientCodex && len(dirs) > 0 {
		at.root = dirs[0]
	}
	for _, part := range allParts() {
		stuck := slices.ContainsFunc(places, func(pl place) bool {
			return pl.client == client && pl.scope == scopeUser && d.broken[pl.path] && slices.Contains(pl.parts, part)
		})
		if have[client+part] != "" || stuck || part == partStatusLine && (client == clientCodex || other[client]) {
			continue
		}
		d.note(partName(part), "not installed in "+client, d.again(at, part)+", if you want it")
	}
}
