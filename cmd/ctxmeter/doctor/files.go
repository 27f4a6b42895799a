package doctor

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

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
	// draftAge is how old a copy beside a settings file has to be: 'install'
	// removes it then, too.
	draftAge = 10 * time.Minute
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
	d.checkRights("cache", places.Cache, "nothing is remembered, and every reading begins anew", "make it yours, or remove it: it loses no answer")
	d.checkRights("state", places.State, "nothing is remembered, and hooks are silent", "make it yours; what 'uninstall' needs is in there, too")
	d.checkPlace(filepath.Join(places.Cache, "sidecars"), places.Cache, "cache")
	for _, dir := range []string{"told", "hooks"} {
		d.checkPlace(filepath.Join(places.State, dir), places.State, "state")
	}
	d.checkLoose(places.State)
	d.checkDrafts()
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
	text := "nothing of transcripts is remembered yet"
	if sound > 0 {
		text = fmt.Sprintf("of %s, %s bytes", wording.Counted(sound, "transcript"), wording.Number(size))
	}
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
func (d *doctor) checkRights(check, dir, without, mend string) {
	if dir == "" {
		return
	}
	info, err := os.Stat(dir)
	switch {
	case os.IsNotExist(err):
		d.ok(check, "%s will be made when it is needed", dir)
	case err != nil:
		d.problem(check, dir+" cannot be looked at ("+wording.Reason(err)+"): "+without, mend)
	case !info.IsDir():
		d.problem(check, dir+" is no folder: "+without, "move away what is there")
	case d.env.OS == "windows":
		d.ok(check, "%s", dir)
	case info.Mode().Perm()&0o700 != 0o700:
		d.problem(check, fmt.Sprintf("%s cannot be written (mode %#o): %s", dir, info.Mode().Perm(), without), "chmod u+rwx "+d.word(dir))
	case !mayMake(dir):
		d.problem(check, dir+" cannot be written by you: "+without, mend)
	case info.Mode().Perm()&0o077 != 0:
		d.note(check, fmt.Sprintf("%s is open to others (mode %#o)", dir, info.Mode().Perm()), "chmod 700 "+d.word(dir))
	default:
		d.ok(check, "%s is yours alone", dir)
	}
}

// checkPlace looks whether there is something else in the place of one of the
// folders in dir.
func (d *doctor) checkPlace(path, dir, check string) {
	if info, err := os.Stat(path); dir != "" && err == nil && !info.IsDir() {
		d.problem(check, path+" is no folder: nothing is remembered there", "move away what is there")
	}
}

// checkLoose looks for what was left behind in the state folder by processes
// that were killed.
func (d *doctor) checkLoose(state string) {
	if state == "" {
		return
	}
	var loose []string
	for _, dir := range []string{"told", "hooks"} {
		list, err := ownList(filepath.Join(state, dir))
		if err != nil {
			continue
		}
		for _, e := range list[:min(len(list), mostLoose)] {
			key, end, _ := strings.Cut(e.Name(), ".")
			if strings.HasSuffix(end, ".tmp") && d.Key(key) && d.old(e, abandoned) {
				loose = append(loose, filepath.Join(state, dir, e.Name()))
			}
		}
	}
	list, _ := ownList(state)
	for _, e := range list[:min(len(list), mostLoose)] {
		number, learned := strings.CutPrefix(e.Name(), "calibration.")
		number, half := strings.CutSuffix(number, ".tmp")
		if learned && half && number != "" && strings.Trim(number, "0123456789") == "" && d.old(e, abandoned) {
			loose = append(loose, filepath.Join(state, e.Name()))
		}
	}
	d.leftover("state", loose, "half written more than an hour ago")
	d.checkKept(state)
}

// old reports whether an entry is a file that was last written so long ago.
func (d *doctor) old(e os.DirEntry, than time.Duration) bool {
	info, err := e.Info()
	return err == nil && info.Mode().IsRegular() && d.Now().Sub(info.ModTime()) > than
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
