package codex

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/ctxmeter/ctxmeter/meter/files"
)

// A home is a folder in which the client keeps its rollouts:
//
//	sessions/2026/11/30/rollout-….jsonl     by the local day of creation
//	archived_sessions/rollout-….jsonl       moved here by `codex archive`
//
// The files directly in sessions are of clients from before the day folders.
type home struct {
	dir      string // "" if the rollouts lie in no home
	sessions string
	archive  string
}

func newHome(dir string) home {
	return home{dir: dir, sessions: filepath.Join(dir, liveDir), archive: filepath.Join(dir, archiveDir)}
}

const (
	liveDir    = "sessions"
	archiveDir = "archived_sessions"
)

// file is a rollout found by its name.
type file struct {
	name
	path     string
	archived bool
}

// homes lists where sessions are looked for: as the caller says, then as the
// environment says; the default home counts only where CODEX_HOME is not set,
// as for the client. CODEX_HOME is one path, never a list.
func (c *Client) homes() []home {
	dirs := slices.Clone(c.env.CodexHomes)
	if dir := c.getenv("CODEX_HOME"); dir != "" {
		dirs = append(dirs, dir)
	} else if c.env.Home != "" {
		dirs = append(dirs, filepath.Join(c.env.Home, ".codex"))
	}
	var out []home
	for _, dir := range dirs {
		if dir == "" {
			continue
		}
		if h := newHome(c.abs(dir)); !slices.Contains(out, h) {
			out = append(out, h)
		}
	}
	return out
}

func (c *Client) abs(path string) string {
	if !filepath.IsAbs(path) {
		path = filepath.Join(c.env.Dir, path)
	}
	return filepath.Clean(path)
}

// homeOf tells the home that a rollout lies in by the folders around it. For
// a file that was copied elsewhere it is the tree of day folders, or the one
// folder, that it was copied to.
func homeOf(path string) home {
	dir := filepath.Dir(path)
	if filepath.Base(dir) == archiveDir {
		return newHome(filepath.Dir(dir))
	}
	top := dir
	for range 3 { // year, month, day
		if !isNumber(filepath.Base(top)) {
			return home{sessions: dir}
		}
		top = filepath.Dir(top)
	}
	if filepath.Base(top) == liveDir {
		return newHome(filepath.Dir(top))
	}
	return home{sessions: top}
}

// all lists the rollouts whose name keep wants. since is the first day folder
// to look in, as "2026/11/30"; "" is all of them. Only folders are read.
func (h home) all(since string, keep func(name) bool) []file {
	out := appendFiles(nil, h.sessions, false, keep)
	for _, day := range days(h.sessions, since, 0) {
		out = appendFiles(out, filepath.Join(h.sessions, filepath.FromSlash(day)), false, keep)
	}
	if h.archive == "" {
		return out
	}
	return appendFiles(out, h.archive, true, keep)
}

// from lists the rollouts that keep wants; id is that of a thread or segment
// they belong to. A UUIDv7 tells when it was made, and no such file is older:
// the day folders before it are read only if there is nothing from then on.
// They are named after the local day, which may be the one before.
func (h home) from(id string, keep func(name) bool) []file {
	if at, ok := created(id); ok {
		if files := h.all(at.UTC().AddDate(0, 0, -1).Format("2006/01/02"), keep); len(files) > 0 {
			return files
		}
	}
	return h.all("", keep)
}

// days lists the day folders below dir, newest first, from since on; at most
// limit of them unless that is 0.
func days(dir, since string, limit int) []string {
	var out []string
	for _, y := range numbers(dir) {
		if y < since[:min(4, len(since))] {
			break
		}
		for _, m := range numbers(filepath.Join(dir, y)) {
			month := y + "/" + m
			if month < since[:min(7, len(since))] {
				break
			}
			for _, d := range numbers(filepath.Join(dir, y, m)) {
				if day := month + "/" + d; day >= since {
					out = append(out, day)
				}
				if limit > 0 && len(out) == limit {
					return out
				}
			}
		}
	}
	return out
}

// numbers lists the entries of dir whose names are numbers, highest first.
func numbers(dir string) []string {
	names := slices.DeleteFunc(entries(dir), func(s string) bool { return !isNumber(s) })
	slices.Sort(names)
	slices.Reverse(names)
	return names
}

func isNumber(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

func appendFiles(out []file, dir string, archived bool, keep func(name) bool) []file {
	for _, e := range entries(dir) {
		if n, ok := parseName(e); ok && keep(n) {
			out = append(out, file{name: n, path: filepath.Join(dir, e), archived: archived})
		}
	}
	return out
}

// entries lists dir; a folder that cannot be read is empty.
func entries(dir string) []string {
	names, err := files.Names(dir)
	if err != nil {
		return nil
	}
	return names
}

// holds says whether path, its links resolved, lies in the home.
func (h home) holds(path string) bool {
	if h.dir == "" {
		return true
	}
	root, err := filepath.EvalSymlinks(h.dir)
	if err != nil {
		return false
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return true // dangling or unreadable: opening it will tell
	}
	rel, err := filepath.Rel(root, real)
	return err == nil && filepath.IsLocal(rel)
}
