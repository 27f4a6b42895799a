package main

import (
	"fmt"
	"strings"
	"testing"
)

func TestSegmentsOfTheLine(t *testing.T) {
	c := newConversation(t)
	c.reply(c.prompt(0, "one"), "claude-sonnet-4-6", 150_000)
	said := strings.Replace(c.said("claude-sonnet-4-6", 150_000, 200_000), `:149997,"cache_read_input_tokens":0`, `:9997,"cache_read_input_tokens":140000`, 1)
	for format, want := range map[string]string{
		"{percent}":                    "75.0 %",
		"{used} of {window}":           "150k of 200k",
		"{remaining}":                  "50k left",
		"{compaction}":                 "17k to compaction",
		"{gauge}":                      "███████▌┃·",
		"{level}":                      "high",
		"{model} {effort}":             "claude-sonnet-4-6 high",
		"{cost} {cache}":               "$0.25 93 % cached",
		"{age}":                        "59 min old",
		"ctx: {percent}|{used}  (say)": "ctx: 75.0 %|150k (say)",
	} {
		r := c.rig().set("CTXMETER_STATUSLINE_FORMAT", format)
		if got := r.statusline(said); got != want {
			t.Errorf("%s is %q, want %q", format, got, want)
		}
	}
	for format, want := range map[string]string{
		"{percent} {used}/{window} {gauge} | {compaction} {level} {remaining} {age} {cache} {model}": "-- claude-sonnet-4-6",
		"{used}": nothingToShow,
	} {
		r := c.rig().set("CTXMETER_STATUSLINE_FORMAT", format)
		if got := r.statusline(saidOf("/nowhere.jsonl", "dddddddd-0000-4000-8000-000000000000", "claude-sonnet-4-6", -1, 200_000)); got != want {
			t.Errorf("without a reading %s is %q, want %q", format, got, want)
		}
	}
}

// The line is never wider than the client says there is room for, as long as
// one part of it can stay; what stays is whole.
func TestTheLineFits(t *testing.T) {
	c := newConversation(t)
	c.reply(c.prompt(0, "one"), "claude-sonnet-4-6", 150_000)
	said := c.said("claude-sonnet-4-6", 150_000, 200_000)
	var out strings.Builder
	before := ""
	for width := 80; width >= 0; width-- {
		got := c.rig().set("COLUMNS", fmt.Sprint(width)).statusline(said)
		if width >= 6 && columns(got) > width {
			t.Errorf("%d columns: %q", width, got)
		}
		if got != before {
			fmt.Fprintf(&out, "%3d  %s\n", width, got)
		}
		before = got
	}
	golden(t, "statusline/width.txt", out.String())
	wide := strings.Replace(said, `"id":"claude-sonnet-4-6"`, `"id":"漢字漢字漢字"`, 1)
	r := c.rig().set("CTXMETER_STATUSLINE_FORMAT", "{percent} {model}")
	if a, b := r.set("COLUMNS", "19").statusline(wide), r.set("COLUMNS", "18").statusline(wide); !strings.Contains(a, "漢字") || strings.Contains(b, "漢字") {
		t.Errorf("on 19 columns %q, on 18 %q", a, b)
	}
	for _, unknown := range []string{"", "0", "-5", "wide"} {
		if got := c.rig().set("COLUMNS", unknown).statusline(said); !strings.HasSuffix(got, "claude-sonnet-4-6") {
			t.Errorf("COLUMNS=%s: %q", unknown, got)
		}
	}
}

func TestColorsOfTheLine(t *testing.T) {
	c := newConversation(t)
	last := 0
	for _, tt := range []struct {
		used  int64
		color string
	}{{20_000, colorGood}, {100_000, colorCare}, {140_000, colorBad}, {160_000, colorWorst}} {
		last = c.reply(c.prompt(last, "words"), "claude-sonnet-4-6", tt.used)
		said := c.said("claude-sonnet-4-6", tt.used, 200_000)
		for name, run := range map[string]struct {
			r      *rig
			args   []string
			colors bool
		}{
			"as a client runs it": {c.rig().set("NO_COLOR", ""), nil, true},
			"NO_COLOR":            {c.rig(), nil, false},
			"a dumb terminal":     {c.rig().set("NO_COLOR", "").set("TERM", "dumb"), nil, false},
			"never":               {c.rig().set("NO_COLOR", ""), []string{"--color", "never"}, false},
			"always":              {c.rig(), []string{"--color", "always"}, true},
		} {
			got := run.r.statusline(said, run.args...)
			if has := strings.Contains(got, "\x1b["+tt.color+"m"); has != run.colors || !run.colors && strings.Contains(got, "\x1b") {
				t.Errorf("%d, %s: %q", tt.used, name, got)
			}
		}
	}
}
