package claudecode

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ctxmeter/ctxmeter/meter"
)

// As Claude Code 2.1.197 writes it.
const recordedEntry = `{"pid":17470,"sessionId":"79555a71-a51f-4046-a7cf-58b2c43d9f6d","cwd":"/home/dev/claude/proj/s04-subagents","startedAt":1796050394534,"procStart":"61317","version":"2.1.197","peerProtocol":1,"kind":"interactive","entrypoint":"sdk-cli","name":"s04-subagents-3e","nameSource":"derived"}`

func TestRegistryReadsAnEntry(t *testing.T) {
	p := newPlace(t)
	p.write(".claude/sessions/17470.json", recordedEntry)
	p.pids[17470] = pidState{alive: meter.LiveYes, start: "61317"}
	got := p.client().Registry(p.root())
	want := Process{
		PID: 17470, SessionID: agentSession, Dir: "/home/dev/claude/proj/s04-subagents",
		Kind: "interactive", Entry: "sdk-cli", Version: "2.1.197",
		Started: time.UnixMilli(1796050394534).UTC(), Alive: meter.LiveYes, Follows: true,
	}
	if len(got) != 1 || got[0] != want {
		t.Errorf("Registry = %+v", got)
	}
}

func TestRegistryOfNoFolder(t *testing.T) {
	p := newPlace(t)
	if got := p.client().Registry(p.root()); got != nil {
		t.Errorf("Registry = %+v", got)
	}
}

func TestRegistryPassesOver(t *testing.T) {
	p := newPlace(t)
	for name, content := range map[string]string{
		"1.json":      recordedEntry[:80], // half written
		"2.json":      "",
		"3.json":      `[]`,
		"4.json":      recordedEntry, // of another process
		"5.json":      `{"pid":5,"sessionId":"../x"}`,
		"6.json":      `{"pid":6}`,
		"x.json":      recordedEntry,
		"-17470.json": recordedEntry,
		"17470.txt":   recordedEntry,
		"7.json/x":    "",
	} {
		p.write(".claude/sessions/"+name, content)
	}
	if got := p.client().Registry(p.root()); len(got) != 0 {
		t.Errorf("Registry = %+v", got)
	}
}

func TestLiveness(t *testing.T) {
	yes, no, unknown := meter.LiveYes, meter.LiveNo, meter.LiveUnknown
	number := strings.Replace(recordedEntry, `"61317"`, `61317`, 1)
	dated := strings.Replace(recordedEntry, `"61317"`, `"Mon Nov 30 15:04:13 2026"`, 1)
	old := strings.Replace(recordedEntry, `"procStart":"61317",`, ``, 1)
	for _, tt := range []struct {
		name    string
		entries map[string]string // nil: there is no registry
		pid     pidState          // of 17470
		named   meter.Liveness
		other   meter.Liveness
	}{
		{"no registry", nil, pidState{alive: yes, start: "61317"}, unknown, unknown},
		{"empty registry", map[string]string{"x": ""}, pidState{}, no, no},
		{"running", map[string]string{"17470.json": recordedEntry}, pidState{alive: yes, start: "61317"}, yes, no},
		{"start as a number", map[string]string{"17470.json": number}, pidState{alive: yes, start: "61317"}, yes, no},
		{"ended", map[string]string{"17470.json": recordedEntry}, pidState{alive: no}, no, no},
		{"pid used again", map[string]string{"17470.json": recordedEntry}, pidState{alive: yes, start: "61318"}, no, no},
		{"system tells no start", map[string]string{"17470.json": recordedEntry}, pidState{alive: yes}, yes, no},
		{"system tells nothing", map[string]string{"17470.json": recordedEntry}, pidState{}, unknown, no},
		{"start of another kind", map[string]string{"17470.json": dated}, pidState{alive: yes, start: "61317"}, unknown, no},
		{"old build", map[string]string{"17470.json": old}, pidState{alive: yes, start: "61317"}, unknown, unknown},
		{"old build, ended", map[string]string{"17470.json": old}, pidState{alive: no}, no, unknown},
		{"half written", map[string]string{"17470.json": recordedEntry[:99]}, pidState{alive: yes}, unknown, unknown},
		{"half written, ended", map[string]string{"17470.json": recordedEntry[:99]}, pidState{alive: no}, no, no},
		{"ended and resumed", map[string]string{
			"17470.json": recordedEntry, "99.json": strings.Replace(recordedEntry, "17470", "99", 1),
		}, pidState{alive: no}, yes, no},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newPlace(t)
			for name, content := range tt.entries {
				p.write(".claude/sessions/"+name, content)
			}
			for _, id := range []string{agentSession, idA} {
				p.write(".claude/projects/-a/"+id+".jsonl", talk(id, "/a", "2026-09-10T09:00:00Z", "hi"))
			}
			p.pids[17470] = tt.pid
			p.pids[99] = pidState{alive: yes, start: "61317"}
			for id, want := range map[string]meter.Liveness{agentSession: tt.named, strings.ToUpper(agentSession): tt.named, idA: tt.other} {
				got, err := p.client().Find(id)
				if err != nil || len(got) != 1 {
					t.Fatalf("Find(%s) = %v, %v", id, got, err)
				}
				if got[0].Live != want {
					t.Errorf("%s: live %v, want %v", id, got[0].Live, want)
				}
			}
		})
	}
}

// A subagent may have ended long before its parent.
func TestLivenessOfSubagents(t *testing.T) {
	p := newPlace(t)
	p.write(".claude/projects/-a/"+agentSession+"/subagents/agent-a7f31c0.jsonl", talk(agentSession, "/a", "2026-09-10T09:00:00Z", "hi"))
	p.write(".claude/sessions/17470.json", recordedEntry)
	for state, want := range map[meter.Liveness]meter.Liveness{meter.LiveYes: meter.LiveUnknown, meter.LiveNo: meter.LiveNo} {
		p.pids[17470] = pidState{alive: state}
		got, err := p.client().Find("a7f31c0")
		if err != nil || len(got) != 1 || got[0].Live != want {
			t.Errorf("parent %v: Find = %+v, %v", state, got, err)
		}
	}
}

func TestLookUpKnowsItsOwnProcess(t *testing.T) {
	own := lookUp(os.Getpid())
	if own.alive != meter.LiveYes {
		t.Fatalf("own process: %+v", own)
	}
	if own.is(own.start) != meter.LiveYes {
		t.Errorf("own process is not itself: %+v", own)
	}
	if own.start != "" && own.is("1"+own.start) != meter.LiveNo {
		t.Errorf("own process is taken for another: %+v", own)
	}
}

// What cannot be listed says nothing of who is alive.
func TestARegistryThatCannotBeRead(t *testing.T) {
	p := newPlace(t)
	p.write(".claude/sessions", "a file in its place")
	if _, complete := p.client().registry(p.root()); complete {
		t.Error("nobody is said to be alive")
	}
}

func FuzzRegistry(f *testing.F) {
	f.Add([]byte(recordedEntry))
	f.Add([]byte(recordedEntry[:100]))
	f.Add([]byte(`{"pid":"5","sessionId":5,"startedAt":1e400,"procStart":{}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		e, ok := parseEntry(b)
		if ok && !isID(e.SessionID) {
			t.Errorf("session %q", e.SessionID)
		}
	})
}

func TestRegistryIsNotReadThroughTheWorkingFolder(t *testing.T) {
	p := newPlace(t)
	dir := filepath.Join(p.home, "wd")
	p.write("wd/sessions/17470.json", recordedEntry)
	path := p.write("wd/"+agentSession+".jsonl", talk(agentSession, "/a", "2026-09-10T09:00:00Z", "hi"))
	p.pids[17470] = pidState{alive: meter.LiveYes}
	t.Chdir(dir)
	s, err := p.client().File(path)
	if err != nil || s.Live != meter.LiveUnknown {
		t.Errorf("File = %+v, %v", s, err)
	}
}
