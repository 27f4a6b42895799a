package main

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/edit"
	"github.com/ctxmeter/ctxmeter/meter/files"
)

// recordVersion is that of the manifests. One of another version is no
// manifest.
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
type archive struct{ dir string }

func (a archive) file(path string) string {
	return filepath.Join(a.dir, hashOf([]byte(path))[:16]+".json")
}

func (a archive) backup(hash string) string { return filepath.Join(a.dir, hash+".backup") }

// maxRecord is more than a manifest is large, in bytes.
const maxRecord = 4 << 20

// load returns what is known of a file, nil if nothing is. Damage is the same
// as none: what was put in can be recognized.
func (a archive) load(path string) *record {
	if a.dir == "" {
		return nil
	}
	return readRecord(a.file(path), path)
}

func readRecord(file, path string) *record {
	text, err := files.Read(file, maxRecord)
	r := &record{}
	if err != nil || json.Unmarshal(text, r) != nil || r.Version != recordVersion || path != "" && r.Path != path {
		return nil
	}
	return r
}

// all returns every manifest, by path.
func (a archive) all() (out []*record) {
	list, err := files.List(a.dir)
	if err != nil {
		return nil
	}
	for _, f := range list {
		if strings.HasSuffix(f.Name(), ".json") {
			if r := readRecord(filepath.Join(a.dir, f.Name()), ""); r != nil {
				out = append(out, r)
			}
		}
	}
	slices.SortFunc(out, func(x, y *record) int { return strings.Compare(x.Path, y.Path) })
	return out
}

// open makes the folder and keeps others out of it.
func (a archive) open(ctx context.Context) (release func(), err error) {
	if a.dir == "" {
		return nil, errors.New("no home folder is known")
	}
	if err := os.MkdirAll(a.dir, 0o700); err != nil {
		return nil, err
	}
	return lock(ctx, filepath.Join(a.dir, "lock"))
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
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return writeOwn(a.file(r.Path), append(text, '\n'))
}

// original is the text that was there before.
func (a archive) original(r *record) ([]byte, bool) {
	text, err := files.Read(a.backup(r.Before), maxSettings)
	return text, err == nil && hashOf(text) == r.Before
}

// drop forgets a file, and every backup that no manifest needs any more.
func (a archive) drop(path string) error {
	err := os.Remove(a.file(path))
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return errors.Join(err, a.tidy())
}

func (a archive) tidy() error {
	needed := map[string]bool{}
	for _, r := range a.all() {
		needed[filepath.Base(a.backup(r.Before))] = true
	}
	list, err := files.List(a.dir)
	if err != nil {
		return nil // there is nothing to tidy
	}
	for _, f := range list {
		if strings.HasSuffix(f.Name(), ".backup") && !needed[f.Name()] {
			err = errors.Join(err, os.Remove(filepath.Join(a.dir, f.Name())))
		}
	}
	return err
}

// writeOwn writes a file for the user alone, in one step.
func writeOwn(path string, text []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), "*.tmp") // mode 0600
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
