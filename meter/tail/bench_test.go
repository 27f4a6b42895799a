package tail

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
)

// transcriptSize is how much the benchmarks scan, in bytes.
const transcriptSize = 96 << 20

// transcript writes a synthetic transcript to a file: small records of the
// usual shapes and, in between, tool results that hold most of the bytes.
// Half of the lines are under 2 KB, one in ten over 120 KB.
//
// The file has no name, where that can be: it goes when the process does.
var transcript = sync.OnceValues(func() (*os.File, error) {
	f, err := os.CreateTemp("", "transcript-*.jsonl")
	if err != nil {
		return nil, err
	}
	_ = os.Remove(f.Name()) // refused on Windows
	rng := rand.New(rand.NewPCG(1, 2))
	var buf bytes.Buffer
	for total, n := 0, 0; total < transcriptSize; n++ {
		buf.Reset()
		writeRecord(&buf, rng, n)
		k, err := f.Write(buf.Bytes())
		if err != nil {
			return nil, err
		}
		total += k
	}
	return f, nil
})

func writeRecord(w *bytes.Buffer, rng *rand.Rand, n int) {
	id := func() string {
		return fmt.Sprintf("%08x-%04x-4%03x-a%03x-%012x", rng.Uint32(), rng.IntN(1<<16), rng.IntN(1<<12), rng.IntN(1<<12), rng.Int64N(1<<48))
	}
	head := fmt.Sprintf(`{"parentUuid":%q,"isSidechain":false,"userType":"external","cwd":"/home/dev/shop","sessionId":%q,"version":"2.1.197","gitBranch":"main"`, id(), id())
	foot := fmt.Sprintf(`,"uuid":%q,"timestamp":"2026-11-30T15:02:%02d.123Z"}`+"\n", id(), n%60)
	size := 200 + rng.IntN(1500)
	switch rng.IntN(10) {
	case 0, 1:
		size = 20_000 + rng.IntN(80_000)
	case 2, 3:
		size = 2_000 + rng.IntN(10_000)
	}
	body := jsonString(prose(rng, size))
	switch {
	case size > 3000:
		fmt.Fprintf(w, `%s,"type":"user","message":{"role":"user","content":[{"tool_use_id":"toolu_%s","type":"tool_result","content":%s}]},"toolUseResult":{"stdout":%s,"interrupted":false}%s`,
			head, id(), body, body, foot)
	case n%3 == 0:
		fmt.Fprintf(w, `%s,"type":"user","message":{"role":"user","content":%s}%s`, head, body, foot)
	case n%3 == 1:
		fmt.Fprintf(w, `%s,"message":{"model":"claude-opus-4-8","id":"msg_%s","type":"message","role":"assistant","content":[{"type":"text","text":%s}],"stop_reason":null,"usage":{"input_tokens":3,"cache_creation_input_tokens":%d,"cache_read_input_tokens":%d,"cache_creation":{"ephemeral_5m_input_tokens":0,"ephemeral_1h_input_tokens":100},"output_tokens":%d,"service_tier":"standard"}},"requestId":"req_%s","type":"assistant"%s`,
			head, id(), body, rng.IntN(1e4), rng.IntN(2e5), rng.IntN(2e3), id(), foot)
	default:
		fmt.Fprintf(w, `%s,"message":{"model":"claude-opus-4-8","id":"msg_%s","type":"message","role":"assistant","content":[{"type":"tool_use","id":"toolu_%s","name":"Bash","input":{"command":%s,"type":"system","subtype":"compact_boundary","timeout":120000}}],"usage":{"input_tokens":3,"cache_creation_input_tokens":%d,"cache_read_input_tokens":%d,"output_tokens":%d}},"requestId":"req_%s","type":"assistant"%s`,
			head, id(), id(), body, rng.IntN(1e4), rng.IntN(2e5), rng.IntN(2e3), id(), foot)
	}
}

// prose returns code, logs, text, CJK or base64 of about n bytes.
func prose(rng *rand.Rand, n int) string {
	var b strings.Builder
	switch rng.IntN(24) {
	case 0:
		raw := make([]byte, n*3/4)
		for i := range raw {
			raw[i] = byte(rng.Uint32())
		}
		return base64.StdEncoding.EncodeToString(raw)
	case 1, 3:
		for b.Len() < n {
			b.WriteString("会话的上下文窗口还剩多少，什么时候会被压缩。")
		}
	case 2:
		for b.Len() < n {
			fmt.Fprintf(&b, `{"level":"info","at":%d,"msg":"request %d done"}`+"\n", rng.Uint32(), rng.IntN(1000))
		}
	default:
		words := strings.Fields("func return the window of context if err != nil { } scan record := range lines tokens, (offset) struct string switch case default append(s.parts, part) p.end int64 import len(buf) go test ./... PASS ok github.com/example/shop/cart 0.412s total += price * int64(n) // the sum of an order, in cents, before tax; see README.md for what counts if errors.Is(err, io.EOF) { break } \"quoted\" []byte // so far fmt.Printf(\"%d\\n\", n) transcript")
		for b.Len() < n {
			b.WriteString(strings.Repeat("\t", rng.IntN(4)))
			for range 3 + rng.IntN(12) {
				b.WriteString(words[rng.IntN(len(words))])
				b.WriteByte(' ')
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// jsonString is s as a JavaScript client writes it.
func jsonString(s string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.Encode(s)
	return strings.TrimSuffix(b.String(), "\n")
}

// usualSchema asks for about what a decoder asks for.
func usualSchema() *Schema {
	s := NewSchema()
	for path := range strings.FieldsSeq(`type subtype uuid parentUuid isSidechain isCompactSummary timestamp version cwd
		leafUuid requestId compactMetadata.trigger compactMetadata.preTokens content message.id message.model
		message.usage.input_tokens message.usage.cache_creation_input_tokens message.usage.cache_read_input_tokens
		message.usage.output_tokens message.usage.iterations[].type message.usage.iterations[].input_tokens
		message.content message.content[].type message.content[].content[].type attachment.type`) {
		s.Capture(path, 64)
	}
	for path := range strings.FieldsSeq(`content message.content message.content[].text message.content[].thinking
		message.content[].signature message.content[].content message.content[].content[].text attachment.**`) {
		s.Count(path)
	}
	s.CountJSON("message.content[].input")
	s.Each("message.usage.iterations[]")
	s.Each("message.content[]")
	s.Each("message.content[].content[]")
	return s
}

type silent struct{}

func (silent) Begin(*Record, Array)   {}
func (silent) Element(*Record, Array) {}
func (silent) Record(*Record)         {}

func open(b *testing.B) *os.File {
	f, err := transcript()
	if err != nil {
		b.Fatal(err)
	}
	return f
}

func countNewlines(b *testing.B, f io.ReaderAt, buf []byte) (size, lines int64) {
	for {
		n, err := f.ReadAt(buf, size)
		lines += int64(bytes.Count(buf[:n], []byte("\n")))
		size += int64(n)
		if err == io.EOF {
			return size, lines
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}

func scanOnce(b *testing.B, s *Scanner, f io.ReaderAt) int64 {
	res, err := s.Scan(f, 0, -1, silent{})
	if err != nil || res.Damaged != 0 || res.Records == 0 {
		b.Fatal(res, err)
	}
	return res.Next
}

// BenchmarkNewlines is the bar: reading the file and counting its newlines.
func BenchmarkNewlines(b *testing.B) {
	f, buf := open(b), make([]byte, blockSize)
	for b.Loop() {
		size, _ := countNewlines(b, f, buf)
		b.SetBytes(size)
	}
}

func BenchmarkScan(b *testing.B) {
	f, s := open(b), NewScanner(usualSchema())
	s.SetCounting(false)
	b.ReportAllocs()
	for b.Loop() {
		b.SetBytes(scanOnce(b, s, f))
	}
}

func BenchmarkScanCounting(b *testing.B) {
	f, s := open(b), NewScanner(usualSchema())
	b.ReportAllocs()
	for b.Loop() {
		b.SetBytes(scanOnce(b, s, f))
	}
}

// BenchmarkRatio takes turns, so that a noisy machine is fair to both sides:
// how fast a scan is, in percent of a count of the newlines.
func BenchmarkRatio(b *testing.B) {
	f, s, buf := open(b), NewScanner(usualSchema()), make([]byte, blockSize)
	var newlines, plain, counting time.Duration
	timed := func(d *time.Duration, do func()) {
		start := time.Now()
		do()
		*d += time.Since(start)
	}
	for b.Loop() {
		timed(&newlines, func() { countNewlines(b, f, buf) })
		s.SetCounting(false)
		timed(&plain, func() { scanOnce(b, s, f) })
		s.SetCounting(true)
		timed(&counting, func() { scanOnce(b, s, f) })
	}
	b.ReportMetric(100*newlines.Seconds()/plain.Seconds(), "scan-%")
	b.ReportMetric(100*newlines.Seconds()/counting.Seconds(), "counting-%")
}

func BenchmarkCount(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	samples := map[string]string{"code": "", "log": "", "cjk": "", "base64": ""}
	for samples["code"] == "" || samples["log"] == "" || samples["cjk"] == "" || samples["base64"] == "" {
		text := prose(rng, 1<<20)
		switch {
		case text[0] >= 0x80:
			samples["cjk"] = text
		case text[0] == '{':
			samples["log"] = text
		case !strings.Contains(text, " "):
			samples["base64"] = text
		default:
			samples["code"] = text
		}
	}
	for _, name := range []string{"code", "log", "cjk", "base64"} {
		raw := []byte(jsonString(samples[name]))[1:]
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(raw)))
			var t tally
			for b.Loop() {
				t.feed(raw)
				t.take()
			}
		})
	}
}
