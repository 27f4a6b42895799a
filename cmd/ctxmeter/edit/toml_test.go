package edit

import (
	"bytes"
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/ctxmeter/ctxmeter/config"
)

const block = "[mcp_servers.ctxmeter]\ncommand = \"x\"\nargs = [\"mcp\"]\n"

var table = []string{"mcp_servers", "ctxmeter"}

func parseTOML(t *testing.T, text string) TOML {
	t.Helper()
	out, err := ParseTOML([]byte(text), config.DecodeTOML)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return out
}

func TestATableIsPutBehindTheTextAndGoesWithoutATrace(t *testing.T) {
	for _, tt := range []struct{ before, after string }{
		{"", block},
		{bom, bom + block},
		{"\n", "\n\n" + block},
		{"a = 1\n", "a = 1\n\n" + block},
		{"a = 1\n\n", "a = 1\n\n" + block},
		{"a = 1", "a = 1\n\n" + strings.TrimSuffix(block, "\n")},
		{"# only this", "# only this\n\n" + strings.TrimSuffix(block, "\n")},
		{"a = 1\r\n[t] # c\r\nb = 2", "a = 1\r\n[t] # c\r\nb = 2\r\n\r\n" + strings.TrimSuffix(strings.ReplaceAll(block, "\n", "\r\n"), "\r\n")},
		{"[mcp_servers.other]\ncommand = \"y\"\n", "[mcp_servers.other]\ncommand = \"y\"\n\n" + block},
		{"[mcp_servers]\nother = {command = \"y\"}\n", "[mcp_servers]\nother = {command = \"y\"}\n\n" + block},
		{"s = \"\"\"\n[mcp_servers.ctxmeter]\nx = 1\n\"\"\"\n", "s = \"\"\"\n[mcp_servers.ctxmeter]\nx = 1\n\"\"\"\n\n" + block},
	} {
		next, seam, err := parseTOML(t, tt.before).AppendTable(block, table...)
		if err != nil || string(next.Text()) != tt.after {
			t.Errorf("%q became %q, %v", tt.before, next.Text(), err)
			continue
		}
		back, err := next.RemoveTable(seam, table...)
		if err != nil || string(back.Text()) != tt.before {
			t.Errorf("%q came back as %q, %v", tt.before, back.Text(), err)
		}
	}
}

// What a person writes before, behind and into the table stays, as far as it
// means anything without it.
func TestWhatIsWrittenAroundATableStays(t *testing.T) {
	for _, before := range []string{"", "a = 1\n", "a = 1", "# c\r\na = 1\r\n"} {
		next, seam, err := parseTOML(t, before).AppendTable(block, table...)
		if err != nil {
			t.Fatal(err)
		}
		text := string(next.Text())
		for _, edit := range []func(string) string{
			func(s string) string { return "# first\n" + s },
			func(s string) string { return s + "\n[new]\nb = 2\n" },
			func(s string) string { return s + "\n# last" },
			func(s string) string { return "# first\n" + s + "\n\n\n[new]\n" },
		} {
			back, err := parseTOML(t, edit(text)).RemoveTable(seam, table...)
			if want := edit(before); err != nil || string(back.Text()) != want {
				t.Errorf("%q came back as %q, want %q, %v", edit(text), back.Text(), want, err)
			}
		}
		inside := strings.Replace(text, "args", "startup_timeout_sec = 9\nargs", 1) + "\n[mcp_servers.ctxmeter.tools.context_status]\napproval_mode = \"approve\"\n"
		back, err := parseTOML(t, inside).RemoveTable(seam, table...)
		if err != nil || strings.TrimRight(string(back.Text()), "\r\n") != strings.TrimRight(before, "\r\n") {
			t.Errorf("%q came back as %q, %v", inside, back.Text(), err)
		}
	}
}

// Codex writes the whole file with line feeds, whatever it had (0.171.0).
func TestChangedLineEndsDoNotMatter(t *testing.T) {
	next, seam, err := parseTOML(t, "a = 1\r\nb = 2").AppendTable(block, table...)
	if err != nil {
		t.Fatal(err)
	}
	rewritten := strings.ReplaceAll(string(next.Text()), "\r\n", "\n") + "\n[projects.x]\ntrust_level = \"trusted\"\n"
	back, err := parseTOML(t, rewritten).RemoveTable(seam, table...)
	if want := "a = 1\nb = 2\n[projects.x]\ntrust_level = \"trusted\"\n"; err != nil || string(back.Text()) != want {
		t.Errorf("%q, %v", back.Text(), err)
	}
}

func TestTablesThatNothingCanBePutIntoAreRefused(t *testing.T) {
	for _, text := range []string{
		"mcp_servers = {}\n", "mcp_servers.other.command = \"y\"\n", "[mcp_servers]\nctxmeter.command = \"y\"\n", "\"mcp_servers\" = { x = 1 }",
	} {
		if next, _, err := parseTOML(t, text).AppendTable(block, table...); !errors.Is(err, ErrInline) {
			t.Errorf("%q became %q, %v", text, next.Text(), err)
		}
	}
	for _, text := range []string{"a = ", "a = 1\na = 2\n", "[a\n", "\xff\xfea\x00", "{\"json\": 1}"} {
		if _, err := ParseTOML([]byte(text), config.DecodeTOML); !errors.Is(err, ErrBroken) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestKeysOfATable(t *testing.T) {
	text := "[mcp_servers.ctxmeter] # mine\n  command = '/old/ctxmeter' # keep\nargs = [ \"mcp\", # all\n  \"--x\" ]\n"
	tt := parseTOML(t, text)
	next, err := tt.SetKey(`"/new"`, "command", table...)
	if want := strings.Replace(text, "'/old/ctxmeter'", `"/new"`, 1); err != nil || string(next.Text()) != want {
		t.Errorf("%q, %v", next.Text(), err)
	}
	if next, err = next.SetKey("'/old/ctxmeter'", "command", table...); err != nil || string(next.Text()) != text {
		t.Errorf("%q, %v", next.Text(), err)
	}
	if got, _ := tt.Value(append(table[:2:2], "args")...); got != "[ \"mcp\", # all\n  \"--x\" ]" {
		t.Errorf("%q", got)
	}
	added, err := tt.SetKey("3", "timeout", table...)
	if err != nil {
		t.Fatal(err)
	}
	if back, err := added.DropKey("timeout", table...); err != nil || string(back.Text()) != text {
		t.Errorf("%q, %v", back.Text(), err)
	}
}

const hookBlock = "[[hooks.E]]\n[[hooks.E.hooks]]\ntype = \"command\"\ncommand = \"x\"\n"

func TestElementsOfArraysOfTables(t *testing.T) {
	array := []string{"hooks", "E", "hooks"}
	for _, before := range []string{"", "a = 1", "[[hooks.E]]\n[[hooks.E.hooks]]\ncommand = \"y\"\n", "[[hooks.E]]\nmatcher = \"m\"\n[[hooks.E.hooks]]\ncommand = \"y\"\n[hooks.state]\n"} {
		next, seam, err := parseTOML(t, before).AppendTable(hookBlock, array...)
		if err != nil {
			t.Fatal(err)
		}
		keys := next.ElementKeys("command", array...)
		at := len(keys) - 1
		if keys[at] != `"x"` {
			t.Fatalf("%q", keys)
		}
		back, err := next.RemoveElement(seam, at, array...)
		if err != nil || string(back.Text()) != before {
			t.Errorf("%q came back as %q, %v", before, back.Text(), err)
		}
		// Somebody put a handler of theirs into our group.
		shared := parseTOML(t, strings.TrimSuffix(string(next.Text()), "\n")+"\n[[hooks.E.hooks]]\ncommand = \"theirs\"\n")
		back, err = shared.RemoveElement(seam, at, array...)
		if err != nil || !slices.Equal(parseTOML(t, string(back.Text())).ElementKeys("command", array...), append(slices.Clone(keys[:at]), `"theirs"`)) {
			t.Errorf("%q, %v", back.Text(), err)
		}
	}
}

func FuzzTOML(f *testing.F) {
	for _, s := range []string{
		"", "a = 1", "# c\r\n[t]\r\nb = '''x\n[y]'''\n", "[mcp_servers.x]\ncommand = \"a\\\"]\"\n", "[[hooks.E]]\n[[hooks.E.hooks]]\ncommand = 1\n",
		"a = [\n 1, # ]\n 2 ]\n[\"q.r\".s]\nx.y = {z = 1}", "[mcp_servers]\n[hooks]\n", bom + "x = 2026-01-01 07:32:00 # y\n\n\n", "a = \"\"\"x\"\"\"\"\"\n", "\t[ a . b ]\t\n",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		before, err := ParseTOML([]byte(text), config.DecodeTOML)
		if err != nil {
			return
		}
		doc, _ := config.DecodeTOML(text)
		if servers, ok := doc["mcp_servers"].(map[string]any); ok && servers["ctxmeter"] != nil || doc["mcp_servers"] != nil && !ok || doc["hooks"] != nil {
			return // the caller looks for that
		}
		next, first, err := before.AppendTable(block, table...)
		if err != nil {
			return
		}
		next, second, err := next.AppendTable(hookBlock, "hooks", "E", "hooks")
		if err != nil {
			t.Fatal(err)
		}
		got, err := config.DecodeTOML(string(next.Text()))
		if err != nil {
			t.Fatalf("%q became %q: %v", text, next.Text(), err)
		}
		delete(got, "hooks")
		servers := got["mcp_servers"].(map[string]any)
		if delete(servers, "ctxmeter"); len(servers) == 0 && doc["mcp_servers"] == nil {
			delete(got, "mcp_servers")
		}
		if !reflect.DeepEqual(printed(got), printed(doc)) {
			t.Errorf("%q became %q: what was there changed", text, next.Text())
		}
		for _, order := range []bool{true, false} {
			back := next
			if order {
				back, err = back.RemoveTable(first, table...)
			}
			if err == nil {
				back, err = back.RemoveElement(second, 0, "hooks", "E", "hooks")
			}
			if err == nil && !order {
				back, err = back.RemoveTable(first, table...)
			}
			if err != nil || !bytes.Equal(back.Text(), []byte(text)) {
				t.Errorf("%q came back as %q, %v", text, back.Text(), err)
			}
		}
	})
}

// printed makes NaN, which is never equal to itself, comparable.
func printed(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := maps.Clone(v)
		for key, value := range out {
			out[key] = printed(value)
		}
		return out
	case []any:
		out := slices.Clone(v)
		for i, value := range out {
			out[i] = printed(value)
		}
		return out
	case float64:
		if v != v {
			return "nan"
		}
	}
	return v
}

// Comments in what is taken out are not ours: they stay, wherever they stand.
func TestCommentsStay(t *testing.T) {
	const block = "[s.a] # 1\n# 2\ncommand = \"x # no\" # 3\n\n  # 4\nargs = ['#']\n[s.a.env]\nA = 1 # 5\n# 6\n"
	for _, eol := range []string{"\n", "\r\n"} {
		text := strings.ReplaceAll("# 0\nk = 1\n\n"+block+"[z]\n", "\n", eol)
		p, err := ParseTOML([]byte(text), config.DecodeTOML)
		if err != nil {
			t.Fatal(err)
		}
		next, err := p.RemoveTable(Seam{Before: eol, After: eol}, "s", "a")
		want := strings.ReplaceAll("# 0\nk = 1\n\n# 1\n# 2\n# 3\n# 4\n# 5\n# 6\n[z]\n", "\n", eol)
		if err != nil || string(next.Text()) != want {
			t.Errorf("%q, %v, want %q", next.Text(), err, want)
		}
	}
	const hook = "[[h.E]]\n# 1\n[[h.E.hooks]] # 2\ncommand = \"x\" # 3\n# 4\n"
	p, err := ParseTOML([]byte(hook), config.DecodeTOML)
	if err != nil {
		t.Fatal(err)
	}
	next, err := p.RemoveElement(Seam{After: "\n"}, 0, "h", "E", "hooks")
	if want := "# 1\n# 2\n# 3\n# 4\n"; err != nil || string(next.Text()) != want {
		t.Errorf("%q, %v, want %q", next.Text(), err, want)
	}
}
