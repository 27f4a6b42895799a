package main

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

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/edit"
)

// attempts is how often a file is edited anew because somebody else wrote it in
// the meantime.
const attempts = 5

// run installs or uninstalls what was selected. A file that cannot be edited
// does not keep the others from being edited.
func (i *installer) run(ctx context.Context) error {
	var s self
	if i.install {
		var err error
		if s, err = i.findSelf(); err != nil {
			return err
		}
	}
	places := i.places(s)
	if len(places) == 0 {
		return badArgument("neither Claude Code nor Codex was found: name the one you mean, claude-code or codex")
	}
	if i.install {
		i.leaveOut(places)
	}
	if i.apply {
		if i.install {
			if err := i.try(ctx, s, i.p.goos); err != nil {
				i.p.say(err.Error() + "; nothing was changed")
				return errPartly
			}
		}
		release, err := i.archive.open(ctx)
		if err != nil {
			i.p.say(fmt.Sprintf("the state folder cannot be written (%s), and without a backup nothing is changed: %s", reason(err), i.archive.dir))
			return errPartly
		}
		defer release()
	}
	var failed, changed bool
	hooks := false
	for _, pl := range places {
		c, err := i.edit(pl)
		if err != nil {
			i.p.say(pl.path + ": " + refusal(err))
			failed = true
		}
		changed = changed || c
		hooks = hooks || c && pl.client == clientCodex && len(pl.wiring.hooks) > 0
	}
	if s.program != byName().program && slices.ContainsFunc(places, func(pl place) bool { return len(pl.brought) > 0 }) {
		i.tell("A plugin starts ctxmeter from the PATH, and this one is not there: put its folder on the PATH.")
	}
	i.close(s, changed, hooks)
	if failed {
		return errPartly
	}
	return nil
}

// refusal words an error for people.
func refusal(err error) string {
	switch {
	case errors.Is(err, edit.ErrBroken):
		return err.Error() + ", and was not touched: mend it first"
	case errors.Is(err, errReadOnly), errors.Is(err, errDangling), errors.Is(err, errChanged):
		return err.Error() + ", and was not touched"
	}
	return reason(err)
}

// close says what there is to know after all files.
func (i *installer) close(s self, changed, hooks bool) {
	if hooks && i.install {
		i.tell("Codex runs new hooks only after you have trusted them: it asks when it starts.")
	}
	if changed && i.install && i.project != "" && s.program != "ctxmeter" {
		i.tell("These files name the path of ctxmeter on this machine: others who share the project need it on the PATH instead.")
	}
	if !i.install {
		i.elsewhere()
		i.remaining()
	}
	if !i.apply && changed {
		i.tell("Nothing was written: --apply does it.")
	}
}

// elsewhere names the files that something is left in, because they belong to
// other folders than were looked at.
func (i *installer) elsewhere() {
	var left []string
	looked := i.places(self{})
	for _, r := range i.archive.all() {
		if !slices.ContainsFunc(looked, func(pl place) bool { return pl.path == r.Path }) && i.wants(r.Client) {
			left = append(left, r.Path)
		}
	}
	if len(left) > 0 {
		i.tell("It is installed elsewhere too (--project, --claude-dir and --codex-home lead there): %s", strings.Join(left, ", "))
	}
}

// edit edits one file, or shows how; changed says that there is something to
// edit.
func (i *installer) edit(pl place) (changed bool, err error) {
	for range attempts {
		var c content
		if c, err = readContent(pl.path); err != nil {
			return false, err
		}
		if i.install {
			changed, err = i.put(pl, c)
		} else {
			changed, err = i.take(pl, c)
		}
		if !errors.Is(err, errChanged) {
			break
		}
	}
	return changed, err
}

func (pl place) put(text []byte, r *record) (outcome, error) {
	if pl.toml {
		return putTOML(text, pl.wiring, r)
	}
	return putJSON(text, pl.wiring, r)
}

func (pl place) take(text []byte, parts []string, r *record) ([]byte, error) {
	if pl.toml {
		return takeTOML(text, parts, r)
	}
	return takeJSON(text, parts, r)
}

// empty reports whether nothing is in a text.
func (pl place) empty(text []byte) bool {
	if pl.toml {
		return len(bytes.TrimSpace(text)) == 0
	}
	j, err := edit.ParseJSON(text)
	return err == nil && j.Blank()
}

// known is the manifest of a file as far as it still holds, and the text
// without what it lists.
func (i *installer) known(pl place, c content) (r *record, original []byte, err error) {
	if r = i.archive.load(pl.path); r != nil && c.exists() {
		r.keep(func(e entry) bool {
			one := r.clone()
			one.Entries = []entry{e}
			left, err := pl.take(c.text, allParts(), one)
			return err == nil && !bytes.Equal(left, c.text)
		})
		if len(r.Entries) > 0 {
			original, err = pl.take(c.text, allParts(), r.clone())
			return r, original, err
		}
	}
	return &record{Version: recordVersion, Path: pl.path, Client: pl.client, Scope: pl.scope, Made: !c.exists()}, c.text, nil
}

var errNotReversible = errors.New("it is written in a way that what is put in could not be taken out without a trace, and was not touched")

// put installs into one file.
func (i *installer) put(pl place, c content) (changed bool, err error) {
	notes := pl.broughtAlready(c.text)
	if pl.wiring.statusLine == "" && len(pl.wiring.hooks) == 0 && pl.wiring.server == nil {
		i.report(pl, notes)
		return false, nil
	}
	r, original, err := i.known(pl, c)
	if err != nil {
		return false, err
	}
	o, err := pl.put(c.text, r)
	if err != nil {
		return false, err
	}
	if bytes.Equal(o.text, c.text) {
		if len(o.notes) == 0 {
			o.note("already installed")
		}
		i.report(pl, append(o.notes, notes...))
		return false, nil
	}
	if left, err := pl.take(o.text, allParts(), r.clone()); err != nil || !bytes.Equal(left, original) {
		return false, errNotReversible
	}
	if err := c.writable(); err != nil {
		return false, err
	}
	if !i.apply {
		i.show(pl, c, o.text)
		i.report(pl, append(o.notes, notes...))
		return true, nil
	}
	r.At, r.Before, r.After = i.p.now().UTC(), hashOf(original), hashOf(o.text)
	if err := i.write(pl, c, r, original, o.text); err != nil {
		return false, err
	}
	i.tell("%s: written%s", pl.path, linked(pl, c))
	i.report(pl, append(o.notes, notes...))
	if pl.busy != "" && isRunning(pl.busy, i.p.goos) {
		i.tell("%s: Claude Code is running and rewrites this file; if 'claude mcp list' does not show ctxmeter later, end it and install again", pl.path)
	}
	return true, nil
}

// write writes an edited file, after the manifest: if it ends in between, the
// manifest lists what is not there, which does no harm.
func (i *installer) write(pl place, c content, r *record, original, text []byte) error {
	old := i.archive.load(pl.path)
	file, folder := fs.FileMode(0o600), fs.FileMode(0o700) // as the clients make them
	if pl.scope == scopeProject {
		file, folder = 0o644, 0o755
	}
	made, err := makeFolders(c.path, folder)
	r.Folders = append(i.madeBefore(pl.path), made...)
	if err == nil {
		err = i.archive.save(r, original)
	}
	if err == nil {
		err = c.replace(text, file)
	}
	if err == nil {
		return i.archive.tidy()
	}
	removeFolders(made)
	if old == nil {
		return errors.Join(err, i.archive.drop(pl.path))
	}
	return errors.Join(err, i.archive.saveOnly(old), i.archive.tidy())
}

// madeBefore are the folders above a file that were made for it or for another
// one: the last of them that goes takes the folder along.
func (i *installer) madeBefore(path string) (out []string) {
	for _, r := range i.archive.all() {
		for _, dir := range r.Folders {
			if strings.HasPrefix(path, dir+string(filepath.Separator)) && !slices.Contains(out, dir) {
				out = append(out, dir)
			}
		}
	}
	slices.Sort(out) // the outer ones first
	return out
}

// removeFolders removes folders that were made, if nothing is in them.
func removeFolders(made []string) {
	for _, dir := range slices.Backward(made) {
		_ = os.Remove(dir)
	}
}

// take uninstalls from one file.
func (i *installer) take(pl place, c content) (changed bool, err error) {
	r := i.archive.load(pl.path)
	kept := r != nil
	if !c.exists() {
		if kept && i.apply {
			err = i.archive.drop(pl.path)
		}
		return false, err
	}
	if !kept {
		r = pl.recognize(c.text)
	}
	work := r.clone()
	left, err := pl.take(c.text, i.parts, work)
	if err != nil {
		if !kept && !bytes.Contains(c.text, []byte("ctxmeter")) {
			return false, nil // broken, but no concern of ours
		}
		return false, err
	}
	all := len(work.Entries) == 0
	if kept && all && !r.Made && hashOf(c.text) == r.After {
		if original, ok := i.archive.original(r); ok {
			left = original
		}
	}
	remove := kept && all && r.Made && pl.empty(left)
	if !remove && bytes.Equal(left, c.text) {
		if kept && all && i.apply {
			err = i.archive.drop(pl.path)
		}
		return false, err
	}
	if err := c.writable(); err != nil {
		return false, err
	}
	if !i.apply {
		if remove {
			left = nil
		}
		i.show(pl, c, left)
		return true, nil
	}
	if remove {
		err = c.remove()
	} else {
		err = c.replace(left, 0o600)
	}
	if err != nil {
		return false, err
	}
	if remove {
		i.tell("%s: removed", pl.path)
		removeFolders(r.Folders)
	} else {
		i.tell("%s: taken out%s", pl.path, linked(pl, c))
	}
	if !all {
		work.After = hashOf(left)
		return true, i.archive.saveOnly(work)
	}
	return true, i.archive.drop(pl.path)
}

func (pl place) recognize(text []byte) *record {
	if pl.toml {
		return recognizeTOML(text)
	}
	return recognizeJSON(text)
}
