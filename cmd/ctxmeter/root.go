package main

import (
	"context"
	"io"

	"github.com/urfave/cli/v3"
)

const rootDescription = `Tells how full the context window of a Claude Code or Codex session is, how far away compaction is, and whether a planned read still fits. It reads the transcripts these clients write on this machine and asks nobody else.

Without a session id, the session is the one that the surroundings name, or the only live one of the working folder; ctxmeter never guesses.

How much is used is ctxmeter's own best estimate. The distance to compaction is in the client's arithmetic, which counts what was not measured yet by a rough rule of its own: that is what makes it compact.`

func rootExamples() [][2]string {
	return [][2]string{
		{"ctxmeter demo", "see it work on a sample session"},
		{"ctxmeter", "the session of this folder"},
		{"ctxmeter --latest", "the newest conversation of this folder"},
		{"ctxmeter -t 8f3a1c2e", "the session whose id begins so"},
		{"ctxmeter --planned notes.md", "would reading this file still fit?"},
		{"ctxmeter --fail-at 85%; [ $? = 1 ] && ...", "act on a full window in a script"},
	}
}

// The keys of what a command tells its help, see help.go.
const (
	helpUsage    = "usage"    // []string: the lines of its usage, if not the usual one
	helpExamples = "examples" // [][2]string: what to type, and what that is for
	helpNote     = "note"     // string: which of ctxmeter's flags apply, if not all

	// operands are the words that a command may be given, with what each means.
	operands = "operands" // [][2]string

	// ownOutput is set by a command whose standard output is not for errors.
	ownOutput = "output"
	// neverFails is set by a command that never fails, whatever it is given;
	// if to a string, that is what it prints instead.
	neverFails = "never fails"
)

func (p *program) command(args []string) *cli.Command {
	root := &cli.Command{
		Name:        "ctxmeter",
		Usage:       "how full is my agent's context window?",
		Description: rootDescription,
		Flags:       flags(),
		Action:      p.reading,
		Commands: []*cli.Command{
			p.accuracyCommand(),
			p.calibrateCommand(),
			p.configCommand(),
			p.demoCommand(),
			p.hookCommand(),
			p.mcpCommand(),
			p.installCommand(),
			p.uninstallCommand(),
			p.doctorCommand(),
			p.statuslineCommand(),
			p.helpCommand(),
		},
		DisableSliceFlagSeparator:       true,
		EnableShellCompletion:           true,
		ConfigureShellCompletionCommand: func(c *cli.Command) { p.completionCommand(c); p.furnish(c, args) },
		HideHelp:                        true, // ctxmeter has its own, see help.go
		HideVersion:                     true,
		Reader:                          p.stdin,
		Writer:                          p.stdout,
		ErrWriter:                       p.stderr,
		ExitErrHandler:                  func(context.Context, *cli.Command, error) {}, // run reports errors, once
	}
	p.furnish(root, args)
	return root
}

// furnish gives a command, and those below it, what they all have.
func (p *program) furnish(c *cli.Command, args []string) {
	action := c.Action
	c.Action = func(ctx context.Context, cmd *cli.Command) error {
		// A word that is no command has no help: the action says so.
		if cmd.Bool("help") && !(len(cmd.Commands) > 0 && cmd.Args().Present()) {
			p.help(cmd)
			return nil
		}
		return p.toStderr(c, action(ctx, cmd))
	}
	c.OnUsageError = func(ctx context.Context, cmd *cli.Command, err error, sub bool) error {
		return p.toStderr(c, p.usageError(ctx, cmd, err, sub))
	}
	c.ShellComplete = p.complete(args)
	for _, sub := range c.Commands {
		p.furnish(sub, args)
	}
}

// neverFailing reports whether the command that is asked for never fails, and
// what it prints instead.
func neverFailing(root *cli.Command, args []string) (instead string, ok bool) {
	for _, arg := range args[min(len(args), 1):] {
		for _, c := range root.Commands {
			if c.Name != arg {
				continue
			}
			what, ok := c.Metadata[neverFails]
			if text, is := what.(string); is {
				instead = text + "\n"
			}
			return instead, ok
		}
	}
	return "", false
}

// toStderr keeps an error away from a standard output that is not for it.
func (p *program) toStderr(c *cli.Command, err error) error {
	if instead, ok := c.Metadata[neverFails]; ok {
		if text, ok := instead.(string); ok && err != nil {
			_, _ = io.WriteString(p.stdout, text+"\n")
		}
		return nil
	}
	if err == nil || c.Metadata[ownOutput] == nil {
		return err
	}
	p.say(faultOf(err).Message)
	return errReported
}
