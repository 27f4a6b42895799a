package doctor

import (
	"os"
	"path/filepath"
	"slices"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/paths"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wiring"
)

// scopeManaged is that of an administrator's settings: nothing is installed
// there.
const scopeManaged = "managed"

// settingsFiles are the files that something may be in: the user's own, those
// of the project and of folders above it as far as the clients go by these, and
// an administrator's.
func (d *doctor) settingsFiles() []wiring.Place {
	places := d.Selection.Places(wiring.Self{})
	add := func(pl wiring.Place) {
		if !slices.ContainsFunc(places, func(p wiring.Place) bool { return p.Path == pl.Path || paths.Same(p.Path, pl.Path) }) {
			places = append(places, pl)
		}
	}
	if filepath.IsAbs(d.dir) {
		d.projectPlaces(d.dir, func(wiring.Place) bool { return true }, add)
		d.abovePlaces(add)
	}
	for _, path := range d.Managed {
		if d.Selection.Found(wiring.ClientClaude) {
			add(wiring.Place{Client: wiring.ClientClaude, Scope: scopeManaged, Path: path, Parts: []string{wiring.PartStatusLine, wiring.PartHooks}})
		}
	}
	return places
}

// projectPlaces are the files of a project.
func (d *doctor) projectPlaces(dir string, want func(wiring.Place) bool, add func(wiring.Place)) {
	sel := d.Selection
	sel.Project = dir
	for _, pl := range sel.Places(wiring.Self{}) {
		if want(pl) {
			add(pl)
		}
		if filepath.Base(pl.Path) == "settings.json" { // a person's own, beside it
			if pl.Path = filepath.Join(filepath.Dir(pl.Path), "settings.local.json"); want(pl) {
				add(pl)
			}
		}
	}
}

// abovePlaces are the files above the project. Claude Code takes a .mcp.json
// from any folder above, settings only from the folder that it was started in,
// be that a git repository or not (2.1.197, observed). Codex takes all folders
// from the root of the repository on, and without one only its own (codex-cli
// 0.171.0, observed).
func (d *doctor) abovePlaces(add func(wiring.Place)) {
	root := repository(d.dir)
	inside := root != "" && root != d.dir
	for dir := d.dir; dir != filepath.Dir(dir); {
		dir = filepath.Dir(dir)
		home := dir == filepath.Clean(d.env.Home) // its settings are the user's own
		d.projectPlaces(dir, func(pl wiring.Place) bool {
			switch {
			case pl.Client == wiring.ClientCodex:
				return inside && !home
			case filepath.Base(pl.Path) == ".mcp.json":
				return true
			}
			return !home
		}, func(pl wiring.Place) {
			if pl.Client == wiring.ClientClaude && filepath.Base(pl.Path) != ".mcp.json" {
				d.idle[idle{pl.Path, ""}] = "which Claude Code reads only when it is started in " + dir
				d.aside[pl.Path] = true
			}
			add(pl)
		})
		inside = inside && dir != root
	}
}

// repository is the root of the git repository that a folder is in, "" if there
// is none.
func repository(dir string) string {
	for {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
		dir = filepath.Dir(dir)
	}
}
