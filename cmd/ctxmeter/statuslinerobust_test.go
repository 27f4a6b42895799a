package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ctxmeter/ctxmeter/backends"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wording"
	"github.com/ctxmeter/ctxmeter/meter"
)

// Whatever comes in, one line comes out, and nothing of what it was made of.
func TestStatusLineOfWhatIsNoPayload(t *testing.T) {
	for name, stdin := range map[string]string{
		"nothing":         "",
		"no JSON":         "secret words",
		"half of it":      `{"session_id":"secret`,
		"a list":          `["secret"]`,
		"another program": `{"secret":"words","session_id":7}`,
		"binary":          "\x00\xff\xfe secret",
		"very deep":       strings.Repeat(`{"secret":`, 100_000),
		"very long":       `{"prompt":"` + strings.Repeat("secret ", 2_000_000),
	} {
		if got := newRig(t).statusline(stdin); got != nothingToShow {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestStatusLineLetsNoControlCharacterThrough(t *testing.T) {
	hostile := `m\u001b[2J\u001b]0;x\u0007\n\r\t\u0000\u009b31m\u202e\u2028漢字`
	stdin := `{"session_id":"aaaaaaaa-0000-4000-8000-000000000000","model":{"id":"` + hostile + `"},"effort":{"level":"` + hostile[:20] + `"},"context_window":{"context_window_size":200000,"current_usage":{"input_tokens":5000}}}`
	got := newRig(t).set("NO_COLOR", "1").set("CTXMETER_STATUSLINE_FORMAT", "{model} {effort} {percent}").statusline(stdin)
	if strings.ContainsFunc(got, hostileRune) || !strings.Contains(got, "漢字") || !strings.Contains(got, "2.5 %") {
		t.Errorf("%q", got)
	}
}

func hostileRune(r rune) bool { return wording.Hostile(r) }

func TestStatusLineSurvives(t *testing.T) {
	c := newConversation(t)
	c.reply(c.prompt(0, "one"), "claude-opus-4-8", 150_000)
	said := c.said("claude-opus-4-8", 150_000, 200_000)
	const right = "75.0 % 150k/200k"
	read := func(r *rig, args ...string) string {
		return r.set("CTXMETER_STATUSLINE_FORMAT", "{percent} {used}/{window}").statusline(said, args...)
	}
	t.Run("a configuration that is broken", func(t *testing.T) {
		config := filepath.Join(t.TempDir(), "config.toml")
		putFile(t, config, []byte("windwo = 3\n"))
		if got := c.rig().set("CTXMETER_CONFIG", config).statusline(said); !strings.Contains(got, right) {
			t.Errorf("%q", got)
		}
	})
	t.Run("a segment that does not exist", func(t *testing.T) {
		r := c.rig().set("CTXMETER_STATUSLINE_FORMAT", "{percnt}")
		if got := r.statusline(said); !strings.Contains(got, right) {
			t.Errorf("%q", got)
		}
		if got := r.run("config"); got.code != exitNoReading || !strings.Contains(got.stderr, "did you mean {percent}?") {
			t.Errorf("'ctxmeter config' says %q", got.stderr)
		}
	})
	t.Run("flags that do not exist", func(t *testing.T) {
		for _, args := range [][]string{{"--nope"}, {"--window"}, {"--latest=perhaps"}} {
			if got := c.rig().statusline(said, args...); got != nothingToShow {
				t.Errorf("%v: %q", args, got)
			}
		}
		if got := read(c.rig(), "--window", "many"); got == nothingToShow {
			t.Errorf("a value that cannot be: %q", got)
		}
	})
	t.Run("no place to write", func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "file")
		putFile(t, file, nil)
		if got := read(c.rig().set("XDG_STATE_HOME", file).set("XDG_CACHE_HOME", file)); got != right {
			t.Errorf("%q", got)
		}
	})
	t.Run("nothing around it", func(t *testing.T) {
		r := c.rig()
		r.env, r.dir = map[string]string{"NO_COLOR": "1"}, ""
		if got := read(r); got != right {
			t.Errorf("%q", got)
		}
	})
	t.Run("a fault of its own", func(t *testing.T) {
		r := c.rig()
		r.clients = func(env meter.Env) []backends.Client { return []backends.Client{faulty{backends.All(env)[0]}} }
		if got := read(r); got != nothingToShow {
			t.Errorf("%q", got)
		}
		r.set("CTXMETER_DEBUG", "1")
		if got := r.statuslineOf(strings.NewReader(said), forever); got.code != 0 || got.stdout != nothingToShow+"\n" || !strings.Contains(got.stderr, "broken") {
			t.Errorf("for a developer: %d, %q, %q", got.code, got.stdout, got.stderr)
		}
	})
	t.Run("a transcript that cannot be read", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), talkID+".jsonl")
		putFile(t, path, []byte("no record\n"))
		r := newRig(t).set("NO_COLOR", "1")
		if got := r.statusline(saidOf(path, talkID, "claude-opus-4-8", -1, 200_000)); got != "-- claude-opus-4-8" {
			t.Errorf("%q", got)
		}
	})
	t.Run("a client that has gone", func(t *testing.T) {
		r := c.rig()
		var stderr bytes.Buffer
		p := r.program(closed{}, &stderr)
		p.stdin, p.wait = strings.NewReader(said), forever
		if code := p.run(t.Context(), []string{"ctxmeter", "statusline"}); code != 0 || stderr.Len() > 0 {
			t.Errorf("%d, %q", code, &stderr)
		}
	})
}

type faulty struct{ backends.Client }

func (faulty) Payload([]byte) (meter.Payload, bool) { panic("broken") }

type closed struct{}

func (closed) Write([]byte) (int, error) { return 0, errors.New("closed") }

// An open pipe does not keep the line: neither one without a word, nor one that
// stays open after the payload, or in the middle of it.
func TestStatusLineDoesNotWaitForTheEnd(t *testing.T) {
	said := saidOf("/nowhere.jsonl", talkID, "claude-opus-4-8", 150_000, 200_000)
	for _, tt := range []struct {
		sent, want string
		chunks     int32
	}{{"", nothingToShow, 0}, {said, "75.0 %", 1}, {said[:len(said)/2], nothingToShow, 1}} {
		in, out, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(out, tt.sent); err != nil {
			t.Fatal(err)
		}
		var waits atomic.Int32
		over := make(chan struct{}) // what comes has come
		got := newRig(t).set("NO_COLOR", "1").statuslineOf(in, func(ctx context.Context, d time.Duration) {
			if d == payloadLimit {
				forever(ctx, d)
				return
			}
			if waits.Add(1) == tt.chunks+1 {
				close(over)
			}
			select { // they may begin in another order than the chunks
			case <-ctx.Done():
			case <-over:
			}
		})
		if got.code != 0 || !strings.Contains(got.stdout, tt.want) || got.stderr != "" {
			t.Errorf("after %d bytes: %+v", len(tt.sent), got)
		}
		out.Close()
		in.Close()
	}
}

// Neither does it wait for one that never stops coming.
func TestStatusLineOfAnEndlessPayload(t *testing.T) {
	in, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	enough := make(chan struct{})
	go func() {
		defer out.Close()
		for i := 0; ; i++ {
			if _, err := io.WriteString(out, " "); err != nil {
				return
			}
			if i == 1000 {
				close(enough)
			}
		}
	}()
	got := newRig(t).statuslineOf(in, func(ctx context.Context, d time.Duration) {
		if d == payloadLimit {
			<-enough
			return
		}
		forever(ctx, d)
	})
	in.Close()
	if got.code != 0 || got.stdout != nothingToShow+"\n" {
		t.Errorf("%+v", got)
	}
}

// A payload comes in pieces of any size.
func TestStatusLineOfAPayloadInPieces(t *testing.T) {
	said := saidOf("/nowhere.jsonl", talkID, "claude-opus-4-8", 150_000, 200_000) + "\n"
	for _, size := range []int{1, 7, len(said) - 2, len(said)} {
		in, out, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			defer out.Close()
			for piece := range slices.Chunk([]byte(said), size) {
				if _, err := out.Write(piece); err != nil {
					return // what came was enough
				}
			}
		}()
		got := newRig(t).set("NO_COLOR", "1").statuslineOf(in, forever)
		if !strings.Contains(got.stdout, "75.0 %") {
			t.Errorf("in pieces of %d: %q", size, got.stdout)
		}
		in.Close()
	}
}

// What clients run never fails, whatever stands before or behind its name: for
// a hook, an exit status is an order to the client.
func TestWhatClientsRunNeverFails(t *testing.T) {
	for command, want := range map[string]string{"hook": "", "statusline": nothingToShow + "\n"} {
		for _, args := range [][]string{
			{"--bogus", command},
			{"--window", "x", command},
			{"--config", "/nowhere/at/all.toml", command},
			{"--color=never", "--fail-at", "150%", command},
			{command, "--bogus"},
			{command, "more"},
			{command, "--config"},
		} {
			r := newRig(t)
			r.stdin = "{"
			if got := r.run(args...); got.code != 0 || got.stdout != want || got.stderr != "" {
				t.Errorf("%q: %+v, want %q", args, got, want)
			}
		}
	}
}

// A home that is another folder in each project is none.
func TestARelativeHomeIsNone(t *testing.T) {
	c := newConversation(t)
	c.reply(c.prompt(0, "one"), "claude-sonnet-4-6", 50_000)
	r := c.rig().set("HOME", "rel").set("USERPROFILE", "rel").set("XDG_STATE_HOME", "").set("XDG_CACHE_HOME", "")
	r.now = c.at.Add(time.Minute)
	if got := r.statusline(c.said("claude-sonnet-4-6", 50_000, 200_000)); !strings.Contains(got, "25.0 %") {
		t.Errorf("%q", got)
	}
	if _, err := os.Lstat("rel"); err == nil {
		t.Error("it made a folder in the working folder")
	}
}

// Where the end of the transcript was not read, what the client states is not
// all there is.
func TestStatusLineOfATranscriptNotRead(t *testing.T) {
	c := newConversation(t)
	c.prompt(c.reply(c.prompt(0, "one"), "claude-sonnet-4-6", 50_000), strings.Repeat("many words, ", 1000))
	r := c.rig().set("CTXMETER_MAX_SCAN_BYTES", "1000")
	r.now = c.at.Add(time.Minute)
	if got := r.statusline(c.said("claude-sonnet-4-6", 50_000, 200_000)); !strings.Contains(got, "~5") || !strings.Contains(got, "k/200k") {
		t.Errorf("%q, want about 50k", got)
	}
}
