package doctor

import (
	"path/filepath"
	"strings"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/install"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/paths"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wiring"
)

// called is how a shell starts this ctxmeter: by its name only if that finds
// this very program.
func (d *doctor) called() string {
	if first := d.onPath(); d.self == "" || install.OnlyForOneRun(d.self) || first != "" && paths.Same(first, d.self) {
		return "ctxmeter"
	}
	return d.word(d.self)
}

// typed is a command of this ctxmeter, as a mend names it.
func (d *doctor) typed(rest string) string { return inQuotes(d.called() + " " + rest) }

func inQuotes(command string) string {
	if strings.Contains(command, "'") {
		return "`" + command + "`"
	}
	return "'" + command + "'"
}

// word is a path as a shell takes it. The home folder stays outside of the
// quotes: it is written ~ in the report.
func (d *doctor) word(path string) string {
	home := d.env.Home
	rest, ok := strings.CutPrefix(path, home+string(filepath.Separator))
	switch {
	case d.env.OS == "windows" && strings.Contains(path, " "):
		return `"` + path + `"`
	case ok && home != "" && filepath.Dir(home) != home:
		return home + string(filepath.Separator) + paths.Quoted(rest)
	}
	return paths.Quoted(path)
}

// again is the command that puts a part right.
func (d *doctor) again(pl wiring.Place, part string) string {
	out := "install " + pl.Client + " --" + part
	switch {
	case pl.Scope == wiring.ScopeProject:
		out += " --project"
		if dir := projectOf(pl); filepath.IsAbs(dir) && dir != filepath.Clean(d.env.Dir) {
			out += " --cwd " + d.word(dir)
		}
	case pl.Root == "": // of the client as such
	case pl.Client == wiring.ClientClaude && pl.Root != d.usual("CLAUDE_CONFIG_DIR", ".claude"):
		out += " --claude-dir " + d.word(pl.Root)
	case pl.Client == wiring.ClientCodex && pl.Root != d.usual("CODEX_HOME", ".codex"):
		out += " --codex-home " + d.word(pl.Root)
	}
	return d.typed(out + " --apply")
}

// usual is the folder of a client that 'install' takes if it is told none.
func (d *doctor) usual(variable, name string) string {
	if dir := d.env.Getenv(variable); dir != "" {
		return paths.Under(d.env.Dir, dir)
	}
	return filepath.Join(d.env.Home, name)
}

// projectOf is the folder that a project's settings file belongs to.
func projectOf(pl wiring.Place) string {
	dir := filepath.Dir(pl.Path)
	if base := filepath.Base(dir); base == ".claude" || base == ".codex" {
		dir = filepath.Dir(dir)
	}
	return dir
}

// inAgent reports whether the doctor runs in the shell of an agent: its PATH
// need not be that of the client (Claude Code 2.1.197 sets CLAUDECODE, codex-cli
// 0.171.0 the other two).
func (d *doctor) inAgent() bool {
	for _, name := range []string{"CLAUDECODE", "CODEX_CI", "CODEX_THREAD_ID"} {
		if d.env.Getenv(name) != "" {
			return true
		}
	}
	return false
}
