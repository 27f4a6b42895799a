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
		UsedTokens: ptr[int64](1_234_567), WindowTokens: ptr[int64](2_097_152),
		RemainingTokens: ptr[int64](1_251_193), RemainingPercent: ptr(12.4),
		Compaction: meter.CompactionView{RemainingTokens: ptr[int64](1_000_000), Mode: meter.ModeAuto},
		Basis:      ptr(meter.BasisEstimate), EventAgeSeconds: ptr(86_400.5),
		Planned: &meter.PlannedView{
			Source: "path", Tokens: 10_345_678, UsedPercentAfter: ptr(552.2),
			FitsWindow: ptr(false), TriggersCompaction: ptr(false), AtLeast: true,
			Limits: []meter.Cut{{Tool: "Read", How: meter.CutRefused, Tokens: 25_000}, {Tool: "Read", How: meter.CutRefused, Bytes: 256 << 10}}, WholeTokens: 123_456_789, Files: ptr[int64](20_000), Skipped: 10_000,
		},
	}
}

func TestAReplyStaysBelow400Characters(t *testing.T) {
	who := caller{
		found:     found{session: meter.Session{ID: sampleID, AgentID: strings.Repeat("a", 64)}, identity: meter.IdentityExplicit},
		uncounted: true,
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

	// What one meets: a full window, a file that the client's tool cuts, a
	// subagent. Nothing that counts is lost.
	who.doubt = false
	r.Basis, r.Status, r.UsedTokens, r.WindowTokens = ptr(meter.BasisBoth), meter.StatusOK, ptr[int64](158_270), ptr[int64](200_000)
	r.RemainingTokens, r.Compaction.RemainingTokens, r.EventAgeSeconds = ptr[int64](41_730), ptr[int64](9647), ptr(4.2)
	r.Planned = &meter.PlannedView{
		Source: "path", Tokens: 21_250, UsedPercentAfter: ptr(89.8), FitsWindow: ptr(true), TriggersCompaction: ptr(true),
		Limits: []meter.Cut{{Tool: "Read", How: meter.CutPage, Tokens: 21_250}}, WholeTokens: 83_112,
	}
	text = replyTo(&r, who)
	for _, part := range []string{`"limit":"Read: 21,250 tokens"`, `"pending":true`, `"whose":"session"`, `"whole":83112`, `"next":"save state, read in parts"`} {
		if !strings.Contains(text, part) {
			t.Errorf("no %s in %s", part, text)
		}
	}
	who.uncounted = false
	if text = replyTo(&r, who); !strings.Contains(text, `"whole":83112`) || !strings.Contains(text, `"next":`) {
		t.Errorf("%s", text)
	}

	// A file that the tool refuses: how large it is, and that it goes in parts, is
	// what the agent acts on; how old the numbers are is not.
	r.Planned = &meter.PlannedView{
		Source: "path", Tokens: 31_087, UsedPercentAfter: ptr(94.7), FitsWindow: ptr(true), TriggersCompaction: ptr(true),
		Limits: []meter.Cut{{Tool: "Read", How: meter.CutRefused, Bytes: 256 << 10}}, WholeTokens: 874_919,
	}
	who.uncounted = true
	text = replyTo(&r, who)
	for _, part := range []string{`"tokens":31087`, `"limit":"Read refuses >256 KiB"`, `"whole":874919`, `"fits_window":true`, `"next":"save state, read in parts"`, `"remaining_tokens":41730`, `"compaction_remaining_tokens":9647`} {
		if !strings.Contains(text, part) {
			t.Errorf("no %s in %s", part, text)
		}
	}
	if n := utf8.RuneCountInString(text); n >= 400 {
		t.Errorf("%d characters: %s", n, text)
	}

	f := &meter.Fault{Code: meter.CodeSegmentTooShort, Message: strings.Repeat("long \" ", 100)}
	for range 20 {
		f.Candidates = append(f.Candidates, meter.Candidate{ID: sampleID + strings.Repeat("a", 92), Backend: "claude-code"})
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
	tl, err := p.newTool(s, nil)
	if err != nil {
		t.Fatal(err)
	}
	here, there := mcp.NewInMemoryTransports()
	ctx := context.Background()
	if _, err := tl.server(nil).Connect(ctx, here, nil); err != nil {
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
