package doctor

import (
	"encoding/json"
	"path/filepath"
	"slices"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wiring"
	"github.com/ctxmeter/ctxmeter/meter/files"
)

// approvals are what a settings file of Claude Code says of the servers that a
// project brings along. Any refusal wins, and then any approval, whichever file
// it stands in (2.1.197, observed in each).
type approvals struct {
	Enabled  []string `json:"enabledMcpjsonServers"`
	Disabled []string `json:"disabledMcpjsonServers"`
	All      bool     `json:"enableAllProjectMcpServers"`
}

// appProject is what the client's own state says of a folder.
type appProject struct {
	approvals
	Off []string `json:"disabledMcpServers"` // by /mcp
}

// server says what keeps Claude Code from using a registered server, "" if
// nothing does, and what to do about it.
func (d *doctor) server(pl wiring.Place, name string) (fault, mend string) {
	state := d.appProject()
	if slices.Contains(state.Off, name) {
		return "which is turned off for this folder", "turn it on in /mcp"
	}
	if pl.Scope != wiring.ScopeProject {
		return "", ""
	}
	said := []approvals{state.approvals}
	for _, l := range d.layers {
		said = append(said, l.servers)
	}
	approved := false
	for _, a := range said {
		if slices.Contains(a.Disabled, name) {
			return "which was refused here (disabledMcpjsonServers)", "take it out of there if you want the server"
		}
		approved = approved || a.All || slices.Contains(a.Enabled, name)
	}
	if !approved {
		return "which waits for your approval", "start claude in this folder, and allow it where it asks"
	}
	return "", ""
}

// appProject is read from the state of the first folder of Claude Code.
func (d *doctor) appProject() appProject {
	if d.app == nil {
		state := d.readAppProject()
		d.app = &state
	}
	return *d.app
}

func (d *doctor) readAppProject() (out appProject) {
	if len(d.Selection.Roots) == 0 {
		return out
	}
	var state struct {
		Projects map[string]appProject `json:"projects"`
	}
	text, err := files.Read(d.Selection.AppState(d.Selection.Roots[0]), wiring.MaxSettings)
	if err != nil || json.Unmarshal(text, &state) != nil {
		return out
	}
	dirs := []string{d.dir, repository(d.dir)}
	if real, err := filepath.EvalSymlinks(d.dir); err == nil {
		dirs = append(dirs, real)
	}
	for _, dir := range dirs {
		if p, ok := state.Projects[dir]; ok {
			return p
		}
	}
	return out
}
