package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/urfave/cli/v3"

	"github.com/ctxmeter/ctxmeter/meter"
)

const rootDescription = `Tells how full the context window of a Claude Code or Codex session is, how
far away compaction is, and whether a planned read still fits. It reads the
transcripts these clients write on this machine and asks nobody else.

Without a session id, the session is the one that the surroundings name, or
the only live one of the working folder; ctxmeter never guesses.`

const rootExamples = `  ctxmeter demo                      see it work on a sample session
  ctxmeter                           the session of this folder
  ctxmeter --latest                  the newest conversation of this folder
  ctxmeter -t 8f3a1c2e               the session whose id begins so
  ctxmeter --planned notes.md        would reading this file still fit?
  ctxmeter --fail-at 85% || ...      act on a full window in a script`

func (p *program) command(args []string) *cli.Command {
	root := &cli.Command{
		Name:        "ctxmeter",
		Usage:       "how full is my agent's context window?",
		Description: rootDescription,
		Metadata:    map[string]any{"examples": rootExamples},
		Flags:       flags(),
		Action:      p.reading,
		Commands: []*cli.Command{
			p.configCommand(),
			p.demoCommand(),
		},
		Suggest:                   true,
		DisableSliceFlagSeparator: true,
		EnableShellCompletion:     true,
		ShellComplete:             p.complete(args),
		ConfigureShellCompletionCommand: func(c *cli.Command) {
			c.Hidden = false
			c.Usage = "print a completion script for a shell: bash, zsh, fish or pwsh"
			c.Action = func(_ context.Context, cmd *cli.Command) error { return noSuchShell(cmd) }
		},
		CustomRootCommandHelpTemplate: rootHelp,
		HideVersion:                   true,
		Reader:                        p.stdin,
		Writer:                        p.stdout,
		ErrWriter:                     p.stderr,
		ExitErrHandler:                func(context.Context, *cli.Command, error) {}, // run reports errors, once
		OnUsageError:                  usageError,
	}
	root.Metadata["flags"] = func() string { return flagHelp(root) }
	for _, c := range root.Commands {
		worded(c.Flags)
		c.OnUsageError = usageError
		c.ShellComplete = p.complete(args)
		c.CustomHelpTemplate = commandHelp
		c.HideHelpCommand = true
	}
	return root
}

// usageError words what the flag parser refuses.
func usageError(_ context.Context, cmd *cli.Command, err error, _ bool) error {
	text := err.Error()
	if name, ok := strings.CutPrefix(text, "flag provided but not defined: -"); ok {
		return badArgument("there is no flag %s%s", dashed(name), didYouMean(cli.SuggestFlag(allFlags(cmd), name, false)))
	}
	if name, ok := strings.CutPrefix(text, "flag needs an argument: "); ok {
		return badArgument("%s needs a value: 'ctxmeter --help' tells which", name)
	}
	return badArgument("%s", text)
}

func allFlags(cmd *cli.Command) []cli.Flag {
	var all []cli.Flag
	for _, c := range cmd.Lineage() {
		all = append(all, c.VisibleFlags()...)
	}
	return all
}

// noSuchCommand is what the root command says to an argument that is none of
// its commands.
func noSuchCommand(cmd *cli.Command, name string) error {
	if looksLikeID(name) {
		return badArgument("%q is no command; to read the session with this id: ctxmeter --thread-id %s", name, clean(name))
	}
	return badArgument("there is no command %q%s", name, didYouMean(cli.SuggestCommand(cmd.VisibleCommands(), name)))
}

func noSuchShell(cmd *cli.Command) error {
	if name := cmd.Args().First(); name != "" {
		return badArgument("there is no completion for %q: bash, zsh, fish and pwsh are known", name)
	}
	return badArgument("name the shell: ctxmeter completion bash, zsh, fish or pwsh")
}

func didYouMean(name string) string {
	if name == "" {
		return ": 'ctxmeter --help' lists them"
	}
	return fmt.Sprintf("; did you mean %s?", name)
}

func dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

func badArgument(format string, args ...any) error {
	return &meter.Fault{Code: meter.CodeBadArgument, Message: fmt.Sprintf(format, args...)}
}
