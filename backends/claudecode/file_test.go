package claudecode

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctxmeter/ctxmeter/meter"
)

func TestFileKnowsASessionByNameOrRecords(t *testing.T) {
	p := newPlace(t)
	text := talk(idA, "/a", "2026-09-10T09:00:00Z", "hi")
	agent := strings.ReplaceAll(text, `"sessionId"`, `"agentId":"a7f31c0","sessionId"`)
	for _, tt := range []struct {
		name, path, content      string
		id, agent, root, project string
		code                     meter.Code
	}{
		{name: "in its place", path: ".claude/projects/-a/" + idA + ".jsonl", content: text, id: idA, root: ".claude", project: "/a"},
		{name: "named after its id", path: "x/" + idB + ".jsonl", content: text, id: idB, project: "/a"},
		{name: "named otherwise", path: "x/my copy (1).jsonl", content: text, id: idA, project: "/a"},
		{name: "without an extension", path: "x/transcript", content: text, id: idA, project: "/a"},
		{name: "in an unknown root", path: "other/projects/-a/" + idA + ".jsonl", content: text, id: idA, root: "other", project: "/a"},
		{name: "in a folder called projects", path: "projects/shop/" + idA + ".jsonl", content: text, id: idA, project: "/a"},
		{
			name: "subagent", path: ".claude/projects/-a/" + idB + "/subagents/deep/agent-a7f31c0.jsonl", content: text,
			id: idB, agent: "a7f31c0", root: ".claude", project: "/a",
		},
		{name: "subagent elsewhere", path: "x/agent-a7f31c0.jsonl", content: text, id: idA, agent: "a7f31c0", project: "/a"},
		{name: "subagent of another name", path: "x/copy of agent.jsonl", content: agent, id: idA, agent: "a7f31c0", project: "/a"},
		{name: "empty", path: ".claude/projects/-a/" + idC + ".jsonl", id: idC, root: ".claude"},
		{name: "byte order mark", path: "x/bom.jsonl", content: "\ufeff" + text, id: idA, project: "/a"},
		{name: "damaged first line", path: "x/damaged.jsonl", content: "\x00\x00{\"a\n" + text, id: idA, project: "/a"},
		{name: "of codex", path: "x/rollout.jsonl", content: `{"timestamp":"2026-09-10T09:00:00Z","type":"session_meta","payload":{"id":"` + idA + `"}}` + "\n", code: meter.CodeNotATranscript},
		{name: "text", path: "x/" + idC + ".jsonl", content: "hello\n", code: meter.CodeNotATranscript},
		{name: "empty, no name", path: "x/no name.jsonl", code: meter.CodeNotATranscript},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := p.write(tt.path, tt.content)
			s, err := p.client().File(path)
			if faultCode(t, err) != tt.code {
				t.Fatalf("File: %v", err)
			}
			if err != nil {
				return
			}
			root := ""
			if tt.root != "" {
				root = filepath.Join(p.home, tt.root)
			}
			if s.ID != tt.id || s.AgentID != tt.agent || s.Root != root || s.Project != tt.project || s.Segments[0].Path != path {
				t.Errorf("session %+v", s)
			}
			if tt.agent != "" && s.ParentID != tt.id {
				t.Errorf("parent %q", s.ParentID)
			}
		})
	}
}

func TestFileTakesRelativePaths(t *testing.T) {
	p := newPlace(t)
	want := p.write("x/"+idA+".jsonl", talk(idA, "/a", "2026-09-10T09:00:00Z", "hi"))
	s, err := p.client().File(filepath.Join("x", idA+".jsonl"))
	if err != nil || s.Segments[0].Path != want {
		t.Errorf("File = %+v, %v", s, err)
	}
}

func TestFileThatCannotBeRead(t *testing.T) {
	p := newPlace(t)
	p.write("x/"+idA+".jsonl/x", "")
	for name, code := range map[string]meter.Code{
		idA: meter.CodeUnreadable,
		idB: meter.CodeSessionNotFound,
	} {
		_, err := p.client().File(filepath.Join(p.home, "x", name+".jsonl"))
		if faultCode(t, err) != code {
			t.Fatalf("File(%s): %v", name, err)
		}
		if strings.Contains(err.Error(), p.home) {
			t.Errorf("message %q names a path", err)
		}
	}
}
