package claudecode

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctxmeter/ctxmeter/meter"
)

func TestSettingsLayersLaterWins(t *testing.T) {
	p := newPlace(t)
	project := filepath.Join(p.home, "shop")
	p.write(".claude/settings.json", `{"model":"opus","autoCompactWindow":500000,"autoCompactEnabled":true,"env":{"A":"user","B":"user","C":"user"}}`)
	p.write("shop/.claude/settings.json", `{"model":"sonnet[1m]","env":{"B":"project","N":5,"T":true,"Z":null}}`)
	p.write("shop/.claude/settings.local.json", `{"autoCompactWindow":300000,"env":{"C":"local"}}`)
	c := p.client()
	s := readSettings(c.layers(p.root(), project))
	if s.model != "sonnet[1m]" || s.compactAt != 300_000 || s.autoCompact == nil || !*s.autoCompact || len(s.notes) != 0 {
		t.Errorf("settings %+v", s)
	}
	for name, want := range map[string]string{"A": "user", "B": "project", "C": "local", "N": "5", "T": "true", "Z": ""} {
		if s.env[name] != want {
			t.Errorf("env %s = %q, want %q", name, s.env[name], want)
		}
	}
	p.write("managed.json", `{"autoCompactEnabled":false,"model":"haiku"}`)
	s = readSettings(c.layers(p.root(), project))
	if s.model != "haiku" || *s.autoCompact {
		t.Errorf("managed settings do not win: %+v", s)
	}
}

func TestSettingsOfAnotherTypeCountAsUnset(t *testing.T) {
	for _, text := range []string{
		`{"model":5,"autoCompactWindow":"180000","autoCompactEnabled":"no","env":[]}`,
		`{"model":null,"autoCompactWindow":null,"autoCompactEnabled":null,"env":null}`,
		`{"model":"","autoCompactWindow":-1}`,
		`{"autoCompactWindow":1e300}`,
		`{"Model":"opus","AUTOCOMPACTWINDOW":180000}`,
	} {
		s := settings{env: map[string]string{}}
		if !s.add([]byte(text)) {
			t.Errorf("%s is refused", text)
		}
		if s.model != "" || s.compactAt != 0 || s.autoCompact != nil || len(s.env) != 0 {
			t.Errorf("%s gives %+v", text, s)
		}
	}
}

func TestUnreadableSettingsAreNotedByLayer(t *testing.T) {
	for _, text := range []string{`{"model":"opus"`, "// note\n{}", "{} // note", `["opus"]`, "", `"opus"`, "null", `{"autoCompactWindow":150000,"hooks":[]}`} {
		p := newPlace(t)
		p.write(".claude/settings.json", text)
		p.write("shop/.claude/settings.json", `{"autoCompactWindow":300000}`)
		project := filepath.Join(p.home, "shop")
		l := p.client().Limits(meter.Session{Root: p.root(), Project: project}, meter.State{Model: "claude-opus-4-8"})
		if len(l.Notes) != 1 || l.Notes[0].Code != "settings_unreadable" || !strings.HasPrefix(l.Notes[0].Text, "the user settings") {
			t.Fatalf("%q: notes %+v", text, l.Notes)
		}
		if strings.Contains(l.Notes[0].Text, p.home) {
			t.Errorf("the note names a path: %q", l.Notes[0].Text)
		}
		if got := l.Trigger(meter.Claim{Tokens: window1M}); got.Tokens != 267_000 {
			t.Errorf("%q hides the other layers: %+v", text, got)
		}
	}
}

func TestMissingSettingsAreNoFault(t *testing.T) {
	p := newPlace(t)
	p.write("shop/.claude", "a file")
	s := readSettings(p.client().layers(p.root(), filepath.Join(p.home, "shop")))
	if len(s.notes) != 0 {
		t.Errorf("notes %+v", s.notes)
	}
}

func TestManagedSettingsStandWhereTheSystemKeepsThem(t *testing.T) {
	none := func(string) string { return "" }
	for os, want := range map[string]string{
		"linux":   "/etc/claude-code/managed-settings.json",
		"darwin":  "/Library/Application Support/ClaudeCode/managed-settings.json",
		"windows": `C:\ProgramData\ClaudeCode\managed-settings.json C:\Program Files\ClaudeCode\managed-settings.json`,
		"plan9":   "",
	} {
		if got := strings.Join(managedSettings(meter.Env{OS: os, Getenv: none}), " "); got != want {
			t.Errorf("%s: %q", os, got)
		}
	}
}

func FuzzSettings(f *testing.F) {
	f.Add([]byte(`{"model":"opus[1m]","autoCompactWindow":180000,"autoCompactEnabled":false,"env":{"A":"1","B":2}}`))
	f.Add([]byte("\ufeff{}"))
	f.Add([]byte("\ufeff0"))
	f.Add([]byte(" null"))
	f.Add([]byte(`{"env":{"CLAUDE_CODE_AUTO_COMPACT_WINDOW":1e999}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		s := settings{env: map[string]string{}}
		text := strings.TrimPrefix(string(b), "\ufeff")
		object := json.Valid([]byte(text)) && strings.HasPrefix(strings.TrimLeft(text, " \t\r\n"), "{")
		if got := s.add(b); got != object {
			t.Errorf("add(%q) = %t", b, got)
		}
		l := limiter{settings: s, vars: vars{s.env, func(string) string { return "" }}, off: false}
		for _, id := range []string{"claude-opus-4-8", "gpt-5", ""} {
			l.model = parseModel(id)
			l.row, l.known = modelOf(l.model)
			for _, c := range l.windows() {
				if c.Tokens <= 0 {
					t.Errorf("window %+v", c)
				}
			}
			for _, window := range []int64{0, 1, window200k, window1M} {
				if got := l.trigger(meter.Claim{Tokens: window}); (got.Mode == meter.ModeAuto) != (got.Tokens > 0) || window > 0 && got.Tokens > window {
					t.Errorf("trigger(%d) = %+v", window, got)
				}
			}
		}
	})
}
