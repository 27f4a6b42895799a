package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/ctxmeter/ctxmeter/backends"
	"github.com/ctxmeter/ctxmeter/config"
	"github.com/ctxmeter/ctxmeter/meter"
	"github.com/ctxmeter/ctxmeter/meter/files"
)

// told is what a client says of a session to its status line, or to a hook when
// the session starts, but not in the transcript. The zero value is nothing.
type told struct {
	Version int    `json:"version"`
	Model   string `json:"model"`  // as the client has it
	Window  int64  `json:"window"` // tokens
	Hook    bool   `json:"hook"`   // it was a hook that was told
	// What the transcript said at that time. Where it says something else
	// later, it is the newer of the two.
	Named  string `json:"named"`  // model
	Stated int64  `json:"stated"` // window, tokens; 0 if it did not
	// Before is set if the session had a larger window before this one: the
	// last request measured in it, tokens. What was measured up to then says
	// nothing of the new window.
	Before int64 `json:"before"`
	// Windows are the windows that the session had, the newest first. Where it
	// compacted in one says nothing of where it will in another.
	Windows [mostSpells]spell `json:"windows"`
	// Back is set if the client had gone back to an earlier turn: the bytes that
	// the transcript had then. It counts until something is measured after them.
	// Used and Output are what that turn was measured as, tokens; 0 if nothing
	// was sent yet where the client went back to.
	Back   int64 `json:"back"`
	Used   int64 `json:"used"`
	Output int64 `json:"output"`
	// Vars are the variables of the client's environment that its limits depend
	// on, as far as they are set: lines NAME=value.
	Vars string `json:"vars"`
}

// toldVersion changes whenever the meaning of what is remembered does.
const toldVersion = 2

// spell is a stretch of a session with one window. The zero value is none.
type spell struct {
	Window int64 `json:"window"` // tokens
	Since  int64 `json:"since"`  // Unix seconds; 0 is the beginning
}

const mostSpells = 6

// began returns the windows of the session, where this one is the newest.
func (t told) began(window, at int64) [mostSpells]spell {
	out := t.Windows
	switch out[0] {
	case spell{}:
		out[0] = spell{Window: window}
	default:
		if out[0].Window != window {
			copy(out[1:], out[:])
			out[0] = spell{Window: window, Since: at}
		}
	}
	return out
}

// then reports whether the session had its window at that time too.
func (t told) then(at int64) bool {
	for _, s := range t.Windows {
		if at > s.Since {
			return s.Window == t.Window
		}
	}
	return false
}

// about returns what of it counts for a session in that state: all if it still
// speaks of its model and window.
func (t told) about(c backends.Client, st meter.State) told {
	if !t.holds(c, st) {
		return t.environmentOnly()
	}
	return t
}

func (t told) environmentOnly() told { return told{Version: t.Version, Vars: t.Vars} }

func (t told) holds(c backends.Client, st meter.State) bool {
	if t.Window <= 0 || st.Model != "" && st.Model != t.Named && !c.SameModel(st.Model, t.Model) {
		return false
	}
	w := st.Window
	return w.Source != meter.SourceTranscript || w.Tokens == t.Window || w.Tokens == t.Stated
}

// on returns the state with what was told: the model, how much of the evidence
// about windows still counts, and the turn that the client went back to.
func (t told) on(c backends.Client, st meter.State) meter.State {
	if t.Model != "" && !c.SameModel(st.Model, t.Model) {
		st.Model, st.Largest, st.Window = t.Model, 0, meter.Claim{}
	}
	if t.Hook {
		st.Window = meter.Claim{Tokens: t.Window, Source: meter.SourceHook}
	}
	if t.Before > 0 {
		st.Largest = 0
		if now := st.Context().Usage; now.Prompt != t.Before && !now.Estimated {
			st.Largest = now.Prompt
		}
	}
	st = t.wentBack(st)
	if t.Windows[1] != (spell{}) {
		st.Facts.Autos = slices.DeleteFunc(slices.Clone(st.Facts.Autos), func(a meter.Auto) bool { return !t.then(a.At.Unix()) })
	}
	return st
}

// wentBack returns the state where the client went back to, with what was
// appended since. After a rewind to before the first reply, the client links
// what follows to the end that it left (2.1.197, observed).
func (t told) wentBack(st meter.State) meter.State {
	c := st.Context()
	if t.Back == 0 || c.Ground != meter.GroundMeasured || c.Offset >= t.Back {
		return st
	}
	tail := c.Tail != (meter.Text{})
	if t.Used > 0 {
		if there, ok := st.Back(meter.Usage{Prompt: t.Used, Total: t.Used, Output: t.Output}); ok && (!tail || st.Offset == t.Back) {
			return there
		}
		return st
	}
	there, ok := st.Restart()
	switch {
	case !ok:
		return st
	case tail:
		return there.Follow(c.Tail, c.Client)
	}
	return there
}

// claims puts the window that the status line was told before the others. A hook
// is told the model only: the client's limits say what it makes of that.
func (t told) claims(l meter.Limits) meter.Limits {
	if t.Window > 0 && !t.Hook {
		l.Windows = append([]meter.Claim{{Tokens: t.Window, Source: meter.SourceStatusline}}, l.Windows...)
	}
	return l
}

// environment returns the session with the variables of its client, where they
// were told.
func (t told) environment(s meter.Session) meter.Session {
	if t.Version == 0 {
		return s
	}
	s.Vars = map[string]string{}
	for line := range strings.Lines(t.Vars) {
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
		s.Vars[name] = value
	}
	return s
}

// varsOf is what this process's environment, which a client gave it, holds of
// the variables that the client's limits depend on.
func varsOf(c backends.Client, getenv func(string) string) string {
	var out strings.Builder
	for _, name := range c.LimitVars() {
		if value := getenv(name); value != "" && len(value) <= longestVar && !strings.ContainsAny(value, "\r\n") {
			out.WriteString(name + "=" + value + "\n")
		}
	}
	return out.String()
}

const longestVar = 128 // bytes; they are numbers, switches and names of models

// tellings keeps what was told, in a small file for each session. As with the
// sidecars there is no lock: a file is replaced in one piece, and the last
// writer wins. It is written only where it changes.
type tellings struct {
	dir string // "" keeps nothing
	now func() time.Time
}

const (
	mostTellings = 200 // files
	keepTellings = 30 * 24 * time.Hour
	mostTelling  = 4 << 10 // bytes
	halfWritten  = time.Hour
)

func (p *program) tellings(s *config.Settings) tellings {
	dir := config.FindPlaces(p.getenv, p.home(), p.goos).State
	if dir == "" || s.NoCache {
		return tellings{}
	}
	return tellings{dir: filepath.Join(dir, "told"), now: p.now}
}

// path is the file of a session, "" if there is none.
func (t tellings) path(s meter.Session) string {
	key := s.Backend + "-" + s.ID
	if t.dir == "" || s.ID == "" || s.AgentID != "" || len(key) > 200 ||
		strings.Trim(key, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") != "" {
		return ""
	}
	return filepath.Join(t.dir, key+".json")
}

// load returns what was told of a session; of a subagent's that is only the
// environment, which is that of its session. What is damaged or of another
// version is nothing.
func (t tellings) load(s meter.Session) (out told) {
	if s.AgentID != "" {
		s.AgentID = ""
		return t.load(s).environmentOnly()
	}
	path := t.path(s)
	if path == "" {
		return told{}
	}
	data, err := files.Read(path, mostTelling)
	if err != nil || json.Unmarshal(data, &out) != nil || out.Version != toldVersion || out.Window < 0 || out.Before < 0 {
		return told{}
	}
	return out
}

// save keeps what was told, if it differs from before. A failure costs what
// would have been known, no more.
func (t tellings) save(s meter.Session, before, now told) error {
	path := t.path(s)
	now.Version = toldVersion
	if path == "" || now == before || now == (told{Version: toldVersion}) && before == (told{}) {
		return nil
	}
	data, err := json.Marshal(now)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(t.dir, 0o700); err != nil {
		return err
	}
	rule := keeping{most: mostTellings, left: mostTellings - 1, age: keepTellings, half: halfWritten}
	return rule.keep(path, append(data, '\n'), t.now())
}
