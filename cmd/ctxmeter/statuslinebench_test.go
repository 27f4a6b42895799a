package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// 200 status lines started together on a transcript of a gigabyte
// (CTXMETER_BENCH_MB for another size): alone is the median of one after the
// other, slowest the last of 200 to end, waiting its share of what is ahead of
// it: the slowest over the median and the number of processes per core.
//
//	go test ./cmd/ctxmeter -run '^$' -bench StatusLineCrowd -benchtime 5x
func BenchmarkStatusLineCrowd(b *testing.B) {
	const many = 200
	dir := b.TempDir()
	bin := filepath.Join(dir, "ctxmeter")
	build := exec.Command("go", "build", "-o", bin, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("building: %v\n%s", err, out)
	}
	path := filepath.Join(dir, "claude", "projects", "-home-dev-long", longID+".jsonl")
	writeLong(b, path, benchSize(b))
	env := append(os.Environ(), "HOME="+dir, "CLAUDE_CONFIG_DIR="+filepath.Join(dir, "claude"), "NO_COLOR=1",
		"XDG_CACHE_HOME="+filepath.Join(dir, "cache"), "XDG_STATE_HOME="+filepath.Join(dir, "state"))
	said := strings.Replace(saidOf(path, longID, "claude-sonnet-4-6", -1, 200_000), `"current_usage":null,`, "", 1)
	once := func() (line string, took time.Duration) {
		cmd := exec.Command(bin, "statusline")
		var out bytes.Buffer
		cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = env, strings.NewReader(said), &out, &out
		start := time.Now()
		if err := cmd.Run(); err != nil {
			b.Error(err)
		}
		return out.String(), time.Since(start)
	}
	right, _ := once()
	if strings.HasPrefix(right, nothingToShow) {
		b.Fatal(right)
	}
	var alone []time.Duration
	for range 50 {
		_, took := once()
		alone = append(alone, took)
	}
	slices.Sort(alone)
	median := alone[len(alone)/2]

	var slowest time.Duration
	for b.Loop() {
		if err := os.RemoveAll(filepath.Join(dir, "state")); err != nil { // all of them have something to write
			b.Fatal(err)
		}
		var all sync.WaitGroup
		var mu sync.Mutex
		for range many {
			all.Go(func() {
				line, took := once()
				mu.Lock()
				defer mu.Unlock()
				if slowest = max(slowest, took); line != right {
					b.Errorf("%q, want %q", line, right)
				}
			})
		}
		all.Wait()
	}
	for _, pattern := range []string{"*.tmp", "*/*.tmp", "*/*/*.tmp", "*/*/*/*.tmp"} {
		if left, _ := filepath.Glob(filepath.Join(dir, pattern)); len(left) > 0 {
			b.Errorf("left behind: %v", left)
		}
	}
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	b.ReportMetric(ms(median), "alone-ms")
	b.ReportMetric(ms(slowest), "slowest-ms")
	b.ReportMetric(ms(slowest)/ms(median)/(many/float64(runtime.NumCPU())), "waiting")
}
