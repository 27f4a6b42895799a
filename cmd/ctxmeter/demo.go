package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v3"

	"github.com/ctxmeter/ctxmeter/config"
	"github.com/ctxmeter/ctxmeter/meter"
)

// frame is how long a record of the sample session stays on the screen.
const frame = 400 * time.Millisecond

func (p *program) demoCommand() *cli.Command {
	return &cli.Command{
		Name:  "demo",
		Usage: "see it work: a sample session grows, warns and compacts",
		Description: `Plays a small made-up session through the meter: written to a temporary folder
record by record, and read again after each, as a real one would be. Nothing
of yours is read, and nothing is left behind. Where the output is no terminal,
the key moments are printed once.`,
		Action: p.demo,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "speed", Usage: usage("FACTOR", "play so many times as fast"), DefaultText: "1"},
		},
	}
}

func (p *program) demo(ctx context.Context, cmd *cli.Command) error {
	if arg := cmd.Args().First(); arg != "" {
		return badArgument("'ctxmeter demo' takes no %q", arg)
	}
	speed := 1.0
	if text := cmd.String("speed"); text != "" {
		var err error
		if speed, err = strconv.ParseFloat(text, 64); err != nil || !(speed > 0 && speed <= 1e6) {
			return badArgument("--speed wants a factor over 0, such as 2, not %q", text)
		}
	}
	s, err := demoSettings(cmd)
	if err != nil {
		return err
	}
	sample, err := newSample()
	if err != nil {
		return fmt.Errorf("no temporary folder for the sample session: %w", err)
	}
	defer sample.remove()
	d := newDemo(p, s, sample)
	if p.form(s) == config.OutputText && p.screen(p.stdout).terminal {
		return d.play(ctx, time.Duration(float64(frame)/speed))
	}
	return d.list(ctx)
}

// demoSettings are the defaults and what the command line says of the form:
// the user's environment and file are about real sessions.
func demoSettings(cmd *cli.Command) (*config.Settings, error) {
	flags := given(cmd)
	s, err := config.Resolve(config.Sources{
		Flag: func(name string) []string {
			switch name {
			case "json", "pretty", "format", "color":
				return flags[name]
			}
			return nil
		},
		Getenv: func(string) string { return "" },
	})
	if err != nil {
		return nil, configFault(err)
	}
	return s, nil
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
	d.meter.getwd = func() (string, error) { return sampleProject, nil }
	// The sample's own time: a reading is made four seconds after a record.
	d.meter.now = func() time.Time { return sample.last.Add(4 * time.Second) }
	return d
}

// next lets the session grow to n records and reads it.
func (d *demo) next(n int, planned string) (meter.Reading, error) {
	if err := d.sample.grow(n); err != nil {
		return meter.Reading{}, fmt.Errorf("the sample session cannot be written: %w", err)
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

// list prints the key moments, one after the other.
func (d *demo) list(ctx context.Context) error {
	st := d.style(d.settings)
	form := d.form(d.settings)
	asText := d.settings.Output == "" || form == config.OutputText || form == config.OutputLine
	if asText {
		d.print(st.wrap(demoOpening, "") + "\n")
	}
	for _, m := range moments() {
		if ctx.Err() != nil {
			return nil
		}
		r, err := d.next(m.records, m.planned)
		if err != nil {
			return err
		}
		if !asText {
			d.printJSON(r, form == config.OutputPretty)
			continue
		}
		d.print("\n" + st.wrap(m.caption, "") + "\n  " + st.line(&r))
		if m.records == sampleLength() {
			d.print("\nThe same reading in full, as 'ctxmeter' shows it on a terminal:\n\n" + indent(st.text(&r)))
		}
	}
	if asText {
		d.print("\n" + demoClosing)
	}
	return nil
}

func indent(text string) string {
	return "  " + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n  ") + "\n"
}

// play draws the session in place, a frame for each record.
func (d *demo) play(ctx context.Context, pause time.Duration) error {
	st := d.style(d.settings)
	d.print("\x1b[?25l")       // the cursor would flicker
	defer d.print("\x1b[?25h") // it comes back however this ends
	d.print(st.wrap(demoOpening, "") + "\n\n")
	caption, planned, lines := "", "", 0
	for n := 1; n <= sampleLength(); n++ {
		hold := pause
		for _, m := range moments() {
			if m.records == n {
				caption, planned, hold = m.caption, m.planned, 6*pause
			}
		}
		r, err := d.next(n, planned)
		if err != nil {
			return err
		}
		planned = ""
		picture := st.paint(colorStrong, st.wrap(caption, "")) + "\n" + st.text(&r)
		up := ""
		if lines > 0 {
			up = fmt.Sprintf("\x1b[%dA\r\x1b[J", lines)
		}
		lines = strings.Count(picture, "\n")
		d.print(up + picture)
		d.wait(ctx, hold)
		if ctx.Err() != nil {
			d.print("\n")
			return nil
		}
	}
	d.print("\n" + demoClosing)
	return nil
}
