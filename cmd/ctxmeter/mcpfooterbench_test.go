package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A read of the footer as the client does it each second, on a rollout of a
// gigabyte (CTXMETER_BENCH_MB for another size): while nothing has changed,
// when the thread has grown, and for a thread that has no file yet among a
// thousand others.
//
//	go test ./cmd/ctxmeter -run '^$' -bench Footer
func BenchmarkFooter(b *testing.B) {
	home := b.TempDir()
	day := filepath.Join(home, "sessions", "2026", "01", "15")
	if err := os.MkdirAll(day, 0o700); err != nil {
		b.Fatal(err)
	}
	const usage = `{"timestamp":"2026-01-15T09:30:03.000Z","type":"event_msg","payload":{"type":"token_count","info":{"last_token_usage":{"input_tokens":%d,"cached_input_tokens":0,"output_tokens":100,"reasoning_output_tokens":0,"total_tokens":%d},"model_context_window":258400}}}` + "\n"
	f, err := os.Create(filepath.Join(day, "rollout-2026-01-15T09-30-00-"+threadID(1)+".jsonl"))
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	fmt.Fprintf(f, `{"timestamp":"2026-01-15T09:30:00.000Z","type":"session_meta","payload":{"id":"%s","timestamp":"2026-01-15T09:30:00.000Z","cwd":"/home/dev/shop","originator":"codex-tui","cli_version":"0.171.0","source":"cli"}}`+"\n", threadID(1))
	output := fmt.Sprintf(`{"timestamp":"2026-01-15T09:30:02.000Z","type":"response_item","payload":{"type":"function_call_output","call_id":"c","output":"%s"}}`+"\n", strings.Repeat("words of a tool ", 600))
	grow := func(n int) {
		fmt.Fprintf(f, `{"timestamp":"2026-01-15T09:30:01.000Z","type":"event_msg","payload":{"type":"task_started","turn_id":"t","model_context_window":258400}}`+"\n"+
			`{"timestamp":"2026-01-15T09:30:01.000Z","type":"turn_context","payload":{"turn_id":"t","cwd":"/home/dev/shop","model":"gpt-5.5"}}`+"\n")
		io.WriteString(f, output+`{"timestamp":"2026-01-15T09:30:02.000Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Fine."}]}}`+"\n")
		fmt.Fprintf(f, usage, 20_000+n%200_000, 20_100+n%200_000)
	}
	for n, size := 0, benchSize(b); int64(n)*int64(len(output)+500) < size; n++ {
		grow(n)
	}
	for i := range 1000 {
		id := threadID(1000 + i)
		if err := os.WriteFile(filepath.Join(day, "rollout-2026-01-15T09-30-00-"+id+".jsonl"), []byte("{}\n"), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	env := map[string]string{"HOME": b.TempDir(), "CODEX_HOME": home}
	p := newProgram(nil, io.Discard, io.Discard, func(name string) string { return env[name] })
	s, err := p.settings(p.command([]string{"ctxmeter"}))
	if err != nil {
		b.Fatal(err)
	}
	t, err := p.newTool(s, os.Getppid)
	if err != nil {
		b.Fatal(err)
	}
	foot := t.footer()
	foot.patience = time.Minute
	once := func(b *testing.B, id, want string) {
		var m map[string]any
		if err := json.Unmarshal([]byte(screenOfThread(id)), &m); err != nil {
			b.Fatal(err)
		}
		if got := compact(foot.draw(context.Background(), m)); !strings.Contains(got, want) {
			b.Fatal(got)
		}
	}
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			foot.seen = sight{}
			once(b, threadID(1), "/258k")
		}
	})
	b.Run("unchanged", func(b *testing.B) {
		for b.Loop() {
			once(b, threadID(1), "/258k")
		}
	})
	b.Run("grown", func(b *testing.B) {
		for n := 0; b.Loop(); n++ {
			grow(n)
			foot.seen.cost = 0
			once(b, threadID(1), "/258k")
		}
	})
	b.Run("none", func(b *testing.B) {
		for b.Loop() {
			foot.seen = sight{}
			once(b, threadID(999_999), nothingToShow)
		}
	})
}
