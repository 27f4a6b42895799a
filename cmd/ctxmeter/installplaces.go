package main

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/edit"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/paths"
	"github.com/ctxmeter/ctxmeter/config"
	"github.com/ctxmeter/ctxmeter/meter/files"
)

// The clients, as they are named on the command line.
const (
	clientClaude = "claude-code"
	clientCodex  = "codex"
)

// The scopes of settings: the user's own, and a project's.
const (
	scopeUser    = "user"
	scopeProject = "project"
)

// place is a settings file, and what is to be in it.
type place struct {
	client, scope string
	path          string
	parts         []string // that can be in it
	wiring        wiring
	toml          bool
	busy          string // root of a client that rewrites the file while it runs
	root          string // the client's folder whose plugins count, "" for all
	brought       []brought
}

// folders completes the folders of the clients: those on the command line, or
// else where the client itself looks.
func (i *installer) folders(sel *selection, wd string) {
	home := i.p.home()
	if len(sel.roots) == 0 {
		if dir := i.p.getenv("CLAUDE_CONFIG_DIR"); dir != "" {
			sel.roots = []string{paths.Under(wd, dir)}
		} else if home != "" {
			sel.roots = []string{filepath.Join(home, ".claude")}
		}
	}
	if len(sel.homes) == 0 {
		if dir := i.p.getenv("CODEX_HOME"); dir != "" {
			sel.homes = []string{paths.Under(wd, dir)}
		} else if home != "" {
			sel.homes = []string{filepath.Join(home, ".codex")}
		}
	}
	for _, dirs := range [][]string{sel.roots, sel.homes} {
		for n := range dirs {
			dirs[n] = filepath.Clean(dirs[n])
		}
	}
}

// appState is the file that user-level MCP servers are in. It lies in the
// folder that CLAUDE_CONFIG_DIR names, but beside the usual one ('claude mcp
// add --scope user', 2.1.197).
func (i *installer) appState(root string) string {
	if home := i.p.home(); home != "" && root == filepath.Join(home, ".claude") && i.p.getenv("CLAUDE_CONFIG_DIR") == "" {
		return filepath.Join(home, ".claude.json")
	}
	return filepath.Join(root, ".claude.json")
}

// found reports whether a client seems to be in use.
func (i *installer) found(client string) bool {
	program, dirs := "codex", i.homes
	if client == clientClaude {
		program, dirs = "claude", i.roots
	}
	for _, dir := range dirs {
		if files.IsDir(dir) {
			return true
		}
	}
	for _, dir := range filepath.SplitList(i.p.getenv("PATH")) {
		for _, ext := range []string{"", ".exe", ".cmd"} {
			if info, err := os.Stat(filepath.Join(dir, program+ext)); err == nil && info.Mode().IsRegular() && dir != "" {
				return true
			}
		}
	}
	return false
}

// places are the files of the clients that were asked for. If none was, they
// are those of the clients found; to be taken out of, they are all looked at.
func (i *installer) places(s self) (out []place) {
	meant := func(client string) bool {
		return i.wants(client) && (len(i.clients) > 0 || !i.install || i.found(client))
	}
	if meant(clientClaude) {
		out = append(out, i.claudePlaces(s)...)
	}
	if meant(clientCodex) {
		out = append(out, i.codexPlaces(s)...)
	}
	return out
}

func (i *installer) claudePlaces(s self) (out []place) {
	settings := wiring{}
	if i.wantsPart(partStatusLine) {
		settings.statusLine = s.shell
	}
	if i.wantsPart(partHooks) {
		settings.hooks, settings.hook = claudeHooks(), s.shell
	}
	var servers wiring
	if i.wantsPart(partMCP) {
		servers.server = &server{program: s.program, args: []string{subcommand(partMCP)}, typed: true}
	}
	add := func(scope, settingsFile, serversFile, root string) {
		out = append(
			out,
			place{client: clientClaude, scope: scope, path: settingsFile, parts: []string{partStatusLine, partHooks}, wiring: settings, root: root},
			place{client: clientClaude, scope: scope, path: serversFile, parts: []string{partMCP}, wiring: servers, busy: root, root: root},
		)
	}
	if i.project != "" {
		add(scopeProject, filepath.Join(i.project, ".claude", "settings.json"), filepath.Join(i.project, ".mcp.json"), "")
		return out
	}
	for _, root := range i.roots {
		add(scopeUser, filepath.Join(root, "settings.json"), i.appState(root), root)
	}
	return out
}

func (i *installer) codexPlaces(s self) (out []place) {
	dirs, scope := i.homes, scopeUser
	if i.project != "" {
		dirs, scope = []string{filepath.Join(i.project, ".codex")}, scopeProject
	}
	for _, dir := range dirs {
		root := dir
		if i.project != "" {
			root = ""
		}
		conf := place{client: clientCodex, scope: scope, path: filepath.Join(dir, "config.toml"), parts: []string{partMCP, partHooks}, toml: true, root: root}
		hooks := place{client: clientCodex, scope: scope, path: filepath.Join(dir, "hooks.json"), parts: []string{partHooks}, root: root}
		if i.wantsPart(partMCP) {
			conf.wiring.server = i.codexServer(s, dir)
		}
		if i.wantsPart(partHooks) {
			in := &hooks
			if hooksInConfig(dir) {
				in = &conf
			}
			in.wiring.hooks, in.wiring.hook = codexHooks(), s.cmd
		}
		out = append(out, conf, hooks)
	}
	return out
}

// codexServer tells the server where the home of Codex is, which Codex itself
// does not. In a project, which others may share, it is asked to.
func (i *installer) codexServer(s self, dir string) *server {
	out := &server{program: s.program, args: []string{subcommand(partMCP)}}
	usual := filepath.Join(i.p.home(), ".codex")
	switch {
	case i.project == "" && dir != usual:
		out.args = append(out.args, "--codex-home", dir)
	case i.project != "" && len(i.homes) > 0 && i.homes[0] != usual:
		out.pass = []string{"CODEX_HOME"}
	}
	return out
}

// hooksInConfig reports whether hooks belong into config.toml: where ours are
// already; else only if there are some, and none in hooks.json. Codex complains
// at every start of hooks in both (codex-rs/hooks/src/engine/discovery.rs).
// hooks.json is the better place: Codex never writes it, and config.toml often.
func hooksInConfig(dir string) bool {
	beside := false
	if text, err := files.Read(filepath.Join(dir, "hooks.json"), maxSettings); err == nil {
		if j, err := edit.ParseJSON(text); err == nil {
			beside = len(j.Keys("hooks")) > 0
			for _, event := range j.Keys("hooks") {
				if len(hookPaths(j, event, func(h handler) bool { return callsOurs(h.Command, partHooks) })) > 0 {
					return false
				}
			}
		}
	}
	text, err := files.Read(filepath.Join(dir, "config.toml"), maxSettings)
	if err != nil {
		return false
	}
	doc, err := config.DecodeTOML(string(text))
	if err != nil {
		return false
	}
	hooks, _ := doc["hooks"].(map[string]any)
	some := false
	for event, v := range hooks {
		if event == "state" {
			continue
		}
		for _, group := range tablesOf(v) {
			some = true
			for _, hook := range tablesOf(group["hooks"]) {
				if command, _ := hook["command"].(string); callsOurs(command, partHooks) {
					return true
				}
			}
		}
	}
	return some && !beside
}

// isRunning reports whether a Claude Code of this root is at work, by its
// register of processes.
func isRunning(root, goos string) bool {
	dir := filepath.Join(root, "sessions")
	names, err := files.Names(dir)
	if err != nil {
		return false
	}
	for _, n := range names {
		pid, err := strconv.Atoi(strings.TrimSuffix(n, ".json"))
		if err != nil || pid <= 0 {
			continue
		}
		text, err := files.Read(filepath.Join(dir, n), maxRecord)
		if err != nil || !json.Valid(text) {
			continue
		}
		p, err := os.FindProcess(pid)
		if err != nil {
			continue
		}
		if goos == "windows" { // there, finding it means that it is there
			_ = p.Release()
			return true
		}
		if err := p.Signal(syscall.Signal(0)); err == nil || errors.Is(err, os.ErrPermission) {
			return true
		}
	}
	return false
}
