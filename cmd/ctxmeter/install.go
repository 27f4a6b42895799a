package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v3"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/install"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/paths"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wiring"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wording"
	"github.com/ctxmeter/ctxmeter/config"
)

const installDescription = `Makes ctxmeter a part of Claude Code and Codex: the status line (Claude Code only), hooks that warn before the context is full, and the MCP server that an agent can ask. Without --apply nothing is written, and what would be is shown as a diff.

The settings files are edited in place: your keys, their order, comments and line ends stay. Of your values none is shown. A status line of somebody else is left alone, what the plugin of ctxmeter brings already is left out, and a file that is broken, read-only or not understood is not touched. What was there before is kept, for 'ctxmeter uninstall'.

Codex asks whether you trust new hooks when it starts; until then it does not run them.`

const uninstallDescription = `Takes out again what 'ctxmeter install' put into the settings files, and nothing else: what its record lists, and what is written as only it writes it, should the record be lost. An entry that was there before, or that was made by hand, stays, and how to remove it is told.

A file that was not changed since is restored to the byte, in one that was only these entries go, and one that was made for them goes as a whole. Without --apply nothing is written, and what would be is shown as a diff.`

// errPartly ends a command that could not do all it was to do, and has said
// what: with status 1, as errLimit does.
var errPartly = fmt.Errorf("done in part: %w", errLimit)

func (p *program) installCommand() *cli.Command {
	return &cli.Command{
		Name:        "install",
		Usage:       "put status line, hooks and MCP server into the clients",
		Description: installDescription,
		Metadata: map[string]any{
			helpUsage: []string{"ctxmeter install [claude-code] [codex] [flags]"},
			helpExamples: [][2]string{
				{"ctxmeter install", "show what would be changed, for the clients found"},
				{"ctxmeter install --apply", "and change it"},
				{"ctxmeter install codex --mcp --apply", "only the MCP server, only in Codex"},
				{"ctxmeter install --project --apply", "for this project instead of for you"},
			},
			helpNote: installNote,
			operands: clientOperands(),
		},
		Flags:  installFlags("put in"),
		Action: func(ctx context.Context, cmd *cli.Command) error { return p.installation(ctx, cmd, true) },
	}
}

func (p *program) uninstallCommand() *cli.Command {
	return &cli.Command{
		Name:        "uninstall",
		Usage:       "take them out again",
		Description: uninstallDescription,
		Metadata: map[string]any{
			helpUsage: []string{"ctxmeter uninstall [claude-code] [codex] [flags]"},
			helpExamples: [][2]string{
				{"ctxmeter uninstall --apply", "take all of it out"},
				{"ctxmeter uninstall --statusline --apply", "only the status line"},
			},
			helpNote: installNote,
			operands: clientOperands(),
		},
		Flags:  installFlags("take out"),
		Action: func(ctx context.Context, cmd *cli.Command) error { return p.installation(ctx, cmd, false) },
	}
}

const installNote = "Of the flags of ctxmeter, --claude-dir, --codex-home, --cwd and --config apply. Exit status: 0 if all of it was done, or shown; 1 if some file could not be edited, which is named; 2 if the command line is wrong."

// clientOperands are the clients that an installation may be limited to.
func clientOperands() [][2]string {
	return [][2]string{{wiring.ClientClaude, "only Claude Code"}, {wiring.ClientCodex, "only Codex"}}
}

func installFlags(verb string) []cli.Flag {
	return []cli.Flag{
		&truthFlag{Name: "statusline", Usage: verb + " the status line"},
		&truthFlag{Name: "hooks", Usage: verb + " the hooks"},
		&truthFlag{Name: "mcp", Usage: verb + " the MCP server; without any of these three, all of them"},
		&truthFlag{Name: "project", Usage: "in the settings of the project in this folder, which others may share, instead of your own"},
		&truthFlag{Name: "apply", Usage: "write the files; without it they are only shown"},
	}
}

// installation installs what the command line asks for, or uninstalls it.
func (p *program) installation(ctx context.Context, cmd *cli.Command, put bool) error {
	if err := onlyUseful(cmd); err != nil {
		return err
	}
	s, err := p.settings(cmd)
	if err != nil {
		return err
	}
	wd, err := p.getwd()
	if err != nil {
		wd = "" // only relative names need it
	}
	sel, err := p.selected(cmd, s, wd)
	if err != nil {
		return err
	}
	sel.OnlyFound = put
	outlivePipe() // what was begun is finished, whether or not somebody reads on
	err = install.Run(ctx, install.Options{
		Selection: sel, Install: put, Apply: cmd.Bool("apply"),
		State: config.FindPlaces(p.getenv, p.home(), p.goos).State,
		Now:   p.now, Executable: p.executable, Try: p.try, Accepts: p.accepts,
		Print: p.print, Line: p.line, Say: p.say,
	})
	if errors.Is(err, install.ErrIncomplete) {
		return errPartly
	}
	p.gone = p.gone && !cmd.Bool("apply") // all was done, whoever saw it
	return err
}

// accepts looks whether a command of ctxmeter takes such arguments: by their
// names, since what they say may be different where a client starts it.
func (p *program) accepts(args []string) error {
	quiet := *p
	quiet.stdout, quiet.stderr = io.Discard, io.Discard
	root := quiet.command(nil)
	for _, c := range root.Commands {
		c.Action = func(context.Context, *cli.Command) error { return nil }
		c.OnUsageError = func(_ context.Context, _ *cli.Command, err error, _ bool) error { return err }
	}
	return root.Run(context.Background(), append([]string{"ctxmeter"}, args...))
}

// line prints a line for people.
func (p *program) line(text string) {
	text = wording.Clean(text)
	if sc := p.screen(p.stdout); sc.terminal {
		text = style{width: p.width(sc)}.wrap(text, "  ")
	}
	p.print(strings.TrimSuffix(text, "\n") + "\n")
}

// selected is what a command line selects of the clients. With an error, it
// lacks their folders, or more.
func (p *program) selected(cmd *cli.Command, s *config.Settings, wd string) (wiring.Selection, error) {
	sel := wiring.Selection{Env: p.env(s, wd)}
	for _, arg := range cmd.Args().Slice() {
		if arg != wiring.ClientClaude && arg != wiring.ClientCodex {
			return sel, unknownClient(arg)
		}
		sel.Clients = append(sel.Clients, arg)
	}
	for _, part := range wiring.Parts() {
		if cmd.Bool(part) {
			sel.Parts = append(sel.Parts, part)
		}
	}
	if len(sel.Parts) == 0 {
		sel.Parts = wiring.Parts()
	}
	if cmd.Bool("project") {
		sel.Project = paths.Under(wd, s.Dir)
		if s.Dir == "" {
			sel.Project = wd
		}
		if !filepath.IsAbs(sel.Project) {
			return sel, badArgument("the working folder is not known: name the project with --cwd")
		}
	}
	if s.Origin("claude_dirs").Layer == config.LayerFlag {
		for _, dir := range s.ClaudeDirs {
			sel.Roots = append(sel.Roots, paths.Under(wd, dir))
		}
	}
	if s.Origin("codex_homes").Layer == config.LayerFlag {
		for _, dir := range s.CodexHomes {
			sel.Homes = append(sel.Homes, paths.Under(wd, dir))
		}
	}
	p.folders(&sel, wd)
	if len(sel.Roots) == 0 && len(sel.Homes) == 0 {
		return sel, badArgument("there is no home folder to look for the clients in: set HOME, or name their folders with --claude-dir or --codex-home")
	}
	return sel, nil
}

func unknownClient(word string) error {
	if near := config.Near(strings.ToLower(word), wiring.ClientClaude, wiring.ClientCodex); len(near) > 0 {
		return badArgument("there is no client %q; did you mean %s?", word, config.List(near, "or"))
	}
	return badArgument("there is no client %q: %s or %s", word, wiring.ClientClaude, wiring.ClientCodex)
}

// folders completes the folders of the clients: those on the command line, or
// else where the client itself looks.
func (p *program) folders(sel *wiring.Selection, wd string) {
	home := p.home()
	if len(sel.Roots) == 0 {
		if dir := p.getenv("CLAUDE_CONFIG_DIR"); dir != "" {
			sel.Roots = []string{paths.Under(wd, dir)}
		} else if home != "" {
			sel.Roots = []string{filepath.Join(home, ".claude")}
		}
	}
	if len(sel.Homes) == 0 {
		if dir := p.getenv("CODEX_HOME"); dir != "" {
			sel.Homes = []string{paths.Under(wd, dir)}
		} else if home != "" {
			sel.Homes = []string{filepath.Join(home, ".codex")}
		}
	}
	for _, dirs := range [][]string{sel.Roots, sel.Homes} {
		for n := range dirs {
			dirs[n] = filepath.Clean(dirs[n])
		}
	}
}
