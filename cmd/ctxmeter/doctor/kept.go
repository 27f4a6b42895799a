package doctor

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/install"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wording"
	"github.com/ctxmeter/ctxmeter/config"
	"github.com/ctxmeter/ctxmeter/meter/files"
)

// checkKept looks for damage in what ctxmeter keeps of sessions and of what it
// installed. Newer versions may write what this one cannot read.
func (d *doctor) checkKept(state string) {
	const check = "state"
	var lost, records []string
	for _, dir := range []string{"told", "hooks", "installed"} {
		list, err := ownList(filepath.Join(state, dir))
		if err != nil {
			continue
		}
		for _, e := range list[:min(len(list), mostLoose)] {
			path := filepath.Join(state, dir, e.Name())
			switch {
			case !e.Type().IsRegular() || !strings.HasSuffix(path, ".json"):
			case dir == "installed":
				if err := install.CheckRecord(path); err != nil {
					records = append(records, path)
				}
			case !d.Kept[dir].sound(path):
				lost = append(lost, path)
			}
		}
	}
	if len(lost) > 0 { // another version may still need them
		d.note(check, wording.Counted(len(lost), "file")+" about sessions damaged, or of another version, in "+config.List(foldersOf(lost), "and")+": what was told of these sessions does not count",
			"remove what is damaged; it is written anew when it is told again")
	}
	if len(records) > 0 {
		d.note(check, wording.Counted(len(records), "record")+" of an installation damaged, or of another version, in "+filepath.Dir(records[0])+": 'uninstall' finds what is ctxmeter's, but cannot restore a file to the byte",
			"install again with "+d.typed("install --apply")+", which records it anew")
	}
}

// sound reports whether a file about a session can be used.
func (k Kept) sound(path string) bool {
	var kept struct {
		Version int `json:"version"`
	}
	data, err := files.Read(path, k.Most)
	return err == nil && json.Unmarshal(data, &kept) == nil && kept.Version == k.Version
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
