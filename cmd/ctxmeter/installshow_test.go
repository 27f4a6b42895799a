package main

import (
	"strings"
	"testing"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/edit"
)

// Of a line of megabytes, what changes is seen, and little of what does not.
func TestLongLinesAreShortened(t *testing.T) {
	long := strings.Repeat("é", 3000)
	for _, eol := range []string{"", "\n"} {
		before, after := `{"a":"`+long+`","b":1}`+eol, `{"a":"`+long+`","b":1,"new":2}`+eol
		got := shorten(edit.Unified("a", "b", before, after, 3))
		if len(got) > 400 || !strings.Contains(got, `+…`) || !strings.Contains(got, `"b":1,"new":2}`) || !strings.Contains(got, `-…`) {
			t.Errorf("%s", got)
		}
	}
	if got := shorten(edit.Unified("a", "b", "", strings.Repeat("x", 9000), 3)); len(got) > 3*maxLine {
		t.Errorf("%d bytes are shown", len(got))
	}
}

// The state of Claude Code holds more than anybody should see who only wants
// to know what would change.
func TestNothingAroundAChangeOfTheStateIsShown(t *testing.T) {
	s := newShop(t)
	s.write(claudeState, "{\n  \"oauthAccount\": \"private\",\n  \"mcpServers\": {\n    \"x\": {}\n  },\n  \"primaryApiKey\": \"private\"\n}\n")
	got := s.good("install", "claude-code", "--mcp").stdout
	if strings.Contains(got, "private") || !strings.Contains(got, "+    \"ctxmeter\": {\n") {
		t.Errorf("%s", got)
	}
}
