package install

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/ctxmeter/ctxmeter/backends/claudecode"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/edit"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wiring"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wording"
)

// attempts is how often a file is edited anew because somebody else wrote it in
// the meantime.
const attempts = 5

// run installs or uninstalls what was selected. A file that cannot be edited
// does not keep the others from being edited.
func (i *installer) run(ctx context.Context) error {
	var s wiring.Self
	if i.Install {
		var err error
		if s, err = i.findSelf(); err != nil {
			return err
		}
	}
	places := i.targets(s)
	if len(places) == 0 {
		return impossible("neither Claude Code nor Codex was found: name the one you mean, claude-code or codex")
	}
	if i.Install {
		i.leaveOut(places)
	}
	if i.Apply {
		if i.Install {
			if err := i.Try(ctx, s, i.Env.OS); err != nil {
				i.Say(err.Error() + "; nothing was changed")
				return ErrIncomplete
			}
		}
	}
	defer func() {
		if i.release != nil {
			i.archive.close(i.release)
		}
	}()
	var failed, changed bool
	hooks := false
	if i.Apply && hasDrafts(i.archive.dir) {
		failed = errors.Is(i.hold(ctx), errState) // which sweeps
	}
	for _, pl := range places {
		c, err := i.edit(ctx, pl)
		if err != nil && !errors.Is(err, errState) && !errors.Is(err, errHindered) {
			i.Say(pl.Path + ": " + refusal(err))
		}
		failed = failed || err != nil
		changed = changed || c
		hooks = hooks || c && pl.Client == wiring.ClientCodex && len(pl.Wiring.Hooks) > 0
	}
	if s.Program != wiring.ByName().Program && slices.ContainsFunc(places, func(pl target) bool { return len(pl.brought) > 0 }) {
		i.tell("A plugin starts ctxmeter from the PATH, and this one is not there: put its folder on the PATH.")
	}
	if changed && !i.Apply && i.archive.dir != "" && !mayWriteFolder(folderAbove(filepath.Join(i.archive.dir, "lock"))) {
		i.saysState(fs.ErrPermission)
		failed = true
	}
	if !i.Install && !failed && !changed && !i.told {
		i.tell("There is nothing of ctxmeter to take out.")
	}
	i.close(s, changed, hooks)
	if failed {
		return ErrIncomplete
	}
	return nil
}

// errState is that of a state folder that cannot be used, which has been said.
var errState = errors.New("the state folder cannot be used")

// errHindered is that of parts that could not be put in, which has been said.
var errHindered = errors.New("not all of it was put in")

// errAgain asks for a file to be read anew, because others may have changed it
// before the lock was taken.
var errAgain = errors.New("read it again")

// hold takes the lock before the first change; errAgain says that it has just
// been taken. Nothing is made in the state folder by what changes nothing.
func (i *installer) hold(ctx context.Context) error {
	switch {
	case i.unheld != nil:
		return i.unheld
	case i.release != nil:
		return nil
	}
	release, err := i.archive.open(ctx, i.Say)
	if err != nil {
		i.saysState(err)
		i.unheld = errState
		return errState
	}
	i.release = release
	return errAgain
}

func (i *installer) saysState(err error) {
	switch {
	case errors.Is(err, errHeld):
		i.Say(err.Error() + ", and nothing was changed: try again when it has ended")
		return
	case errors.Is(err, context.Canceled):
		i.Say("interrupted: nothing was changed")
		return
	}
	i.Say(fmt.Sprintf("the state folder cannot be written (%s), and without a backup nothing is changed: %s", wording.Reason(err), i.archive.dir))
}

// refusal words an error for people.
func refusal(err error) string {
	if errors.Is(err, edit.ErrBroken) {
		return err.Error() + ", and was not touched: mend it first"
	}
	if slices.ContainsFunc(untouched, func(e error) bool { return errors.Is(err, e) }) {
		return err.Error() + ", and was not touched"
	}
	return wording.Reason(err)
}

// close says what there is to know after all files.
func (i *installer) close(s wiring.Self, changed, hooks bool) {
	if hooks && i.Install {
		i.tell("Codex runs new hooks only after you have trusted them: it asks when it starts.")
	}
	if changed && i.Apply && i.Install {
		i.tell("Sessions that are open may not have it yet: start them anew. '%s doctor' looks whether it works.", s.Shell)
	}
	if changed && i.Apply && !i.Install {
		i.tell("Sessions that are open may go on with it until they end.")
	}
	if changed && i.Install && i.Project != "" && s.Program != "ctxmeter" {
		i.tell("These files name the path of ctxmeter on this machine: others who share the project need it on the PATH instead.")
	}
	if !i.Install {
		i.elsewhere()
		i.remaining()
	}
	if !i.Apply && changed {
		i.tell("Nothing was written: --apply does it.")
	}
}

// elsewhere names the files that something is left in, because they belong to
// other folders than were looked at, and forgets those that are no more.
func (i *installer) elsewhere() {
	var left []string
	looked := i.Places(wiring.Self{})
	records, _ := i.archive.all()
	for _, r := range records {
		if !i.Wants(r.Client) || slices.ContainsFunc(looked, func(pl wiring.Place) bool { return pl.Path == r.Path || samePath(pl.Path, r.Path) }) {
			continue
		}
		if _, err := os.Lstat(r.Path); !errors.Is(err, fs.ErrNotExist) {
			left = append(left, r.Path)
		} else if i.release != nil {
			_ = i.archive.drop(r.Path) // it is tried again the next time
		}
	}
	if len(left) > 0 {
		i.tell("It is installed elsewhere too (--project, --claude-dir and --codex-home lead there): %s", strings.Join(left, ", "))
	}
}

// samePath reports whether two paths lead to the same file that is there.
func samePath(a, b string) bool {
	x, err := filepath.EvalSymlinks(a)
	if err != nil {
		return false
	}
	y, err := filepath.EvalSymlinks(b)
	return err == nil && x == y
}

// edit edits one file, or shows how; changed says that there is something to
// edit.
func (i *installer) edit(ctx context.Context, pl target) (changed bool, err error) {
	for n := 0; n < attempts; n++ {
		var c settingsFile
		if c, err = readSettings(pl.Path); err == nil && pl.Scope == wiring.ScopeProject {
			err = c.within(i.Project)
		}
		if err != nil {
			return false, err
		}
		if i.Apply {
			sweep(filepath.Dir(c.Path), abandoned(time.Now(), i.Env.OS))
		}
		if i.Install {
			changed, err = i.put(ctx, pl, c)
		} else {
			changed, err = i.take(ctx, pl, c)
		}
		if errors.Is(err, errAgain) {
			n-- // it happens once
		} else if !errors.Is(err, errChanged) {
			break
		}
	}
	return changed, err
}

// recordOf is the manifest of a file, by whichever of its paths it is known;
// nil if there is none. A damaged one is said to be, once.
func (i *installer) recordOf(pl target) (*record, error) {
	r, err := i.archive.load(pl.Path)
	if errors.Is(err, errDamaged) {
		if i.damaged == nil {
			i.damaged = map[string]bool{}
		}
		if !i.damaged[pl.Path] {
			i.tell("%s: %s; what is written as 'ctxmeter install' writes it counts", pl.Path, err)
		}
		i.damaged[pl.Path] = true
		err = nil
	}
	if r != nil || err != nil || i.archive.dir == "" {
		return r, err
	}
	records, _ := i.archive.all()
	for _, r := range records {
		if r.Path != pl.Path && samePath(r.Path, pl.Path) {
			return r, nil
		}
	}
	return nil, nil
}

func (pl target) put(text []byte, r *record) (outcome, error) {
	if pl.TOML {
		return putTOML(text, pl.Wiring, r)
	}
	return putJSON(text, pl.Wiring, r)
}

func (pl target) take(text []byte, parts []string, r *record) ([]byte, error) {
	if pl.TOML {
		return takeTOML(text, parts, r)
	}
	return takeJSON(text, parts, r)
}

// empty reports whether nothing is in a text.
func (pl target) empty(text []byte) bool {
	if pl.TOML {
		return len(bytes.TrimSpace(text)) == 0
	}
	j, err := edit.ParseJSON(text)
	return err == nil && j.Blank()
}

// known is the manifest of a file as far as it still holds, and the text
// without what it lists. What the manifest should list and does not is added:
// then it is to be written, even if nothing else is.
func (i *installer) known(pl target, c settingsFile) (r *record, original []byte, anew bool, err error) {
	if r, err = i.recordOf(pl); err != nil {
		return nil, nil, false, err
	}
	if r == nil {
		r = &record{Version: recordVersion, Path: pl.Path, Client: pl.Client, Scope: pl.Scope, Made: !c.Exists()}
	}
	if !c.Exists() {
		r = &record{Version: recordVersion, Path: pl.Path, Client: pl.Client, Scope: pl.Scope, Made: true}
		return r, c.Text, false, nil
	}
	r.keep(func(e entry) bool {
		one := r.clone()
		one.Entries = []entry{e}
		left, err := pl.take(c.Text, wiring.Parts(), one)
		return err == nil && !bytes.Equal(left, c.Text)
	})
	if len(r.Entries) == 0 {
		r = &record{Version: recordVersion, Path: pl.Path, Client: pl.Client, Scope: pl.Scope}
	}
	if anew, err = r.adopt(pl, c.Text); err != nil {
		return nil, nil, false, err
	}
	original, err = pl.take(c.Text, wiring.Parts(), r.clone())
	return r, original, anew || i.damaged[pl.Path], err
}

var errNotReversible = errors.New("it is written in a way that what is put in could not be taken out without a trace, and was not touched")

// put installs into one file.
func (i *installer) put(ctx context.Context, pl target, c settingsFile) (changed bool, err error) {
	notes := i.broughtAlready(pl, c.Text)
	if pl.Wiring.StatusLine == "" && len(pl.Wiring.Hooks) == 0 && pl.Wiring.Server == nil {
		i.report(pl, notes)
		return false, nil
	}
	r, original, anew, err := i.known(pl, c)
	if err != nil {
		return false, err
	}
	o, err := pl.put(c.Text, r)
	if err != nil {
		return false, err
	}
	i.looksInto(pl, &o)
	if bytes.Equal(o.text, c.Text) {
		if len(o.notes) == 0 && len(o.hindered) == 0 {
			o.note("already installed")
		}
		if anew && i.Apply {
			if err := i.hold(ctx); err != nil {
				return false, err
			}
			if err := i.recordAnew(r, original, c.Text); err != nil {
				return false, err
			}
		}
		i.report(pl, append(o.notes, notes...))
		return false, i.sayHindered(pl, o)
	}
	if left, err := pl.take(o.text, wiring.Parts(), r.clone()); err != nil || !bytes.Equal(left, original) {
		return false, errNotReversible
	}
	if err := c.writable(); err != nil {
		return false, err
	}
	if !i.Apply {
		i.show(pl, c, o.text)
		i.report(pl, append(o.notes, notes...))
		return true, i.sayHindered(pl, o)
	}
	if err := i.hold(ctx); err != nil {
		return false, err
	}
	r.At, r.Before, r.After = i.Now().UTC(), hashOf(original), hashOf(o.text)
	if err := i.write(ctx, pl, c, r, original, o.text); err != nil {
		return false, err
	}
	i.tell("%s: written%s", pl.Path, linked(pl, c))
	i.report(pl, append(o.notes, notes...))
	if pl.Busy != "" && isRunning(pl.Busy, i.Env.OS) {
		i.tell("%s: Claude Code is running and rewrites this file; if 'claude mcp list' does not show ctxmeter later, end it and install again", pl.Path)
	}
	return true, i.sayHindered(pl, o)
}

// sayHindered says what kept parts from being put in.
func (i *installer) sayHindered(pl target, o outcome) error {
	for _, err := range o.hindered {
		i.Say(pl.Path + ": " + err.Error())
	}
	if len(o.hindered) > 0 {
		return errHindered
	}
	return nil
}

// recordAnew writes a manifest of what is in a file already. A damaged one is
// kept beside it.
func (i *installer) recordAnew(r *record, original, text []byte) error {
	if _, err := i.archive.load(r.Path); errors.Is(err, errDamaged) {
		if err := i.archive.putAside(r.Path); err != nil {
			return err
		}
	}
	if len(r.Entries) == 0 {
		return nil
	}
	r.At, r.Before, r.After = i.Now().UTC(), hashOf(original), hashOf(text)
	return errors.Join(i.archive.save(r, original), i.archive.tidy())
}

// looksInto looks into the text of a file for what keeps it from having an
// effect.
func (i *installer) looksInto(pl target, o *outcome) {
	if pl.Client == wiring.ClientClaude && slices.Contains(pl.Parts, wiring.PartStatusLine) {
		if key, want := claudecode.Refused(o.text); key != "" {
			o.note("Claude Code refuses this file as a whole, and nothing in it counts, until %s is %s, or is taken out", key, want)
		}
	}
	list, err := wiring.WiredIn(pl.Place, o.text)
	if err != nil {
		return
	}
	for _, w := range list {
		if len(w.Words) < 2 || !i.WantsPart(w.Part) {
			continue
		}
		if err := i.Accepts(w.Words[1:]); err != nil {
			o.note("the %s cannot start with the arguments that stand there: correct them, or take the entry out and install again", wiring.PartName(w.Part))
		}
	}
}

// write writes an edited file, after the manifest: if it ends in between, the
// manifest lists what is not there, which does no harm.
func (i *installer) write(ctx context.Context, pl target, c settingsFile, r *record, original, text []byte) error {
	old, err := i.archive.load(r.Path)
	if errors.Is(err, errDamaged) {
		err = i.archive.putAside(r.Path)
	}
	if err != nil {
		return err
	}
	file, folder := fs.FileMode(0o600), fs.FileMode(0o700) // as the clients make them
	if pl.Scope == wiring.ScopeProject {
		file, folder = 0o644, 0o755
	}
	made, err := makeFolders(c.Path, folder)
	r.Folders = append(i.madeBefore(pl.Path), made...)
	if err == nil {
		err = i.archive.save(r, original)
	}
	if err == nil {
		err = pl.alone(ctx, func() error { return c.replace(text, file) })
	}
	if err == nil {
		return i.archive.tidy()
	}
	removeFolders(made, c.Path)
	if old == nil {
		return errors.Join(err, i.archive.drop(r.Path))
	}
	return errors.Join(err, i.archive.saveOnly(old), i.archive.tidy())
}

// madeBefore are the folders above a file that were made for it or for another
// one: the last of them that goes takes the folder along.
func (i *installer) madeBefore(path string) (out []string) {
	records, _ := i.archive.all()
	for _, r := range records {
		for _, dir := range r.Folders {
			if strings.HasPrefix(path, dir+string(filepath.Separator)) && !slices.Contains(out, dir) {
				out = append(out, dir)
			}
		}
	}
	slices.Sort(out) // the outer ones first
	return out
}
