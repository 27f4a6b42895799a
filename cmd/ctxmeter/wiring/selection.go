package wiring

import (
	"os"
	"path/filepath"
	"slices"

	"github.com/ctxmeter/ctxmeter/meter"
	"github.com/ctxmeter/ctxmeter/meter/files"
)

// Selection is which clients and parts are meant, and where.
type Selection struct {
	Env       meter.Env
	Clients   []string // none are all, or those that are found
	OnlyFound bool     // of clients that nobody named, only those that are found
	Parts     []string
	Project   string   // its folder; "" is the user's own settings
	Roots     []string // folders of Claude Code
	Homes     []string // of Codex
}

// Wants reports whether a client was asked for; if none was, all are.
func (sel Selection) Wants(client string) bool {
	return len(sel.Clients) == 0 || slices.Contains(sel.Clients, client)
}

// WantsPart reports whether a part was asked for.
func (sel Selection) WantsPart(part string) bool { return slices.Contains(sel.Parts, part) }

// AppState is the file that user-level MCP servers are in. It lies in the
// folder that CLAUDE_CONFIG_DIR names, but beside the usual one ('claude mcp
// add --scope user', 2.1.197).
func (sel Selection) AppState(root string) string {
	if home := sel.Env.Home; home != "" && root == filepath.Join(home, ".claude") && sel.Env.Getenv("CLAUDE_CONFIG_DIR") == "" {
		return filepath.Join(home, ".claude.json")
	}
	return filepath.Join(root, ".claude.json")
}

// Found reports whether a client seems to be in use.
func (sel Selection) Found(client string) bool {
	program, dirs := "codex", sel.Homes
	if client == ClientClaude {
		program, dirs = "claude", sel.Roots
	}
	for _, dir := range dirs {
		if files.IsDir(dir) {
			return true
		}
	}
	for _, dir := range filepath.SplitList(sel.Env.Getenv("PATH")) {
		for _, ext := range []string{"", ".exe", ".cmd"} {
			if info, err := os.Stat(filepath.Join(dir, program+ext)); err == nil && info.Mode().IsRegular() && dir != "" {
				return true
			}
		}
	}
	return false
}

// Places are the files of the clients that were asked for. If none was, they
// are those of the clients found, or of all without OnlyFound. s is how the
// clients are to start ctxmeter.
func (sel Selection) Places(s Self) (out []Place) {
	meant := func(client string) bool {
		return sel.Wants(client) && (len(sel.Clients) > 0 || !sel.OnlyFound || sel.Found(client))
	}
	if meant(ClientClaude) {
		out = append(out, sel.claudePlaces(s)...)
	}
	if meant(ClientCodex) {
		out = append(out, sel.codexPlaces(s)...)
	}
	return out
}

func (sel Selection) claudePlaces(s Self) (out []Place) {
	settings := Wiring{}
	if sel.WantsPart(PartStatusLine) {
		settings.StatusLine = s.Shell
	}
	if sel.WantsPart(PartHooks) {
		settings.Hooks, settings.Hook = ClaudeHooks(), s.Shell
	}
	var servers Wiring
	if sel.WantsPart(PartMCP) {
		servers.Server = &Server{Program: s.Program, Args: []string{Subcommand(PartMCP)}, Typed: true}
	}
	add := func(scope, settingsFile, serversFile, root string) {
		out = append(
			out,
			Place{Client: ClientClaude, Scope: scope, Path: settingsFile, Parts: []string{PartStatusLine, PartHooks}, Wiring: settings, Root: root},
			Place{Client: ClientClaude, Scope: scope, Path: serversFile, Parts: []string{PartMCP}, Wiring: servers, Busy: root, Root: root},
		)
	}
	if sel.Project != "" {
		add(ScopeProject, filepath.Join(sel.Project, ".claude", "settings.json"), filepath.Join(sel.Project, ".mcp.json"), "")
		return out
	}
	for _, root := range sel.Roots {
		add(ScopeUser, filepath.Join(root, "settings.json"), sel.AppState(root), root)
	}
	return out
}

func (sel Selection) codexPlaces(s Self) (out []Place) {
	dirs, scope := sel.Homes, ScopeUser
	if sel.Project != "" {
		dirs, scope = []string{filepath.Join(sel.Project, ".codex")}, ScopeProject
	}
	for _, dir := range dirs {
		root := dir
		if sel.Project != "" {
			root = ""
		}
		conf := Place{Client: ClientCodex, Scope: scope, Path: filepath.Join(dir, "config.toml"), Parts: []string{PartMCP, PartHooks}, TOML: true, Root: root}
		hooks := Place{Client: ClientCodex, Scope: scope, Path: filepath.Join(dir, "hooks.json"), Parts: []string{PartHooks}, Root: root}
		if sel.WantsPart(PartMCP) {
			conf.Wiring.Server = sel.codexServer(s, dir)
		}
		if sel.WantsPart(PartHooks) {
			in := &hooks
			if hooksInConfig(dir) {
				in = &conf
			}
			in.Wiring.Hooks, in.Wiring.Hook = CodexHooks(), s.Cmd
		}
		out = append(out, conf, hooks)
	}
	return out
}

// codexServer tells the server where the home of Codex is, which Codex itself
// does not. In a project, which others may share, it is asked to.
func (sel Selection) codexServer(s Self, dir string) *Server {
	out := &Server{Program: s.Program, Args: []string{Subcommand(PartMCP)}}
	usual := filepath.Join(sel.Env.Home, ".codex")
	switch {
	case sel.Project == "" && dir != usual:
		out.Args = append(out.Args, "--codex-home", dir)
	case sel.Project != "" && len(sel.Homes) > 0 && sel.Homes[0] != usual:
		out.Pass = []string{"CODEX_HOME"}
	}
	return out
}

// Plugins are the plugins of that name in a client: by the user's own
// settings, and by those of a project unless it is "".
func (sel Selection) Plugins(client, project string) (out []Plugin) {
	if client == ClientClaude {
		for _, root := range sel.Roots {
			out = append(out, claudePlugins(root, project)...)
		}
		return out
	}
	for _, home := range sel.Homes {
		out = append(out, codexPlugins(home)...)
	}
	return out
}
