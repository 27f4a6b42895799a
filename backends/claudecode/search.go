package claudecode

import (
	"os"
	"path/filepath"
	"strings"
)

// hit is a transcript whose name matches; nothing of it was read.
type hit struct {
	root    root
	session string // "" for a subagent whose parent only its records name
	agent   string // "" for a main conversation
	path    string
	whole   bool // the whole id was given
}

// called is the id by which a message speaks of the session.
func (h hit) called() string {
	if h.agent != "" {
		return agentPrefix + h.agent
	}
	return h.session
}

// search lists the transcripts of a root whose names match.
func search(r root, q query) (hits []hit) {
	projects := entries(r.projects())
	if q.sessions() && isUUID(q.session) {
		// The client writes its ids in lower case: no folder need be listed.
		for _, e := range projects {
			file := filepath.Join(r.projects(), e.Name(), strings.ToLower(q.session)+extension)
			if _, err := os.Lstat(file); err == nil {
				hits = append(hits, hit{root: r, session: strings.ToLower(q.session), path: file, whole: true})
			}
		}
		if len(hits) > 0 {
			return hits
		}
	}
	for _, e := range projects {
		hits = append(hits, searchProject(r, filepath.Join(r.projects(), e.Name()), q)...)
	}
	return hits
}

func searchProject(r root, dir string, q query) (hits []hit) {
	for _, e := range entries(dir) {
		file := filepath.Join(dir, e.Name())
		id, isTranscript := strings.CutSuffix(e.Name(), extension)
		agent, isAgent := strings.CutPrefix(id, agentPrefix)
		switch {
		case isTranscript && isAgent: // older builds keep subagents beside their parents
			if ok, whole := match(agent, q.agent); ok && !q.within && q.agent != "" && isID(agent) {
				hits = append(hits, hit{root: r, agent: agent, path: file, whole: whole})
			}
		case isTranscript:
			if ok, whole := match(id, q.session); ok && q.sessions() && isID(id) {
				hits = append(hits, hit{root: r, session: id, path: file, whole: whole})
			}
		case q.agent != "" && isID(e.Name()):
			if ok, _ := match(e.Name(), q.session); ok || !q.within {
				parent := hit{root: r, session: e.Name()}
				hits = append(hits, searchAgents(parent, filepath.Join(file, "subagents"), q, agentDepth)...)
			}
		}
	}
	return hits
}

// agentDepth bounds the folders below "subagents"; real ones have two levels
// (subagents/workflows/<id>/, a public report).
const agentDepth = 8

// searchAgents lists the subagents below dir that match.
func searchAgents(parent hit, dir string, q query, depth int) (hits []hit) {
	for _, h := range agentsBelow(parent, dir, depth) {
		if ok, whole := match(h.agent, q.agent); ok {
			h.whole = whole
			hits = append(hits, h)
		}
	}
	return hits
}

// agentsBelow lists the subagents below dir. Other files that end in .jsonl
// are no transcripts (the same report).
func agentsBelow(parent hit, dir string, depth int) (hits []hit) {
	for _, e := range entries(dir) {
		file := filepath.Join(dir, e.Name())
		if e.IsDir() && depth > 1 && !strings.HasSuffix(e.Name(), extension) {
			hits = append(hits, agentsBelow(parent, file, depth-1)...)
			continue
		}
		if agent, ok := agentOf(e.Name()); ok {
			h := parent
			h.agent, h.path = agent, file
			hits = append(hits, h)
		}
	}
	return hits
}

// agentOf is the subagent that a file is named after.
func agentOf(file string) (agent string, ok bool) {
	id, isTranscript := strings.CutSuffix(file, extension)
	agent, isAgent := strings.CutPrefix(id, agentPrefix)
	return agent, isTranscript && isAgent && isID(agent)
}
