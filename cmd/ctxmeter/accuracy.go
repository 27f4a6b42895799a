package main

import (
	"context"
	"fmt"
	"strconv"

	"github.com/urfave/cli/v3"

	"github.com/ctxmeter/ctxmeter/calibrate"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wording"
	"github.com/ctxmeter/ctxmeter/config"
	"github.com/ctxmeter/ctxmeter/meter"
)

const accuracyDescription = `Replays transcripts: for each request in them, what would ctxmeter have said just before it, from what stood in the file until then, and what was measured? The difference, in percent of what was measured, is shown by model and by what the request followed; beside it, that of three rules of thumb: the number measured last, all characters of the context by 4, and all bytes since the newest compaction by 3.2 and 43,500.

A band is what used_tokens_range gives: it should hold the truth nine times in ten. The first request of a session is a kind of its own: what a client sends with it is mostly not in the transcript.

PATH is a transcript, or a folder with transcripts below it; SESSION is an id, or 8 and more characters of its beginning. Without any, the newest hundred transcripts of both clients are taken, those of subagents among them. The farthest off are listed by session and line. Nothing of what they say is shown, kept or sent.`

// Defaults of the flags.
const (
	accuracyLast  = 100
	accuracyWorst = 10
)

func (p *program) accuracyCommand() *cli.Command {
	return &cli.Command{
		Name:        "accuracy",
		Usage:       "replay transcripts: how far off would it have been?",
		Description: accuracyDescription,
		Metadata: map[string]any{
			helpUsage: []string{"ctxmeter accuracy [PATH or SESSION ...] [flags]"},
			helpExamples: [][2]string{
				{"ctxmeter accuracy", "the newest hundred transcripts"},
				{"ctxmeter accuracy --since 7d", "those of the last week"},
				{"ctxmeter accuracy 8f3a1c2e --worst 30", "one session, and where it was farthest off"},
				{"ctxmeter accuracy ~/old/projects --csv", "a folder, as a table for other programs"},
			},
			helpNote: "Of the flags of ctxmeter, --backend, --claude-dir, --codex-home, --json, --pretty, --format, --color and --config apply. Exit status: 0 if all transcripts were replayed; 1 if some could not be; 2 if none was.",
		},
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "last", Usage: usage("N", "take so many transcripts, the newest"), DefaultText: strconv.Itoa(accuracyLast)},
			&cli.StringFlag{Name: "since", Usage: usage("TIME", "take those written to since then: 7d, 12h, or a date such as 2026-11-30")},
			&cli.StringFlag{Name: "worst", Usage: usage("N", "list so many requests, those farthest off"), DefaultText: strconv.Itoa(accuracyWorst)},
			&truthFlag{Name: "builtin", Usage: "leave out what 'ctxmeter calibrate' learned"},
			&truthFlag{Name: "csv", Usage: "print a line of comma-separated values for each model, kind and rule"},
		},
		Action: p.accuracy,
	}
}

// accuracyRun is a run of the command.
type accuracyRun struct {
	p     *program
	cmd   *cli.Command
	list  []listed
	score *calibrate.Accuracy

	replayed, empty int
	requests        int64
	skipped         []skippedTranscript
	interrupted     bool
	learned         bool // with what was learned of the user's transcripts
}

// skippedTranscript is one that could not be replayed.
type skippedTranscript struct {
	Name    string     `json:"name"` // as it was given, or else the session's id
	Code    meter.Code `json:"code"`
	Message string     `json:"message"`
}

func (p *program) accuracy(ctx context.Context, cmd *cli.Command) error {
	if err := onlyUseful(cmd); err != nil {
		return err
	}
	s, err := p.settings(cmd)
	if err != nil {
		return err
	}
	worst, err := count(cmd, "worst", accuracyWorst, 0)
	if err != nil {
		return p.settle(err, s)
	}
	csv := cmd.Bool("csv")
	if form := s.Output; csv && s.Origin("format.output").Layer == config.LayerFlag && (form == config.OutputJSON || form == config.OutputPretty) {
		return badArgument("--csv and --json are two forms of one answer: give one of them")
	}
	run := &accuracyRun{p: p, cmd: cmd, score: calibrate.NewAccuracy(worst)}
	if run.list, err = p.transcripts(ctx, cmd, s); err != nil {
		return p.settle(err, s)
	}
	run.replay(ctx)
	if run.replayed == 0 && !run.interrupted {
		return p.settle(run.nothing(), s)
	}
	switch {
	case csv:
		p.print(run.csv())
	case s.Output == config.OutputJSON, s.Output == config.OutputPretty:
		p.printJSON(run.view(), s.Output == config.OutputPretty)
	default:
		p.print(run.text(p.style(s)))
	}
	switch {
	case run.interrupted:
		p.say(fmt.Sprintf("interrupted: this is of %s of %d", wording.Counted(run.replayed, "transcript"), len(run.list)))
		return errInterrupted
	case len(run.skipped) > 0:
		p.say(fmt.Sprintf("%s could not be replayed", wording.Counted(len(run.skipped), "transcript")))
		return errPartly
	}
	return nil
}

// replay goes through the transcripts. One that fails hides no other.
func (r *accuracyRun) replay(ctx context.Context) {
	progress := r.p.progress()
	defer progress.clear()
	var learned *calibrate.Learned
	if !r.cmd.Bool("builtin") {
		learned, _ = r.p.learned().load()
	}
	r.learned = learned != nil
	for i, l := range r.list {
		progress.show(fmt.Sprintf("%d of %s, %s", i+1, wording.Counted(len(r.list), "transcript"), wording.Counted(int(r.requests), "request")))
		err := l.err
		before := r.requests
		if err == nil {
			err = calibrate.ReplayContext(ctx, l.session, l.client.Decoder(l.session), learned.For(l.session), func(s calibrate.Step) {
				s.Source = i
				r.score.Add(s)
				r.requests++
			})
		}
		switch {
		case ctx.Err() != nil:
			r.interrupted = true
			return
		case err != nil:
			fault := faultOf(err)
			if l.maybe && fault.Code == meter.CodeNotATranscript {
				continue
			}
			r.skipped = append(r.skipped, skippedTranscript{l.name, fault.Code, fault.Message})
			continue
		case r.requests == before:
			r.empty++
		}
		r.replayed++
	}
}

// nothing is the fault of a run that has nothing to show.
func (r *accuracyRun) nothing() error {
	if len(r.skipped) == 0 {
		return &meter.Fault{Code: meter.CodeSessionNotFound, Message: "there is no transcript to replay: name one, a folder of them, or a client's folder with --claude-dir or --codex-home"}
	}
	first := r.skipped[0]
	if len(r.skipped) == 1 {
		return &meter.Fault{Code: first.Code, Message: first.Message}
	}
	return &meter.Fault{Code: first.Code, Message: fmt.Sprintf("none of %s can be replayed; of the first, %s: %s", wording.Counted(len(r.skipped), "transcript"), wording.Name(first.Name), first.Message)}
}

// count reads a flag that takes a whole number from least on.
func count(cmd *cli.Command, name string, def, least int) (int, error) {
	text := cmd.String(name)
	if text == "" {
		return def, nil
	}
	const most = 1_000_000
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > most {
		return 0, badArgument("%s wants a number from %d to %d, not %q", dashed(name), least, most, text)
	}
	return n, nil
}
