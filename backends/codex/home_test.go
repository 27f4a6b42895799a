package codex

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ctxmeter/ctxmeter/meter"
	"github.com/klauspost/compress/zstd"
)

// tree is an invented Codex home.
type tree struct {
	t   *testing.T
	dir string
}

func newTree(t *testing.T) tree { return tree{t, t.TempDir()} }

func (h tree) client() *Client { return New(meter.Env{CodexHomes: []string{h.dir}, Dir: h.dir}) }

// id is a UUIDv7 of the n-th minute of 2026-11-30 UTC.
func id(n int) string {
	at := time.Date(2026, 11, 30, 0, n, 0, 0, time.UTC).UnixMilli()
	return fmt.Sprintf("%08x-%04x-7000-8000-%012x", at>>16, at&0xffff, n)
}

// path is where the file of a thread lies, segment may be "".
func (h tree) path(day, thread, segment string) string {
	if segment != "" {
		thread += "_" + segment
	}
	dir := filepath.Join(liveDir, filepath.FromSlash(day))
	if day == archiveDir {
		dir = archiveDir
	}
	return filepath.Join(h.dir, dir, "rollout-2026-11-30T12-00-00-"+thread+plainExt)
}

func (h tree) write(path, text string) string {
	h.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		h.t.Fatal(err)
	}
	data := []byte(text)
	if isPacked(path) {
		w, err := zstd.NewWriter(nil)
		if err != nil {
			h.t.Fatal(err)
		}
		data = w.EncodeAll(data, nil)
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		h.t.Fatal(err)
	}
	return path
}

// meta is a session_meta line; more is put into its payload.
func meta(thread, more string) string {
	return fmt.Sprintf(`{"timestamp":"2026-11-30T12:00:00.000Z","type":"session_meta","payload":{"id":%q,"cwd":"/home/dev/shop","cli_version":"0.171.0","source":"cli"%s}}`+"\n", thread, more)
}

// goesOn is the history_base of a file that goes on from another.
func goesOn(rollout string, end int) string {
	return fmt.Sprintf(`,"history_base":{"thread_id":%q,"end_ordinal_exclusive":1,"end_byte_offset":%d}`, rollout, end)
}

// response is a token_count line.
func response(in, out int) string {
	return fmt.Sprintf(`{"timestamp":"2026-11-30T12:01:00Z","type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{"input_tokens":%[1]d,"output_tokens":%[2]d,"total_tokens":%[3]d},"last_token_usage":{"input_tokens":%[1]d,"output_tokens":%[2]d,"total_tokens":%[3]d},"model_context_window":258400}}}`+"\n", in, out, in+out)
}

func TestNames(t *testing.T) {
	a, b := id(1), id(2)
	for file, want := range map[string]name{
		"rollout-2026-11-30T12-00-00-" + a + ".jsonl":                      {thread: a, stamp: "2026-11-30T12-00-00"},
		"rollout-2026-11-30T12-00-00-" + strings.ToUpper(a) + ".jsonl.zst": {thread: a, stamp: "2026-11-30T12-00-00", packed: true},
		"rollout-2026-11-30T12-00-00-" + a + "_" + b + ".jsonl":            {thread: a, segment: b, stamp: "2026-11-30T12-00-00"},
		"rollout-2026-11-30T12-00-00-" + a + "_" + b + ".jsonl.zst":        {thread: a, segment: b, stamp: "2026-11-30T12-00-00", packed: true},
		"rollout-2026-11-30T12-00-00-" + a + ".jsonl.bak":                  {},
		"rollout-2026-11-30T12-00-00-" + a[1:] + ".jsonl":                  {},
		"rollout-" + strings.Replace(a, "-", "x", 1) + ".jsonl":            {},
		"session-2026-11-30T12-00-00-" + a + ".jsonl":                      {},
		"rollout-.jsonl": {},
	} {
		got, ok := parseName(file)
		if want.thread == "" {
			if ok {
				t.Errorf("%s: taken for a rollout", file)
			}
			continue
		}
		if !ok || got != want {
			t.Errorf("%s: %+v, want %+v", file, got, want)
		}
	}
}

func TestHomes(t *testing.T) {
	env := map[string]string{"CODEX_HOME": "rel:other"}
	c := New(meter.Env{
		Getenv: func(k string) string { return env[k] }, Home: "/home/dev", Dir: "/home/dev/shop",
		CodexHomes: []string{"/a", "/b", "/a"},
	})
	var got []string
	for _, h := range c.homes() {
		got = append(got, filepath.ToSlash(h.dir))
	}
	if want := "/a /b /home/dev/shop/rel:other"; strings.Join(got, " ") != want {
		t.Errorf("homes %q, want %q", got, want)
	}
}

func TestCurrent(t *testing.T) {
	env := map[string]string{"CODEX_THREAD_ID": id(1)}
	if got := New(meter.Env{Getenv: func(k string) string { return env[k] }}).Current(); got != id(1) {
		t.Errorf("current %q", got)
	}
	if got := New(meter.Env{}).Current(); got != "" {
		t.Errorf("current %q without an environment", got)
	}
}

func TestFindReadsWholeTreeForForeignIDs(t *testing.T) {
	h := newTree(t)
	v4 := "0f9b2c11-1111-4222-8333-444455556666"
	h.write(h.path("2024/01/02", v4, ""), meta(v4, ""))
	old := id(5) // filed under a day long before its own
	h.write(h.path("2025/01/02", old, ""), meta(old, ""))
	for _, want := range []string{v4, old, strings.ToUpper(v4[:8])} {
		got, err := h.client().Find(want)
		if err != nil || len(got) != 1 {
			t.Errorf("%s: %v, %v", want, got, err)
		}
	}
}

func BenchmarkFind(b *testing.B) {
	dir := b.TempDir()
	n := 0
	for day := range 365 {
		at := time.Date(2026, 1, 1+day, 12, 0, 0, 0, time.UTC)
		folder := filepath.Join(dir, liveDir, at.Format("2006"), at.Format("01"), at.Format("02"))
		os.MkdirAll(folder, 0o700)
		for range 14 {
			n++
			ms := at.UnixMilli() + int64(n)
			thread := fmt.Sprintf("%08x-%04x-7000-8000-%012x", ms>>16, ms&0xffff, n)
			os.WriteFile(filepath.Join(folder, "rollout-"+at.Format("2006-01-02T15-04-05")+"-"+thread+plainExt), []byte(meta(thread, "")), 0o600)
		}
	}
	c := New(meter.Env{CodexHomes: []string{dir}})
	at := func(day int) string {
		ms := time.Date(2026, 1, 1+day, 12, 0, 0, 0, time.UTC).UnixMilli() + int64(day*14+1)
		return fmt.Sprintf("%08x-%04x-7000-8000-%012x", ms>>16, ms&0xffff, day*14+1)
	}
	for name, id := range map[string]string{"new": at(363), "old": at(0), "prefix": at(200)[:13]} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if s, err := c.Find(id); err != nil || len(s) != 1 {
					b.Fatal(len(s), err)
				}
			}
		})
	}
	b.Run("here", func(b *testing.B) {
		for b.Loop() {
			if s, err := c.Here("/home/dev/shop"); err != nil || len(s) != recentHeads {
				b.Fatal(len(s), err)
			}
		}
	})
}
