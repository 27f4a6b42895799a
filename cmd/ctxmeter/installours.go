package main

import (
	"regexp"
	"strings"
)

// The parts that are installed, and the command of each.
const (
	partStatusLine = "statusline"
	partHooks      = "hooks"
	partMCP        = "mcp"
)

func allParts() []string { return []string{partStatusLine, partHooks, partMCP} }

// subcommand is what ctxmeter is called with for a part.
func subcommand(part string) string {
	if part == partHooks {
		return "hook"
	}
	return part
}

// ours reports whether a command, as a client hands it to a shell, is that
// part of ctxmeter and nothing else, from wherever it is started.
func ours(command, part string) bool {
	words, _, plain := shellWords(command)
	return plain && len(words) > 1 && isCtxmeter(words[0]) && words[1] == subcommand(part)
}

// calling is ctxmeter somewhere in a command, with what it is called with.
var calling = regexp.MustCompile(`(?i)(?:^|[^\w-])ctxmeter(?:\.exe)?["']*((?:[ \t]+[^\s;|&]+)+)`)

// callsOurs reports whether a command may run that part of ctxmeter among
// other things.
func callsOurs(command, part string) bool {
	for _, m := range calling.FindAllStringSubmatch(command, -1) {
		for word := range strings.FieldsSeq(m[1]) {
			if strings.Trim(word, `"'()`+"`") == subcommand(part) {
				return true
			}
		}
	}
	return false
}

// withProgram replaces the program of a plain command by another one, and leaves
// what it is called with as it is.
func withProgram(command, program string) string {
	_, end, plain := shellWords(command)
	if !plain {
		return command
	}
	return program + command[end:]
}

// oursServer is ours for a command and its arguments.
func oursServer(command string, args []string) bool {
	return isCtxmeter(command) && len(args) > 0 && args[0] == subcommand(partMCP)
}

// isCtxmeter goes by the name of a program alone: its folder changes when it
// is moved or updated.
func isCtxmeter(program string) bool {
	base := strings.ToLower(program[strings.LastIndexAny(program, `/\`)+1:])
	return strings.TrimSuffix(base, ".exe") == "ctxmeter"
}
