package install

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wiring"
	"github.com/ctxmeter/ctxmeter/config"
)

// writer makes up documents, the same ones in every run.
type writer struct {
	*rand.Rand
	space func() string
}

func (w writer) value(depth int) string {
	kind := w.IntN(7)
	if depth == 0 {
		kind = w.IntN(4)
	}
	switch kind {
	case 0:
		return fmt.Sprint(w.IntN(1000))
	case 1:
		return []string{"true", "null", "-1.50E+3", `""`, `"}\"{"`, `"\u00e9,"`}[w.IntN(6)]
	case 2:
		return `"` + strings.Repeat("x", w.IntN(5)) + `"`
	case 3:
		return []string{"{}", "[]", "{ }", "[\n]"}[w.IntN(4)]
	case 4:
		return "[" + w.list(depth, func() string { return w.value(depth - 1) }) + "]"
	}
	return w.object(depth, nil)
}

// object has made-up members, and those given.
func (w writer) object(depth int, with map[string]string) string {
	keys := []string{"a", "b", "c", "d e", "é"}
	for key := range with {
		keys = append(keys, key)
	}
	w.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
	n := 0
	return "{" + w.list(depth, func() string {
		if n++; n > len(keys) {
			return ""
		}
		value, ok := with[keys[n-1]]
		if !ok {
			value = w.value(depth - 1)
		}
		return literalOf(keys[n-1]) + w.space() + ":" + w.space() + value
	}) + "}"
}

func literalOf(key string) string {
	text, _ := json.Marshal(key)
	return string(text)
}

func (w writer) list(depth int, item func() string) string {
	var out []string
	for range w.IntN(3 + depth) {
		if text := item(); text != "" {
			out = append(out, w.space()+text+w.space())
		}
	}
	return strings.Join(out, ",") + w.space()
}

func (w writer) json() []byte {
	spaces := [][]string{{""}, {" "}, {"\n  "}, {"\r\n\t"}, {"", " ", "\n", "\t", "\r\n    "}}[w.IntN(5)]
	w.space = func() string { return spaces[w.IntN(len(spaces))] }
	group := func() string { return "[" + w.list(1, func() string { return `{"hooks":[{"command":"x"}]}` }) + "]" }
	hooks := w.object(1, map[string]string{"PreToolUse": group(), "SessionStart": group(), "UserPromptSubmit": group()})
	text := w.object(3, map[string]string{"hooks": hooks, "mcpServers": w.object(2, map[string]string{"x": "{}"}), "theme": `"dark"`})
	return []byte([]string{"", "\ufeff"}[w.IntN(2)] + text + []string{"", "\n", " \r\n\n"}[w.IntN(3)])
}

// For any document: what was there stays, and install and uninstall are the
// identity.
func TestAnyJSONComesBack(t *testing.T) {
	w := writer{Rand: rand.New(rand.NewPCG(7, 7))}
	put := wiring.Wiring{StatusLine: "ctxmeter", Hooks: wiring.ClaudeHooks(), Hook: "ctxmeter", Server: &wiring.Server{Program: "ctxmeter", Args: []string{"mcp"}, Typed: true}}
	for n := range 800 {
		text := w.json()
		if !json.Valid(bytes.TrimPrefix(text, []byte("\ufeff"))) {
			t.Fatalf("%q is no JSON", text)
		}
		r := &record{}
		o, err := putJSON(text, put, r)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if o2, err := putJSON(o.text, put, r.clone()); err != nil || !bytes.Equal(o2.text, o.text) {
			t.Fatalf("%q: a second time it became %q, %v", o.text, o2.text, err)
		}
		for _, order := range [][]string{wiring.Parts(), {wiring.PartMCP, wiring.PartStatusLine, wiring.PartHooks}} {
			left, one := o.text, r.clone()
			if n%2 == 0 {
				left, err = takeJSON(left, order, one)
			} else {
				for _, part := range order {
					if left, err = takeJSON(left, []string{part}, one); err != nil {
						break
					}
				}
			}
			if err != nil || !bytes.Equal(left, text) || len(one.Entries) > 0 {
				t.Fatalf("%q came back as %q, %v", text, left, err)
			}
		}
	}
}

func (w writer) toml() []byte {
	eol := []string{"\n", "\r\n"}[w.IntN(2)]
	var b strings.Builder
	key := 0
	for range w.IntN(12) {
		key++
		switch w.IntN(9) {
		case 0:
			fmt.Fprintf(&b, "# [mcp_servers.ctxmeter] %d", key)
		case 1:
			fmt.Fprintf(&b, "[t%d] # c", key)
		case 2:
			fmt.Fprintf(&b, "k%d = '''%s[[hooks.X]]%s'''", key, eol, eol)
		case 3:
			fmt.Fprintf(&b, "k%d = [%s 1, # ]%s \"]\" ]", key, eol, eol)
		case 4:
			fmt.Fprintf(&b, "  \"k.%d\".'x y' = { a = 1, b = [{}] } # c", key)
		case 5:
			fmt.Fprintf(&b, "[mcp_servers.s%d]%scommand = 'x'", key, eol)
		case 6:
			fmt.Fprintf(&b, "[[hooks.PostToolUse]]%s[[hooks.PostToolUse.hooks]]%scommand = \"k%d\"", eol, eol, key)
		case 7:
			fmt.Fprintf(&b, "k%d = \"\\\"%d#\" ", key, key)
		}
		b.WriteString(eol)
	}
	text := b.String()
	if w.IntN(3) == 0 {
		text = strings.TrimRight(text, "\r\n")
	}
	return []byte(text)
}

func TestAnyTOMLComesBack(t *testing.T) {
	w := writer{Rand: rand.New(rand.NewPCG(8, 8))}
	put := wiring.Wiring{Hooks: wiring.CodexHooks(), Hook: "ctxmeter", Server: &wiring.Server{Program: `C:\x y\ctxmeter`, Args: []string{"mcp", "--codex-home", "/ü"}}}
	for range 800 {
		text := w.toml()
		before, err := config.DecodeTOML(string(text))
		if err != nil {
			t.Fatalf("%q is no TOML: %v", text, err)
		}
		r := &record{}
		o, err := putTOML(text, put, r)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if !bytes.HasPrefix(o.text, text) {
			t.Fatalf("%q became %q", text, o.text)
		}
		after, _ := config.DecodeTOML(string(o.text))
		servers, _ := after["mcp_servers"].(map[string]any)
		if program, args := wiring.ServerOf(servers["ctxmeter"].(map[string]any)); program != put.Server.Program || strings.Join(args, " ") != "mcp --codex-home /ü" {
			t.Fatalf("%q, %q in %q", program, args, o.text)
		}
		for key, value := range before {
			if key != "hooks" && key != "mcp_servers" && fmt.Sprint(after[key]) != fmt.Sprint(value) {
				t.Fatalf("%s changed in %q", key, o.text)
			}
		}
		if o2, err := putTOML(o.text, put, r.clone()); err != nil || !bytes.Equal(o2.text, o.text) {
			t.Fatalf("%q: a second time it became %q, %v", o.text, o2.text, err)
		}
		for _, order := range [][]string{{wiring.PartMCP, wiring.PartHooks}, {wiring.PartHooks, wiring.PartMCP}} {
			left, one := o.text, r.clone()
			for _, part := range order {
				if left, err = takeTOML(left, []string{part}, one); err != nil {
					t.Fatalf("%q: %v", o.text, err)
				}
			}
			if !bytes.Equal(left, text) {
				t.Fatalf("%q came back as %q", text, left)
			}
		}
	}
}
