package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v3"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/paths"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wording"
	"github.com/ctxmeter/ctxmeter/config"
)

const installDescription = `Makes ctxmeter a part of Claude Code and Codex: the status line (Claude Code only), hooks that warn before the context is full, and the MCP server that an agent can ask. Without --apply nothing is written, and what would be is shown as a diff.

The settings files are edited in place: your keys, their order, comments and line ends stay. A status line of somebody else is left alone, what the plugin of ctxmeter brings already is left out, and a file that is broken, read-only or not understood is not touched. What was there before is kept, for 'ctxmeter uninstall'.

Codex asks whether you trust new hooks when it starts; until then it does not run them.`

const uninstallDescription = `Takes out again what 'ctxmeter install' put into the settings files, and nothing else: a file that was not changed since is restored to the byte, in one that was only these entries go, and one that was made for them goes as a whole. Without --apply nothing is written, and what would be is shown as a diff.`

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
		},
		Flags:  installFlags("put in"),
		Action: func(ctx context.Context, cmd *cli.Command) error { return newInstaller(p).command(ctx, cmd, true) },
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
		},
		Flags:  installFlags("take out"),
		Action: func(ctx context.Context, cmd *cli.Command) error { return newInstaller(p).command(ctx, cmd, false) },
	}
}

const installNote = "Of the flags of ctxmeter, --claude-dir, --codex-home, --cwd and --config apply. Exit status: 0 if all of it was done, or shown; 1 if some file could not be edited, which is named; 2 if the command line is wrong."

func installFlags(verb string) []cli.Flag {
	return []cli.Flag{
		&truthFlag{Name: "statusline", Usage: verb + " the status line"},
		&truthFlag{Name: "hooks", Usage: verb + " the hooks"},
		&truthFlag{Name: "mcp", Usage: verb + " the MCP server; without any of these three, all of them"},
		&truthFlag{Name: "project", Usage: "in the settings of the project in this folder, which others may share, instead of your own"},
		&truthFlag{Name: "apply", Usage: "write the files; without it they are only shown"},
	}
}

// installer installs and uninstalls.
type installer struct {
	p          *program
	executable func() (string, error)
	short      func(string) (string, error)                       // of a path on Windows
	try        func(ctx context.Context, s self, os string) error // start what is about to be written
	archive    archive
	selection

	release func()          // the lock, once it is taken
	unheld  error           // why it cannot be
	damaged map[string]bool // files whose manifests were said to be
}

// selection is what the command line asks for.
type selection struct {
	install bool
	clients []string // none are those that are found
	parts   []string
	project string // "" is the user's own settings
	apply   bool
	roots   []string // folders of Claude Code
	homes   []string // of Codex
}

func (i *installer) command(ctx context.Context, cmd *cli.Command, install bool) error {
	if err := onlyFlags(cmd, "claude-dir", "codex-home", "cwd", "config"); err != nil {
		return err
	}
	s, err := i.p.settings(cmd)
	if err != nil {
		return err
	}
	wd, err := i.p.getwd()
	if err != nil {
		wd = "" // only relative names need it
	}
	if i.selection, err = i.selected(cmd, s, wd); err != nil {
		return err
	}
	i.install = install
	outlivePipe() // what was begun is finished, whether or not somebody reads on
	return i.run(ctx)
}

func (i *installer) selected(cmd *cli.Command, s *config.Settings, wd string) (selection, error) {
	sel := selection{apply: cmd.Bool("apply")}
	for _, arg := range cmd.Args().Slice() {
		if arg != clientClaude && arg != clientCodex {
			return sel, badArgument("there is no client %q: %s or %s", arg, clientClaude, clientCodex)
		}
		sel.clients = append(sel.clients, arg)
	}
	for _, part := range allParts() {
		if cmd.Bool(part) {
			sel.parts = append(sel.parts, part)
		}
	}
	if len(sel.parts) == 0 {
		sel.parts = allParts()
	}
	if cmd.Bool("project") {
		sel.project = paths.Under(wd, s.Dir)
		if s.Dir == "" {
			sel.project = wd
		}
		if !filepath.IsAbs(sel.project) {
			return sel, badArgument("the working folder is not known: name the project with --cwd")
		}
	}
	if s.Origin("claude_dirs").Layer == config.LayerFlag {
		for _, dir := range s.ClaudeDirs {
			sel.roots = append(sel.roots, paths.Under(wd, dir))
		}
	}
	if s.Origin("codex_homes").Layer == config.LayerFlag {
		for _, dir := range s.CodexHomes {
			sel.homes = append(sel.homes, paths.Under(wd, dir))
		}
	}
	i.folders(&sel, wd)
	if len(sel.roots) == 0 && len(sel.homes) == 0 {
		return sel, badArgument("there is no home folder to look for the clients in: set HOME, or name their folders with --claude-dir or --codex-home")
	}
	return sel, nil
}

// wants reports whether a client was asked for; if none was, all are.
func (s selection) wants(client string) bool {
	return len(s.clients) == 0 || slices.Contains(s.clients, client)
}

func (s selection) wantsPart(part string) bool { return slices.Contains(s.parts, part) }

func newInstaller(p *program) *installer {
	i := &installer{p: p, executable: os.Executable, short: shortPath, try: func(ctx context.Context, s self, goos string) error { return s.try(ctx, goos) }}
	if state := config.FindPlaces(p.getenv, p.home(), p.goos).State; state != "" {
		i.archive.dir = filepath.Join(state, "installed")
	}
	return i
}

// tell prints a line for people.
func (i *installer) tell(format string, args ...any) {
	text := wording.Clean(fmt.Sprintf(format, args...))
	if sc := i.p.screen(i.p.stdout); sc.terminal {
		text = style{width: i.p.width(sc)}.wrap(text, "  ")
	}
	i.p.print(strings.TrimSuffix(text, "\n") + "\n")
}
