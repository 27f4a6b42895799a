package doctor

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/install"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wording"
	"github.com/ctxmeter/ctxmeter/config"
)

// archive is what is wrong with the folder in which 'install' keeps what it
// needs to take its things out again. Without that it changes nothing.
type archive struct {
	inTheWay []string // what stands where something else belongs
	records  []string // that cannot be used
}

// lookAtArchive looks what keeps 'install' from keeping what it needs.
func (d *doctor) lookAtArchive() (out archive) {
	state := config.FindPlaces(d.env.Getenv, d.env.Home, d.env.OS).State
	if state == "" {
		return out
	}
	dir := filepath.Join(state, "installed")
	for path := state; ; path = dir {
		info, err := os.Stat(path)
		if err == nil && (!info.IsDir() || !mayMake(path)) || err != nil && !errors.Is(err, fs.ErrNotExist) {
			out.inTheWay = append(out.inTheWay, path)
			return out
		}
		if path == dir {
			break
		}
	}
	lock := filepath.Join(dir, "lock")
	if info, err := os.Stat(lock); err == nil && !info.Mode().IsRegular() {
		out.inTheWay = append(out.inTheWay, lock)
	}
	list, err := ownList(dir)
	if err != nil {
		return out
	}
	for _, e := range list[:min(len(list), mostLoose)] {
		path := filepath.Join(dir, e.Name())
		if strings.HasSuffix(path, ".json") && install.CheckRecord(path) != nil {
			out.records = append(out.records, path)
		}
	}
	return out
}

// checkArchive says so.
func (d *doctor) checkArchive(state string) {
	const check = "state"
	for _, path := range d.archive.inTheWay {
		switch path {
		case state: // that was said
		case filepath.Join(state, "installed"):
			d.problem(check, path+" is no folder, or not yours to write: 'install' and 'uninstall' change nothing", "move away what is there, or make it yours if it is a folder")
		default:
			d.problem(check, path+" is no file: 'install' and 'uninstall' change nothing", "move away what is there")
		}
	}
	if n := len(d.archive.records); n > 0 {
		d.note(check, wording.Counted(n, "record")+" of an installation damaged, not readable, or of another version, in "+filepath.Dir(d.archive.records[0])+": 'install' and 'uninstall' may leave those files alone, and cannot restore them to the byte",
			"if another version of ctxmeter has installed, let that one uninstall; else make readable, or move away, "+config.List(shownOf(d.archive.records), "and")+": 'uninstall' then takes out what it recognizes")
	}
}

// shownOf are the names of the first files of a list.
func shownOf(list []string) (out []string) {
	for _, path := range list[:min(len(list), mostAlike)] {
		out = append(out, filepath.Base(path))
	}
	return out
}

// checkDrafts looks for copies of settings files that an 'install' which was
// killed has left beside them, and in its own folder. Behind a link the files
// are somebody else's as well.
func (d *doctor) checkDrafts() {
	var dirs, drafts []string
	if state := config.FindPlaces(d.env.Getenv, d.env.Home, d.env.OS).State; state != "" {
		dirs = append(dirs, filepath.Join(state, "installed"))
	}
	for _, pl := range d.settingsFiles() {
		if pl.Scope != scopeManaged && !d.aside[pl.Path] {
			dirs = append(dirs, filepath.Dir(pl.Path))
		}
	}
	seen := map[string]bool{}
	for _, dir := range dirs {
		if seen[dir] {
			continue
		}
		seen[dir] = true
		list, err := ownList(dir)
		if err != nil {
			continue
		}
		for _, e := range list {
			if install.IsDraft(e.Name()) && d.old(e, draftAge) && len(drafts) < mostLoose {
				drafts = append(drafts, filepath.Join(dir, e.Name()))
			}
		}
	}
	if len(drafts) > 0 {
		d.leftover("settings", drafts, "left in "+config.List(foldersOf(drafts), "and")+" by an 'install' that was killed: copies of what is, or was, beside them")
	}
}
