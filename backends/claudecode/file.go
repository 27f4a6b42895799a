package claudecode

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/ctxmeter/ctxmeter/meter"
)

// File implements backends.Client. The caller names the file, so that it may
// lie anywhere; a copy that has another name than the client gave it is known
// by its records.
func (c *Client) File(path string) (meter.Session, error) {
	path = c.absolute(path)
	base := strings.TrimSuffix(filepath.Base(path), extension)
	called := "of the given file"
	if isID(base) {
		called = base
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return meter.Session{}, &meter.Fault{
			Code:    meter.CodeSessionNotFound,
			Message: "there is no file at the given path; the id of a session is found without one",
			Err:     err,
		}
	}
	info, fault := readable(path, called)
	if fault != nil {
		return meter.Session{}, fault
	}
	f := c.finder()
	first, err := f.peek().readHead(path)
	if err != nil {
		return meter.Session{}, meter.Unreadable(called, err)
	}
	session, agent := identify(path, base, first)
	if session == "" || first.records == 0 && info.Size() > 0 {
		return meter.Session{}, &meter.Fault{
			Code:    meter.CodeNotATranscript,
			Message: "session " + called + ": the file holds no record of Claude Code; name a .jsonl file from its projects folder",
		}
	}
	s := meter.Session{
		ID:       session,
		AgentID:  agent,
		Backend:  backend,
		Project:  first.cwd,
		Modified: info.ModTime(),
		Segments: []meter.Segment{{Path: path, End: -1}},
	}
	r := c.rootOf(path)
	s.Root = r.dir
	f.settle(&s, r)
	return s, nil
}

// identify tells the session, and the subagent if it is one, that a file
// holds: by its name, and by its records where the name is no id.
func identify(path, base string, first head) (session, agent string) {
	if agent, ok := strings.CutPrefix(base, agentPrefix); ok && isID(agent) {
		if parent, _ := parentOf(path); parent != "" {
			return parent, agent
		}
		return first.session, agent
	}
	switch {
	case isUUID(base):
		return base, ""
	case first.session != "":
		return first.session, first.agent
	case isID(base):
		return base, ""
	}
	return "", ""
}

// parentOf is the session whose folder a subagent's file lies in, and where
// that session's own transcript stands.
func parentOf(path string) (session, transcript string) {
	for dir := filepath.Dir(path); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		up := filepath.Dir(dir)
		if session := filepath.Base(up); filepath.Base(dir) == "subagents" && isID(session) {
			return session, up + extension
		}
	}
	return "", ""
}

// rootOf is the configuration folder that holds a file, known or not; the zero
// root if there is none around it.
func (c *Client) rootOf(path string) root {
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return root{}
	}
	for _, r := range c.roots() {
		if r.holds(target) {
			return r
		}
	}
	// <root>/projects/<folder>/<session>.jsonl, and deeper for a subagent. The
	// folder is named after an absolute path.
	for dir := filepath.Dir(target); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		up := filepath.Dir(dir)
		folder := filepath.Base(dir)
		drive := len(folder) > 3 && folder[1:3] == "--"
		if filepath.Base(up) == "projects" && (folder[0] == '-' || drive) {
			return root{dir: filepath.Dir(up), real: filepath.Dir(up)}
		}
	}
	return root{}
}
