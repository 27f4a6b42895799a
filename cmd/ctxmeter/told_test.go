package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ctxmeter/ctxmeter/meter"
)

func toldFiles(t *testing.T, r *rig) []string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(r.env["XDG_STATE_HOME"], "ctxmeter", "told", "*"))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// What the status line was told counts for the other commands, and for the
// agent's tool, until something better is known.
func TestWhatTheClientToldIsRemembered(t *testing.T) {
	c := newConversation(t)
	r := c.rig().set("XDG_STATE_HOME", t.TempDir())
	ask := func(what string, window int64, source meter.Source) {
		t.Helper()
		r.now = c.at.Add(time.Minute)
		got := r.run("-t", talkID, "--json").reading(t)
		if got.WindowTokens == nil || *got.WindowTokens != window || str(got.WindowSource) != string(source) {
			t.Errorf("%s: a window of %v by %s, want %d by %s", what, shown(got.WindowTokens), str(got.WindowSource), window, source)
		}
		r.stdin = hello + callLine(1, `{"session_id":"`+talkID+`"}`, `{}`)
		if text := answers(t, r.run("mcp").stdout)["1"].text(); !strings.Contains(text, fmt.Sprintf(`"window_tokens":%d,`, window)) {
			t.Errorf("%s: the tool says %s", what, text)
		}
	}
	first := c.reply(c.prompt(0, "one"), "claude-opus-4-8", 50_000)
	ask("before it was told", 200_000, meter.SourceAssumed)
	r.statusline(c.said("claude-opus-4-8[1m]", 50_000, 1_000_000))
	ask("told", 1_000_000, meter.SourceStatusline)

	r.statusline(c.said("claude-sonnet-5", 50_000, 200_000))
	ask("another model, without a reply yet", 200_000, meter.SourceStatusline)
	if got := r.run("-t", talkID, "--json").reading(t); str(got.Session.Model) != "claude-sonnet-5" {
		t.Errorf("the model is %s", str(got.Session.Model))
	}
	second := c.reply(c.prompt(first, "two"), "claude-sonnet-5", 60_000)
	ask("its first reply", 200_000, meter.SourceStatusline)
	third := c.reply(c.prompt(second, "three"), "claude-haiku-4-5", 61_000)
	ask("a model that nothing was told of", 200_000, meter.SourceAssumed)

	r.statusline(c.said("claude-haiku-4-5", 61_000, 200_000))
	c.reply(c.prompt(third, "four"), "claude-haiku-4-5", 230_000)
	ask("a larger request", 1_000_000, meter.SourceTranscript)
}

// A hook is told the model as the session starts, with the mark for a window of
// 1,000,000 that the transcript does not have. What it is told later, or not
// told although the session may go on with another window, takes that back; so
// does what says more of the window itself.
func TestWhatAHookIsToldIsRemembered(t *testing.T) {
	const noReply = "no reply yet"
	start := func(source, model string) string {
		if model != "" {
			model = `,"model":"` + model + `"`
		}
		return `,"source":"` + source + `"` + model
	}
	for name, tt := range map[string]struct {
		starts []string // what hooks of the session's start were handed
		set    [2]string
		line   int64 // window that the status line is told, after them
		window int64
		source meter.Source
	}{
		"nothing":                    {nil, [2]string{}, 0, 200_000, meter.SourceAssumed},
		"1,000,000":                  {[]string{start("startup", "claude-sonnet-4-6[1m]")}, [2]string{}, 0, 1_000_000, meter.SourceHook},
		"without the mark":           {[]string{start("startup", "claude-sonnet-4-6")}, [2]string{}, 0, 200_000, meter.SourceHook},
		"changed, told":              {[]string{start("startup", "claude-sonnet-4-6[1m]"), start("compact", "claude-sonnet-4-6")}, [2]string{}, 0, 200_000, meter.SourceHook},
		"perhaps changed, not told":  {[]string{start("startup", "claude-sonnet-4-6[1m]"), start("resume", "")}, [2]string{}, 0, 200_000, meter.SourceAssumed},
		"another model replied":      {[]string{start("startup", "claude-opus-4-8[1m]")}, [2]string{}, 0, 200_000, meter.SourceAssumed},
		noReply:                      {[]string{start("startup", "claude-opus-4-8[1m]")}, [2]string{}, 0, 1_000_000, meter.SourceHook},
		"a model that nobody knows":  {[]string{start("startup", "gateway/model")}, [2]string{}, 0, 200_000, meter.SourceAssumed},
		"switched off":               {[]string{start("startup", "claude-sonnet-4-6[1m]")}, [2]string{"CLAUDE_CODE_DISABLE_1M_CONTEXT", "1"}, 0, 200_000, meter.SourceEnv},
		"the status line, of itself": {[]string{start("startup", "claude-sonnet-4-6[1m]")}, [2]string{}, 200_000, 200_000, meter.SourceStatusline},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHookRig(t)
			h.set("CTXMETER_WINDOW", "").set("CTXMETER_COMPACT_THRESHOLD", "")
			if tt.set[0] != "" {
				h.set(tt.set[0], tt.set[1])
			}
			for _, more := range tt.starts {
				if text := h.hook(h.payload("SessionStart", more)); strings.Contains(text, "additionalContext") {
					t.Errorf("it says %s", text)
				}
			}
			if name == noReply {
				h.write(`"parentUuid":null,"type":"user","message":{"role":"user","content":"a word"}`)
			} else {
				h.reply(50_000)
			}
			if tt.line > 0 {
				h.statusline(fmt.Sprintf(`{"session_id":"%s","transcript_path":%q,"model":{"id":"claude-sonnet-4-6"},"context_window":{"context_window_size":%d}}`, hookID, h.transcript, tt.line))
			}
			got := h.run("--thread-id", hookID, "--json").reading(t)
			if got.WindowTokens == nil || *got.WindowTokens != tt.window || str(got.WindowSource) != string(tt.source) {
				t.Errorf("a window of %v by %s, want %d by %s", shown(got.WindowTokens), str(got.WindowSource), tt.window, tt.source)
			}
		})
	}
}

// Variables that the client was started with move its limits. Another shell
// does not have them; the status line, and a hook of the session's start, are
// run with them. What the other shell has of them counts no more then.
func TestTheClientsVariablesAreRemembered(t *testing.T) {
	const model, window = "claude-sonnet-4-6", "CLAUDE_CODE_AUTO_COMPACT_WINDOW"
	for _, by := range []string{"statusline", "hook", "hook, no model"} {
		t.Run(by, func(t *testing.T) {
			c := newConversation(t)
			r := c.rig().set("XDG_STATE_HOME", t.TempDir())
			c.reply(c.prompt(0, "one"), model, 50_000)
			agent := filepath.Join(filepath.Dir(c.path), talkID, "subagents", "agent-a1.jsonl")
			putFile(t, agent, []byte(strings.ReplaceAll(strings.ReplaceAll(strings.Join(c.lines, "\n")+"\n", `"isSidechain":false`, `"isSidechain":true,"agentId":"a1"`), "msg_", "msg_a")))
			triggerOf := func(args ...string) string {
				t.Helper()
				r.now = c.at.Add(time.Minute)
				got := r.run(append(args, "--json")...).reading(t)
				return fmt.Sprint(shown(got.Compaction.TriggerTokens), " ", str(got.Compaction.TriggerSource))
			}
			r.set(window, "160000")
			if got, want := triggerOf("-t", talkID), "127000 env."+window; got != want {
				t.Errorf("before anything is told: %s, want %s", got, want)
			}
			r.set(window, "150000")
			switch r.stdin = c.said(model, 50_000, 200_000); by {
			case "statusline":
				r.statusline(r.stdin)
			default:
				said := `,"model":"claude-sonnet-4-6"`
				if by != "hook" {
					said = ""
				}
				r.stdin = fmt.Sprintf(`{"session_id":%q,"transcript_path":%s,"cwd":"/home/dev/shop","hook_event_name":"SessionStart","source":"startup"%s}`, talkID, quote(c.path), said)
				r.run("hook")
			}
			for _, elsewhere := range []string{"", "190000"} {
				r.set(window, elsewhere)
				want := "117000 env." + window
				if got := triggerOf("-t", talkID); got != want {
					t.Errorf("told, and %q here: %s, want %s", elsewhere, got, want)
				}
				if got := triggerOf("--session-file", agent); got != want {
					t.Errorf("its subagent: %s, want %s", got, want)
				}
			}
			if by != "statusline" {
				return
			}
			r.set(window, "")
			r.statusline(c.said(model, 50_000, 200_000)) // the client was started anew
			r.set(window, "190000")
			if got, want := triggerOf("-t", talkID), "167000 assumed"; got != want {
				t.Errorf("told that there is none: %s, want %s", got, want)
			}
		})
	}
}

// Of a rewind, the transcript shows nothing before the next prompt. The status
// line is told, and then all others know, until the transcript goes on.
func TestARewindIsRemembered(t *testing.T) {
	const model = "claude-sonnet-4-6"
	c := newConversation(t)
	r := c.rig().set("XDG_STATE_HOME", t.TempDir()).set("CTXMETER_COMPACT_THRESHOLD", "100000")
	first := c.reply(c.prompt(0, "one"), model, 20_000)
	second := c.reply(c.prompt(first, "two"), model, 95_000)
	used := func(when string, want int64) {
		t.Helper()
		r.now = c.at.Add(time.Minute)
		if got := r.run("-t", talkID, "--json").reading(t); got.MeasuredTokens == nil || *got.MeasuredTokens != want {
			t.Errorf("%s: %v measured, want %d", when, shown(got.MeasuredTokens), want)
		}
	}
	used("at the end", 95_000)
	r.statusline(c.said(model, 20_000, 200_000))
	used("after a rewind", 20_000)
	r.stdin = fmt.Sprintf(`{"session_id":%q,"transcript_path":%s,"cwd":"/home/dev/shop","hook_event_name":"UserPromptSubmit"}`, talkID, quote(c.path))
	if got := r.run("hook"); got.code != 0 || got.stdout+got.stderr != "" {
		t.Errorf("a hook warns of what was taken back: %s", got.stdout)
	}
	c.prompt(second, "three")
	used("the transcript went on after all", 95_000)
	c.prompt(first, "four")
	used("it went on from the turn before", 20_000)
	r.statusline(c.said(model, 20_000, 200_000))
	r.statusline(c.said(model, 95_000, 200_000))
	used("and back again", 95_000)
}

// What comes after a rewind to before the first reply is linked to the end that
// was left, until the next reply (Claude Code 2.1.197, observed).
func TestARewindToTheBeginningIsRemembered(t *testing.T) {
	const model = "claude-sonnet-4-6"
	c := newConversation(t)
	r := c.rig().set("XDG_STATE_HOME", t.TempDir()).set("CTXMETER_COMPACT_THRESHOLD", "100000")
	c.reply(c.prompt(c.reply(c.prompt(0, "one"), model, 20_000), "two"), model, 95_000)
	estimated := func(when string) {
		t.Helper()
		r.now = c.at.Add(time.Minute)
		if got := r.run("-t", talkID, "--json").reading(t); str(got.Basis) != string(meter.BasisEstimate) || got.UsedTokens == nil || *got.UsedTokens > 30_000 {
			t.Errorf("%s: %v by %s", when, shown(got.UsedTokens), str(got.Basis))
		}
	}
	r.now = c.at.Add(time.Minute)
	null := c.said(model, -1, 200_000)
	r.statusline(null)
	estimated("after the rewind")
	third := c.prompt(c.n, "three")
	estimated("the next prompt")
	if line := r.statusline(null); !strings.Contains(line, "~2") {
		t.Errorf("the line after the next prompt is %q", line)
	}
	if line := r.statusline(c.said(model, 22_000, 200_000)); strings.Contains(line, "95") {
		t.Errorf("the line while the reply comes is %q", line)
	}
	estimated("while the reply comes")
	c.reply(c.n, model, 19_500)
	if got := r.run("-t", talkID, "--json").reading(t); got.MeasuredTokens == nil || *got.MeasuredTokens != 19_500 {
		t.Errorf("after the reply: %v measured", shown(got.MeasuredTokens))
	}
	c.reply(c.prompt(c.n, "four"), model, 96_000)
	r.now = c.at.Add(time.Minute)
	r.statusline(null)
	estimated("gone back to before it")
	c.prompt(third, "five") // the chain leads over what was linked to the end that was left first
	estimated("and a prompt after that")
	if line := r.statusline(null); !strings.Contains(line, "~2") {
		t.Errorf("the line then is %q", line)
	}
	c.reply(c.n, model, 23_000)
	if got := r.run("-t", talkID, "--json").reading(t); got.MeasuredTokens == nil || *got.MeasuredTokens != 23_000 {
		t.Errorf("after the last reply: %v measured", shown(got.MeasuredTokens))
	}
}

// Where a session compacted in one window says nothing of where it will in
// another.
func TestACompactionInAnotherWindowIsNoTrigger(t *testing.T) {
	const model = "claude-sonnet-5"
	c := newConversation(t)
	r := c.rig().set("XDG_STATE_HOME", t.TempDir())
	triggerAt := func(when, want string) {
		t.Helper()
		r.now = c.at.Add(time.Minute)
		got := r.run("-t", talkID, "--json").reading(t)
		if text := fmt.Sprint(shown(got.Compaction.TriggerTokens), " ", str(got.Compaction.TriggerSource)); text != want {
			t.Errorf("%s: %s, want %s", when, text, want)
		}
	}
	compact := func(pre int) int {
		n := c.add(0, "system", fmt.Sprintf(`"subtype":"compact_boundary","compactMetadata":{"trigger":"auto","preTokens":%d}`, pre))
		return c.add(n, "user", `"isCompactSummary":true,"message":{"role":"user","content":"what was said"}`)
	}
	c.reply(c.prompt(0, "one"), model, 150_000)
	c.reply(c.prompt(compact(155_000), "two"), model, 30_000)
	r.now = c.at
	r.statusline(c.said(model, 30_000, 200_000))
	triggerAt("in its window", "155000 observed")
	r.now = c.at.Add(time.Second)
	r.statusline(c.said(model, 30_000, 1_000_000))
	triggerAt("in a larger one", "934000 assumed")
	last := c.reply(c.prompt(c.n, "three"), model, 300_000)
	r.now = c.at
	r.statusline(c.said(model, 300_000, 200_000))
	c.prompt(last, "at last")
	c.reply(c.prompt(compact(300_100), "four"), model, 30_000)
	r.now = c.at.Add(time.Second)
	r.statusline(c.said(model, 30_000, 1_000_000))
	triggerAt("after a prompt that was too large for the smaller one", "934000 assumed")
	c.prompt(c.reply(c.n, model, 31_000), "five")
	r.now = c.at
	r.statusline(c.said(model, 31_000, 200_000))
	triggerAt("in the first window again", "155000 observed")
}

// A notice that came after what was told is newer.
func TestAModelNoticeIsNewerThanWhatWasTold(t *testing.T) {
	c := newConversation(t)
	r := c.rig().set("XDG_STATE_HOME", t.TempDir())
	r.now = c.at.Add(time.Minute)
	last := c.reply(c.prompt(0, "one"), "claude-opus-4-8", 50_000)
	r.statusline(c.said("claude-opus-4-8", 50_000, 200_000))
	c.add(last, "user", `"message":{"role":"user","content":"<local-command-stdout>Set model to Opus 4.8 (1M context) and saved as your default</local-command-stdout>"}`)
	if got := r.run("-t", talkID, "--json").reading(t); shown(got.WindowTokens) != int64(1_000_000) || str(got.WindowSource) != string(meter.SourceTranscript) {
		t.Errorf("%v by %s", shown(got.WindowTokens), str(got.WindowSource))
	}
}

func TestWhatWasToldIsWrittenOnceAndForTheUserOnly(t *testing.T) {
	c := newConversation(t)
	r := c.rig().set("XDG_STATE_HOME", t.TempDir())
	r.now = c.at.Add(time.Minute)
	c.reply(c.prompt(0, "one"), "claude-opus-4-8", 50_000)
	said := c.said("claude-opus-4-8", 50_000, 200_000)
	r.statusline(said, "--no-cache")
	if all := toldFiles(t, r); len(all) > 0 {
		t.Fatalf("--no-cache leaves %v", all)
	}
	r.statusline(said)
	all := toldFiles(t, r)
	if len(all) != 1 {
		t.Fatalf("%d files", len(all))
	}
	long := time.Now().Add(-time.Hour)
	if err := os.Chtimes(all[0], long, long); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(all[0])
	if err != nil {
		t.Fatal(err)
	}
	if os.PathSeparator == '/' && info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", info.Mode())
	}
	r.statusline(said)
	if again, err := os.Stat(all[0]); err != nil || !os.SameFile(info, again) || !again.ModTime().Equal(info.ModTime()) {
		t.Error("it is written again without a change")
	}
	r.statusline(c.said("claude-opus-4-8[1m]", 50_000, 1_000_000))
	if again, err := os.Stat(all[0]); err != nil || again.ModTime().Equal(info.ModTime()) || len(toldFiles(t, r)) != 1 {
		t.Error("a change is not written in place")
	}
	data, err := os.ReadFile(all[0])
	if err != nil || strings.Contains(string(data), "shop") {
		t.Errorf("%s, %v", data, err)
	}
}

func TestDamageToWhatWasToldIsNothingTold(t *testing.T) {
	c := newConversation(t)
	c.reply(c.prompt(0, "one"), "claude-opus-4-8", 50_000)
	for _, text := range []string{"", "{", "null", `{"version":99,"model":"claude-opus-4-8","window":1000000}`, `{"version":2,"model":"claude-opus-4-8","window":-1}`, `{"version":2,"window":"x"}`, strings.Repeat(" ", 1<<20)} {
		r := c.rig().set("XDG_STATE_HOME", t.TempDir())
		r.now = c.at.Add(time.Minute)
		r.statusline(c.said("claude-opus-4-8[1m]", 50_000, 1_000_000))
		putFile(t, toldFiles(t, r)[0], []byte(text))
		if got := r.run("-t", talkID, "--json").reading(t); str(got.WindowSource) != string(meter.SourceAssumed) {
			t.Errorf("%.40q: %s", text, str(got.WindowSource))
		}
		r.statusline(c.said("claude-opus-4-8[1m]", 50_000, 1_000_000))
		if got := r.run("-t", talkID, "--json").reading(t); str(got.WindowSource) != string(meter.SourceStatusline) {
			t.Errorf("%.40q is not replaced", text)
		}
	}
}

// The folder stays small: old files go when one is added, and the oldest of
// too many, and what was left half written.
func TestWhatWasToldDoesNotPileUp(t *testing.T) {
	c := newConversation(t)
	c.reply(c.prompt(0, "one"), "claude-opus-4-8", 50_000)
	r := c.rig().set("XDG_STATE_HOME", t.TempDir())
	r.now = time.Now()
	dir := filepath.Join(r.env["XDG_STATE_HOME"], "ctxmeter", "told")
	at := func(name string, age time.Duration) string {
		path := filepath.Join(dir, name)
		putFile(t, path, []byte("{}"))
		if err := os.Chtimes(path, r.now.Add(-age), r.now.Add(-age)); err != nil {
			t.Fatal(err)
		}
		return path
	}
	gone := []string{at("claude-code-old.1.tmp", 2*time.Hour), at("claude-code-old.json", keepTellings+time.Hour)}
	kept := []string{at("claude-code-old.2.tmp", time.Minute), at("told-1.tmp", 2*time.Hour), at("other.txt", 1000*time.Hour)}
	for i := range mostTellings + 50 {
		path := at(fmt.Sprintf("claude-code-%d.json", i), time.Duration(i+1)*time.Minute)
		if i < mostTellings-1 {
			kept = append(kept, path)
		} else {
			gone = append(gone, path)
		}
	}
	r.statusline(c.said("claude-opus-4-8", 50_000, 200_000))
	for _, path := range gone {
		if exists(path) {
			t.Errorf("%s is still there", filepath.Base(path))
		}
	}
	for _, path := range kept {
		if !exists(path) {
			t.Errorf("%s is gone", filepath.Base(path))
		}
	}
	if !exists(filepath.Join(dir, "claude-code-"+talkID+".json")) {
		t.Error("what was told is not kept")
	}
}
