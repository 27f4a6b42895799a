package claudecode

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/ctxmeter/ctxmeter/meter"
)

// Here implements backends.Client. Names of project folders collide and the
// working folder changes within a session: what counts is the first folder
// that the records name, which is where the client was started
// (testdata/cases/E01). The newest conversation stands first; files without
// one are left out.
func (c *Client) Here(dir string) ([]meter.Session, error) {
	places := c.places(dir)
	f := c.finder()
	var found []candidate
	for _, r := range c.roots() {
		mine := f.conversations(r, places)
		slices.SortStableFunc(mine, byConversation)
		f.liveness(r).follow(mine, f.cleared)
		found = append(found, mine...)
	}
	slices.SortStableFunc(found, byConversation)
	var out []meter.Session
	seen := map[string]bool{}
	for _, k := range found {
		if id := strings.ToLower(k.session.ID); !seen[id] {
			seen[id] = true
			out = append(out, k.session)
		}
	}
	return out, nil
}

// places are the names that a folder goes by; "" is the working folder.
func (c *Client) places(dir string) []string {
	if dir == "" {
		dir = c.env.Dir
	}
	if !c.windows() {
		dir = filepath.Clean(dir)
	}
	out := []string{dir}
	if target, err := filepath.EvalSymlinks(dir); err == nil && target != dir {
		out = append(out, target)
	}
	return out
}

// conversations are the sessions of a root that were started in a folder.
func (f *finder) conversations(r root, places []string) (found []candidate) {
	for _, folder := range f.client.folders(r, places) {
		for _, e := range entries(folder) {
			id, isTranscript := strings.CutSuffix(e.Name(), extension)
			if !isTranscript || strings.HasPrefix(id, agentPrefix) || !isID(id) {
				continue
			}
			s, fault := f.open(hit{root: r, session: id, path: filepath.Join(folder, e.Name())})
			if fault != nil {
				continue
			}
			k := candidate{session: s}
			if err := f.look(&k); err != nil || !k.head.talk || !f.client.among(k.head.cwd, places) {
				continue
			}
			k.session.Project = k.head.cwd
			found = append(found, k)
		}
	}
	return found
}

// folders are the project folders of a root that may belong to a place.
func (c *Client) folders(r root, places []string) (out []string) {
	listed := c.windows()
	var names []string
	for _, p := range places {
		n := Encode(p)
		names = append(names, n)
		listed = listed || len(n) > longest
	}
	if !listed {
		for _, n := range slices.Compact(names) {
			out = append(out, filepath.Join(r.projects(), n))
		}
		return out
	}
	for _, e := range entries(r.projects()) {
		if slices.ContainsFunc(names, func(n string) bool { return c.folder(e.Name(), n) }) {
			out = append(out, filepath.Join(r.projects(), e.Name()))
		}
	}
	return out
}

// among reports whether a folder that a record names is one of the places.
func (c *Client) among(cwd string, places []string) bool {
	if cwd == "" {
		return false
	}
	same := func(p string) bool { return c.samePath(cwd, p) }
	if slices.ContainsFunc(places, same) {
		return true
	}
	target, err := filepath.EvalSymlinks(cwd)
	if err != nil {
		return false
	}
	cwd = target
	return slices.ContainsFunc(places, same)
}

// samePath compares as the system does: on Windows neither letter case nor the
// kind of slash matters (a public report).
func (c *Client) samePath(a, b string) bool {
	if !c.windows() {
		return filepath.Clean(a) == filepath.Clean(b)
	}
	plain := func(p string) string { return strings.TrimRight(strings.ReplaceAll(p, "/", `\`), `\`) }
	return strings.EqualFold(plain(a), plain(b))
}
