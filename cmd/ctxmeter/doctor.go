package main

import (
	"context"
	"slices"

	"github.com/urfave/cli/v3"

	"github.com/ctxmeter/ctxmeter/backends/claudecode"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/paths"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wiring"
	"github.com/ctxmeter/ctxmeter/config"
)

const doctorDescription = `Looks whether ctxmeter is wired up and works: where it is installed, whether the clients go by these settings and the commands in them run, whether the clients write transcripts, which window and trigger apply to the session of this folder and why, and what lies in ctxmeter's own folders. What is not as it should be comes with what to do about it.

It reads only. The commands are tried on a made-up session in a temporary home. Nothing of a conversation is in the report, and your home folder is written ~: it can be shown to others.

--clean removes what ctxmeter left behind in its own folders: files half written more than an hour ago, and what it remembers of transcripts where that is damaged or was not used for 30 days. That loses no answer.`

func (p *program) doctorCommand() *cli.Command {
	return &cli.Command{
		Name:        "doctor",
		Usage:       "check the wiring, and say how to mend it",
		Description: doctorDescription,
		Metadata: map[string]any{
			helpExamples: [][2]string{
				{"ctxmeter doctor", "the report"},
				{"ctxmeter doctor --json", "for programs: check, status, text and mend of each finding"},
			},
			helpNote: "Of the flags of ctxmeter, those that say whose session it is, --window, --compact-threshold, --max-scan-bytes, --json, --pretty, --format, --color and --config apply. Exit status: 0 if nothing is a problem; 1 if something is; 2 if the command line is wrong.",
		},
		Flags: []cli.Flag{
			&truthFlag{Name: "clean", Usage: "remove what is left over in ctxmeter's own folders"},
		},
		Action: func(ctx context.Context, cmd *cli.Command) error { return newDoctor(p).command(ctx, cmd) },
	}
}

// doctor looks at one thing after the other and writes down what it finds.
type doctor struct {
	p         *program
	selection wiring.Selection
	trial     func(ctx context.Context, t trial) trialResult
	version   string
	clean     bool
	wd        string // the process's own working folder, "" if unknown
	dir       string // the project
	self      string // path of the running program, "" if unknown
	settings  *config.Settings

	found   []finding
	managed []string          // an administrator's settings of Claude Code
	layers  []layer           // settings files of Claude Code that it takes, the last one wins
	idle    map[idle]string   // why the client does not go by them
	aside   map[string]bool   // settings files that are for other folders
	broken  map[string]bool   // settings files that nobody can use
	hooked  []hooked          // files with hooks
	parts   map[string]bool   // that are installed in some client, and used
	clients map[string]string // versions of Codex, by its home
	lines   map[string]string // settings files with a status line that is used, by the folder of Claude Code
}

func newDoctor(p *program) *doctor {
	return &doctor{
		p: p, trial: runTrial, version: version(),
		idle: map[idle]string{}, aside: map[string]bool{}, broken: map[string]bool{}, parts: map[string]bool{}, clients: map[string]string{}, lines: map[string]string{},
	}
}

func (d *doctor) command(ctx context.Context, cmd *cli.Command) error {
	if err := noMore(cmd); err != nil {
		return err
	}
	if err := onlyFlags(cmd, "config", "backend", "claude-dir", "codex-home", "cwd", "thread-id", "session-file", "latest", "window", "compact-threshold", "max-scan-bytes", "json", "pretty", "format", "color"); err != nil {
		return err
	}
	sources := d.p.sources(cmd)
	onlyLine := sources
	onlyLine.Getenv = func(string) string { return "" }
	onlyLine.Home = "" // so there is no file either
	onlyLine.Flag = func(name string) []string {
		if name == "config" {
			return nil
		}
		return sources.Flag(name)
	}
	line, err := config.Resolve(onlyLine)
	if err != nil {
		return configFault(err)
	}
	s, broken := config.Resolve(sources)
	if broken != nil {
		s = line
	}
	d.settings, d.clean = s, cmd.Bool("clean")
	if d.wd, err = d.p.getwd(); err != nil {
		d.wd = ""
	}
	d.dir = paths.Under(d.wd, s.Dir)
	if err := checkExist(s, d.wd); err != nil {
		return err
	}
	sel, err := d.p.selected(cmd, s, d.wd)
	if err != nil {
		d.problem("clients", "no home folder is known", "set HOME, or name the clients' folders with --claude-dir and --codex-home")
	}
	sel.OnlyFound = true // only the clients that are found
	sel.Roots, sel.Homes = d.folders(sel.Roots, s.ClaudeDirs), d.folders(sel.Homes, s.CodexHomes)
	d.selection = sel

	if d.managed == nil {
		d.managed = claudecode.New(d.p.env(s, d.wd)).Managed()
	}
	d.checkProgram()
	d.checkConfiguration(broken)
	d.checkClaude()
	d.checkCodex()
	d.checkLayers()
	d.checkFeatures()
	d.checkWiring(ctx)
	d.checkCalled()
	d.checkSession()
	d.checkFiles()
	return d.report()
}

func (d *doctor) report() error {
	if slices.Contains([]config.Output{config.OutputJSON, config.OutputPretty}, d.settings.Output) {
		d.p.printJSON(d.view(), d.settings.Output == config.OutputPretty)
	} else {
		d.p.print(d.text(d.p.style(d.settings)))
	}
	if d.sick() {
		return errPartly
	}
	return nil
}
