package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ctxmeter/ctxmeter/calibrate"
	"github.com/ctxmeter/ctxmeter/meter"
)

// screenOfThread is the _meta of a read, with what the line goes by.
func screenOfThread(id string) string {
	return fmt.Sprintf(`{"com.openai/codex-statusline-state":{"thread":{"id":%s,"model":{"id":"gpt-5.5","reasoning_level":"high"},"usage":{"context":{"context_window_size":1000,"used_tokens":999,"used_percentage":99},"cost":{"total_cost_usd":1.5}}}}}`, quote(id))
}

func footerRead(id int, meta string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"resources/read","params":{"_meta":%s,"uri":"ui://ctxmeter/footer"}}`+"\n", id, meta)
}

// footerTree is the tree in the answer to a read; there is always one.
func footerTree(t *testing.T, line string) (tree any, text string) {
	t.Helper()
	var answer struct {
		Result struct {
			Contents []struct{ URI, MIMEType, Text string }
		}
		Error any
	}
	if err := json.Unmarshal([]byte(line), &answer); err != nil || answer.Error != nil || len(answer.Result.Contents) != 1 {
		t.Fatalf("%v: %.400s", err, line)
	}
	c := answer.Result.Contents[0]
	if c.URI != footerURI || c.MIMEType != "application/json" {
		t.Errorf("%+v", c)
	}
	if err := json.Unmarshal([]byte(c.Text), &tree); err != nil {
		t.Fatalf("%v: %s", err, c.Text)
	}
	return tree, c.Text
}

// drawn is the text of a tree, with blanks where its row has gaps.
func drawn(tree any) string {
	switch n := tree.(type) {
	case string:
		return n
	case map[string]any:
		var parts []string
		for _, c := range n["children"].([]any) {
			parts = append(parts, drawn(c))
		}
		if n["type"] == "row" {
			return strings.Join(parts, " ")
		}
		return strings.Join(parts, "")
	}
	return fmt.Sprintf("%T", tree)
}

// footerOf is the footer of a rig's server.
func (r *rig) footerOf() *footer {
	r.t.Helper()
	p := r.program(io.Discard, io.Discard)
	p.now = func() time.Time { return r.now }
	cmd := p.command([]string{"ctxmeter"})
	s, err := p.settings(cmd)
	if err != nil {
		r.t.Fatal(err)
	}
	t, err := p.newTool(s, os.Getppid)
	if err != nil {
		r.t.Fatal(err)
	}
	return t.footer()
}

func (f *footer) shows(t *testing.T, meta string) string {
	t.Helper()
	var m map[string]any
	if err := json.Unmarshal([]byte(meta), &m); err != nil {
		t.Fatal(err)
	}
	var tree any
	if err := json.Unmarshal([]byte(compact(f.draw(context.Background(), m))), &tree); err != nil {
		t.Fatal(err)
	}
	return drawn(tree)
}

// A recorded thread line by line, through a compaction: the footer is what the
// command says at that moment, whatever number the client has.
func TestTheFooterFollowsItsThread(t *testing.T) {
	const id = "01a22cf2-616a-7e40-badb-d540fe200c55"
	day := filepath.Join("sessions", "2026", "11", "30")
	name := "rollout-2026-11-30T14-53-31-" + id + ".jsonl"
	data, err := os.ReadFile(filepath.Join("..", "..", "testdata", "codex", "s05_threshold", "N244800", day, name))
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	r := newRig(t).set("CODEX_HOME", home)
	k := r.talk(context.Background(), "--footer")
	k.ask(t, hello)
	seen := map[string]bool{}
	n := 0
	ask := func() string {
		n++
		tree, _ := footerTree(t, k.ask(t, footerRead(n, screenOfThread(id))))
		return drawn(tree)
	}
	if got := ask(); got != "-- gpt-5.5" {
		t.Errorf("without a rollout: %q", got)
	}
	path := filepath.Join(home, day, name)
	end := 0
	for line := range bytes.Lines(data) {
		end += len(line)
		putFile(t, path, data[:end])
		reading := r.run("-t", id, "--json", "--no-cache").reading(t)
		l := statusLine{format: "{gauge} {percent} {used}/{window} {compaction} {model}", r: &reading}
		got, want := ask(), l.text()
		if reading.Session.Model == nil {
			want += " gpt-5.5" // the client names it before the rollout does
		}
		if got != want {
			t.Errorf("after %d bytes %q, want %q", end, got, want)
		}
		seen[strings.Fields(got)[0]] = true
		if strings.Contains(got, "~") {
			seen["~"] = true
		}
	}
	k.in.Close()
	<-k.done
	if !seen["~"] || len(seen) < 5 {
		t.Errorf("seen %v", seen)
	}
}

// While neither the rollout nor its folder has changed, nothing is read; not
// for longer than five seconds, though.
func TestAnUnchangedRolloutIsNotRead(t *testing.T) {
	home := t.TempDir()
	id := threadID(1)
	writeRollout(t, home, id, 20_000)
	day := filepath.Join(home, "sessions", "2026", "01", "15")
	path := filepath.Join(day, "rollout-2026-01-15T09-30-00-"+id+".jsonl")
	r := newRig(t).set("CODEX_HOME", home).set("CTXMETER_STATUSLINE_FORMAT", "{used}").set("CTXMETER_NO_CACHE", "true")
	f := r.footerOf()
	then := time.Date(2026, 1, 15, 9, 31, 0, 0, time.UTC)
	rewrite := func(total int64, at time.Time) { // of the same size
		writeRollout(t, home, id, total)
		for _, name := range []string{path, day} {
			if err := os.Chtimes(name, at, at); err != nil {
				t.Fatal(err)
			}
		}
	}
	rewrite(20_000, then)
	for i, step := range []struct {
		do   func()
		want string
	}{
		{func() {}, "20k"},
		{func() { rewrite(30_000, then) }, "20k"},
		{func() { r.now = r.now.Add(4 * time.Second) }, "20k"},
		{func() { r.now = r.now.Add(time.Second) }, "30k"},
		{func() { rewrite(40_000, then.Add(time.Second)) }, "40k"},
		{func() { rewrite(50_000, then.Add(time.Second)) }, "40k"},
		{func() { // another file in the folder: it may be the thread's
			if err := os.Chtimes(day, then, then); err != nil {
				t.Fatal(err)
			}
		}, "50k"},
		{func() { rewrite(60_000, then); r.now = r.now.Add(-time.Hour) }, "60k"},
		{func() {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		}, nothingToShow},
	} {
		step.do()
		if got := f.shows(t, screenOfThread(id)); got != step.want {
			t.Errorf("step %d: %q, want %q", i, got, step.want)
		}
	}
}

// Looking takes a twentieth of the time at most, and what it tells is not older
// than five seconds.
func TestExpensiveLooksAreRare(t *testing.T) {
	at := time.Date(2026, 1, 15, 9, 36, 0, 0, time.UTC)
	for _, tt := range []struct {
		cost, age time.Duration
		holds     bool
	}{
		{10 * time.Millisecond, 199 * time.Millisecond, true},
		{10 * time.Millisecond, 200 * time.Millisecond, false},
		{time.Minute, 4999 * time.Millisecond, true},
		{time.Minute, 5 * time.Second, false},
		{time.Minute, -time.Millisecond, false},
		{0, 0, false},
	} {
		for _, known := range []bool{false, true} { // of a file that is not what it was
			s := sight{thread: "t", known: known, at: at, cost: tt.cost, file: t.TempDir()}
			if got := s.holds("t", at.Add(tt.age)); got != tt.holds {
				t.Errorf("%+v, known %t: %t", tt, known, got)
			}
		}
	}
}

// Two threads on two screens of one server, in turn.
func TestEachThreadHasItsOwnFooter(t *testing.T) {
	home := t.TempDir()
	r := newRig(t).set("CODEX_HOME", home).set("CTXMETER_STATUSLINE_FORMAT", "{used} {effort} {cost} {cache}")
	f := r.footerOf()
	for i := range 6 {
		id := threadID(i % 2)
		writeRollout(t, home, id, int64(20_000+i*1000))
		if got, want := f.shows(t, screenOfThread(id)), fmt.Sprintf("%dk high $1.50", 20+i); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := f.shows(t, screenOfThread(threadID(7))); got != "high $1.50" {
		t.Errorf("a thread without a rollout: %q", got)
	}
	if got := f.shows(t, screenOfThread(threadID(1)[:13])); got != "high $1.50" {
		t.Errorf("the beginning of an id: %q", got)
	}
}

// What a client says is no more than it is: the answer is a small tree without
// control characters, and never an error, after which no one asks again.
func TestHostileStatesAreAnswered(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	state := func(thread string) string { return `{"com.openai/codex-statusline-state":{"thread":` + thread + `}}` }
	r := newRig(t).set("CODEX_HOME", t.TempDir())
	r.dir = r.env["HOME"]
	k := r.talk(context.Background(), "--footer")
	k.ask(t, hello)
	for i, tt := range []struct{ meta, want string }{
		{`{}`, "--"},
		{`{"com.openai/codex-statusline-state":null}`, "--"},
		{`{"com.openai/codex-statusline-state":[1]}`, "--"},
		{`{"com.openai/codex-statusline-state":"` + long + `"}`, "--"},
		{state(`7`), "--"},
		{state(`{}`), "--"},
		{state(`{"id":{"id":"x"},"model":"m"}`), "--"},
		{state(`{"id":["` + threadID(1) + `"],"model":{"id":7}}`), "--"},
		{state(`{"id":"` + long + `","name":"` + long + `","model":{"id":"` + long + `"}}`), "--"},
		{state(`{"id":"../../../../etc/passwd","model":{"id":"m"}}`), "-- m"},
		{state(`{"id":"` + threadID(1) + `/../x","model":{"id":"m"}}`), "-- m"},
		{state(`{"id":"a\u0000b","model":{"id":"m"}}`), "-- m"},
		{state(`{"id":"*","model":{"id":"m"}}`), "-- m"},
		{state(`{"id":"` + strings.ToUpper(threadID(1)) + `","model":{"id":"\u001b[31mred\u0007\u202e\n"}}`), "-- \ufffd[31mred\ufffd\ufffd\ufffd"},
		{state(`{"id":"` + threadID(1) + `","usage":{"context":{"used_tokens":-1,"used_percentage":1e308,"context_window_size":"x"},"cost":{"total_cost_usd":1e300}}}`), "--"},
		{state(strings.Repeat(`{"id":`, 100) + `1` + strings.Repeat(`}`, 100)), "--"},
	} {
		tree, text := footerTree(t, k.ask(t, footerRead(i, tt.meta)))
		if got := drawn(tree); got != tt.want || len(text) > 1000 || strings.ContainsAny(text, "\x1b\x07\n\u202e") {
			t.Errorf("%.120s: %q, want %q", tt.meta, got, tt.want)
		}
	}
	k.in.Close()
	<-k.done
}

// A disk that does not answer holds up one goroutine, and no answer.
func TestAFooterIsNeverLate(t *testing.T) {
	r := newRig(t).set("CTXMETER_STATUSLINE_FORMAT", "{used}")
	f := r.footerOf()
	used := func(thread string) sight {
		st := meter.State{}.Ahead(meter.Usage{Prompt: 20_000, Total: 20_000})
		return sight{thread: thread, known: true, at: r.now, est: calibrate.Builtin(), in: meter.Input{State: st}}
	}
	var looks atomic.Int32
	stuck := make(chan struct{})
	f.look = func(thread string, _ sight) sight {
		looks.Add(1)
		<-stuck
		return used(thread)
	}
	f.patience = time.Millisecond
	for range 20 {
		if got := f.shows(t, screenOfThread(threadID(1))); got != nothingToShow {
			t.Errorf("%q", got)
		}
	}
	if n := looks.Load(); n > 1 {
		t.Errorf("%d looks at once", n)
	}
	close(stuck)
	f.turn <- struct{}{} // the look is over
	<-f.turn
	f.patience = time.Minute
	if got := f.shows(t, screenOfThread(threadID(1))); got != "20k" {
		t.Errorf("%q", got)
	}

	stuck = make(chan struct{})
	defer close(stuck)
	f.look = func(string, sight) sight { <-stuck; return sight{} }
	f.patience = time.Millisecond
	for _, step := range []struct {
		later  time.Duration
		thread string
		want   string
	}{
		{9 * time.Second, threadID(1), "20k"},
		{0, threadID(2), nothingToShow},
		{time.Second, threadID(1), nothingToShow},
	} {
		r.now = r.now.Add(step.later)
		if got := f.shows(t, screenOfThread(step.thread)); got != step.want {
			t.Errorf("%s later %q, want %q", step.later, got, step.want)
		}
	}
}

func TestAPanicLeavesTheFooterAlive(t *testing.T) {
	r := newRig(t)
	f := r.footerOf()
	look := f.look
	f.look = func(string, sight) sight { panic("secret") }
	if got := f.shows(t, screenOfThread(threadID(1))); got != "-- gpt-5.5" {
		t.Errorf("%q", got)
	}
	f.look = look
	home := filepath.Join(r.env["HOME"], ".codex")
	writeRollout(t, home, threadID(1), 20_000)
	if got := f.shows(t, screenOfThread(threadID(1))); !strings.Contains(got, "20k/258k") {
		t.Errorf("%q", got)
	}
}

// The levels have the colors that they have elsewhere, and the tree stays
// within what the client takes.
func TestTheTreeOfAFooter(t *testing.T) {
	home := t.TempDir()
	for i, tt := range []struct {
		total int64
		color string
	}{
		{20_000, `{"type":"text","props":{"color":"green"},"children":["ok"]}`},
		{150_000, `{"type":"text","props":{"color":"yellow"},"children":["moderate"]}`},
		{200_000, `{"type":"text","props":{"color":"red"},"children":["high"]}`},
		{240_000, `{"type":"text","props":{"color":"red","weight":"bold"},"children":["critical"]}`},
	} {
		writeRollout(t, home, threadID(i), tt.total)
		for _, plain := range []bool{false, true} {
			r := newRig(t).set("CODEX_HOME", home).set("CTXMETER_STATUSLINE_FORMAT", "{level}|{gauge}")
			if plain {
				r.set("NO_COLOR", "1")
			}
			var m map[string]any
			_ = json.Unmarshal([]byte(screenOfThread(threadID(i))), &m)
			if got := compact(r.footerOf().draw(context.Background(), m)); strings.Contains(got, tt.color) == plain || strings.Contains(got, "\x1b") {
				t.Errorf("%d, plain %t: %s", tt.total, plain, got)
			}
		}
	}
	for name, parts := range map[string][]string{
		"many":     slices.Repeat([]string{style{color: true}.paint(colorGood, "a") + "b"}, 1000),
		"long":     {"first", strings.Repeat("漢", 10_000), "last"},
		"too long": {strings.Repeat("x", 20_000)},
		"none":     nil,
	} {
		var tree any
		text := compact(treeOf(parts))
		if err := json.Unmarshal([]byte(text), &tree); err != nil {
			t.Fatal(err)
		}
		// The bounds of Codex 0.171.0 are 256, 16 KiB and 64 KiB.
		if n, size := nodesOf(tree); n > 256 || size > 16<<10 || len(text) > 64<<10 || size == 0 {
			t.Errorf("%s: %d nodes, %d bytes of text, %d in all", name, n, size, len(text))
		}
	}
}

func nodesOf(tree any) (nodes, size int) {
	switch n := tree.(type) {
	case string:
		return 1, len(n)
	case map[string]any:
		for _, c := range n["children"].([]any) {
			a, b := nodesOf(c)
			nodes, size = nodes+a, size+b
		}
	}
	return nodes + 1, size
}

func TestAFooterIsNotForHTTP(t *testing.T) {
	if got := newRig(t).run("mcp", "--footer", "--http", "0"); got.code != exitNoReading || !strings.Contains(got.stderr, "--footer") {
		t.Errorf("%+v", got)
	}
}

// What the README says to put into config.toml names this server and its tool.
func TestReadmeNamesTheFooter(t *testing.T) {
	readme, err := os.ReadFile(readmePath)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"tui_extensions_statusline = true",
		`status_line_provider = { server = "ctxmeter", tool = "` + toolName + `" }`,
		`args = ["mcp", "--footer"]`,
	} {
		if !bytes.Contains(readme, []byte("\n"+line+"\n")) {
			t.Errorf("README.md has no line %s", line)
		}
	}
}
