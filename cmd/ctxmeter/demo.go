package main

import (
	"context"
	"os"
	"runtime"
	"strconv"
	"time"

	"github.com/urfave/cli/v3"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/doctor"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wording"
	"github.com/ctxmeter/ctxmeter/config"
	"github.com/ctxmeter/ctxmeter/meter"
)

// frame is how long a record of the sample session stays on the screen.
const frame = 400 * time.Millisecond

func (p *program) demoCommand() *cli.Command {
	return &cli.Command{
		Name:  "demo",
		Usage: "see it work: a sample session grows, warns and compacts",
		Description: `Plays a small made-up session through the meter: written to a temporary folder record by record, and read again after each, as a real one would be. Nothing of yours is read, and nothing is left behind.

On a terminal it takes half a minute; ctrl-C ends it. At the end, and at once where the output is no terminal, the key moments are printed, a line each.`,
		Metadata: map[string]any{helpNote: "Of the flags of ctxmeter, --json, --pretty, --format and --color apply."},
		Action:   p.demo,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "speed", Usage: usage("FACTOR", "play so many times as fast"), DefaultText: "1"},
		},
	}
}

func (p *program) demo(ctx context.Context, cmd *cli.Command) error {
	if err := noMore(cmd); err != nil {
		return err
	}
	if err := onlyUseful(cmd); err != nil {
		return err
	}
	speed := 1.0
	if text := cmd.String("speed"); text != "" {
		var err error
		if speed, err = strconv.ParseFloat(text, 64); err != nil || !(speed > 0 && speed <= 1e6) {
			return badArgument("--speed wants a factor over 0, such as 2, not %q", text)
		}
	}
	s, err := formSettings(cmd) // what else the user has set is about real sessions
	if err != nil {
		return err
	}
	outlivePipe()
	sample, err := newSample()
	if err != nil {
		return noTemporary(err)
	}
	defer sample.remove()
	d := newDemo(p, s, sample)
	if p.form(s) == config.OutputText && p.screen(p.stdout).terminal {
		return d.play(ctx, time.Duration(float64(frame)/speed))
	}
	return d.list(ctx)
}

// noTemporary says that the sample session has no place to be.
func noTemporary(err error) error {
	return &meter.Fault{Code: meter.CodeInternal, Message: "no temporary folder can be made in " + os.TempDir() + " (" + wording.Reason(err) + "): let " + doctor.TemporaryVariable(runtime.GOOS) + " name a folder that you can write", Err: err}
}

// demo shows, on the program's output, what a meter in surroundings of its own
// says of the sample session.
type demo struct {
	*program
	settings *config.Settings
	sample   *sample
	meter    program
}

func newDemo(p *program, s *config.Settings, sample *sample) *demo {
	s.NoCache, s.ClaudeDirs, s.ThreadID = true, []string{sample.dir}, sampleID
	d := &demo{program: p, settings: s, sample: sample, meter: *p}
	d.meter.getenv = func(string) string { return "" }
	d.meter.goos = "demo" // no system's places of an administrator's settings
	d.meter.getwd = func() (string, error) { return sampleProject, nil }
	// The sample's own time: a reading is made four seconds after a record.
	d.meter.now = func() time.Time { return sample.last.Add(4 * time.Second) }
	return d
}

// next lets the session grow to n records and reads it.
func (d *demo) next(n int, planned string) (meter.Reading, error) {
	if err := d.sample.grow(n); err != nil {
		return meter.Reading{}, noTemporary(err)
	}
	plan, err := d.meter.planned(planned)
	if err != nil {
		return meter.Reading{}, err
	}
	f, err := d.meter.finder(d.settings)
	if err != nil {
		return meter.Reading{}, err
	}
	hit, err := f.find(d.settings)
	if err != nil {
		return meter.Reading{}, err
	}
	return d.meter.read(hit, d.settings, plan)
}
