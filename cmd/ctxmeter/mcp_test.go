package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/ctxmeter/ctxmeter/backends"
	"github.com/ctxmeter/ctxmeter/meter"
)

// enough is how much of the sample session the tests here have, in records:
// it is critically full then.
const enough = 30

// TestProtocol plays the scripts in testdata/mcp: lines of JSON-RPC in, and
// the lines that come back for them. Calls run side by side, so that the order
// of the answers is not told; -update rewrites them.
func TestProtocol(t *testing.T) {
	scripts, err := filepath.Glob(filepath.Join("..", "..", "testdata", "mcp", "*.txtar"))
	if err != nil || len(scripts) == 0 {
		t.Fatal("no scripts", err)
	}
	for _, path := range scripts {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			r := newRig(t)
			args := []string{"mcp"}
			var got string
			for i := range a.Files {
				f := &a.Files[i]
				switch text := string(f.Data); f.Name {
				case "env":
					for line := range strings.Lines(text) {
						name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
						dir, err := filepath.Abs(filepath.Join("..", "..", "testdata", filepath.FromSlash(value)))
						if err != nil {
							t.Fatal(err)
						}
						r.set(name, dir)
					}
				case "args":
					args = append(args, strings.Fields(strings.ReplaceAll(text, "SAMPLE", sampleFolder(t, enough)))...)
				case "in":
					r.stdin = text
					got = sorted(r.run(args...).stdout)
				case "out":
					if *update {
						f.Data = []byte(got)
					} else if got != text {
						t.Errorf("got:\n%s\nwant:\n%s", got, text)
					}
				}
			}
			if *update {
				if err := os.WriteFile(path, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

func sorted(text string) string {
	list := strings.SplitAfter(text, "\n")
	slices.Sort(list)
	return strings.Join(list, "")
}

const hello = `{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"0"}}}` + "\n" +
	`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"

// callLine is a call of the tool; arguments and meta are JSON.
func callLine(id int, arguments, meta string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"context_status","arguments":%s,"_meta":%s}}`+"\n", id, arguments, meta)
}

// answered is what came back for a call.
type answered struct {
	ID     any `json:"id"`
	Result struct {
		Content []struct{ Text string }
		IsError bool
	}
	Error *struct{ Code int }
}

func (a answered) text() string {
	if len(a.Result.Content) != 1 {
		return ""
	}
	return a.Result.Content[0].Text
}

// answers decodes what the server wrote, by the calls' ids.
func answers(t *testing.T, out string) map[string]answered {
	t.Helper()
	all := map[string]answered{}
	for line := range strings.Lines(out) {
		var a answered
		if err := json.Unmarshal([]byte(line), &a); err != nil {
			t.Fatalf("not JSON-RPC: %q", line)
		}
		all[fmt.Sprint(a.ID)] = a
	}
	return all
}

func TestHostileInputDoesNotEndTheServer(t *testing.T) {
	r := newRig(t)
	long := strings.Repeat("a", 1<<20)
	r.stdin = hello + strings.Repeat("x", 5<<20) + "\n" + // a frame that is too long
		strings.Repeat("[", 2<<20) + "\n" +
		`{"jsonrpc":"2.0","id":1,"method":"` + long + `"}` + "\n" +
		callLine(2, `{"session_id":"`+long+`"}`, `{}`) +
		callLine(3, `{"`+long+`":1}`, `{}`) +
		callLine(4, `{}`, `{"threadId":"`+long+`","claudecode/toolUseId":"`+long+`","x-codex-turn-metadata":"`+long+`"}`) +
		callLine(5, `{"session_id":"a\u0000b"}`, `{}`) +
		`{"jsonrpc":"2.0","id":"` + long + `","method":"ping"}` + "\n" +
		`{"jsonrpc":"2.0","id":6,"method":"ping"}` + "\n"
	got := r.run("mcp")
	all := answers(t, got.stdout)
	if got.code != 0 || got.stderr != "" {
		t.Errorf("status %d, %q", got.code, got.stderr)
	}
	for _, id := range []string{"2", "3", "5"} {
		if a := all[id]; !a.Result.IsError || !strings.Contains(a.text(), `"bad_argument"`) || len(a.text()) > 400 {
			t.Errorf("call %s: %.300s", id, a.text())
		}
	}
	if a := all["4"]; a.Result.IsError || !strings.Contains(a.text(), `"session_not_found"`) {
		t.Errorf("call 4: %.300s", a.text())
	}
	if all["1"].Error == nil || all["6"].Error != nil || all[long].Error != nil || all["<nil>"].Error == nil {
		t.Error("an answer is missing")
	}
	if n := len(got.stdout); n > 2<<20 {
		t.Errorf("%d bytes: the answers repeat what they were sent", n)
	}
}

func TestCallsInFlightAreAllRight(t *testing.T) {
	home := t.TempDir()
	var in strings.Builder
	in.WriteString(hello)
	const calls = 50
	for i := range calls {
		writeRollout(t, home, threadID(i), int64(10_000+i))
		in.WriteString(callLine(i, `{}`, `{"threadId":"`+threadID(i)+`"}`))
	}
	r := newRig(t).set("CODEX_HOME", home)
	r.stdin = in.String()
	all := answers(t, r.run("mcp").stdout)
	for i := range calls {
		want := fmt.Sprintf(`"used_tokens":%d,`, 10_000+i)
		if a := all[fmt.Sprint(i)]; !strings.Contains(a.text(), want) {
			t.Errorf("call %d: no %s in %s", i, want, a.text())
		}
	}
}

func threadID(i int) string { return fmt.Sprintf("019f0000-0000-7000-8000-%012d", i) }

// writeRollout makes a thread of Codex whose last request was so large.
func writeRollout(t *testing.T, home, id string, total int64) {
	t.Helper()
	dir := filepath.Join(home, "sessions", "2026", "01", "15")
	text := fmt.Sprintf(`{"timestamp":"2026-01-15T09:30:00.000Z","type":"session_meta","payload":{"id":"%s","timestamp":"2026-01-15T09:30:00.000Z","cwd":"/home/dev/shop","originator":"codex_exec","cli_version":"0.130.0","source":"exec"}}
{"timestamp":"2026-01-15T09:30:01.000Z","type":"event_msg","payload":{"type":"task_started","turn_id":"t","model_context_window":258400}}
{"timestamp":"2026-01-15T09:30:02.000Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Fine."}]}}
{"timestamp":"2026-01-15T09:30:03.000Z","type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{"input_tokens":%d,"cached_input_tokens":0,"output_tokens":100,"reasoning_output_tokens":0,"total_tokens":%d},"last_token_usage":{"input_tokens":%d,"cached_input_tokens":0,"output_tokens":100,"reasoning_output_tokens":0,"total_tokens":%d},"model_context_window":258400}}}
`, id, total-100, total, total-100, total)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "rollout-2026-01-15T09-30-00-"+id+".jsonl"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// talk is a running server: lines are sent to it one after the other.
type talk struct {
	in   *io.PipeWriter
	out  chan string
	done chan int
}

func (r *rig) talk(ctx context.Context, args ...string) *talk {
	r.t.Helper()
	in, to := io.Pipe()
	from, out := io.Pipe()
	p := r.program(out, io.Discard)
	p.stdin = in
	k := &talk{in: to, out: make(chan string), done: make(chan int, 1)}
	go func() {
		code := p.run(ctx, append([]string{"ctxmeter", "mcp"}, args...))
		out.Close()
		k.done <- code
	}()
	go func() {
		defer close(k.out)
		var b bytes.Buffer
		buf := make([]byte, 1<<16)
		for {
			n, err := from.Read(buf)
			b.Write(buf[:n])
			for bytes.IndexByte(b.Bytes(), '\n') >= 0 {
				line, _ := b.ReadString('\n')
				k.out <- line
			}
			if err != nil {
				return
			}
		}
	}()
	return k
}

func (k *talk) ask(t *testing.T, line string) string {
	t.Helper()
	if _, err := io.WriteString(k.in, line); err != nil {
		t.Fatal(err)
	}
	return <-k.out
}

func TestAThousandCallsLeaveMemoryFlat(t *testing.T) {
	r := newRig(t)
	k := r.talk(context.Background(), "--claude-dir", sampleFolder(t, enough))
	if _, err := io.WriteString(k.in, hello); err != nil {
		t.Fatal(err)
	}
	<-k.out
	heap := func() uint64 {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	var before uint64
	for i := range 1000 {
		if got := k.ask(t, callLine(i, `{"session_id":"`+sampleID+`"}`, `{}`)); !strings.Contains(got, `used_tokens`) {
			t.Fatal(got)
		}
		if i == 100 {
			before = heap()
		}
	}
	if after := heap(); after > before+(1<<20) {
		t.Errorf("%d bytes more after 900 calls", after-before)
	}
	k.in.Close()
	if code := <-k.done; code != 0 {
		t.Errorf("status %d", code)
	}
}

func TestASignalEndsTheServer(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	k := newRig(t).talk(ctx)
	k.ask(t, hello)
	cancel()
	if code := <-k.done; code != 0 {
		t.Errorf("status %d", code)
	}
}

// A panic in a call is that call's answer.
func TestAPanicIsAnAnswer(t *testing.T) {
	c := &teller{fake: fake{name: claudeCode}, tell: func(int, meter.Call) (meter.Caller, error) { panic("secret") }}
	r := newRig(t)
	r.clients = func(meter.Env) []backends.Client { return []backends.Client{c} }
	r.stdin = hello + callLine(1, `{}`, `{}`) + `{"jsonrpc":"2.0","id":2,"method":"ping"}` + "\n"
	got := r.run("mcp")
	all := answers(t, got.stdout)
	if !strings.Contains(all["1"].text(), `"internal"`) || all["2"].Error != nil || strings.Contains(got.stdout+got.stderr, "secret") {
		t.Errorf("%s%s", got.stdout, got.stderr)
	}
}

// A call that waits for what tells more leaves nothing behind.
func TestWaitingLeavesNothingBehind(t *testing.T) {
	dir := t.TempDir()
	c := &teller{fake: fake{name: claudeCode}, tell: func(n int, _ meter.Call) (meter.Caller, error) {
		out := meter.Caller{Session: meter.Session{ID: "x"}, Identity: meter.IdentityProcess}
		if n%2 == 1 { // the second look finds it
			out.Watch = []string{dir}
		}
		return out, nil
	}}
	tl := asker(t, c)
	ask := func() {
		if _, err := tl.whose(context.Background(), "", func() meter.Call { return meter.Call{} }); err != nil {
			t.Fatal(err)
		}
	}
	ask()
	before := runtime.NumGoroutine()
	for range 200 {
		ask()
	}
	for i := 0; runtime.NumGoroutine() > before+20; i++ { // watches end in their own time
		if i > 100_000_000 {
			t.Fatalf("%d goroutines, and %d before", runtime.NumGoroutine(), before)
		}
		runtime.Gosched()
	}
}

// With an environment that holds nothing but PATH, the home folder is that of
// the account.
func TestWithNothingButPATH(t *testing.T) {
	r := newRig(t)
	dir := sampleFolder(t, enough)
	home := t.TempDir()
	if err := os.Rename(dir, filepath.Join(home, ".claude")); err != nil {
		t.Fatal(err)
	}
	r.env = map[string]string{"PATH": "/bin"}
	r.account = home
	r.stdin = hello + callLine(1, `{"session_id":"`+sampleID+`"}`, `{}`)
	if got := answers(t, r.run("mcp").stdout)["1"].text(); !strings.Contains(got, `"used_tokens":159449`) {
		t.Error(got)
	}
}

// The process itself: the protocol alone is on standard output, whatever a
// library prints there.
func TestStandardOutputIsTheProtocols(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, "mcp", "--claude-dir", sampleFolder(t, enough))
	cmd.Env = []string{"CTXMETER_TEST_BE_MAIN=1", "CTXMETER_TEST_CHATTER=1", "HOME=" + t.TempDir(), "USERPROFILE=" + t.TempDir(), "SystemRoot=" + os.Getenv("SystemRoot")}
	cmd.Stdin = strings.NewReader(hello + callLine(1, `{"session_id":"`+sampleID+`"}`, `{}`))
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err, stderr.String())
	}
	if all := answers(t, string(out)); len(all) != 2 || !strings.Contains(stderr.String(), "chatter") {
		t.Errorf("%d answers, %q", len(all), stderr.String())
	}
}
