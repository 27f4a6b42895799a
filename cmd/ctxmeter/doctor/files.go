package doctor

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/install"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/paths"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wording"
	"github.com/ctxmeter/ctxmeter/config"
	"github.com/ctxmeter/ctxmeter/meter/files"
	"github.com/ctxmeter/ctxmeter/meter/sidecar"
)

const (
	// mostStored is how many sidecars are looked at, mostLoose how many files
	// of the state folder.
	mostStored = 2000
	mostLoose  = 2000
	// unusedAfter is how old a sidecar is whose transcript has most likely
	// gone: Claude Code keeps transcripts for 30 days if not told otherwise.
	unusedAfter = 30 * 24 * time.Hour
	// abandoned is how old a file has to be before it is certain that nobody
	// writes it any more.
	abandoned = time.Hour
)

// checkFiles looks at ctxmeter's own folders, and tidies them if asked to.
func (d *doctor) checkFiles() {
	places := config.FindPlaces(d.env.Getenv, d.env.Home, d.env.OS)
	if places.Cache == "" || places.State == "" {
		d.note("state", "there is no place for the cache and what was learned: no home folder is known", "set HOME, or XDG_CACHE_HOME and XDG_STATE_HOME")
	}
	d.checkSidecars(sidecar.Store{Dir: places.Cache})
	for _, dir := range []string{places.Cache, places.State} {
		d.checkRights(dir)
	}
	d.checkLoose(places.State)
}

// checkSidecars counts them. One that cannot be used, or is not, costs nothing
// but its room.
func (d *doctor) checkSidecars(s sidecar.Store) {
	const check = "cache"
	list, more := s.List(mostStored)
	var size int64
	var damaged, unused, half []string
	sound := 0
	for _, f := range list {
		switch old := d.Now().Sub(f.Modified); {
		case f.Temporary:
			if old > abandoned {
				half = append(half, f.Path)
			}
		case !f.Usable():
			damaged = append(damaged, f.Path)
		case old > unusedAfter:
			unused = append(unused, f.Path)
		default:
			sound++
			size += f.Size
		}
	}
	text := fmt.Sprintf("of %s, %s bytes", wording.Counted(sound, "transcript"), wording.Number(size))
	if more {
		text += "; there are more, which were not looked at"
	}
	d.ok(check, "%s", text)
	d.leftover(check, damaged, "damaged or of another version")
	d.leftover(check, unused, "not used for 30 days: their transcripts have most likely gone")
	d.leftover(check, half, "half written more than an hour ago")
}

// leftover reports files that nobody needs, and removes them if asked to.
func (d *doctor) leftover(check string, paths []string, what string) {
	if len(paths) == 0 {
		return
	}
	text := wording.Counted(len(paths), "file") + " " + what
	if !d.Clean {
		d.note(check, text, d.typed("doctor --clean")+" removes "+pronoun(len(paths)))
		return
	}
	failed := 0
	for _, path := range paths {
		if err := os.Remove(path); err != nil {
			failed++
		}
	}
	if failed > 0 {
		d.problem(check, text+"; "+wording.Counted(failed, "file")+" of these could not be removed", "look at the rights of "+filepath.Dir(paths[0]))
		return
	}
	d.ok(check, "%s: removed", text)
}

// checkRights looks whether a folder is the user's alone, and can be written.
func (d *doctor) checkRights(dir string) {
	const check = "state"
	if dir == "" {
		return
	}
	info, err := os.Stat(dir)
	switch {
	case os.IsNotExist(err):
		d.ok(check, "%s will be made when it is needed", dir)
	case err != nil:
		d.problem(check, dir+" cannot be looked at: "+wording.Reason(err), "make it yours, or remove it: it loses no answer")
	case !info.IsDir():
		d.problem(check, dir+" is no folder", "remove what is there")
	case d.env.OS == "windows":
		d.ok(check, "%s", dir)
	case info.Mode().Perm()&0o700 != 0o700:
		d.problem(check, fmt.Sprintf("%s cannot be written (mode %#o): nothing is remembered, and hooks are silent", dir, info.Mode().Perm()), "chmod 700 "+paths.Quoted(dir))
	case info.Mode().Perm()&0o077 != 0:
		d.note(check, fmt.Sprintf("%s is open to others (mode %#o)", dir, info.Mode().Perm()), "chmod 700 "+paths.Quoted(dir))
	default:
		d.ok(check, "%s is yours alone", dir)
	}
}

// checkLoose looks for what was left behind in the state folder by processes
// that were killed.
func (d *doctor) checkLoose(state string) {
	if state == "" {
		return
	}
	var loose []string
	draft := func(name string) bool {
		key, end, _ := strings.Cut(name, ".")
		return strings.HasSuffix(end, ".tmp") && d.Key(key)
	}
	for dir, ours := range map[string]func(string) bool{"told": draft, "hooks": draft, "installed": install.IsDraft} {
		list, err := ownList(filepath.Join(state, dir))
		if err != nil {
			continue
		}
		for _, e := range list[:min(len(list), mostLoose)] {
			info, err := e.Info()
			if err != nil || !e.Type().IsRegular() || d.Now().Sub(info.ModTime()) <= abandoned {
				continue
			}
			if ours(e.Name()) {
				loose = append(loose, filepath.Join(state, dir, e.Name()))
			}
		}
	}
	d.leftover("state", loose, "half written more than an hour ago")
	d.checkKept(state)
}

// ownList is what is in a folder of the program's own. Where that is a link, the
// files are somebody else's as well.
func ownList(dir string) ([]os.DirEntry, error) {
	info, err := os.Lstat(dir)
	if err == nil && !info.IsDir() {
		err = fs.ErrInvalid
	}
	if err != nil {
		return nil, err
	}
	return files.List(dir)
}
