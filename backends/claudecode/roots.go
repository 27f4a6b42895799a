package claudecode

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/ctxmeter/ctxmeter/meter/files"
)

// root is a configuration folder of the client.
type root struct {
	dir  string // as it was named
	real string // without symbolic links: what lies outside of it is not the client's
}

func (r root) projects() string { return filepath.Join(r.dir, "projects") }

// roots returns the configuration folders that exist, in the order in which
// they are searched: those of the caller, then CLAUDE_CONFIG_DIR, which may be
// a list, or else $HOME/.claude. A folder that goes by two names counts once.
func (c *Client) roots() []root {
	named := append([]string(nil), c.env.ClaudeDirs...)
	if list := c.env.Getenv("CLAUDE_CONFIG_DIR"); list != "" {
		named = append(named, c.split(list)...)
	} else if c.env.Home != "" {
		named = append(named, filepath.Join(c.env.Home, ".claude"))
	}
	var out []root
	for _, n := range named {
		dir := c.absolute(n)
		if dir == "" {
			continue
		}
		target, err := filepath.EvalSymlinks(dir)
		if err != nil || !files.IsDir(target) {
			continue
		}
		r := root{dir: dir, real: target}
		if !r.in(out) {
			out = append(out, r)
		}
	}
	return out
}

// split takes a list of folders apart. A single folder may have a separator in
// its name.
func (c *Client) split(list string) []string {
	if files.IsDir(c.absolute(list)) {
		return []string{list}
	}
	sep := ':'
	if c.windows() {
		sep = ';'
	}
	return strings.FieldsFunc(list, func(r rune) bool { return r == sep || r == ',' })
}

// absolute completes a folder name that no shell has touched; "" stays "".
func (c *Client) absolute(dir string) string {
	dir = strings.TrimSpace(dir)
	rest, tilde := strings.CutPrefix(dir, "~")
	switch {
	case dir == "":
		return ""
	case tilde && c.env.Home != "" && (rest == "" || os.IsPathSeparator(rest[0])):
		return filepath.Join(c.env.Home, rest)
	case !filepath.IsAbs(dir):
		return filepath.Join(c.env.Dir, dir)
	}
	return filepath.Clean(dir)
}

func (r root) in(list []root) bool {
	for _, other := range list {
		if other.real == r.real || sameFile(other.real, r.real) {
			return true
		}
	}
	return false
}

// holds reports whether a path without symbolic links lies in the root.
func (r root) holds(path string) bool {
	rel, err := filepath.Rel(r.real, path)
	return err == nil && filepath.IsLocal(rel)
}

func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// entries lists a folder. It opens nothing else: to open a pipe would block.
func entries(dir string) []os.DirEntry {
	if !files.IsDir(dir) {
		return nil
	}
	list, err := files.List(dir)
	if err != nil {
		return nil // one unreadable folder must not hide the others
	}
	return list
}
