package install

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wiring"
)

// take uninstalls from one file: what its manifest lists, and what has become
// of that, or what can be recognized if there is no manifest.
func (i *installer) take(ctx context.Context, pl target, c settingsFile) (changed bool, err error) {
	r, err := i.recordOf(pl)
	if err != nil {
		return false, err
	}
	kept := r != nil
	if !c.Exists() {
		return false, i.forget(ctx, r)
	}
	if !kept {
		r = pl.recognize(c.Text)
	}
	work := r.clone()
	left, err := pl.take(c.Text, i.Parts, work)
	if err != nil {
		if !kept && !bytes.Contains(c.Text, []byte("ctxmeter")) {
			return false, nil // broken, but no concern of ours
		}
		return false, err
	}
	all, same := len(work.Entries) == 0, hashOf(c.Text) == r.After
	var before []entry // that were there before the installation
	if kept {
		if left, before, err = i.takeRest(pl, left, r, all && same); err != nil {
			return false, err
		}
	}
	rest := i.remains(pl, left, before)
	isLink := false
	if info, err := os.Lstat(pl.Path); err == nil {
		isLink = !info.Mode().IsRegular()
	}
	remove := kept && all && r.Made && len(rest) == 0 && pl.empty(left) && !isLink
	if !remove && bytes.Equal(left, c.Text) {
		if len(before) == 0 && all {
			err = i.forget(ctx, r)
		}
		i.tellBefore(pl, before)
		return false, errors.Join(err, stillThere(rest))
	}
	if err := c.writable(); err != nil {
		return false, err
	}
	if !i.Apply {
		if remove {
			left = nil
		}
		i.show(pl, c, left)
		i.tellBefore(pl, before)
		return true, stillThere(rest)
	}
	if err := i.hold(ctx); err != nil {
		return false, err
	}
	err = pl.alone(ctx, func() error {
		if remove {
			return c.remove()
		}
		return c.replace(left, 0o600)
	})
	if err != nil {
		return false, err
	}
	if remove {
		i.tell("%s: removed", pl.Path)
		removeFolders(r.Folders, r.Path)
	} else {
		i.tell("%s: taken out%s", pl.Path, linked(pl, c))
	}
	i.tellBefore(pl, before)
	if kept {
		err = i.keepRest(pl, work, left, same, len(before) > 0)
	}
	return true, errors.Join(err, stillThere(rest))
}

// forget drops the manifest of a file that nothing is in any more.
func (i *installer) forget(ctx context.Context, r *record) error {
	if r == nil || r.Path == "" || !i.Apply {
		return nil
	}
	if err := i.hold(ctx); err != nil {
		return err
	}
	return i.archive.drop(r.Path)
}

// takeRest goes over a text that the entries of a manifest were taken out of.
// What is ctxmeter's all the same was either there before the installation, and
// stays; or somebody has copied or moved it, and it goes, too. If the file is
// as the installation left it, it is as it was before.
func (i *installer) takeRest(pl target, left []byte, r *record, asLeft bool) (text []byte, before []entry, err error) {
	original, ok := []byte(nil), true
	if !r.Made {
		original, ok = i.archive.original(r)
	}
	was := pl.recognize(original).Entries
	if asLeft && ok && !r.Made {
		return original, i.asked(was), nil
	}
	extra := pl.recognize(left)
	known := func(e entry) bool {
		if !ok {
			return true // nobody knows
		}
		n := slices.IndexFunc(was, func(w entry) bool { return w.Part == e.Part && slices.Equal(w.At, e.At) && w.Command == e.Command })
		if n >= 0 {
			was = slices.Delete(slices.Clone(was), n, n+1)
		}
		return n >= 0
	}
	var gone []entry
	for _, e := range i.asked(extra.Entries) {
		if known(e) {
			before = append(before, e)
		} else {
			gone = append(gone, e)
		}
	}
	if len(gone) == 0 {
		return left, before, nil
	}
	extra.Entries, extra.Undo = gone, r.Undo
	text, err = pl.take(left, i.Parts, extra.clone())
	return text, before, err
}

// asked are the entries of the parts that were asked for.
func (i *installer) asked(list []entry) []entry {
	return slices.DeleteFunc(slices.Clone(list), func(e entry) bool { return !i.WantsPart(e.Part) })
}

// keepRest keeps what a manifest still says of a file: of the parts that are
// in it, or that what looks like ctxmeter's is the user's own.
func (i *installer) keepRest(pl target, work *record, left []byte, same, before bool) error {
	work.After = hashOf(left)
	switch {
	case len(work.Entries) > 0 && same:
		return i.archive.saveOnly(work)
	case len(work.Entries) > 0: // the backup knows nothing of what was edited
		original, err := pl.take(left, wiring.Parts(), work.clone())
		if err != nil {
			return err
		}
		work.Before = hashOf(original)
		return errors.Join(i.archive.save(work, original), i.archive.tidy())
	case before:
		work.Made, work.Before = false, work.After
		return errors.Join(i.archive.save(work, left), i.archive.tidy())
	}
	return i.archive.drop(work.Path)
}

// tellBefore says what is ctxmeter's, but not by its installation.
func (i *installer) tellBefore(pl target, before []entry) {
	if len(before) > 0 {
		i.tell("%s: %s: there before the installation, and left; take it out by hand if you do not want it", pl.Path, placesOf(before))
	}
}

// remains are the places in a text where ctxmeter is called, but for those that
// were there before.
func (i *installer) remains(pl target, text []byte, before []entry) []entry {
	return slices.DeleteFunc(i.asked(pl.mentions(text)), func(e entry) bool {
		return slices.ContainsFunc(before, func(b entry) bool { return b.Part == e.Part && slices.Equal(b.At, e.At) && b.Command == e.Command })
	})
}

// stillThere is the error of what could not be taken out.
func stillThere(rest []entry) error {
	if len(rest) == 0 {
		return nil
	}
	return fmt.Errorf("%w (%s), in a way that is not ctxmeter's to change: take it out by hand", errStillThere, placesOf(rest))
}

var errStillThere = errors.New("ctxmeter is still called")

// placesOf names where entries are.
func placesOf(list []entry) string {
	var out []string
	for _, e := range list {
		if at := strings.Join(e.At, "."); !slices.Contains(out, at) {
			out = append(out, at)
		}
	}
	return strings.Join(out, ", ")
}
