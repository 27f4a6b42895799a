package main

import (
	"io"
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
