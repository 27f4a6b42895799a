package main

import (
	"cmp"
	"context"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ctxmeter/ctxmeter/config"
	"github.com/ctxmeter/ctxmeter/meter"
)

// What Codex asks of a server that draws its status line (0.171.0, observed;
// the skill create-statusline that it brings along has the protocol). A tool
// says in its _meta that it has a footer, and where that is. It may be any
// tool, and the model is not shown its _meta: context_status does, and there is
// no second tool. The footer is a resource, which is read again a second after
// each answer.
const (
	footerURI      = "ui://ctxmeter/footer"
	footerType     = "application/json"
	entrypointsKey = "openai/ui"
)

func footerMeta() mcp.Meta {
	return mcp.Meta{entrypointsKey: map[string]any{
		"entrypoints": []any{map[string]any{"type": "statusline", "resourceUri": footerURI}},
	}}
}

func footerResource() *mcp.Resource {
	return &mcp.Resource{
		URI: footerURI, Name: "footer", MIMEType: footerType,
		Title:       "Status line of Codex",
		Annotations: &mcp.Annotations{Audience: []mcp.Role{"user"}},
	}
}

// footer draws the status line of Codex.
type footer struct {
	*tool
	style    style
	patience time.Duration
	look     func(thread string, last sight) sight
	turn     chan struct{} // who has it looks; however many ask, one does

	mu   sync.Mutex
	seen sight // what was seen last
}

const (
	// footerPatience is how long an answer is waited for. After a second Codex
	// shows "Status line timed out" and never asks again, until the next thread
	// (0.171.0, observed).
	footerPatience = 600 * time.Millisecond
	// footerKept is how long what was seen last stands in for an answer that
	// does not come.
	footerKept = 10 * time.Second
)

func (t *tool) footer() *footer {
	f := &footer{tool: t, style: t.p.style(t.settings), patience: footerPatience, turn: make(chan struct{}, 1)}
	f.style.color, f.style.width = t.p.lineColor(t.settings), 0 // how wide the screen is it does not say
	f.look = f.lookAt
	return f
}

// read answers a read of the resource. It is never an error: after one, Codex
// shows "Status line failed" and asks no more (0.171.0, observed).
func (f *footer) read(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{
		URI: footerURI, MIMEType: footerType, Text: compact(f.draw(ctx, req.Params.Meta)),
	}}}, nil
}

// draw is the footer for a state of the client, as a tree.
func (f *footer) draw(ctx context.Context, meta map[string]any) (tree any) {
	defer func() {
		if v := recover(); v != nil {
			f.p.trace(v)
			tree = nothingToShow
		}
	}()
	said := onScreen(meta)
	l := statusLine{style: f.style, format: cmp.Or(f.settings.Statusline, config.DefaultLine), said: said}
	if s := f.see(ctx, said.Session); s.known {
		in := s.in
		in.Now = f.p.now().UTC().Truncate(time.Millisecond)
		r := meter.Read(in, s.est)
		l.r = &r
		if r.Session.Model != nil {
			l.said.Model = "" // after /model the client names the next turn's, and the window is this one's
		}
	}
	return treeOf(l.parts())
}

// see is what is known of a thread, in time.
func (f *footer) see(ctx context.Context, thread string) sight {
	if thread == "" {
		return sight{}
	}
	ctx, stop := context.WithTimeout(ctx, f.patience)
	defer stop()
	news := make(chan sight, 1)
	go func() { // it may have to wait for a disk
		defer close(news)
		leave, err := enter(ctx, f.turn)
		if err != nil {
			return
		}
		defer leave()
		defer func() {
			if v := recover(); v != nil {
				f.p.trace(v)
			}
		}()
		s := f.look(thread, f.last())
		f.mu.Lock()
		f.seen = s
		f.mu.Unlock()
		news <- s
	}()
	select {
	case s, ok := <-news:
		if ok || ctx.Err() == nil {
			return s
		}
	case <-ctx.Done():
	}
	if s := f.last(); s.thread == thread && f.p.now().Sub(s.at) < footerKept {
		return s
	}
	return sight{}
}

func (f *footer) last() sight {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.seen
}
