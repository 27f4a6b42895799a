package wiring

import (
	"path/filepath"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/edit"
	"github.com/ctxmeter/ctxmeter/config"
	"github.com/ctxmeter/ctxmeter/meter/files"
)

// The clients, as they are named on the command line.
const (
	ClientClaude = "claude-code"
	ClientCodex  = "codex"
)

// The scopes of settings: the user's own, and a project's.
const (
	ScopeUser    = "user"
	ScopeProject = "project"
)

// Place is a settings file, and what is to be in it.
type Place struct {
	Client, Scope string
	Path          string
	Parts         []string // that can be in it
	Wiring        Wiring
	TOML          bool
	Busy          string // root of a client that rewrites the file while it runs
	Root          string // the client's folder whose plugins count, "" for all
}

// hooksInConfig reports whether hooks belong into config.toml: where ours are
// already; else only if there are some, and none in hooks.json. Codex complains
// at every start of hooks in both (codex-rs/hooks/src/engine/discovery.rs).
// hooks.json is the better place: Codex never writes it, and config.toml often.
func hooksInConfig(dir string) bool {
	beside := false
	if text, err := files.Read(filepath.Join(dir, "hooks.json"), MaxSettings); err == nil {
		if j, err := edit.ParseJSON(text); err == nil {
			beside = len(j.Keys("hooks")) > 0
			for _, event := range j.Keys("hooks") {
				if len(HookPaths(j, event, func(h Handler) bool { return CallsOurs(h.Command, PartHooks) })) > 0 {
					return false
				}
			}
		}
	}
	text, err := files.Read(filepath.Join(dir, "config.toml"), MaxSettings)
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
		for _, group := range Tables(v) {
			some = true
			for _, hook := range Tables(group["hooks"]) {
				if command, _ := hook["command"].(string); CallsOurs(command, PartHooks) {
					return true
				}
			}
		}
	}
	return some && !beside
}
