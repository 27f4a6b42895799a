package main

import (
	"cmp"
	"context"
	"io"

	"github.com/urfave/cli/v3"

	"github.com/ctxmeter/ctxmeter/config"
	"github.com/ctxmeter/ctxmeter/meter"
)

func statuslineDescription() string {
	return `Is run by Claude Code as the command of its status line, with what the client says on standard input, and prints one line: a gauge, how much is used, of what window, how far away compaction is, and the model. After a compaction it is an estimate, marked ~, until the next reply; -- is no reading. A ! behind the window says that the client states a smaller one than a request that it has sent.

What stands in the line is a setting, below [statusline] in the configuration: format = "{percent} {model}", say. There are ` + config.List(config.Segments(), "and") + `. A part of the line ends at a blank. One of which nothing is known is left out, and where COLUMNS says that there is little room, the least important ones are. The colors go with NO_COLOR or --color never.

It always exits with 0 and prints one line, and says nothing of what goes wrong; CTXMETER_DEBUG=1 does.`
}

// nothingToShow is the line where there is no reading.
const nothingToShow = "--"

func (p *program) statuslineCommand() *cli.Command {
	return &cli.Command{
		Name:        "statusline",
		Usage:       "one line for the status line of Claude Code",
		Description: statuslineDescription(),
		Metadata: map[string]any{
			neverFails: nothingToShow,
			helpUsage:  []string{"ctxmeter statusline [flags] < PAYLOAD"},
			helpNote:   "Of the flags of ctxmeter, --claude-dir, --window, --compact-threshold, --max-scan-bytes, --no-cache, --color and --config apply.",
		},
		Action: p.statusline,
	}
}

// statusline prints the line. A client that gets an error, or nothing, shows
// nothing at all (anthropics/claude-code#95759).
func (p *program) statusline(ctx context.Context, cmd *cli.Command) error {
	_, _ = io.WriteString(p.stdout, p.statusText(ctx, cmd)+"\n") // a client that has gone needs no answer
	return nil
}

func (p *program) statusText(ctx context.Context, cmd *cli.Command) (text string) {
	defer func() {
		if v := recover(); v != nil {
			p.trace(v)
			text = nothingToShow
		}
	}()
	s, err := p.settings(cmd)
	if err != nil {
		p.debug(err)
		if s, err = config.Resolve(config.Sources{Flag: func(string) []string { return nil }, Getenv: func(string) string { return "" }}); err != nil {
			return nothingToShow // cannot be: these are the defaults
		}
	}
	s.Backend = "auto" // the payload tells
	l := statusLine{style: p.style(s), format: cmp.Or(s.Statusline, config.DefaultLine)}
	l.width, l.color = columnsOf(p.getenv), p.lineColor(s)
	l.said, l.r, err = p.statusReading(p.payloadInput(ctx), s)
	if err != nil {
		p.debug(err)
	}
	return l.text()
}

// statusReading is the reading of the session that a payload speaks of, nil if
// there is none, with what of the payload is to be believed.
func (p *program) statusReading(data []byte, s *config.Settings) (meter.Payload, *meter.Reading, error) {
	wd, _ := p.getwd()
	f, err := p.newFinder(s, wd)
	if err != nil {
		return meter.Payload{}, nil, err
	}
	for _, c := range f.clients {
		said, ok := c.Payload(data)
		if !ok {
			continue
		}
		hit, err := f.byPayload(c, said)
		if err != nil {
			p.debug(err)
		}
		said = believed(said, hit)
		r, err := p.joined(hit, said, s)
		return said, r, err
	}
	return meter.Payload{}, nil, noPayload(data)
}

// believed leaves out what a payload says of another session than that of its
// own transcript (anthropics/claude-code#38004): then nobody knows of which.
func believed(said meter.Payload, hit found) meter.Payload {
	if hit.session.ID == "" || said.Session == "" || sameID(hit.session.ID, said.Session) {
		return said
	}
	return meter.Payload{Session: hit.session.ID, Transcript: said.Transcript, Dir: said.Dir, Version: said.Version}
}

// debug tells a developer what went wrong.
func (p *program) debug(err error) {
	if p.getenv("CTXMETER_DEBUG") != "" {
		p.say(faultOf(err).Message)
	}
}
