package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/urfave/cli/v3"

	"github.com/ctxmeter/ctxmeter/calibrate"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wording"
	"github.com/ctxmeter/ctxmeter/config"
	"github.com/ctxmeter/ctxmeter/meter"
)

const calibrateDescription = `Learns from your own transcripts: how many tokens a text takes with each model, what a session's first request carries beside its text (system prompt, tools, memory files), by project and version of the client, what comes back after a compaction, and where the client compacted by itself. All readings use it from then on, and say so in estimated_from.

A ratio is kept only where it is nearer than the built-in table to what was measured in sessions that had no part in it; the error before and after is shown. Only numbers are kept, in one file that can be read and deleted; projects are named by a number. Interrupted, it changes nothing.`

func (p *program) calibrateCommand() *cli.Command {
	return &cli.Command{
		Name:        "calibrate",
		Usage:       "learn from your own transcripts, to estimate better",
		Description: calibrateDescription,
		Metadata: map[string]any{
			helpUsage: []string{"ctxmeter calibrate [flags]"},
			helpExamples: [][2]string{
				{"ctxmeter calibrate", "learn from all transcripts"},
				{"ctxmeter calibrate --since 30d", "from those of the last month"},
				{"ctxmeter calibrate --dry-run", "show what would be learned"},
				{"ctxmeter calibrate --reset", "forget it"},
			},
			helpNote: "Of the flags of ctxmeter, --backend, --claude-dir, --codex-home, --json, --pretty, --format, --color and --config apply. Exit status: 0 if it was done; 1 if some transcripts could not be read; 2 if it failed.",
		},
		Flags: []cli.Flag{
			&truthFlag{Name: "dry-run", Usage: "show what would be learned, and keep nothing"},
			&truthFlag{Name: "reset", Usage: "forget what was learned"},
			&cli.StringFlag{Name: "since", Usage: usage("TIME", "learn from what was written to since then: 7d, 12h, or a date such as 2026-11-30")},
		},
		Action: p.calibrate,
	}
}

// calibration is a run of the command.
type calibration struct {
	Kept     bool                `json:"kept"`
	Learned  *calibrate.Learned  `json:"learned"`
	Findings []calibrate.Finding `json:"findings"`
	Skipped  []skippedTranscript `json:"skipped"`
}

func (p *program) calibrate(ctx context.Context, cmd *cli.Command) error {
	if err := onlyUseful(cmd); err != nil {
		return err
	}
	if err := noMore(cmd); err != nil {
		return err
	}
	s, err := p.settings(cmd)
	if err != nil {
		return err
	}
	if cmd.Bool("reset") {
		for _, name := range []string{"dry-run", "since", "backend", "claude-dir", "codex-home"} {
			if cmd.IsSet(name) {
				return badArgument("--reset forgets all that was learned, of both clients: it does not go with %s", dashed(name))
			}
		}
		if err := p.forget(); err != nil {
			return p.settle(err, s)
		}
		return nil
	}
	since, err := sinceWhen(cmd.String("since"), p.now())
	if err != nil {
		return p.settle(err, s)
	}
	f, err := p.finder(s)
	if err != nil {
		return p.settle(err, s)
	}
	run, err := p.learn(ctx, f.recent(0, since))
	switch {
	case errors.Is(err, errInterrupted):
		return err
	case err != nil:
		return p.settle(err, s)
	}
	if !cmd.Bool("dry-run") {
		if err := p.learned().keep(run.Learned); err != nil {
			return p.settle(err, s)
		}
		run.Kept = true
	}
	if s.Output == config.OutputJSON || s.Output == config.OutputPretty {
		p.printJSON(run, s.Output == config.OutputPretty)
	} else {
		p.print(run.text(p.style(s)))
	}
	if len(run.Skipped) > 0 {
		return errPartly
	}
	return nil
}

// learn goes through the transcripts, the oldest first. One that fails hides
// no other.
func (p *program) learn(ctx context.Context, list []listed) (*calibration, error) {
	progress := p.progress()
	defer progress.clear()
	learner := calibrate.NewLearner()
	run := &calibration{Skipped: []skippedTranscript{}}
	for i := len(list) - 1; i >= 0; i-- {
		l := list[i]
		progress.show(fmt.Sprintf("%d of %s", len(list)-i, wording.Counted(len(list), "transcript")))
		err := l.err
		if err == nil {
			err = learner.Learn(ctx, l.session, l.client.Decoder(l.session))
		}
		switch {
		case ctx.Err() != nil:
			progress.clear()
			p.say("interrupted: nothing was changed")
			return nil, errInterrupted
		case err != nil:
			fault := faultOf(err)
			run.Skipped = append(run.Skipped, skippedTranscript{l.name, fault.Code, fault.Message})
		}
	}
	learned, findings := learner.Result()
	if learned.Requests == 0 {
		return nil, &meter.Fault{Code: meter.CodeSessionNotFound, Message: "there is no transcript with a measured request to learn from: name the clients' folders with --claude-dir or --codex-home"}
	}
	run.Learned, run.Findings = &learned, findings
	return run, nil
}

func (p *program) forget() error {
	switch err := p.learned().forget(); {
	case errors.Is(err, fs.ErrNotExist):
		p.print("nothing was learned yet\n")
	case err != nil:
		return &meter.Fault{Code: meter.CodeInternal, Message: "what was learned cannot be removed: " + wording.Cause(err), Err: err}
	default:
		p.print("what was learned is forgotten: the built-in table counts again\n")
	}
	return nil
}
