package claudecode

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"path/filepath"
	"syscall"

	"github.com/ctxmeter/ctxmeter/meter"
	"github.com/ctxmeter/ctxmeter/meter/files"
)

// settings is what the client's settings files say about window and trigger,
// all layers together.
type settings struct {
	model       string
	compactAt   int64 // autoCompactWindow, tokens; 0 is unset
	autoCompact *bool // autoCompactEnabled
	env         map[string]string
	notes       []meter.Warning
}

// layer is one settings file.
type layer struct{ name, path string }

const layerManaged = "managed"

const settingsMost = 1 << 20 // bytes; real ones have a few thousand

// layers are the settings files that apply to a session started in project,
// the later one wins: user, project, local, managed (documented for Claude
// Code; --settings and the server's own settings leave no file).
func (c *Client) layers(rootDir, project string) []layer {
	var out []layer
	if rootDir != "" {
		out = append(out, layer{"user", filepath.Join(rootDir, "settings.json")})
	}
	if project != "" && filepath.IsAbs(project) {
		out = append(
			out,
			layer{"project", filepath.Join(project, ".claude", "settings.json")},
			layer{"local project", filepath.Join(project, ".claude", "settings.local.json")},
		)
	}
	for _, path := range c.managed {
		out = append(out, layer{layerManaged, path})
	}
	return out
}

// managedSettings are the places of an administrator's settings (documented
// for Claude Code; on Windows ProgramData was given up for Program Files).
func managedSettings(env meter.Env) []string {
	const file = "managed-settings.json"
	switch env.OS {
	case "linux":
		return []string{"/etc/claude-code/" + file}
	case "darwin":
		return []string{"/Library/Application Support/ClaudeCode/" + file}
	case "windows":
		var out []string
		for _, p := range [][2]string{{"ProgramData", `C:\ProgramData`}, {"ProgramFiles", `C:\Program Files`}} {
			dir := env.Getenv(p[0])
			if dir == "" {
				dir = p[1]
			}
			out = append(out, dir+`\ClaudeCode\`+file)
		}
		return out
	}
	return nil
}

// readSettings reads the layers. A file that is no JSON or that the client
// refuses is left out, as a whole, and noted by the name of its layer. What it
// refuses of an administrator's is not known.
func readSettings(layers []layer) settings {
	s := settings{env: map[string]string{}}
	for _, l := range layers {
		b, err := files.Read(l.path, settingsMost)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
			continue
		}
		why := ""
		if key, want := Refused(b); err == nil && key != "" && l.name != layerManaged {
			why = "are refused by it as a whole, since " + key + " has to be " + want + ","
		} else if err != nil || !s.add(b) {
			why = "cannot be read as JSON"
		}
		if why != "" {
			s.notes = append(s.notes, meter.Warning{
				Code: "settings_unreadable",
				Text: "the " + l.name + " settings of Claude Code " + why + " and are left out of the window and the trigger",
			})
		}
	}
	return s
}

// add puts a layer on top. A key whose value has another type than the client
// expects counts as unset. It reports whether b is a JSON object; comments are
// no JSON.
func (s *settings) add(b []byte) bool {
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(bytes.TrimPrefix(b, []byte("\ufeff")), &raw); err != nil || raw == nil {
		return false
	}
	if m, ok := value[string](raw["model"]); ok && m != "" {
		s.model = m
	}
	if n, ok := value[float64](raw["autoCompactWindow"]); ok && n >= 1 && n < 1e12 {
		s.compactAt = int64(n)
	}
	if on, ok := value[bool](raw["autoCompactEnabled"]); ok {
		s.autoCompact = &on
	}
	env, _ := value[map[string]scalar](raw["env"])
	for name, v := range env {
		s.env[name] = string(v)
	}
	return true
}

// value decodes a JSON value if it is of type T.
func value[T any](raw json.RawMessage) (v T, ok bool) {
	var p *T // null is no value
	if len(raw) == 0 || json.Unmarshal(raw, &p) != nil || p == nil {
		return v, false
	}
	return *p, true
}
