package wiring

import (
	"regexp"
	"strings"
)

// The parts that are installed, and the command of each.
const (
	PartStatusLine = "statusline"
	PartHooks      = "hooks"
	PartMCP        = "mcp"
)

// Parts are all of them, in the order in which they are told.
func Parts() []string { return []string{PartStatusLine, PartHooks, PartMCP} }

// Subcommand is what ctxmeter is called with for a part.
func Subcommand(part string) string {
	if part == PartHooks {
		return "hook"
	}
	return part
}

// Ours reports whether a command, as a client hands it to a shell, is that
// part of ctxmeter and nothing else, from wherever it is started.
func Ours(command, part string) bool {
	words, _, plain := ShellWords(command)
	return plain && len(words) > 1 && IsCtxmeter(words[0]) && words[1] == Subcommand(part)
}

// calling is ctxmeter somewhere in a command, with what it is called with.
var calling = regexp.MustCompile(`(?i)(?:^|[^\w-])ctxmeter(?:\.exe)?["']*((?:[ \t]+[^\s;|&]+)+)`)

// CallsOurs reports whether a command may run that part of ctxmeter among
// other things.
func CallsOurs(command, part string) bool {
	for _, m := range calling.FindAllStringSubmatch(command, -1) {
		for word := range strings.FieldsSeq(m[1]) {
			if strings.Trim(word, `"'()`+"`") == Subcommand(part) {
				return true
			}
		}
	}
	return false
}

// WithProgram replaces the program of a plain command by another one, and leaves
// what it is called with as it is.
func WithProgram(command, program string) string {
	_, end, plain := ShellWords(command)
	if !plain {
		return command
	}
	return program + command[end:]
}

// OursServer is Ours for a command and its arguments.
func OursServer(command string, args []string) bool {
	return IsCtxmeter(command) && len(args) > 0 && args[0] == Subcommand(PartMCP)
}

// IsCtxmeter goes by the name of a program alone: its folder changes when it
// is moved or updated.
func IsCtxmeter(program string) bool {
	base := strings.ToLower(program[strings.LastIndexAny(program, `/\`)+1:])
	return strings.TrimSuffix(base, ".exe") == "ctxmeter"
}

// PartName is what a part is called in a sentence.
func PartName(part string) string {
	switch part {
	case PartStatusLine:
		return "status line"
	case PartMCP:
		return "MCP server"
	}
	return part
}
