package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ctxmeter/ctxmeter/config"
	"github.com/ctxmeter/ctxmeter/meter"
)

// tool is context_status: what of it stays the same from call to call.
type tool struct {
	p        *program
	settings *config.Settings
	finder   *finder       // without a time
	parent   func() int    // process that started the server; nil behind HTTP, where nothing tells who calls
	reading  chan struct{} // has an entry for each transcript that is being read
	planning chan struct{} // and for each planned read that is being sized
}

// How much is done at once, however many ask. To size a large folder takes
// long: that must not hold up who only asks how full it is.
const (
	mostReading  = 4
	mostPlanning = 2
)

// enter waits for room, and returns what makes it again.
func enter(ctx context.Context, room chan struct{}) (leave func(), err error) {
	select {
	case room <- struct{}{}:
		return func() { <-room }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (p *program) newTool(s *config.Settings, parent func() int) (*tool, error) {
	wd, _ := p.getwd() // without one there are no candidates, that is all
	f, err := p.newFinder(s, wd)
	if err != nil {
		return nil, err
	}
	return &tool{p: p, settings: s, finder: f, parent: parent, reading: make(chan struct{}, mostReading), planning: make(chan struct{}, mostPlanning)}, nil
}

// The definition is in the context of every conversation that has the tool:
// its words are counted.
const (
	toolName        = "context_status"
	toolTitle       = "Context window status"
	toolDescription = "How full your own context window is, how many tokens remain until it is full and until the client compacts it, and, if asked, whether a read you plan still fits. Call it before a large read and between long steps; the answer is small. Tokens are measured by the provider, plus an estimate of what came after (see basis); null is unknown."
	toolSchema      = `{"type":"object","properties":{` +
		`"planned_path":{"type":"string","description":"file, folder or glob you plan to read, relative to the project folder"},` +
		`"planned_bytes":{"type":"integer","minimum":0,"description":"or its size, as text"},` +
		`"session_id":{"type":"string","description":"another session than the calling one"}},` +
		`"additionalProperties":false}`
)

// server is an MCP server with the tool and, if it is to draw one, the footer.
// It offers nothing else: it sends no notifications, and its lists of prompts
// and other resources are empty.
func (t *tool) server(foot *footer) *mcp.Server {
	has := &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}}
	if foot != nil {
		has.Resources = &mcp.ResourceCapabilities{}
	}
	s := mcp.NewServer(&mcp.Implementation{Name: "ctxmeter", Version: version()}, &mcp.ServerOptions{Capabilities: has})
	no := false
	def := &mcp.Tool{
		Name: toolName, Title: toolTitle, Description: toolDescription,
		InputSchema: json.RawMessage(toolSchema),
		// Codex runs a tool without asking only if it says that it only reads
		// (0.171, observed). What is left out counts as destructive and open.
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true, DestructiveHint: &no, OpenWorldHint: &no},
	}
	if foot != nil {
		def.Meta = footerMeta()
		s.AddResource(footerResource(), foot.read)
	}
	s.AddTool(def, t.call)
	return s
}

// call answers a call. What the model can mend is an answer, never a failure
// of the protocol.
func (t *tool) call(ctx context.Context, req *mcp.CallToolRequest) (result *mcp.CallToolResult, err error) {
	defer func() {
		if v := recover(); v != nil {
			result, err = failed(t.p.bug(v)), nil
		}
	}()
	text, err := t.answer(ctx, req)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err() // the caller waits no longer
	case err != nil:
		return failed(faultOf(err)), nil
	}
	return textResult(text, false), nil
}

func (t *tool) answer(ctx context.Context, req *mcp.CallToolRequest) (string, error) {
	in, err := parseArguments(req.Params.Arguments)
	if err != nil {
		return "", err
	}
	who, err := t.whose(ctx, in.session, func() meter.Call { return t.callOf(req) })
	if err != nil {
		return "", err
	}
	w := in.want(t.remote())
	if w != nil && w.text != "" {
		w.stop = ctx.Done()
		done, err := enter(ctx, t.planning)
		if err != nil {
			return "", err
		}
		defer done()
	}
	done, err := enter(ctx, t.reading)
	if err != nil {
		return "", err
	}
	defer done()
	r, err := t.p.read(who.found, t.settings, w)
	if err != nil {
		return "", err
	}
	return replyTo(&r, who), nil
}

// remote reports whether the caller may be on another machine.
func (t *tool) remote() bool { return t.parent == nil }

// callOf is what the backends are told of a call.
func (t *tool) callOf(req *mcp.CallToolRequest) meter.Call {
	c := meter.Call{Tool: toolName, Meta: req.Params.Meta, Parent: t.parent()}
	if p := req.Session.InitializeParams(); p != nil && p.ClientInfo != nil {
		c.Client = p.ClientInfo.Name
	}
	return c
}

// arguments are those of a call.
type arguments struct {
	session string
	path    string
	bytes   *int64
}

// parseArguments reads them as leniently as is safe: models write a number as
// a string, and null for what they leave out.
func parseArguments(raw json.RawMessage) (arguments, error) {
	var in arguments
	if raw = bytes.TrimSpace(raw); len(raw) == 0 || string(raw) == "null" {
		return in, nil
	}
	var given map[string]any
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	if dec.Decode(&given) != nil {
		return in, badArgument("the arguments of context_status are a JSON object")
	}
	for name, v := range given {
		var err error
		switch {
		case name != "session_id" && name != "planned_path" && name != "planned_bytes":
			err = badArgument("context_status has no argument %s: it takes session_id, planned_path and planned_bytes", quoted(name))
		case v == nil, v == "":
		case name == "session_id":
			in.session, err = textArgument(name, v)
		case name == "planned_path":
			in.path, err = textArgument(name, v)
		default:
			in.bytes, err = sizeArgument(name, v)
		}
		if err != nil {
			return in, err
		}
	}
	if in.path != "" && in.bytes != nil {
		return in, badArgument("give planned_path or planned_bytes, not both")
	}
	return in, nil
}

// want is the read that the caller has in mind, nil if none.
func (in arguments) want(confined bool) *want {
	var w *want
	switch {
	case in.path != "":
		w = wantPath(in.path)
	case in.bytes != nil:
		w = wantBytes(*in.bytes)
	default:
		return nil
	}
	w.confined = confined
	return w
}

func textArgument(name string, v any) (string, error) {
	text, ok := v.(string)
	if !ok {
		return "", badArgument("%s is a string", name)
	}
	if len(text) > 4096 || strings.ContainsRune(text, 0) {
		return "", badArgument("%s is too long, or no text", name)
	}
	return text, nil
}

func sizeArgument(name string, v any) (*int64, error) {
	n, err := strconv.ParseFloat(strings.TrimSpace(fmt.Sprint(v)), 64)
	if err != nil || !(n >= 0 && n <= mostBytes) {
		return nil, badArgument("%s is a number of bytes, such as 40960", name)
	}
	size := int64(n)
	return &size, nil
}

// quoted repeats a word of the caller's in a message.
func quoted(text string) string {
	if r := []rune(text); len(r) > 40 {
		text = string(r[:40]) + "…"
	}
	return fmt.Sprintf("%q", text)
}

// bug is the fault that a panic is reported as.
func (p *program) bug(v any) *meter.Fault {
	p.trace(v)
	return &meter.Fault{Code: meter.CodeInternal, Message: "ctxmeter has a bug and could not answer this call"}
}
