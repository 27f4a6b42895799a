package doctor

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wording"
	"github.com/ctxmeter/ctxmeter/config"
	"github.com/ctxmeter/ctxmeter/meter/files"
)

// checkKept looks for damage in what ctxmeter keeps of sessions. Newer versions may write what this one cannot read.
func (d *doctor) checkKept(state string) {
	const check = "state"
	var damaged, others []string
	for _, dir := range []string{"told", "hooks"} {
		list, err := ownList(filepath.Join(state, dir))
		if err != nil {
			continue
		}
		for _, e := range list[:min(len(list), mostLoose)] {
			key, ours := strings.CutSuffix(e.Name(), ".json")
			if !e.Type().IsRegular() || !ours || !d.Key(key) {
				continue
			}
			path := filepath.Join(state, dir, e.Name())
			switch sound, damage := d.Kept[dir].sound(path); {
			case damage && d.old(e, abandoned):
				damaged = append(damaged, path)
			case !sound:
				others = append(others, path)
			}
		}
	}
	d.leftover(check, damaged, "about sessions damaged")
	if len(others) > 0 { // which may still need them
		d.note(check, wording.Counted(len(others), "file")+" about sessions of another version of ctxmeter, or just being written, in "+config.List(foldersOf(others), "and")+": what was told of these sessions does not count",
			"nothing needs to be done; they are written anew when it is told again")
	}
	d.checkArchive(state)
}

// sound reports whether a file about a session can be used, and whether it is
// damaged: no version could.
func (k Kept) sound(path string) (sound, damaged bool) {
	var kept struct {
		Version int `json:"version"`
	}
	data, err := files.Read(path, k.Most)
	if err != nil {
		return false, false
	}
	err = json.Unmarshal(data, &kept)
	return err == nil && kept.Version == k.Version, err != nil || kept.Version <= 0
}

// foldersOf are the folders that files are in, each once.
func foldersOf(paths []string) (out []string) {
	for _, path := range paths {
		if dir := filepath.Dir(path); !slices.Contains(out, dir) {
			out = append(out, dir)
		}
	}
	return out
}

func pronoun(n int) string {
	if n == 1 {
		return "it"
	}
	return "them"
}
