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
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wording"
	"github.com/ctxmeter/ctxmeter/config"
)

// take uninstalls from one file: what its manifest lists, and what has become
// of that; and, whether there is a manifest or not, what is written as ctxmeter
// writes it. What is ctxmeter's otherwise was put there by somebody else, and
// stays.
func (i *installer) take(ctx context.Context, pl target, c settingsFile) (changed bool, err error) {
	r, err := i.recordOf(pl)
	if err != nil {
		return false, err
	}
	kept := r != nil
	if !c.Exists() {
		return false, i.forget(ctx, pl, r)
	}
	if !kept {
		r = &record{}
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
	if original, ok := i.archive.original(r); kept && all && same && !r.Made && ok {
		left = original
	}
	unlisted := 0
	if left, unlisted, err = i.takeUnlisted(pl, left, r); err != nil {
		return false, err
	}
	foreign, rest := i.remains(pl, left, work)
	isLink := false
	if info, err := os.Lstat(pl.Path); err == nil {
		isLink = !info.Mode().IsRegular()
	}
	remove := kept && all && r.Made && len(foreign)+len(rest) == 0 && pl.empty(left) && !isLink
	about := func() {
		if !kept && unlisted > 0 {
			i.tell("%s: there is no record of an installation: what is written as 'ctxmeter install' writes it is taken out", pl.Path)
		}
		i.tellForeign(pl, foreign)
		tellFooter(i, pl, c.Text, left)
	}
	if !remove && bytes.Equal(left, c.Text) {
		if all && len(pl.installed(left).Entries) == 0 {
			err = i.forget(ctx, pl, r)
		}
		if !errors.Is(err, errAgain) {
			i.tellForeign(pl, foreign)
		}
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
		about()
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
	about()
	if kept {
		err = i.keepRest(pl, work, left, same && unlisted == 0)
	} else if len(pl.installed(left).Entries) == 0 {
		err = i.forget(ctx, pl, nil)
	}
	return true, errors.Join(err, stillThere(rest))
}

// forget drops the manifest of a file that nothing is in any more, or what is
// left of a damaged one.
func (i *installer) forget(ctx context.Context, pl target, r *record) error {
	path := pl.Path
	switch {
	case !i.Apply || i.archive.dir == "":
		return nil
	case r != nil && r.Path != "":
		path = r.Path
	case !i.archive.hasDamaged(path):
		return nil
	}
	if err := i.hold(ctx); err != nil {
		return err
	}
	return i.archive.drop(path)
}

// takeUnlisted takes out of a text what is written as ctxmeter writes it,
// though no manifest lists it: the manifest was lost, or somebody has copied or
// moved an entry.
func (i *installer) takeUnlisted(pl target, text []byte, r *record) (left []byte, n int, err error) {
	found := pl.installed(text)
	found.Entries = i.asked(found.Entries)
	if len(found.Entries) == 0 {
		return text, 0, nil
	}
	n = len(found.Entries)
	if r.Version > 0 {
		found.Undo = r.clone().Undo
	}
	left, err = pl.take(text, i.Parts, found)
	return left, n, err
}

// asked are the entries of the parts that were asked for.
func (i *installer) asked(list []entry) []entry {
	return slices.DeleteFunc(slices.Clone(list), func(e entry) bool { return !i.WantsPart(e.Part) })
}

// keepRest keeps what a manifest still says of a file: of the parts that are
// in it.
func (i *installer) keepRest(pl target, work *record, left []byte, same bool) error {
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
	}
	return i.archive.drop(work.Path)
}

// tellForeign says what is ctxmeter's, but not by its installation as far as can
// be told.
func (i *installer) tellForeign(pl target, foreign []entry) {
	var hooks []entry
	for _, e := range foreign {
		if e.Part == wiring.PartHooks {
			hooks = append(hooks, e)
			continue
		}
		i.tellLeft(pl, placesOf([]entry{e}), pl.byHand(e.Part, e.At[len(e.At)-1]))
	}
	if len(hooks) > 0 {
		i.tellLeft(pl, placesOf(hooks), pl.byHand(wiring.PartHooks, ""))
	}
}

func (i *installer) tellLeft(pl target, what, how string) {
	i.tell("%s: %s: not as 'ctxmeter install' writes it, and left as yours; %s", pl.Path, what, how)
}

// remains are the places in a text where ctxmeter is called: by itself, in what
// somebody else put there, and else among other things, or as it was put in and
// cannot be taken out, which the rest of the manifest tells.
func (i *installer) remains(pl target, text []byte, work *record) (foreign, rest []entry) {
	for _, e := range pl.mentions(text) {
		if !i.WantsPart(e.Part) {
			continue
		}
		stuck := slices.ContainsFunc(work.Entries, func(w entry) bool {
			return w.Part == e.Part && w.Was == nil && slices.Equal(w.At, e.At)
		})
		list := &foreign
		if stuck || !e.alone {
			list = &rest
		}
		if !slices.ContainsFunc(*list, func(o entry) bool { return slices.Equal(o.At, e.At) }) {
			*list = append(*list, e.entry)
		}
	}
	return foreign, rest
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

// tellFooter says that the status line of Codex names a server that is taken
// out.
func tellFooter(i *installer, pl target, before, left []byte) {
	if !pl.TOML {
		return
	}
	named := func(text []byte) (server string, there bool) {
		doc, err := config.DecodeTOML(string(text))
		if err != nil {
			return "", false
		}
		tui, _ := doc["tui"].(map[string]any)
		provider, _ := tui["status_line_provider"].(map[string]any)
		server, _ = provider["server"].(string)
		servers, _ := doc["mcp_servers"].(map[string]any)
		return server, servers[server] != nil
	}
	_, was := named(before)
	if server, is := named(left); was && !is {
		i.tell("%s: tui.status_line_provider still names the server %s, which is out: take that line out, too", pl.Path, wording.Name(server))
	}
}
