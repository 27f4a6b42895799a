package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// saidOf is a payload as Claude Code 2.1.197 words it, for a session whose
// transcript is at path. used and window are what it states.
func saidOf(path, id, model string, used, window int64) string {
	usage := "null"
	if used >= 0 {
		usage = fmt.Sprintf(`{"input_tokens":3,"output_tokens":12,"cache_creation_input_tokens":%d,"cache_read_input_tokens":0}`, max(used-3, 0))
		if used == 0 {
			usage = `{"input_tokens":0,"output_tokens":0,"cache_creation_input_tokens":0,"cache_read_input_tokens":0}`
		}
	}
	return fmt.Sprintf(`{"session_id":%s,"transcript_path":%s,"cwd":"/home/dev/shop","model":{"id":%s},"version":"2.1.197","cost":{"total_cost_usd":0.254},"effort":{"level":"high"},"context_window":{"total_input_tokens":%d,"context_window_size":%d,"current_usage":%s,"used_percentage":0}}`,
		quote(id), quote(path), quote(model), max(used, 0), window, usage)
}

func caseTranscript(t *testing.T, name, id string) (root, path string) {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", "..", "testdata", "cases", name, "claude"))
	if err != nil {
		t.Fatal(err)
	}
	found, _ := filepath.Glob(filepath.Join(root, "projects", "*", id+".jsonl"))
	if len(found) != 1 {
		t.Fatalf("%s has %d transcripts %s", name, len(found), id)
	}
	return root, found[0]
}

// Public complaints about status lines, and what the line says.
func TestPublicReportsOnStatusLines(t *testing.T) {
	const none = "/home/dev/.claude/projects/-home-dev-shop/none.jsonl"
	for _, tt := range []struct {
		name, root, stdin, want string
		env                     [2]string
	}{
		{
			name: "A11: an error of the provider as the newest reply", root: "A11 14550b7f-8204-5eb4-9a61-63051ee52c34",
			stdin: saidOf("PATH", "14550b7f-8204-5eb4-9a61-63051ee52c34", "claude-sonnet-4-5-20250929", 0, 200_000),
			want:  "{41.2 %} {82.5k/200k}",
		},
		{
			name:  "A15: sums over the session in the totals",
			stdin: `{"session_id":"aaaaaaaa-0000-4000-8000-000000000000","model":{"id":"claude-sonnet-4-5"},"version":"2.0.70","context_window":{"total_input_tokens":338000,"context_window_size":200000,"current_usage":{"input_tokens":80000,"output_tokens":1}}}`,
			want:  "{40.0 %} {80k/200k}",
		},
		{
			name:  "B02: the mark of a million behind an id with vendor and region",
			stdin: saidOf(none, "aaaaaaaa-0000-4000-8000-000000000000", "global.anthropic.claude-sonnet-4-6[1m]", 103_000, 1_000_000),
			want:  "{10.3 %} {103k/1M}",
		},
		{name: "B03: a window smaller than a request", stdin: "testdata/cases/B03", want: "{31.3 %} {313k/1M!}"},
		{
			name: "C01: zeros after a compaction", root: "C01 2d69b221-4171-511a-a018-099a5837e6ae",
			stdin: saidOf("PATH", "2d69b221-4171-511a-a018-099a5837e6ae", "claude-sonnet-4-6", 0, 200_000),
			want:  "{~14.7 %} {~29.5k/200k}",
		},
		{
			name: "C01: the same without a number in the boundary", root: "C01 cd3af2a8-d26a-5348-98c3-f51802c40431",
			stdin: saidOf("PATH", "cd3af2a8-d26a-5348-98c3-f51802c40431", "claude-sonnet-4-6", 0, 200_000),
			want:  "{~15.7 %} {~31.3k/200k}",
		},
		{
			name: "C13: compaction far below the window", root: "C13 7c9fc710-59d2-5164-a6ea-24ea676e4866",
			stdin: saidOf("PATH", "7c9fc710-59d2-5164-a6ea-24ea676e4866", "claude-opus-4-8[1m]", 70_000, 1_000_000),
			want:  "{70.3k/1M} {96.7k to compaction}",
		},
		{
			name: "D01: what another session is told", root: "C13 7c9fc710-59d2-5164-a6ea-24ea676e4866",
			stdin: saidOf("PATH", "bbbbbbbb-0000-4000-8000-000000000000", "claude-haiku-4-5", 190_000, 200_000),
			want:  "{70.3k/1M} {claude-opus-4-7}",
		},
		{
			name: "D02: the session after /clear", root: "D02 16903b97-4a04-5e32-8298-3f5f2a8dc3f7",
			stdin: saidOf("PATH", "16903b97-4a04-5e32-8298-3f5f2a8dc3f7", "claude-sonnet-4-6", 24_118, 200_000),
			want:  "{12.1 %}",
		},
		{
			name: "D03: after /resume the id counts where the file does not exist", root: "D02 c60e7633-6af9-5ba6-8f9c-d11c8a85fbb8",
			stdin: saidOf(none, "c60e7633-6af9-5ba6-8f9c-d11c8a85fbb8", "claude-sonnet-4-6", -1, 200_000),
			want:  "{71.} {14",
		},
		{
			name: "D19: the payload counts, not the environment", root: "D02 16903b97-4a04-5e32-8298-3f5f2a8dc3f7",
			stdin: saidOf("PATH", "16903b97-4a04-5e32-8298-3f5f2a8dc3f7", "claude-sonnet-4-6", -1, 200_000),
			env:   [2]string{"CLAUDE_CODE_SESSION_ID", "c60e7633-6af9-5ba6-8f9c-d11c8a85fbb8"},
			want:  "{12.1 %}",
		},
		{
			name:  "I07: before the first reply",
			stdin: saidOf(none, "aaaaaaaa-0000-4000-8000-000000000000", "claude-sonnet-4-6", -1, 200_000),
			want:  "{-- claude-sonnet-4-6}",
		},
		{name: "I08: an old build after /clear", stdin: "testdata/cases/I08", want: "{-- claude-opus-4-6}"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t).set("NO_COLOR", "1")
			if tt.root != "" {
				name, id, _ := strings.Cut(tt.root, " ")
				root, path := caseTranscript(t, name, id)
				r.set("CLAUDE_CONFIG_DIR", root)
				tt.stdin = strings.Replace(tt.stdin, quote("PATH"), quote(path), 1)
			}
			if dir, ok := strings.CutPrefix(tt.stdin, "testdata/"); ok {
				data, err := os.ReadFile(filepath.Join("..", "..", "testdata", dir, "stdin.json"))
				if err != nil {
					t.Fatal(err)
				}
				tt.stdin = string(data)
			}
			if tt.env[0] != "" {
				r.set(tt.env[0], tt.env[1])
			}
			got := r.statusline(tt.stdin)
			for want := range strings.SplitSeq(strings.Trim(tt.want, "{}"), "} {") {
				if !strings.Contains(got, want) {
					t.Errorf("%q, and not %q", got, want)
				}
			}
		})
	}
}

// conversation writes transcripts of Claude Code (the fields of 2.1.197) that
// are as small as can be.
type conversation struct {
	t          *testing.T
	root, path string
	lines      []string
	n          int // records so far
	at         time.Time
}

const talkID = "cccccccc-0000-4000-8000-000000000000"

func newConversation(t *testing.T) *conversation {
	root := t.TempDir()
	return &conversation{t: t, root: root, path: filepath.Join(root, "projects", "-home-dev-shop", talkID+".jsonl"), at: testNow.Add(-time.Hour)}
}

func uuid(n int) string { return fmt.Sprintf("%08d-0000-4000-8000-000000000000", n) }

// add appends a record after the one with number parent (0: none) and returns
// its own number.
func (c *conversation) add(parent int, typ, rest string) int {
	c.n++
	c.at = c.at.Add(time.Second)
	up := "null"
	if parent > 0 {
		up = quote(uuid(parent))
	}
	c.lines = append(c.lines, fmt.Sprintf(`{"parentUuid":%s,"isSidechain":false,"cwd":"/home/dev/shop","sessionId":%q,"version":"2.1.197","type":%q,"uuid":%q,"timestamp":%q,%s}`,
		up, talkID, typ, uuid(c.n), c.at.Format(time.RFC3339), rest))
	putFile(c.t, c.path, []byte(strings.Join(c.lines, "\n")+"\n"))
	return c.n
}

func (c *conversation) prompt(parent int, text string) int {
	return c.add(parent, "user", `"message":{"role":"user","content":`+quote(text)+`}`)
}

func (c *conversation) reply(parent int, model string, prompt int64) int {
	return c.add(parent, "assistant", fmt.Sprintf(`"requestId":"req_%d","message":{"id":"msg_%d","role":"assistant","model":%q,"stop_reason":"end_turn","content":[{"type":"text","text":"fine"}],"usage":{"input_tokens":3,"cache_creation_input_tokens":%d,"cache_read_input_tokens":0,"output_tokens":12}}`, c.n, c.n, model, prompt-3))
}

func (c *conversation) compact() int {
	n := c.add(0, "system", `"subtype":"compact_boundary","compactMetadata":{"trigger":"manual","preTokens":90000,"postTokens":3000}`)
	return c.add(n, "user", `"isCompactSummary":true,"message":{"role":"user","content":"what was said"}`)
}

func (c *conversation) rig() *rig {
	return newRig(c.t).set("NO_COLOR", "1").set("CLAUDE_CONFIG_DIR", c.root)
}

func (c *conversation) said(model string, used, window int64) string {
	return saidOf(c.path, talkID, model, used, window)
}

// What the client says of its newest request is believed where it fits what the
// transcript shows, and the transcript is right where not.
func TestPayloadAndTranscript(t *testing.T) {
	const model = "claude-opus-4-8"
	for name, tt := range map[string]struct {
		build func(c *conversation)
		said  int64
		late  time.Duration // after the newest record; a minute if 0
		want  string
	}{
		"they agree": {func(c *conversation) { c.reply(c.prompt(0, "one"), model, 20_000) }, 20_000, 0, "10.0 % 20k/200k"},
		"a reply on its way to the first prompt": {
			func(c *conversation) { c.prompt(0, "one") }, 20_000, 0, "10.0 % 20k/200k",
		},
		"a reply on its way to the next": {
			func(c *conversation) {
				c.prompt(c.reply(c.prompt(0, "one"), model, 20_000), strings.Repeat("many words, ", 8_000))
			}, 38_000, 0, "19.0 % 38k/200k",
		},
		"more than what was appended can be": {
			func(c *conversation) { c.prompt(c.reply(c.prompt(0, "one"), model, 20_000), "two") }, 60_000, 0, "10.0 % 20k/200k",
		},
		"more, where nothing was appended": {
			func(c *conversation) { c.reply(c.prompt(0, "one"), model, 20_000) }, 20_010, 0, "10.0 % 20k/200k",
		},
		"zeros without a compaction": {
			func(c *conversation) { c.reply(c.prompt(0, "one"), model, 20_000) }, 0, 0, "10.0 % 20k/200k",
		},
		"less that was never measured": {
			func(c *conversation) { c.reply(c.prompt(0, "one"), model, 20_000) }, 7_000, 0, "10.0 % 20k/200k",
		},
		"gone back a turn": {
			func(c *conversation) {
				c.reply(c.prompt(c.reply(c.prompt(0, "one"), model, 20_000), "two"), model, 90_000)
			}, 20_000, 0, "10.0 % 20k/200k",
		},
		"gone back farther than is in memory": {
			func(c *conversation) {
				at := 0
				for i := range 120 {
					at = c.reply(c.prompt(at, "one more"), model, 20_000+int64(i)*500)
				}
			}, 20_500, 0, "10.3 % 20.5k/200k",
		},
		"gone back to what a compaction kept": {
			func(c *conversation) {
				c.reply(c.prompt(0, "one"), model, 20_000)
				c.reply(c.prompt(c.compact(), "two"), model, 90_000)
			}, 20_000, 0, "~11.5 % ~23k/200k",
		},
		"what a compaction kept, while a reply is on its way": {
			func(c *conversation) {
				c.reply(c.prompt(0, "one"), model, 20_000)
				c.prompt(c.reply(c.prompt(c.compact(), "two"), model, 90_000), "three")
			}, 20_000, 0, "45.0 % 90k/200k",
		},
		"gone back to a compaction, nothing kept": {
			func(c *conversation) {
				c.reply(c.prompt(0, "one"), model, 20_000)
				c.reply(c.prompt(c.compact(), "two"), model, 90_000)
			}, -1, 0, "~11.5 % ~23k/200k",
		},
		"gone back to a beginning that is not in memory": {
			func(c *conversation) {
				at := c.reply(c.prompt(0, "one"), model, 20_000)
				c.reply(c.prompt(at, strings.Repeat("many words, ", 400_000)), model, 90_000)
			}, -1, 0, "~10.0 % ~20k/200k",
		},
		"gone back to the beginning": {
			func(c *conversation) {
				c.reply(c.prompt(c.reply(c.prompt(0, "one"), model, 20_000), "two"), model, 90_000)
			}, -1, 0, "~10.0 % ~20k/200k",
		},
		"no usage for a moment": {
			func(c *conversation) {
				c.reply(c.prompt(c.reply(c.prompt(0, "one"), model, 20_000), "two"), model, 90_000)
			}, -1, time.Second, "45.0 % 90k/200k",
		},
		"gone back to a compaction": {
			func(c *conversation) {
				c.reply(c.prompt(0, "one"), model, 20_000)
				c.reply(c.prompt(c.compact(), "two"), model, 90_000)
			}, 0, 0, "~11.5 % ~23k/200k",
		},
		"zeros while a reply is on its way": {
			func(c *conversation) {
				c.reply(c.prompt(0, "one"), model, 20_000)
				c.prompt(c.reply(c.prompt(c.compact(), "two"), model, 90_000), "three")
			}, 0, 0, "45.0 % 90k/200k",
		},
		"a turn behind for a moment": {
			func(c *conversation) {
				c.reply(c.prompt(c.reply(c.prompt(0, "one"), model, 20_000), "two"), model, 90_000)
			}, 20_000, time.Second, "45.0 % 90k/200k",
		},
		"gone back to the beginning, and what was before": {
			func(c *conversation) {
				first := c.prompt(0, "one")
				c.reply(first, model, 90_000)
				c.prompt(0, "another one")
			}, 90_000, 0, "~45",
		},
		"what was before a compaction": {
			func(c *conversation) { c.reply(c.prompt(0, "one"), model, 20_000); c.compact() }, 20_000, 0, "~11.5 % ~23k/200k",
		},
		"zeros after a compaction": {
			func(c *conversation) { c.reply(c.prompt(0, "one"), model, 20_000); c.compact() }, 0, 0, "~11.5 % ~23k/200k",
		},
		"a reply after a compaction": {
			func(c *conversation) {
				c.reply(c.prompt(0, "one"), model, 90_000)
				c.reply(c.prompt(c.compact(), "two"), model, 24_000)
			}, 24_000, 0, "12.0 % 24k/200k",
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := newConversation(t)
			tt.build(c)
			r := c.rig()
			if r.now = c.at.Add(time.Minute); tt.late > 0 {
				r.now = c.at.Add(tt.late)
			}
			r.set("CTXMETER_STATUSLINE_FORMAT", "{percent} {used}/{window}")
			if got := r.statusline(c.said(model, tt.said, 200_000)); !strings.HasPrefix(got, tt.want) {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

// The window is the client's as it is now, unless what was measured in it
// disproves it.
func TestWindowsFollowTheClient(t *testing.T) {
	c := newConversation(t)
	r := c.rig().set("CTXMETER_STATUSLINE_FORMAT", "{used}/{window} {model}")
	step := func(model string, used, window int64, want string) {
		t.Helper()
		r.now = c.at.Add(time.Minute)
		if got := r.statusline(c.said(model, used, window)); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	last := c.reply(c.prompt(0, "one"), "claude-opus-4-8", 150_000)
	step("claude-opus-4-8", 150_000, 200_000, "150k/200k claude-opus-4-8")
	step("claude-opus-4-8[1m]", 150_000, 1_000_000, "150k/1M claude-opus-4-8") // /model
	step("claude-haiku-4-5", 150_000, 200_000, "150k/200k claude-haiku-4-5")   // to another model, before its first reply
	step("claude-opus-4-8[1m]", 150_000, 1_000_000, "150k/1M claude-opus-4-8")
	last = c.reply(c.prompt(last, "two"), "claude-opus-4-8", 300_000)
	step("claude-opus-4-8[1m]", 300_000, 1_000_000, "300k/1M claude-opus-4-8")
	step("claude-opus-4-8", 300_000, 200_000, "300k/200k claude-opus-4-8") // resumed so: the client went down to it
	_ = c.reply(c.prompt(last, "three"), "claude-opus-4-8", 310_000)       // a request that could not be in such a window
	step("claude-opus-4-8", 310_000, 200_000, "310k/1M! claude-opus-4-8")
	_ = c.reply(c.prompt(c.compact(), "four"), "claude-opus-4-8", 24_000)
	step("claude-opus-4-8", 24_000, 200_000, "24k/200k claude-opus-4-8")
}

// Without knowing that the window was a larger one, a larger request disproves
// it, for as long as the model is the same.
func TestASmallerWindowThanEverIsDisproved(t *testing.T) {
	c := newConversation(t)
	r := c.rig().set("CTXMETER_STATUSLINE_FORMAT", "{used}/{window}")
	_ = c.reply(c.prompt(0, "one"), "claude-opus-4-8", 300_000)
	r.now = c.at.Add(time.Minute)
	if got := r.statusline(c.said("claude-opus-4-8", 300_000, 200_000)); got != "300k/1M!" {
		t.Errorf("%q", got)
	}
	_ = c.reply(c.prompt(c.compact(), "two"), "claude-opus-4-8", 24_000)
	r.now = c.at.Add(time.Minute)
	if got := r.statusline(c.said("claude-opus-4-8", 24_000, 200_000)); got != "24k/1M!" {
		t.Errorf("after a compaction %q", got)
	}
}
