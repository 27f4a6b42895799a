package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wording"
	"github.com/ctxmeter/ctxmeter/meter"
)

func TestOfSeveralSessionsATerminalGetsGauges(t *testing.T) {
	one := session(t, "aaaaaaaa-0001", meter.LiveYes, 0)
	two := session(t, "aaaaaaaa-0002", meter.LiveYes, 0)
	two.Segments[0].Path += ".gone"
	other := session(t, "aaaaaaaa-0003", meter.LiveUnknown, 0)
	var out strings.Builder
	for _, clients := range [][2]fake{
		{{here: []meter.Session{one, two}}, {}},
		{{here: []meter.Session{one, two}}, {here: []meter.Session{other}}},
	} {
		got := newRig(t).fakes(clients[0], clients[1]).terminal(100).set("NO_COLOR", "1").run("--no-cache")
		if got.code != exitNoReading || !strings.Contains(got.stderr, " sessions of this folder may be meant") {
			t.Errorf("status %d: %s", got.code, got.stderr)
		}
		out.WriteString(got.stdout + "\n")
	}
	golden(t, "board.txt", out.String())
}

func TestTheTableFitsTheScreen(t *testing.T) {
	var here, others []meter.Session
	for i := range 51 {
		here = append(here, session(t, fmt.Sprintf("aaaaaaaa-%04d-4000-8000-000000000000", i), meter.LiveYes, time.Duration(i)*time.Minute))
	}
	others = append(others, session(t, "bbbbbbbb-0000-4000-8000-000000000000", meter.LiveUnknown, 0))
	for _, width := range []int{30, 50, 70, 80, 200} {
		for _, codex := range []fake{{}, {here: others}} {
			got := newRig(t).fakes(fake{here: here}, codex).terminal(width).set("NO_COLOR", "1").run("--no-cache")
			lines := strings.Split(strings.TrimSuffix(got.stdout, "\n"), "\n")
			for _, line := range slices.Concat(lines, strings.Split(got.stderr, "\n")) {
				if columns(line) > width {
					t.Errorf("%d columns on a screen of %d: %q", columns(line), width, line)
				}
			}
			all := len(here) + len(codex.here)
			if len(lines) != 21 || lines[20] != fmt.Sprintf("… and %d more", all-20) {
				t.Errorf("%d lines, the last is %q", len(lines), lines[len(lines)-1])
			}
			if said := strings.Join(strings.Fields(got.stderr), " "); !strings.Contains(said, fmt.Sprintf("(listed are the 20 newest of %d)", all)) {
				t.Errorf("%q", said)
			}
		}
	}
}

// What the table shows of an id is enough to choose by it.
func TestShownIDsTellTheSessionsApart(t *testing.T) {
	list := []meter.Candidate{{ID: "019f4a78-9762-5618-aaaa"}, {ID: "019f4a78-9762-5619-bbbb"}, {ID: "019F4A78-9763-0000-cccc"}, {ID: "short"}}
	want := []string{"019f4a78-9762-5618", "019f4a78-9762-5619", "019F4A78-9763", "short"}
	if got := wording.ShortIDs(list); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
