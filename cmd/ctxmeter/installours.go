package main

import (
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
	words, plain := shellWords(command)
	return plain && len(words) > 1 && isCtxmeter(words[0]) && words[1] == subcommand(part)
}

// callsOurs reports whether a command may run that part of ctxmeter among
// other things.
func callsOurs(command, part string) bool {
	return strings.Contains(command, "ctxmeter") && strings.Contains(command, subcommand(part))
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

// shellWords takes a command apart as far as it has plain and quoted words;
// plain is false if a shell would do more with it than to run it.
func shellWords(command string) (words []string, plain bool) {
	var word strings.Builder
	in, quote := false, byte(0)
	for i := 0; i < len(command); i++ {
		c := command[i]
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote == '"' && (c == '$' || c == '`'), quote == 0 && strings.IndexByte(";|&<>$`()\n", c) >= 0:
			return nil, false
		case quote != 0:
			word.WriteByte(c)
		case c == '\'' || c == '"':
			quote, in = c, true
		case c == ' ' || c == '\t':
			if in {
				words = append(words, word.String())
			}
			word.Reset()
			in = false
		case c == '\\' && i+1 < len(command) && strings.IndexByte(` '"\`, command[i+1]) >= 0:
			i++ // elsewhere it parts the folders of a path on Windows
			word.WriteByte(command[i])
			in = true
		default:
			word.WriteByte(c)
			in = true
		}
	}
	if in {
		words = append(words, word.String())
	}
	return words, quote == 0
}
