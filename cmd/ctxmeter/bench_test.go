package main

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// A reading from flags to JSON, without the start of the process: with a
// sidecar, as in daily use, and from the transcript alone.
func BenchmarkReading(b *testing.B) {
	s, err := newSample()
	if err != nil {
		b.Fatal(err)
	}
	defer s.remove()
	if err := s.grow(readmeRecords); err != nil {
		b.Fatal(err)
	}
	env := map[string]string{"HOME": b.TempDir(), "CLAUDE_CONFIG_DIR": s.dir}
	for _, mode := range []struct {
		name string
		args []string
	}{{"sidecar", nil}, {"transcript", []string{"--no-cache"}}} {
		b.Run(mode.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				p := newProgram(nil, io.Discard, io.Discard, func(name string) string { return env[name] })
				if code := p.run(b.Context(), append([]string{"ctxmeter", "-t", sampleID}, mode.args...)); code != 0 {
					b.Fatal(code)
				}
			}
		})
	}
}

// The program as a process on a transcript of a gigabyte (CTXMETER_BENCH_MB
// for another size): version is the floor, cold has no sidecar, whole reads all
// of it, warm has a sidecar; statusline has one too; mcp is from the start of a server to its first
// answer, call a further call to one that runs.
//
//	go test ./cmd/ctxmeter -run '^$' -bench Process -benchtime 50x
func BenchmarkProcess(b *testing.B) {
	dir := b.TempDir()
	bin := filepath.Join(dir, "ctxmeter")
	if out, err := exec.Command("go", "build", "-o", bin, ".").CombinedOutput(); err != nil {
		b.Fatalf("building: %v\n%s", err, out)
	}
	path := filepath.Join(dir, "claude", "projects", "-home-dev-long", longID+".jsonl")
	writeLong(b, path, benchSize(b))
	env := append(os.Environ(), "HOME="+dir, "CLAUDE_CONFIG_DIR="+filepath.Join(dir, "claude"), "XDG_CACHE_HOME="+filepath.Join(dir, "cache"))
	once := func(args ...string) {
		cmd := exec.Command(bin, args...)
		cmd.Env = env
		if out, err := cmd.Output(); err != nil {
			b.Fatalf("%v\n%s", err, out)
		}
	}
	run := func(name string, args ...string) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				once(args...)
			}
		})
	}
	run("version", "--version")
	run("cold", "--session-file", path, "--json", "--no-cache")
	run("whole", "--session-file", path, "--json", "--no-cache", "--max-scan-bytes", "0")
	once("--session-file", path, "--json", "--max-scan-bytes", "0") // leaves a sidecar
	run("warm", "--session-file", path, "--json")

	said := saidOf(path, longID, "claude-sonnet-4-6", 100_000, 200_000)
	b.Run("statusline", func(b *testing.B) {
		for b.Loop() {
			cmd := exec.Command(bin, "statusline")
			cmd.Env, cmd.Stdin = env, strings.NewReader(said)
			if out, err := cmd.Output(); err != nil || strings.HasPrefix(string(out), nothingToShow) {
				b.Fatalf("%q, %v", out, err)
			}
		}
	})

	call := callLine(1, `{"session_id":"`+longID+`"}`, `{}`)
	b.Run("mcp", func(b *testing.B) {
		for b.Loop() {
			server := startServer(b, bin, env)
			server.ask(b, hello)
			server.ask(b, call)
			b.StopTimer()
			server.stop(b)
			b.StartTimer()
		}
	})
	b.Run("call", func(b *testing.B) {
		server := startServer(b, bin, env)
		server.ask(b, hello)
		b.ResetTimer()
		for b.Loop() {
			server.ask(b, call)
		}
		server.stop(b)
	})
}

// mcpProcess is a process that serves MCP.
type mcpProcess struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func startServer(b *testing.B, bin string, env []string) *mcpProcess {
	s := &mcpProcess{cmd: exec.Command(bin, "mcp")}
	s.cmd.Env = env
	s.in, _ = s.cmd.StdinPipe()
	out, err := s.cmd.StdoutPipe()
	if err == nil {
		err = s.cmd.Start()
	}
	if err != nil {
		b.Fatal(err)
	}
	s.out = bufio.NewReader(out)
	return s
}

func (s *mcpProcess) ask(b *testing.B, lines string) {
	if _, err := io.WriteString(s.in, lines); err != nil {
		b.Fatal(err)
	}
	if got, err := s.out.ReadString('\n'); err != nil || strings.Contains(got, "unavailable") {
		b.Fatalf("%q, %v", got, err)
	}
}

func (s *mcpProcess) stop(b *testing.B) {
	s.in.Close()
	if err := s.cmd.Wait(); err != nil {
		b.Fatal(err)
	}
}

const longID = "10000000-0000-4000-8000-000000000000"

func benchSize(b *testing.B) int64 {
	mb := int64(1000)
	if s := os.Getenv("CTXMETER_BENCH_MB"); s != "" {
		n, err := strconv.ParseInt(s, 10, 64)
		if err != nil {
			b.Fatal(err)
		}
		mb = n
	}
	return mb * 1e6
}

// writeLong writes an invented session of Claude Code: turns of a tool call
// and its result, most small, some of 100 KB, a compaction when it is full.
func writeLong(b *testing.B, path string, size int64) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		b.Fatal(err)
	}
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	w := bufio.NewWriterSize(f, 1<<20)
	defer w.Flush()
	rnd := rand.New(rand.NewPCG(1, 2))
	text := strings.Repeat(`the quick brown fox, 0x1f => return;\n\tif (a[i] != \"jumps\") { over(the, lazy_dog) }  `, 6000)
	envelope := `"isSidechain":false,"userType":"external","cwd":"/home/dev/long","sessionId":"` + longID + `","version":"2.1.197","timestamp":"2026-11-30T12:00:00.000Z"`
	written, prompt := int64(0), 20_000
	for id := 1; written < size; id += 2 {
		if prompt += 200 + rnd.IntN(1300); prompt > 166_000 {
			n, _ := fmt.Fprintf(w, `{"parentUuid":null,"type":"system","subtype":"compact_boundary","uuid":"%08x-0000-4000-8000-000000000000",%s,"compactMetadata":{"trigger":"auto","preTokens":%d,"postTokens":3000}}`+"\n", id, envelope, prompt)
			written += int64(n)
			prompt = 25_000
			id++
		}
		n, _ := fmt.Fprintf(w, `{"parentUuid":"%08x-0000-4000-8000-000000000000",%s,"type":"assistant","uuid":"%08x-0000-4000-8000-000000000000","message":{"id":"msg_%d","model":"claude-sonnet-4-6","role":"assistant","stop_reason":"tool_use","content":[{"type":"tool_use","id":"t","name":"Bash","input":{"command":"cat x"}}],"usage":{"input_tokens":3,"cache_read_input_tokens":%d,"cache_creation_input_tokens":1000,"output_tokens":120}}}`+"\n", id-1, envelope, id, id, prompt-1003)
		written += int64(n)
		length := 200 + rnd.IntN(3000)
		if rnd.IntN(8) == 0 {
			length = 20_000 + rnd.IntN(100_000)
		}
		at := rnd.IntN(len(text)-length) / 90 * 90
		n, _ = fmt.Fprintf(w, `{"parentUuid":"%08x-0000-4000-8000-000000000000",%s,"type":"user","uuid":"%08x-0000-4000-8000-000000000000","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"%s"}]}}`+"\n", id, envelope, id+1, strings.TrimRight(text[at:at+length], `\`))
		written += int64(n)
	}
}
