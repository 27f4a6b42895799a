package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"

	"github.com/urfave/cli/v3"

	"github.com/ctxmeter/ctxmeter/config"
	"github.com/ctxmeter/ctxmeter/meter"
)

const hookDescription = `Is run by Claude Code or Codex as the command of a hook, with what the client says on standard input. It prints nothing unless there is something to say: to the agent and its user when the context has become fuller by a level, once per level, and again after a compaction or a rewind; before a read that would set off compaction or not fit; and, after a compaction, how much was freed. In 50 prompts that is four times at most.

It always exits with 0, and says nothing of what goes wrong. It never stops a prompt, a compaction or the end of a turn; a read only if the configuration says so: block = "window" or "trigger" under [hook].`

func (p *program) hookCommand() *cli.Command {
	return &cli.Command{
		Name:        "hook",
		Usage:       "warn an agent and its user in time (hook of a client)",
		Description: hookDescription,
		Metadata: map[string]any{
			neverFails: true,
			helpUsage:  []string{"ctxmeter hook [flags] < PAYLOAD"},
			helpNote:   "Its events are UserPromptSubmit, PostToolUse, PreToolUse of reads, and SessionStart, which notes the model and speaks after a compaction; at others it is silent. Of the flags of ctxmeter, --claude-dir, --codex-home, --window, --compact-threshold, --max-scan-bytes, --no-cache and --config apply.",
		},
		Action: p.hook,
	}
}

// hook is the hook of every event. It stands in the way of the client: whatever
// happens, it ends well and soon.
func (p *program) hook(ctx context.Context, cmd *cli.Command) error {
	defer func() {
		if v := recover(); v != nil {
			p.trace(v)
		}
	}()
	if f, ok := p.stdin.(*os.File); ok && terminalOf(f).terminal {
		p.say("this is run by Claude Code or Codex, which say on standard input what happens")
		return nil
	}
	if text := p.hooked(ctx, cmd); text != "" {
		_, _ = io.WriteString(p.stdout, text) // a client that has gone needs no answer
	}
	return nil
}

// hooked is what is said to the client, "" if nothing.
func (p *program) hooked(ctx context.Context, cmd *cli.Command) string {
	data := p.payloadInput(ctx)
	said, backend, ok := p.payload(data)
	if !ok {
		p.debug(noPayload(data))
		return ""
	}
	occasion := occasionOf(said)
	store, ok := p.hookStore(said, backend)
	switch {
	case occasion == nothing:
		p.debug(errNoOccasion)
		return ""
	case !ok:
		p.debug(errNoStore)
		return ""
	}
	memory := store.load()
	if (occasion == noting || occasion == telling) && said.Source == "" && memory.current(said.Transcript) {
		return ""
	}
	s := p.hookSettings(cmd)
	hit, err := p.hookSession(s, said, backend, memory)
	if said.Event == "SessionStart" {
		p.remember(hit, said, s)
	}
	if err != nil {
		p.debug(err)
		return ""
	}
	if occasion == starting || len(hit.session.Segments) == 0 {
		return ""
	}
	h := &hooking{program: p, settings: s, said: said, hit: hit, store: store}
	return h.run(ctx, occasion).output(said.Event)
}

// hookSettings are the settings, or the defaults where they are in error: a
// warning is worth more than the exact level of it. By default nothing is
// stopped.
func (p *program) hookSettings(cmd *cli.Command) *config.Settings {
	s, err := p.settings(cmd)
	if err == nil {
		return s
	}
	p.debug(err)
	if s, err = config.Resolve(config.Sources{Flag: func(string) []string { return nil }, Getenv: func(string) string { return "" }}); err != nil {
		panic(err) // cannot be: these are the defaults
	}
	return s
}

// payload reads what the client hands over, with the client whose it is.
func (p *program) payload(data []byte) (said meter.Payload, backend string, ok bool) {
	for _, c := range p.clients(p.env(&config.Settings{}, "")) {
		if said, ok := c.Payload(data); ok {
			return said, c.Name(), true
		}
	}
	return meter.Payload{}, "", false
}

// occasion is what a hook is good for.
type occasion uint8

const (
	nothing     occasion = iota
	starting             // what the client says of its model
	noting               // remembers, and is silent
	telling              // where the session stands
	aheadOfRead          // whether a read fits
)

// occasionOf tells the events apart that both clients call alike. At Stop, who
// says something makes Claude Code take another turn (2.1.197: eight times for
// one prompt); what is printed at PreCompact and PostCompact is in the notice of
// the compaction, and so in the context (2.1.197), or not allowed (codex-cli
// 0.171.0).
func occasionOf(said meter.Payload) occasion {
	switch said.Event {
	case "UserPromptSubmit", "PostToolUse":
		return telling
	case "SessionStart":
		if said.Source == "compact" {
			return telling
		}
		return starting
	case "PreToolUse":
		if said.Read.Path != "" {
			return aheadOfRead
		}
	case "PreCompact":
		return noting // what is in use before
	}
	return nothing
}

// hookSession is the session whose hook it is: a subagent's own context where
// the client says that it is one. Where that was the last time, is known.
func (p *program) hookSession(s *config.Settings, said meter.Payload, backend string, known hookMemory) (found, error) {
	s.Backend = backend
	wd, _ := p.getwd()
	f, err := p.newFinder(s, wd)
	if err != nil {
		return found{}, err
	}
	client := f.clients[0]
	if said.Agent == "" || sameID(said.Agent, said.Session) {
		return f.byPayload(client, said)
	}
	if session, err := client.File(known.File); err == nil && isAgent(session, said) {
		return found{client, session, meter.IdentityPayload}, nil
	}
	all, err := client.Find(said.Agent)
	for _, session := range all {
		if isAgent(session, said) {
			return found{client, session, meter.IdentityPayload}, nil
		}
	}
	return found{}, errors.Join(errNoAgent, err)
}

// remember keeps the model and the window that the client states when a session
// starts. No other hook of Claude Code says them (2.1.197, recorded), and the
// transcript may not yet be there.
func (p *program) remember(hit found, said meter.Payload, s *config.Settings) {
	if hit.session.ID == "" || hit.session.AgentID != "" || !sameID(hit.session.ID, said.Session) {
		return
	}
	var st meter.State
	if len(hit.session.Segments) > 0 {
		var err error
		if st, err = p.load(hit, s); err != nil {
			return
		}
	}
	keep := p.tellings(s)
	before := keep.load(hit.session)
	t := p.tell(hit, said, st, before)
	switch {
	case said.Model == "" && before.Hook && said.Source == "resume":
		t = t.environmentOnly() // it may go on with another window (2.1.197, recorded)
	case t != before:
		t.Hook = true
	}
	_ = keep.save(hit.session, before, t) // costs what would have been known, no more
}

// isAgent reports the subagent that a payload names beside its parent's
// transcript.
func isAgent(s meter.Session, said meter.Payload) bool {
	return sameID(s.AgentID, said.Agent) && sameID(s.ID, said.Session)
}

var errNoAgent = badArgument("the payload names a subagent of which there is no transcript")

// Why a hook is silent, for who sets CTXMETER_DEBUG.
var (
	errNoOccasion = badArgument("the payload on standard input is of an event at which there is nothing to say")
	errNoStore    = badArgument("there is no place to remember what was said, or the session's id is none: so nothing is said")
)

// noPayload tells what came instead of what a client says: its size, no more.
func noPayload(data []byte) error {
	if len(bytes.TrimSpace(data)) == 0 {
		return badArgument("standard input is empty: Claude Code and Codex say there what happens")
	}
	return badArgument("standard input holds no payload of Claude Code or Codex, but %d bytes of something else", len(data))
}
