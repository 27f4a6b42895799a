package doctor

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/paths"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wiring"
)

// forbidden says why the doctor does not start a command, "" if it may.
//
// What a project brings along may be anything: of it only the running program
// itself is started, with what 'install' puts behind it and nothing else. A
// program that lies in a project, or in a client's folder that a variable may
// have led to, is not started whoever names it. Nor is a server that would
// listen.
func (d *doctor) forbidden(pl wiring.Place, w wiring.Wired, program string) string {
	self := d.self != "" && paths.Same(program, d.self)
	ofProject := pl.Scope == wiring.ScopeProject || within(d.project(), pl.Path)
	switch {
	case listens(w):
		return "it serves HTTP"
	case self && ofProject && !asInstalled(w):
		return "it is a project's, and has arguments of its own"
	case self:
		return ""
	case ofProject:
		return "a project brings it along"
	case within(d.grounds(), program):
		return "it lies in the project or in a client's folder"
	}
	return ""
}

// listens reports whether a server is told to serve HTTP, in any way that a
// flag is written in: -http, --http, with a value or with =.
func listens(w wiring.Wired) bool {
	return w.Part == wiring.PartMCP && slices.ContainsFunc(w.Words, func(word string) bool {
		flag := strings.TrimLeft(word, "-")
		return flag != word && strings.HasPrefix(strings.ToLower(flag), "http")
	})
}

// asInstalled reports whether a part is called with nothing but what 'install'
// or the README has a project call it with.
func asInstalled(w wiring.Wired) bool {
	args := w.Words[1:]
	if w.Part == wiring.PartMCP && len(args) == 2 && args[1] == "--footer" {
		args = args[:1]
	}
	return slices.Equal(args, []string{wiring.Subcommand(w.Part)})
}

// project are the folders of the project: the one that is looked at and its
// repository.
func (d *doctor) project() []string {
	return d.foreign(d.dir, repository(d.dir))
}

// grounds are the folders in which no program is started: the project's, and
// the clients' own, with the projects that these lie in.
func (d *doctor) grounds() []string {
	dirs := []string{d.dir, repository(d.dir)}
	for _, dir := range slices.Concat(d.Selection.Roots, d.Selection.Homes) {
		dirs = append(dirs, dir, repository(dir))
		if base := filepath.Base(dir); base == ".claude" || base == ".codex" {
			dirs = append(dirs, filepath.Dir(dir))
		}
	}
	return d.foreign(dirs...)
}

// foreign are the folders that are not the home folder or above it, by all
// their names.
func (d *doctor) foreign(dirs ...string) (out []string) {
	for _, dir := range dirs {
		if !filepath.IsAbs(dir) || d.env.Home != "" && within([]string{dir}, d.env.Home) {
			continue
		}
		out = append(out, dir, resolved(dir))
	}
	return out
}

// within reports whether a path is one of the folders or lies in one, by its
// name or behind its links.
func within(dirs []string, path string) bool {
	for _, p := range []string{path, resolved(path)} {
		for _, dir := range dirs {
			for _, dir := range []string{dir, resolved(dir)} {
				if rel, err := filepath.Rel(dir, p); err == nil && filepath.IsLocal(rel) {
					return true
				}
			}
		}
	}
	return false
}
