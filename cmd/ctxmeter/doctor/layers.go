package doctor

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/ctxmeter/ctxmeter/backends/claudecode"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wiring"
	"github.com/ctxmeter/ctxmeter/meter/files"
)

// idle is a part in a settings file that the client does not go by, or all of
// the file if part is "".
type idle struct{ path, part string }

// layer is what a settings file of Claude Code says that turns other things off.
type layer struct {
	path    string
	managed bool
	off     *bool // disableAllHooks
	only    bool  // allowManagedHooksOnly
	history string
	days    *float64
	servers approvals
}

// historyVar keeps Claude Code from writing transcripts (2.1.197, observed with
// 1).
const historyVar = "CLAUDE_CODE_SKIP_PROMPT_HISTORY"

// checkLayers looks at the settings files of Claude Code as a whole: whether it
// takes them, and what one does to the others.
func (d *doctor) checkLayers() {
	if !d.Selection.Found(wiring.ClientClaude) {
		return
	}
	var shared []layer
	if filepath.IsAbs(d.dir) {
		for _, name := range []string{"settings.json", "settings.local.json"} {
			path := filepath.Join(d.dir, ".claude", name)
			if own := filepath.Join(d.env.Home, ".claude", "settings.json"); path != own {
				shared = d.readLayer(shared, path, false)
			}
		}
	}
	for _, path := range d.Managed {
		shared = d.readLayer(shared, path, true)
	}
	for n, root := range d.Selection.Roots {
		layers := append(d.readLayer(nil, filepath.Join(root, "settings.json"), false), shared...)
		if n == 0 {
			d.layers = layers
			d.checkHistory(layers)
		}
		d.checkKeeping(layers)
		d.checkSwitches(layers)
	}
	if len(d.Selection.Roots) == 0 {
		d.layers = shared
		d.checkSwitches(shared)
	}
}

// readLayer adds a file, if the client takes it. What is no JSON is reported
// where the wiring is read.
func (d *doctor) readLayer(list []layer, path string, managed bool) []layer {
	text, err := files.Read(path, wiring.MaxSettings)
	if err != nil {
		return list
	}
	text = []byte(strings.TrimPrefix(string(text), "\ufeff"))
	if key, want := claudecode.Refused(text); key != "" && !managed {
		d.problem("settings", path+" is refused as a whole, and nothing in it counts: "+key+" has to be "+want,
			"correct "+key+", or take it out; Claude Code (2.1.197) says so in a dialog at its start, and with -p not at all")
		d.idle[idle{path, ""}] = "which Claude Code refuses as a whole"
		d.broken[path] = true
		return list
	}
	l := layer{path: path, managed: managed}
	var said struct {
		Off  *bool                      `json:"disableAllHooks"`
		Only bool                       `json:"allowManagedHooksOnly"`
		Days *float64                   `json:"cleanupPeriodDays"`
		Env  map[string]json.RawMessage `json:"env"`
		approvals
	}
	if json.Unmarshal(text, &said) != nil {
		return list
	}
	l.off, l.only, l.days, l.servers = said.Off, said.Only && managed, said.Days, said.approvals
	l.history = strings.Trim(string(said.Env[historyVar]), `"`)
	return append(list, l)
}

// checkSwitches looks what turns hooks and status lines off: the last that says
// something counts, of the user, the project, the person in it and the
// administrator (2.1.197: true of the user and false of the project runs them).
func (d *doctor) checkSwitches(layers []layer) {
	var off, only *layer
	for i := range layers {
		if layers[i].off != nil {
			off = nil
			if *layers[i].off {
				off = &layers[i]
			}
		}
		if layers[i].only {
			only = &layers[i]
		}
	}
	const administered = "whoever administers this machine can take it out"
	if off != nil {
		mend := "take it out, or set it to false"
		if off.managed {
			mend = administered
		}
		d.once(Problem, "settings", "disableAllHooks in "+off.path+" turns hooks and status lines off", mend)
	}
	if only != nil {
		d.once(Problem, "settings", "allowManagedHooksOnly in "+only.path+": Claude Code runs the hooks and the status line of that file only", administered+", or put 'ctxmeter statusline' and 'ctxmeter hook' there")
	}
	for _, l := range layers {
		switch {
		case off != nil:
			d.idle[idle{l.path, ""}] = "which disableAllHooks turns off"
		case only != nil && !l.managed:
			d.idle[idle{l.path, ""}] = "which allowManagedHooksOnly turns off"
		}
	}
}

// checkHistory looks for the variable that keeps transcripts from being
// written.
func (d *doctor) checkHistory(layers []layer) {
	for _, l := range layers {
		if switchedOn(l.history) {
			d.problem("transcripts", historyVar+" under env in "+l.path+": Claude Code writes no transcripts, and there is nothing to read", "take it out")
			return
		}
	}
	if switchedOn(d.env.Getenv(historyVar)) {
		d.problem("transcripts", historyVar+" is set here: a Claude Code with it writes no transcripts, and there is nothing to read", "unset it where Claude Code is started")
	}
}

func switchedOn(value string) bool {
	switch strings.ToLower(strings.TrimSpace(value)) {
	case "1", "true", "yes", "on":
		return true
	}
	return false
}

// checkKeeping looks how long Claude Code keeps transcripts.
func (d *doctor) checkKeeping(layers []layer) {
	for _, l := range layers {
		if l.days != nil && *l.days < 2 {
			d.once(Note, "transcripts", fmt.Sprintf("cleanupPeriodDays is %g in %s: Claude Code deletes transcripts very soon", *l.days, l.path), "set it to some days if you want to look at older sessions")
		}
	}
}
