package main

import (
	"context"
	_ "embed"

	"github.com/urfave/cli/v3"
)

// The library's script for bash needs the package bash-completion, and takes
// --flag=value for two words.
//
//go:embed completion/bash
var bashCompletion string

const completionDescription = `Prints a script that makes a shell complete flags, their values, commands, and, after --thread-id, the sessions of the folder.

For fish, store the script as ~/.config/fish/completions/ctxmeter.fish. For PowerShell, store it as ctxmeter.ps1 and run that file in your profile.`

func completionExamples() [][2]string {
	return [][2]string{
		{"source <(ctxmeter completion bash)", "in ~/.bashrc"},
		{"source <(ctxmeter completion zsh)", "in ~/.zshrc, below compinit"},
	}
}

// completionCommand makes the library's command one of ours.
func (p *program) completionCommand(c *cli.Command) {
	c.Hidden = false
	c.Usage = "print a completion script for a shell"
	c.Description = completionDescription
	c.Metadata = map[string]any{helpUsage: []string{"ctxmeter completion SHELL"}, helpExamples: completionExamples(), helpNote: ""}
	c.Action = func(_ context.Context, cmd *cli.Command) error {
		if name := cmd.Args().First(); name != "" {
			return badArgument("there is no completion for %q: bash, zsh, fish and pwsh are known", name)
		}
		return badArgument("name the shell: ctxmeter completion bash, zsh, fish or pwsh")
	}
	for _, shell := range c.Commands {
		print := shell.Action
		if shell.Name == "bash" {
			print = func(context.Context, *cli.Command) error { p.print(bashCompletion); return nil }
		}
		shell.Usage = map[string]string{"bash": "for bash 3.2 and newer", "zsh": "for zsh", "fish": "for fish", "pwsh": "for PowerShell; also as powershell"}[shell.Name]
		shell.Description = "Prints a completion script; 'ctxmeter completion --help' tells where to put it."
		shell.Metadata = map[string]any{helpUsage: []string{"ctxmeter completion " + shell.Name}, helpNote: ""}
		if shell.Name == "pwsh" {
			shell.Aliases = []string{"powershell"}
		}
		shell.Action = func(ctx context.Context, cmd *cli.Command) error {
			if err := noMore(cmd); err != nil {
				return err
			}
			return print(ctx, cmd)
		}
	}
}
