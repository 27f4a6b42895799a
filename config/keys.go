package config

import "strings"

// Setting is one thing that can be set.
type Setting struct {
	Key     string // its name, and the key in the file where File is true
	File    bool   // can stand in the file
	Flag    string // on the command line, without dashes; "" has none
	Kind    Kind
	Default string   // as text; "" is not set
	Choices []string // the values a choice allows
	Arg     string   // what stands for the flag's value in the help text
	Usage   string   // one line for the help text
	Group   string   // settings of one group exclude each other within a layer
}

// Kind says how a setting's text is read.
type Kind uint8

// The kinds of settings.
const (
	KindText    Kind = iota
	KindBool         // true, false; yes, no; on, off; 1, 0
	KindChoice       // one of Choices
	KindTokens       // 200000, 200k, 1M
	KindBytes        // 65536, 64MiB, 1.5M
	KindSeconds      // 120, 2m
	KindPercent      // 0 to 100
	KindFailAt       // a level, 85%, a number of tokens
	KindFolders      // may be given several times
	KindLine         // a format of the status line
)

// Env is the environment variable of the setting.
func (s Setting) Env() string {
	name := s.Flag
	if name == "" {
		name = s.Key
	}
	return "CTXMETER_" + strings.Map(func(r rune) rune {
		if r == '-' || r == '.' {
			return '_'
		}
		return r - 'a' + 'A'
	}, strings.ReplaceAll(name, "_", "-"))
}

// The keys of the settings, in the order in which they are printed.
const (
	keyThreadID     = "thread_id"
	keySessionFile  = "session_file"
	keyLatest       = "latest"
	keyDir          = "cwd"
	keyBackend      = "backend"
	keyClaudeDirs   = "claude_dirs"
	keyCodexHomes   = "codex_homes"
	keyWindow       = "window"
	keyThreshold    = "compact_threshold"
	keyPlanned      = "planned"
	keyStaleAfter   = "stale_after"
	keyMaxScan      = "max_scan_bytes"
	keyNoCache      = "no_cache"
	keyFailAt       = "fail_at"
	keyJSON         = "json"
	keyPretty       = "pretty"
	keyModerate     = "cutoffs.moderate"
	keyHigh         = "cutoffs.high"
	keyCritical     = "cutoffs.critical"
	keyFormatOutput = "format.output"
	keyFormatColor  = "format.color"
	keyFormatBar    = "format.bar"
	keyLine         = "statusline.format"
	keyHookLevel    = "hook.level"
	keyHookBlock    = "hook.block"

	tableCutoffs = "cutoffs"
	tableFormat  = "format"
	tableLine    = "statusline"
	tableHook    = "hook"
	tableWindows = "windows"

	groupSession = "session"
)

// All lists every setting. The file's table [windows] stands beside it: its
// keys are names of models.
func All() []Setting {
	return []Setting{
		{Key: keyThreadID, Flag: "thread-id", Group: groupSession, Arg: "ID", Usage: "the session with this id, or whose id begins with these 8 or more characters"},
		{Key: keySessionFile, Flag: "session-file", Group: groupSession, Arg: "FILE", Usage: "the session of this transcript"},
		{Key: keyLatest, Flag: "latest", Kind: KindBool, Default: "false", Group: groupSession, Usage: "the newest conversation of this folder, live or not"},
		{Key: keyDir, Flag: "cwd", Arg: "DIR", Usage: "the sessions of this folder, instead of the working folder"},
		{Key: keyBackend, File: true, Flag: "backend", Default: "auto", Arg: "CLIENT", Usage: "the sessions of one client: claude-code or codex"},
		{Key: keyClaudeDirs, File: true, Flag: "claude-dir", Kind: KindFolders, Arg: "DIR", Usage: "search this Claude Code folder first; may be repeated"},
		{Key: keyCodexHomes, File: true, Flag: "codex-home", Kind: KindFolders, Arg: "DIR", Usage: "search this Codex home first; may be repeated"},
		{Key: keyWindow, File: true, Flag: "window", Kind: KindTokens, Arg: "TOKENS", Usage: "the window in tokens, unless a larger measured prompt disproves it"},
		{Key: keyThreshold, File: true, Flag: "compact-threshold", Kind: KindTokens, Arg: "TOKENS", Usage: "the client compacts when so many are used"},
		{Key: keyPlanned, Flag: "planned", Arg: "PATH|SIZE", Usage: "would it fit to read this file, folder or glob, or so much: 40KiB or 40k (bytes), 12000t (tokens)?"},
		{Key: keyStaleAfter, File: true, Flag: "stale-after", Kind: KindSeconds, Default: "120", Arg: "SECONDS", Usage: "call a reading stale after so long without an event; 0 is never"},
		{Key: keyMaxScan, File: true, Flag: "max-scan-bytes", Kind: KindBytes, Default: "64MiB", Arg: "SIZE", Usage: "how far to look back for the newest measurement; 0 is the whole transcript"},
		{Key: keyNoCache, File: true, Flag: "no-cache", Kind: KindBool, Default: "false", Usage: "neither read nor write the cache"},
		{Key: keyFailAt, File: true, Flag: "fail-at", Kind: KindFailAt, Arg: "LIMIT", Usage: "exit with 1 from here on: moderate, high, critical, 85% of the window, or 150k (tokens)"},
		{Key: keyModerate, File: true, Kind: KindPercent, Default: "50"},
		{Key: keyHigh, File: true, Kind: KindPercent, Default: "75"},
		{Key: keyCritical, File: true, Kind: KindPercent, Default: "90"},
		{Key: keyJSON, Flag: "json", Kind: KindBool, Default: "false", Usage: "print JSON, on one line"},
		{Key: keyPretty, Flag: "pretty", Kind: KindBool, Default: "false", Usage: "print JSON, indented"},
		{Key: keyFormatOutput, File: true, Flag: "format", Kind: KindChoice, Choices: []string{"text", "json", "line"}, Arg: "FORM", Usage: "text, json or line; by default text on a terminal, json elsewhere"},
		{Key: keyFormatColor, File: true, Flag: "color", Kind: KindChoice, Choices: []string{"auto", "always", "never"}, Default: "auto", Arg: "WHEN", Usage: "use colors: auto, always or never"},
		{Key: keyFormatBar, File: true, Kind: KindChoice, Choices: []string{"auto", "unicode", "ascii"}, Default: "auto"},
		{Key: keyLine, File: true, Kind: KindLine},
		{Key: keyHookLevel, File: true, Kind: KindChoice, Choices: []string{"moderate", "high", "critical"}, Default: "high"},
		{Key: keyHookBlock, File: true, Kind: KindChoice, Choices: []string{BlockNone, BlockWindow, BlockTrigger}, Default: BlockNone},
	}
}
