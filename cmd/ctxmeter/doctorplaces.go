package main

import (
	"os"
	"path/filepath"
	"slices"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/paths"
)

// scopeManaged is that of an administrator's settings: nothing is installed
// there.
const scopeManaged = "managed"

// settingsFiles are the files that something may be in: the user's own, those
// of the project and of folders above it as far as the clients go by these, and
// an administrator's.
func (d *doctor) settingsFiles() []place {
	places := d.installer.places(self{})
	add := func(pl place) {
		if !slices.ContainsFunc(places, func(p place) bool { return p.path == pl.path || paths.Same(p.path, pl.path) }) {
			places = append(places, pl)
		}
	}
	if filepath.IsAbs(d.dir) {
		d.projectPlaces(d.dir, func(place) bool { return true }, add)
		d.abovePlaces(add)
	}
	for _, path := range d.managed {
		if d.installer.found(clientClaude) {
			add(place{client: clientClaude, scope: scopeManaged, path: path, parts: []string{partStatusLine, partHooks}})
		}
	}
	return places
}

// projectPlaces are the files of a project.
func (d *doctor) projectPlaces(dir string, want func(place) bool, add func(place)) {
	i := d.installer
	i.project = dir
	defer func() { i.project = "" }()
	for _, pl := range i.places(self{}) {
		if want(pl) {
			add(pl)
		}
		if filepath.Base(pl.path) == "settings.json" { // a person's own, beside it
			if pl.path = filepath.Join(filepath.Dir(pl.path), "settings.local.json"); want(pl) {
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
func (d *doctor) abovePlaces(add func(place)) {
	root := repository(d.dir)
	inside := root != "" && root != d.dir
	for dir := d.dir; dir != filepath.Dir(dir); {
		dir = filepath.Dir(dir)
		home := dir == filepath.Clean(d.p.home()) // its settings are the user's own
		d.projectPlaces(dir, func(pl place) bool {
			switch {
			case pl.client == clientCodex:
				return inside && !home
			case filepath.Base(pl.path) == ".mcp.json":
				return true
			}
			return !home
		}, func(pl place) {
			if pl.client == clientClaude && filepath.Base(pl.path) != ".mcp.json" {
				d.idle[idle{pl.path, ""}] = "which Claude Code reads only when it is started in " + dir
				d.aside[pl.path] = true
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
