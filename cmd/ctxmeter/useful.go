package main

import (
	"slices"

	"github.com/urfave/cli/v3"
)

// usefulFlags are the flags of ctxmeter itself that a command has a use for; ok
// is false if it takes all of them. The others it refuses (onlyFlags), or passes
// over if it never fails, and in neither case are they offered.
func usefulFlags(cmd *cli.Command) (names []string, ok bool) {
	switch path := cmd.FullName(); path {
	case "ctxmeter", "ctxmeter config":
		return nil, false
	case "ctxmeter accuracy", "ctxmeter calibrate":
		return []string{"config", "backend", "claude-dir", "codex-home", "json", "pretty", "format", "color"}, true
	case "ctxmeter config path":
		return []string{"config", "json", "pretty", "format"}, true
	case "ctxmeter demo":
		return []string{"json", "pretty", "format", "color"}, true
	case "ctxmeter doctor":
		return []string{"config", "backend", "claude-dir", "codex-home", "cwd", "thread-id", "session-file", "latest", "window", "compact-threshold", "max-scan-bytes", "json", "pretty", "format", "color"}, true
	case "ctxmeter hook":
		return []string{"config", "claude-dir", "codex-home", "window", "compact-threshold", "max-scan-bytes", "no-cache"}, true
	case "ctxmeter install", "ctxmeter uninstall":
		return []string{"config", "claude-dir", "codex-home", "cwd"}, true
	case "ctxmeter mcp":
		return []string{"config", "backend", "claude-dir", "codex-home", "cwd", "thread-id", "session-file", "window", "compact-threshold", "stale-after", "max-scan-bytes", "no-cache"}, true
	case "ctxmeter statusline":
		return []string{"config", "claude-dir", "window", "compact-threshold", "max-scan-bytes", "no-cache", "color"}, true
	}
	return nil, true // help and completion
}

// takes reports whether a command has a use for a flag of ctxmeter itself.
func takes(cmd *cli.Command, flag string) bool {
	names, some := usefulFlags(cmd)
	return !some || flag == "help" || slices.Contains(names, flag)
}
