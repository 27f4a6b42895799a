package install

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/edit"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/lock"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wiring"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wording"
	"github.com/ctxmeter/ctxmeter/meter/files"
)

// recordVersion is that of the manifests. There is none of a smaller version.
const recordVersion = 1

// record is the manifest of one settings file: what was put into it, and what
// has to be known to take it out again. It is kept as
//
//	installed/<hash of the path>.json
//	installed/<hash of the text>.backup    the file as it was before
type record struct {
	Version int       `json:"version"`
	Path    string    `json:"path"`
	Client  string    `json:"client"`
	Scope   string    `json:"scope"`
	At      time.Time `json:"at"`
	Made    bool      `json:"made"`              // there was no such file,
	Folders []string  `json:"folders,omitempty"` // nor these folders
	State   []string  `json:"state,omitempty"`   // nor these, above the record itself
	Before  string    `json:"before"`            // hash of the text,
	After   string    `json:"after"`             // and with what was put in
	Entries []entry   `json:"entries"`
	Undo    edit.Undo `json:"undo"`
}

// entry is one thing that was put in.
type entry struct {
	Part    string   `json:"part"`
	At      []string `json:"at"` // the keys of the object, or of the array that it is in
	Command string   `json:"command"`
	Text    string   `json:"text"` // as it stands in the file
	// Was has the old texts of what was changed in an entry of ours that was
	// there before, "" if it was not; nil if all of it was put in.
	Was  map[string]string `json:"was,omitempty"`
	Seam *edit.Seam        `json:"seam,omitempty"` // in a TOML file
}

func (r *record) entry(at ...string) *entry {
	for i := range r.Entries {
		if slices.Equal(r.Entries[i].At, at) {
			return &r.Entries[i]
		}
	}
	return nil
}

// put remembers an entry. Of one that it knows, it keeps what was there before.
func (r *record) put(e entry) {
	if old := r.entry(e.At...); old != nil {
		if old.Command = e.Command; e.Text != "" {
			old.Text = e.Text
		}
		return
	}
	r.Entries = append(r.Entries, e)
}

// keep forgets entries, and what is only needed to take these out.
func (r *record) keep(want func(entry) bool) {
	r.Entries = slices.DeleteFunc(r.Entries, func(e entry) bool { return !want(e) })
	needless := func(container string) bool {
		return !slices.ContainsFunc(r.Entries, func(e entry) bool {
			return strings.HasPrefix("/"+strings.Join(e.At, "/")+"/", strings.TrimSuffix(container, "/")+"/")
		})
	}
	r.Undo.Made = slices.DeleteFunc(r.Undo.Made, needless)
	for container := range r.Undo.Empty {
		if needless(container) {
			delete(r.Undo.Empty, container)
		}
	}
}

// clone is a record that can be used up.
func (r *record) clone() *record {
	text, err := json.Marshal(r)
	out := &record{}
	if err == nil {
		err = json.Unmarshal(text, out)
	}
	if err != nil { // cannot be: it is only plain values
		panic(err)
	}
	return out
}

// archive is the folder of the manifests and backups.
type archive struct {
	dir  string
	made []string // folders above dir that were made for it; known while the lock is held
}

func (a archive) file(path string) string {
	return filepath.Join(a.dir, hashOf([]byte(path))[:16]+".json")
}

func (a archive) backup(hash string) string { return filepath.Join(a.dir, hash+".backup") }

// maxRecord is more than a manifest is large, in bytes.
const maxRecord = 4 << 20

// The reasons why a manifest says nothing.
var (
	errDamaged = errors.New("the record of what was put in is damaged")
	errUnread  = errors.New("the record of what was put in cannot be read, and it was not touched")
	errNewer   = errors.New("the record of what was put in is by a newer version of ctxmeter, which has to do it; it was not touched")
)

// load returns what is known of a file, nil if nothing is. A damaged manifest
// is errDamaged, and as good as none: what was put in can be recognized. One
// that cannot be read, or is of a newer version, may say what cannot.
func (a archive) load(path string) (*record, error) {
	if a.dir == "" {
		return nil, nil
	}
	r, err := readRecord(a.file(path))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case r.Path != path:
		return nil, fmt.Errorf("%w: %s", errDamaged, a.file(path))
	}
	return r, nil
}

func readRecord(file string) (*record, error) {
	text, err := files.Read(file, maxRecord)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return nil, fs.ErrNotExist
	}
	if err != nil && !errors.Is(err, files.ErrTooLarge) {
		return nil, fmt.Errorf("%w: %s (%s)", errUnread, file, wording.Reason(err))
	}
	r := &record{}
	switch {
	case err != nil || json.Unmarshal(text, r) != nil:
		return nil, fmt.Errorf("%w: %s", errDamaged, file)
	case r.Version > recordVersion:
		return nil, fmt.Errorf("%w: %s", errNewer, file)
	case r.Version < recordVersion || !r.sound():
		return nil, fmt.Errorf("%w: %s", errDamaged, file)
	}
	return r, nil
}

// CheckRecord looks whether a manifest can be used: the error is why not, with
// the name of the file.
func CheckRecord(file string) error {
	_, err := readRecord(file)
	return err
}

// all returns every manifest, by path; understood is false if there are others
// that could not be read.
func (a archive) all() (out []*record, understood bool) {
	list, err := files.List(a.dir)
	if err != nil {
		return nil, errors.Is(err, fs.ErrNotExist)
	}
	understood = true
	for _, f := range list {
		switch filepath.Ext(f.Name()) {
		case ".json":
			r, err := readRecord(filepath.Join(a.dir, f.Name()))
			if err != nil {
				understood = false
				continue
			}
			out = append(out, r)
		case damagedExt:
			understood = false
		}
	}
	slices.SortFunc(out, func(x, y *record) int { return strings.Compare(x.Path, y.Path) })
	return out, understood
}

// damagedExt ends the names of damaged manifests that others have replaced.
const damagedExt = ".damaged"

// putAside keeps a damaged manifest from being overwritten, until all of ours
// is out of its file.
func (a archive) putAside(path string) error {
	return os.Rename(a.file(path), a.file(path)+damagedExt)
}

// hasDamaged reports whether something damaged is kept of a file.
func (a archive) hasDamaged(path string) bool {
	if _, err := a.load(path); errors.Is(err, errDamaged) {
		return true
	}
	_, err := os.Lstat(a.file(path) + damagedExt)
	return err == nil
}

// How long another process may hold the lock until it is said that it does,
// and until it is given up.
const (
	lockSaid    = time.Second
	lockGivenUp = 30 * time.Second
)

var errHeld = errors.New("another 'ctxmeter install' or 'ctxmeter uninstall' holds the lock")

// open makes the folder and keeps others out of it.
func (a *archive) open(ctx context.Context, say func(string)) (release func(), err error) {
	if a.dir == "" {
		return nil, errors.New("no home folder is known")
	}
	path := filepath.Join(a.dir, lockName)
	var folders []string
	take := func(ctx context.Context) (release func(), err error) {
		for range 100 { // somebody may be removing the folder
			var made []string
			if made, err = makeFolders(path, 0o700); err == nil {
				release, err = lock.Take(ctx, path)
			}
			folders = append(folders, made...)
			if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrExist) {
				break
			}
			lock.Pause(ctx, 2*time.Millisecond)
		}
		if err == nil {
			sweep(a.dir, func(fs.FileInfo, int) bool { return true }) // who has the lock is alone
		}
		return release, err
	}
	release, err = inTime(ctx, take,
		time.After(lockSaid), time.After(lockGivenUp),
		func() { say("waiting for another 'ctxmeter install' or 'ctxmeter uninstall', which holds " + path) })
	if err != nil {
		return nil, err
	}
	records, _ := a.all()
	for _, r := range records {
		folders = append(folders, r.State...)
	}
	a.made = slices.DeleteFunc(folders, func(dir string) bool {
		return dir == filepath.Dir(a.dir) || !strings.HasPrefix(a.dir, dir+string(filepath.Separator))
	})
	slices.Sort(a.made) // the outer ones first
	a.made = slices.Compact(a.made)
	return release, nil
}

const lockName = "lock"

// close releases the lock. If it is all that there is, nothing is installed any
// more, and the folders of it go, and those that were made around them.
func (a archive) close(release func()) {
	list, err := files.List(a.dir)
	path := filepath.Join(a.dir, lockName)
	if empty := err == nil && len(list) == 1 && list[0].Name() == lockName; !empty {
		release()
		return
	}
	err = os.Remove(path)
	release()
	if err != nil { // on Windows only what nobody has open can be removed
		err = os.Remove(path)
	}
	if err == nil && os.Remove(a.dir) == nil && os.Remove(filepath.Dir(a.dir)) == nil {
		removeFolders(a.made, a.dir)
	}
}

// inTime takes a lock unless that takes too long; a lock that comes too late is
// released.
func inTime(ctx context.Context, lock func(context.Context) (func(), error), long, tooLong <-chan time.Time, say func()) (func(), error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	type taken struct {
		release func()
		err     error
	}
	got := make(chan taken, 1)
	go func() {
		release, err := lock(ctx)
		got <- taken{release, err}
	}()
	late := func(err error) (func(), error) {
		go func() {
			if t := <-got; t.release != nil {
				t.release()
			}
		}()
		return nil, err
	}
	for {
		select {
		case t := <-got:
			return t.release, t.err
		case <-long:
			say()
			long = nil
		case <-tooLong:
			return late(errHeld)
		case <-ctx.Done():
			return late(ctx.Err())
		}
	}
}

// save keeps a manifest, and the text that it was made for.
func (a archive) save(r *record, before []byte) error {
	if !r.Made {
		if err := writeOwn(a.backup(r.Before), before); err != nil {
			return err
		}
	}
	return a.saveOnly(r)
}

func (a archive) saveOnly(r *record) error {
	r.State = a.made
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return writeOwn(a.file(r.Path), append(text, '\n'))
}

// original is the text that was there before.
func (a archive) original(r *record) ([]byte, bool) {
	text, err := files.Read(a.backup(r.Before), wiring.MaxSettings)
	return text, err == nil && hashOf(text) == r.Before
}

// drop forgets a file, and every backup that no manifest needs any more.
func (a archive) drop(path string) error {
	var err error
	for _, name := range []string{a.file(path), a.file(path) + damagedExt} {
		if e := os.Remove(name); !errors.Is(e, fs.ErrNotExist) {
			err = errors.Join(err, e)
		}
	}
	return errors.Join(err, a.tidy())
}

// tidy removes the backups that no manifest needs. As long as one manifest is
// not understood, it may need any of them.
func (a archive) tidy() error {
	records, understood := a.all()
	list, err := files.List(a.dir)
	if err != nil || !understood {
		return nil
	}
	needed := map[string]bool{}
	for _, r := range records {
		needed[filepath.Base(a.backup(r.Before))] = true
	}
	for _, f := range list {
		if name := f.Name(); ownBackup.MatchString(name) && !needed[name] {
			err = errors.Join(err, os.Remove(filepath.Join(a.dir, name)))
		}
	}
	return err
}

var ownBackup = regexp.MustCompile(`^[0-9a-f]{64}\.backup$`)

// writeOwn writes a file for the user alone, in one step.
func writeOwn(path string, text []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".ctxmeter-*.tmp") // mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(text)
	if err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
