package main

import (
	"io"
	"path/filepath"
	"testing"

	"github.com/ctxmeter/ctxmeter/backends"
	"github.com/ctxmeter/ctxmeter/meter"
	"github.com/ctxmeter/ctxmeter/meter/transcript"
)

// A replay, and learning, beside a plain scan of the same transcript
// (CTXMETER_BENCH_MB for another size than a gigabyte), which counts characters
// too:
//
//	CTXMETER_BENCH_MB=100 go test ./cmd/ctxmeter -run '^$' -bench Replays
func BenchmarkReplays(b *testing.B) {
	size := benchSize(b)
	path := filepath.Join(b.TempDir(), "projects", "-home-dev-long", longID+".jsonl")
	writeLong(b, path, size)
	c := backends.All(meter.Env{Getenv: func(string) string { return "" }})[0]
	b.Run("scan", func(b *testing.B) {
		b.SetBytes(size)
		b.ReportAllocs()
		for b.Loop() {
			s, err := c.File(path)
			if err == nil {
				_, err = transcript.Walk(s, c.Decoder(s), func(*meter.State, meter.Event) {})
			}
			if err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("accuracy", func(b *testing.B) {
		b.SetBytes(size)
		b.ReportAllocs()
		for b.Loop() {
			p := newProgram(nil, io.Discard, io.Discard, func(string) string { return "" })
			if code := p.run(b.Context(), []string{"ctxmeter", "accuracy", "--json", path}); code != 0 {
				b.Fatal(code)
			}
		}
	})
	b.Run("calibrate", func(b *testing.B) {
		b.SetBytes(size)
		b.ReportAllocs()
		for b.Loop() {
			p := newProgram(nil, io.Discard, io.Discard, func(string) string { return "" })
			root := filepath.Dir(filepath.Dir(filepath.Dir(path)))
			if code := p.run(b.Context(), []string{"ctxmeter", "calibrate", "--backend", "claude-code", "--claude-dir", root, "--dry-run", "--json"}); code != 0 {
				b.Fatal(code)
			}
		}
	})
}
