package main

import (
	"context"

	"github.com/urfave/cli/v3"

	"github.com/ctxmeter/ctxmeter/backends"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/doctor"
	"github.com/ctxmeter/ctxmeter/config"
	"github.com/ctxmeter/ctxmeter/meter"
)

const doctorDescription = `Looks whether ctxmeter is wired up and works: where it is installed, whether the clients go by these settings and the commands in them run, whether the clients write transcripts, which window and trigger apply to the session of this folder and why, and what lies in ctxmeter's own folders. What is not as it should be comes with what to do about it.

It reads only. The commands are tried on a made-up session in a temporary home; another program that lies in a project is not started. Nothing of a conversation is in the report, and your home folder is written ~: it can be shown to others.

--clean removes what ctxmeter left behind: in its own folders files half written more than an hour ago, what it keeps of sessions where that is damaged, and what it remembers of transcripts that was not used for 30 days; beside the clients' settings the copies that an 'install' which was killed has left. That loses no answer.`

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
			&truthFlag{Name: "clean", Usage: "remove what ctxmeter left behind"},
		},
		Action: func(ctx context.Context, cmd *cli.Command) error { return p.examine(ctx, cmd) },
	}
}

// examine runs the doctor as the command line asks, and prints what it found.
func (p *program) examine(ctx context.Context, cmd *cli.Command) error {
	if err := noMore(cmd); err != nil {
		return err
	}
	if err := onlyUseful(cmd); err != nil {
		return err
	}
	sources := p.sources(cmd)
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
	wd, err := p.getwd()
	if err != nil {
		wd = "" // only relative names need it
	}
	if err := checkExist(s, wd); err != nil {
		return err
	}
	sel, _ := p.selected(cmd, s, wd) // without a folder of a client, which is found and said
	clients := backends.All(meter.Env{})
	o := doctor.Options{
		Selection: sel, Settings: s, Clean: cmd.Bool("clean"),
		Version: p.version(), Managed: p.managed(sel.Env), Environ: p.environ(),
		Now: p.now, Executable: p.executable, Trial: p.trial,
		Session: func() doctor.Session { return p.examined(s, wd) },
		Load: func(c backends.Client, of meter.Session) (meter.State, error) {
			return p.load(found{client: c, session: of}, uncached(s))
		},
		Told:    p.tellings(s).path,
		Kept:    map[string]doctor.Kept{"told": {Most: mostTelling, Version: toldVersion}, "hooks": {Most: mostHookFile, Version: hookVersion}},
		Key:     func(name string) bool { return isKey(name, clients) },
		Learned: p.learned().load,
		Sample:  sampleToTry, Tool: toolName, Nothing: nothingToShow,
	}
	if broken != nil {
		o.Unusable = faultOf(configFault(broken))
	}
	report := doctor.Run(ctx, o)
	if s.Output == config.OutputJSON || s.Output == config.OutputPretty {
		p.printJSON(report, s.Output == config.OutputPretty)
	} else {
		p.print(p.style(s).findings(report.Findings))
	}
	if report.Sick() {
		return errPartly
	}
	return nil
}

// examined is the session that a reading would be of. It leaves no sidecar: the
// doctor only looks.
func (p *program) examined(s *config.Settings, wd string) doctor.Session {
	f, err := p.newFinder(s, wd)
	if err != nil {
		return doctor.Session{Fault: faultOf(err)}
	}
	hit, err := f.find(s)
	if err != nil {
		return doctor.Session{Fault: faultOf(err), Unfound: true, Unwritten: f.unwritten()}
	}
	state, err := p.load(hit, uncached(s))
	if err != nil {
		return doctor.Session{Fault: faultOf(err)}
	}
	t := p.tellings(s).load(hit.session).about(hit.client, state)
	var est meter.Estimator
	hit.session, est = p.fit(t.environment(hit.session))
	r := meter.Read(p.input(hit, s, t.on(hit.client, state), t), est)
	return doctor.Session{Client: hit.client, Info: hit.session, Identity: hit.identity, State: state, Reading: &r}
}

// uncached are settings with which no sidecar is read or written.
func uncached(s *config.Settings) *config.Settings {
	out := *s
	out.NoCache = true
	return &out
}

// sampleToTry is the sample session, for the commands that the doctor tries.
func sampleToTry() (doctor.Sample, error) {
	s, err := newSample()
	if err != nil {
		return doctor.Sample{}, err
	}
	return doctor.Sample{ID: sampleID, Dir: s.dir, File: s.file, Grow: s.grow, Remove: s.remove}, nil
}

// unwritten is the client whose session the environment names and that has no
// transcript of it, "" if there is none.
func (f *finder) unwritten() string {
	for _, c := range f.clients {
		if c.Current() == "" {
			continue
		}
		if sessions, err := current(c); err == nil && len(sessions) == 0 {
			return c.Name()
		}
	}
	return ""
}
