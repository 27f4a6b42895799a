package main

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/urfave/cli/v3"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/lines"
)

const mcpDescription = `Serves one tool, context_status, over standard input and output: the agent that calls it learns how full its own context window is, how far away compaction is, and whether a planned read still fits. Whose call it is follows from what the client says with the call and from the processes, and is never guessed.

Codex does not tell its servers where its home is: name it with --codex-home if it is not ~/.codex.`

func (p *program) mcpCommand() *cli.Command {
	return &cli.Command{
		Name:        "mcp",
		Usage:       "tell an agent about its own context (MCP server)",
		Description: mcpDescription,
		Metadata: map[string]any{
			ownOutput: true, // it is the protocol's
			helpExamples: [][2]string{
				{"claude mcp add --scope user ctxmeter -- ctxmeter mcp", "register it with Claude Code"},
				{"codex mcp add ctxmeter -- ctxmeter mcp", "register it with Codex"},
				{"ctxmeter mcp --http 8765", "over HTTP, for a container; with a token"},
			},
			helpNote: "Of the flags of ctxmeter, --claude-dir, --codex-home, --backend, --cwd, --thread-id, --session-file, --window, --compact-threshold, --stale-after, --max-scan-bytes, --no-cache and --config apply.",
		},
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "footer", Usage: "also draw the status line of Codex, if it is told to let this server do that: an experiment of Codex 0.171"},
			&cli.StringFlag{Name: "http", Usage: usage("ADDR", "serve HTTP on this port, or host and port, instead; loopback unless a host is named, and only with the token")},
			&cli.StringFlag{Name: "token-file", Usage: usage("FILE", "the token that HTTP callers have to send; without it, CTXMETER_MCP_TOKEN, else one is made and kept")},
			&cli.StringSliceFlag{Name: "allow-host", Usage: usage("NAME", "a further name that HTTP callers may call this machine; may be repeated")},
		},
		Action: p.serve,
	}
}

// serve serves the tool until its input ends.
func (p *program) serve(ctx context.Context, cmd *cli.Command) error {
	if err := noMore(cmd); err != nil {
		return err
	}
	if cmd.IsSet("latest") {
		return badArgument("'%s' takes no --latest: it answers for the session that calls it; --thread-id names another one for good", cmd.FullName())
	}
	if err := onlyUseful(cmd); err != nil {
		return err
	}
	s, err := p.settings(cmd)
	if err != nil {
		return err
	}
	if wd, err := p.getwd(); err == nil {
		if err := checkExist(s, wd); err != nil {
			return err
		}
	}
	if cmd.IsSet("http") {
		if cmd.Bool("footer") {
			return badArgument("--footer is for a server that Codex starts, without --http")
		}
		return p.serveHTTP(ctx, cmd, s)
	}
	if cmd.IsSet("allow-host") || cmd.IsSet("token-file") {
		return badArgument("--allow-host and --token-file say something of --http only")
	}
	if f, ok := p.stdin.(*os.File); ok && terminalOf(f).terminal {
		p.say("this is a server for agents and waits for JSON-RPC on standard input; 'ctxmeter mcp --help' tells how to register it; ctrl-D ends it")
	}
	t, err := p.newTool(s, os.Getppid) // asked anew for each call: a server may be handed on
	if err != nil {
		return err
	}
	if p.stdout == os.Stdout {
		os.Stdout = os.Stderr // whatever a library prints
	}
	var foot *footer
	if cmd.Bool("footer") {
		foot = t.footer()
	}
	ended := make(chan error, 2)
	over := &lines.Transport{In: p.stdin, Out: p.stdout, Grace: grace, Abandoned: func() { ended <- nil }}
	go func() { ended <- t.server(foot).Run(ctx, over) }()
	err = <-ended
	if ctx.Err() != nil || errors.Is(err, mcp.ErrConnectionClosed) {
		return nil // asked to end, or left alone
	}
	return err
}

// grace is how long a call may go on when the client has gone.
const grace = 5 * time.Second
