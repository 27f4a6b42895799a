package main

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ctxmeter/ctxmeter/meter"
)

func ptr[T any](v T) *T { return &v }

func blockOf(t *testing.T, r *mcp.CallToolResult) string {
	t.Helper()
	if len(r.Content) != 1 || r.StructuredContent != nil {
		t.Fatalf("not one block of text: %+v", r)
	}
	return r.Content[0].(*mcp.TextContent).Text
}

// longest is a reading with all that a reply can hold, in its longest form.
func longest() meter.Reading {
	return meter.Reading{
		Status: meter.StatusAwaiting, Level: meter.LevelCritical,
		UsedTokens: ptr[int64](10_234_567), WindowTokens: ptr[int64](10_485_760),
		RemainingTokens: ptr[int64](1_251_193), RemainingPercent: ptr(12.4),
		Compaction: meter.CompactionView{RemainingTokens: ptr[int64](1_000_000), Mode: meter.ModeAuto},
		Basis:      ptr(meter.BasisBoth), EventAgeSeconds: ptr(864_000.5),
		Planned: &meter.PlannedView{
			Source: "path", Tokens: 12_345_678, UsedPercentAfter: ptr(1234.5),
			FitsWindow: ptr(false), TriggersCompaction: ptr(false),
		},
	}
}

func TestAReplyStaysBelow400Characters(t *testing.T) {
	who := caller{
		found:   found{session: meter.Session{ID: sampleID, AgentID: strings.Repeat("a", 64)}, identity: meter.IdentityExplicit},
		pending: true,
	}
	r := longest()
	text := replyTo(&r, who)
	if n := utf8.RuneCountInString(text); n >= 400 {
		t.Errorf("%d characters: %s", n, text)
	}
	who.session.AgentID, who.doubt = "", true
	text = replyTo(&r, who)
	if n := utf8.RuneCountInString(text); n >= 400 {
		t.Errorf("%d characters: %s", n, text)
	}
	f := &meter.Fault{Code: meter.CodeSegmentTooShort, Message: strings.Repeat("long \" ", 100)}
	for range 20 {
		f.Candidates = append(f.Candidates, meter.Candidate{ID: sampleID, Backend: "claude-code"})
	}
	text = blockOf(t, failed(f))
	if n := utf8.RuneCountInString(text); n >= 400 || !json.Valid([]byte(text)) {
		t.Errorf("%d characters: %s", n, text)
	}
}

func TestTheDefinitionStaysBelow1000Characters(t *testing.T) {
	r := newRig(t)
	p := r.program(nil, nil)
	s, err := p.settings(p.command([]string{"ctxmeter"}))
	if err != nil {
		t.Fatal(err)
	}
	tl, err := p.newTool(s)
	if err != nil {
		t.Fatal(err)
	}
	here, there := mcp.NewInMemoryTransports()
	ctx := context.Background()
	if _, err := tl.server().Connect(ctx, here, nil); err != nil {
		t.Fatal(err)
	}
	client, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(ctx, there, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	list, err := client.ListTools(ctx, nil)
	if err != nil || len(list.Tools) != 1 {
		t.Fatalf("%+v, %v", list, err)
	}
	def, _ := json.Marshal(list.Tools[0])
	if n := utf8.RuneCount(def); n >= 1000 {
		t.Errorf("%d characters: %s", n, def)
	}
	for _, hint := range []string{`"readOnlyHint":true`, `"idempotentHint":true`, `"destructiveHint":false`, `"openWorldHint":false`} {
		if !strings.Contains(string(def), hint) {
			t.Errorf("no %s", hint)
		}
	}
}
