package main

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

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
	hooked := map[string]string{}                         // homes of Codex, and in which file of each
	for _, pl := range places {
		for _, w := range d.wiredAt(pl) {
			switch {
			case w.foreign:
				other[pl.client] = true
				d.note(partName(w.part), "the one in "+pl.path+" is somebody else's: ctxmeter leaves it alone", "to have both, let its command call 'ctxmeter statusline' with the same standard input; for this one instead, remove it and run 'ctxmeter install --statusline --apply'")
				continue
			case w.words == nil:
				d.note(partName(w.part), "the command in "+pl.path+" seems to call ctxmeter among other things: it was not tried", "")
			default:
				d.judge(ctx, pl, w)
			}
			have[pl.client+w.part], d.parts[w.part] = pl.path, true
			if home := filepath.Dir(pl.path); w.part == partHooks && pl.client == clientCodex {
				if at := hooked[home]; at != "" && at != pl.path {
					d.note(partName(w.part), "they are in config.toml and in hooks.json of "+home+": Codex runs both, and complains at every start", "take them out of one of the two")
				}
				hooked[home] = pl.path
			}
			if w.part == partHooks {
				d.events(pl, w)
			}
		}
	}
	d.checkPlugins(ctx, have)
	if have[clientCodex+partHooks] != "" {
		d.note("hook trust", "Codex runs hooks only after you have trusted them, and nobody else can see whether you have; 'codex exec' passes over untrusted ones in silence", "start codex once, and trust them where it asks")
	}
	for _, client := range []string{clientClaude, clientCodex} {
		d.missing(client, have, other)
	}
}

// settingsFiles are the files that something may be in.
func (d *doctor) settingsFiles() []place {
	i := d.installer
	places := i.places(self{})
	if !filepath.IsAbs(d.dir) {
		return places
	}
	i.project = d.dir
	defer func() { i.project = "" }()
	for _, pl := range i.places(self{}) {
		if !slices.ContainsFunc(places, func(p place) bool { return p.path == pl.path || sameProgram(p.path, pl.path) }) {
			places = append(places, pl)
		}
		if filepath.Base(pl.path) == "settings.json" { // a person's own, beside it
			pl.path = filepath.Join(filepath.Dir(pl.path), "settings.local.json")
			places = append(places, pl)
		}
	}
	return places
}

// wiredAt is what is in a settings file.
func (d *doctor) wiredAt(pl place) []wired {
	c, err := readContent(pl.path)
	if err != nil {
		d.problem("settings", pl.path+" cannot be read: "+reason(err), "make it readable, or remove it")
		return nil
	}
	if !c.exists() {
		return nil
	}
	list, off, err := wiredIn(pl, c.text)
	if err != nil {
		form := "JSON"
		if pl.toml {
			form = "TOML"
		}
		d.problem("settings", pl.path+" is no valid "+form+", and what is in it does nothing", "mend it; 'ctxmeter install' does not touch it until then")
		return nil
	}
	if off && pl.client == clientClaude {
		d.problem("settings", "disableAllHooks in "+pl.path+" turns hooks and status lines off", "take it out, or set it to false")
	}
	return list
}

// again is the command that puts a part right.
func (d *doctor) again(pl place, part string) string {
	out := "ctxmeter install " + pl.client + " --" + part
	if pl.scope == scopeProject {
		out += " --project"
	}
	// 'install' itself looks only where the client does.
	for flag, dirs := range map[string][]string{"--claude-dir": d.settings.ClaudeDirs, "--codex-home": d.settings.CodexHomes} {
		for _, dir := range dirs {
			if dir = under(d.wd, dir); pl.scope == scopeUser && filepath.Dir(pl.path) == filepath.Clean(dir) {
				out += " " + flag + " " + shellWord(dir)
			}
		}
	}
	return "'" + out + " --apply'"
}

// judge says whether a part works.
func (d *doctor) judge(ctx context.Context, pl place, w wired) {
	check := partName(w.part)
	where := "in " + pl.path
	mend := d.again(pl, w.part) + " puts the present one in"
	program := d.programOf(w.words[0])
	switch {
	case program == "" && !strings.ContainsAny(w.words[0], `/\`):
		d.problem(check, where+" by the name of ctxmeter, and there is none on the PATH", mend+"; or put its folder on the PATH")
		return
	case program == "":
		d.problem(check, where+" starts a program that is not there: "+w.words[0], mend)
		return
	}
	same := d.self != "" && sameProgram(program, d.self)
	if !same {
		d.note(check, where+" starts another ctxmeter than this one: "+program, mend)
	}
	// What a project brings along is not started: it may be anything.
	if w.part == partMCP || !same && pl.scope == scopeProject {
		if same {
			d.ok(check, "%s", where)
		}
		return
	}
	result := d.trial(ctx, d.trialOf(w, program))
	took := result.took.Round(time.Millisecond).String()
	switch {
	case result.fault != "":
		d.problem(check, where+" does not work: "+result.fault, "run 'ctxmeter demo' and, if that works, "+mend)
	case result.took > slowCommand:
		d.note(check, where+" works, but took "+took, "it stands in the way of the client: see whether the machine is busy, or a scanner looks at every program that starts")
	default:
		d.ok(check, "%s, works (%s)", where, took)
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

// events looks whether the hooks are there for all they are good for.
func (d *doctor) events(pl place, w wired) {
	wanted := claudeHooks()
	if pl.client == clientCodex {
		wanted = codexHooks()
	}
	var lacking []string
	for _, h := range wanted {
		if !slices.Contains(w.events, h.event) {
			lacking = append(lacking, h.event)
		}
	}
	if len(lacking) > 0 {
		d.note(partName(w.part), "in "+pl.path+" are none for "+config.List(lacking, "and"), d.again(pl, w.part)+" adds them")
	}
}

// missing names what is not installed.
func (d *doctor) missing(client string, have map[string]string, other map[string]bool) {
	if !d.installer.found(client) {
		return
	}
	for _, part := range allParts() {
		if have[client+part] != "" || part == partStatusLine && (client == clientCodex || other[client]) {
			continue
		}
		d.note(partName(part), "not installed in "+client, d.again(place{client: client}, part)+", if you want it")
	}
}
