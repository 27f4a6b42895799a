package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ctxmeter/ctxmeter/backends"
	"github.com/ctxmeter/ctxmeter/meter"
)

// hookRig is a made-up Claude Code session whose hooks are run. Its client
// compacts at 100,000 of 200,000 tokens.
type hookRig struct {
	*rig
	transcript string
	agent      string // of whom the transcript is, if of a subagent
	records    int
	at         time.Time
}

const hookID = "aaaaaaaa-0000-4000-8000-000000000001"

func newHookRig(t *testing.T) *hookRig {
	t.Helper()
	r := newRig(t).set("CTXMETER_WINDOW", "200000").set("CTXMETER_COMPACT_THRESHOLD", "100000")
	h := &hookRig{rig: r, at: testNow}
	h.transcript = filepath.Join(r.env["HOME"], ".claude", "projects", "-home-dev-shop", hookID+".jsonl")
	return h
}

// write appends a record.
func (h *hookRig) write(record string) {
	h.t.Helper()
	if err := os.MkdirAll(filepath.Dir(h.transcript), 0o700); err != nil {
		h.t.Fatal(err)
	}
	f, err := os.OpenFile(h.transcript, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		h.t.Fatal(err)
	}
	defer f.Close()
	h.records++
	h.at = h.at.Add(time.Second)
	h.now = h.at
	_, err = fmt.Fprintf(f, `{"uuid":"%08x-0000-4000-8000-000000000000",%s,"isSidechain":%t,"agentId":%q,"userType":"external","cwd":"/home/dev/shop","sessionId":"%s","version":"2.1.197","timestamp":"%s"}`+"\n",
		h.records, record, h.agent != "", h.agent, hookID, h.at.Format("2006-01-02T15:04:05.000Z"))
	if err != nil {
		h.t.Fatal(err)
	}
}

// reply is a request that was measured as so many tokens.
func (h *hookRig) reply(tokens int) {
	h.t.Helper()
	h.write(fmt.Sprintf(`"parentUuid":"%08x-0000-4000-8000-000000000000","type":"assistant","message":{"id":"msg_%d","model":"claude-sonnet-4-6","role":"assistant","stop_reason":"end_turn","content":[{"type":"text","text":"secret words"}],"usage":{"input_tokens":%d,"output_tokens":3}}`, h.records, h.records, tokens))
}

// compact is a boundary and its summary.
func (h *hookRig) compact(post int) {
	h.t.Helper()
	h.write(fmt.Sprintf(`"parentUuid":null,"type":"system","subtype":"compact_boundary","content":"Conversation compacted","compactMetadata":{"trigger":"auto","preTokens":100000,"postTokens":%d}`, post))
	h.write(fmt.Sprintf(`"parentUuid":"%08x-0000-4000-8000-000000000000","type":"user","isCompactSummary":true,"message":{"role":"user","content":"a summary"}`, h.records))
}

// payload is what Claude Code hands to a hook.
func (h *hookRig) payload(event, more string) string {
	return fmt.Sprintf(`{"session_id":"%s","transcript_path":%q,"cwd":%q,"permission_mode":"default","hook_event_name":"%s"%s}`, hookID, filepath.ToSlash(h.transcript), filepath.ToSlash(h.dir), event, more)
}

// hook runs the hook; whatever it is given, it must end well.
func (h *hookRig) hook(payload string, args ...string) string {
	h.t.Helper()
	h.stdin = payload
	got := h.run(append([]string{"hook"}, args...)...)
	if got.code != 0 || got.stderr != "" {
		h.t.Errorf("status %d, standard error %q on %q", got.code, got.stderr, payload)
	}
	return got.stdout
}

// say runs the hook of an event, and returns what the model and the person are
// told.
func (h *hookRig) say(event string) (model, person string) {
	h.t.Helper()
	more := ""
	if event == "SessionStart" {
		more = `,"source":"compact"`
	}
	return h.told(event, h.hook(h.payload(event, more)))
}

// told reads an answer as strictly as the clients do.
func (h *hookRig) told(event, text string) (model, person string) {
	h.t.Helper()
	if text == "" {
		return "", ""
	}
	var out struct {
		Message  string `json:"systemMessage"`
		Specific struct {
			Event    string `json:"hookEventName"`
			Context  string `json:"additionalContext"`
			Decision string `json:"permissionDecision"`
			Reason   string `json:"permissionDecisionReason"`
		} `json:"hookSpecificOutput"`
	}
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&out); err != nil || d.More() || out.Specific.Event != event || out.Message == "" {
		h.t.Errorf("%s: %v, %s", event, err, text)
	}
	if out.Specific.Decision == "deny" {
		return "DENY " + out.Specific.Reason, out.Message
	}
	return out.Specific.Context, out.Message
}

// silent and speaks hold an event to it.
func (h *hookRig) silent(event, when string) {
	h.t.Helper()
	if model, person := h.say(event); model != "" || person != "" {
		h.t.Errorf("%s: %s says %q, %q", when, event, model, person)
	}
}

func (h *hookRig) speaks(event, when string, words ...string) {
	h.t.Helper()
	model, person := h.say(event)
	for _, w := range words {
		if !strings.Contains(model, w) || person == "" {
			h.t.Errorf("%s: %s says %q, %q, not %q", when, event, model, person, w)
		}
	}
	if strings.Count(model, ". ") != 1 || strings.Contains(model+person, "secret") || strings.Contains(model+person, "dev") {
		h.t.Errorf("%s: %q, %q", when, model, person)
	}
}

func TestHookSaysEachLevelOnce(t *testing.T) {
	h := newHookRig(t)
	h.silent("UserPromptSubmit", "no transcript yet")
	h.reply(60_000)
	h.silent("UserPromptSubmit", "moderate")
	h.reply(76_000)
	h.speaks("UserPromptSubmit", "high", "38 % full (76k of 200k tokens)", "compacts it after 24k more", "Read in parts")
	h.silent("UserPromptSubmit", "high again")
	h.reply(77_000)
	h.silent("PostToolUse", "high still")
	h.reply(91_000)
	h.speaks("PostToolUse", "critical", "Save the state")
	h.reply(92_000)
	h.silent("PostToolUse", "critical still")
	h.reply(85_000)
	h.silent("PostToolUse", "a little less")
	h.reply(92_000)
	h.silent("PostToolUse", "critical after a little less")
}

func TestHookGoesFromTheConfiguredLevelOn(t *testing.T) {
	h := newHookRig(t)
	h.set("CTXMETER_HOOK_LEVEL", "critical")
	h.reply(76_000)
	h.silent("UserPromptSubmit", "high")
	h.reply(91_000)
	h.speaks("UserPromptSubmit", "critical", "Save the state")
	h = newHookRig(t)
	h.set("CTXMETER_HOOK_LEVEL", "moderate")
	h.reply(51_000)
	h.speaks("UserPromptSubmit", "moderate", "leave long searches to subagents")
	h = newHookRig(t)
	h.reply(99_999)
	h.speaks("UserPromptSubmit", "both levels at once", "Save the state")
	h.silent("UserPromptSubmit", "afterwards")
}

// At the start of a session after a compaction, Claude Code has not written the
// boundary yet (2.1.197): what was freed is said by the next hook that sees it.
func TestHookTellsWhatACompactionFreed(t *testing.T) {
	h := newHookRig(t)
	h.reply(20_000)
	h.silent("UserPromptSubmit", "low")
	h.reply(91_000)
	h.speaks("PostToolUse", "critical", "Save the state")
	h.reply(98_000)
	h.silent("SessionStart", "before the boundary")
	h.compact(3_000)
	h.reply(25_000)
	h.speaks("UserPromptSubmit", "compacted", "freed about 73k tokens", "13 % full (25k of 200k tokens)")
	h.silent("UserPromptSubmit", "afterwards")
	h.reply(77_000)
	h.speaks("UserPromptSubmit", "high again", "Read in parts")
	h.compact(3_000)
	h.reply(26_000)
	h.silent("UserPromptSubmit", "compacted again: the last notice is kept")
	h.reply(93_000)
	h.speaks("UserPromptSubmit", "critical again", "Save the state")
	h.compact(3_000)
	h.reply(94_000)
	h.silent("UserPromptSubmit", "after the last one")
}

// Where the boundary is on disk at once, as with Codex, so is the notice.
func TestHookTellsWhatACompactionFreedAtOnce(t *testing.T) {
	h := newHookRig(t)
	h.reply(20_000)
	h.reply(60_000)
	h.silent("PostToolUse", "moderate")
	h.compact(3_000)
	h.speaks("SessionStart", "compacted", "freed about", "now about")
	h.silent("PostToolUse", "afterwards")
}

// The first hook of a session does not take an old compaction for a new one.
func TestHookIsSilentAboutOldCompactions(t *testing.T) {
	h := newHookRig(t)
	h.reply(90_000)
	h.compact(3_000)
	h.reply(20_000)
	h.silent("UserPromptSubmit", "first")
	h.reply(21_000)
	h.silent("UserPromptSubmit", "second")
}

// A subagent of Claude Code has a context of its own, beside the transcript of
// its parent that the payload names.
func TestHookCountsSubagentsApart(t *testing.T) {
	h := newHookRig(t)
	h.reply(30_000)
	agent := *h
	agent.agent = "a0123456789abcdef"
	agent.transcript = filepath.Join(strings.TrimSuffix(h.transcript, ".jsonl"), "subagents", "agent-a0123456789abcdef.jsonl")
	agent.reply(91_000)
	payload := h.payload("PostToolUse", `,"agent_id":"a0123456789abcdef","agent_type":"general-purpose"`)
	model, person := h.told("PostToolUse", h.hook(payload))
	if !strings.Contains(model, "46 % full (91k of 200k tokens)") || !strings.Contains(model, "Finish, and report") || !strings.Contains(person, "a subagent's context is") {
		t.Errorf("%q, %q", model, person)
	}
	agent.reply(92_000)
	if got := h.hook(payload); got != "" {
		t.Errorf("again: %s", got)
	}
	h.silent("PostToolUse", "the parent is moderate")
	h.reply(91_000)
	h.speaks("PostToolUse", "the parent, too", "Save the state")
	if got := h.hook(h.payload("PostToolUse", `,"agent_id":"a9999999999abcdef"`)); got != "" {
		t.Errorf("a subagent without a transcript: %s", got)
	}
}

// Who a subagent is whose id is of another shape is not known: not its parent.
func TestHookTakesNoSubagentForItsParent(t *testing.T) {
	const thread = "01a22e2d-8629-73a2-9c63-44713a9dffcf"
	for _, id := range []string{`"agent:1"`, `"a b"`, `"../x"`, `"` + strings.Repeat("a", 129) + `"`, `"\u0000"`, `7`, `true`, `{"id":"a"}`, `["a"]`} {
		h := newHookRig(t)
		h.reply(95_000)
		for _, event := range []string{"UserPromptSubmit", "PostToolUse"} {
			if got := h.hook(h.payload(event, `,"agent_id":`+id)); got != "" {
				t.Errorf("%s: %s", id, got)
			}
		}
		h.speaks("PostToolUse", "the parent, after "+id, "Save the state")
		h = newHookRig(t)
		if got := h.codex(thread, `,"agent_id":`+id); got != "" {
			t.Errorf("Codex, %s: %s", id, got)
		}
		if got := h.codex(thread, ""); !strings.Contains(got, "Save the state") {
			t.Errorf("Codex, the parent after %s: %s", id, got)
		}
	}
	for _, none := range []string{`null`, `""`} {
		h := newHookRig(t)
		h.reply(95_000)
		if got := h.hook(h.payload("PostToolUse", `,"agent_id":`+none)); !strings.Contains(got, "Save the state") {
			t.Errorf("no subagent: %s", got)
		}
	}
}

// codex lays the recorded rollout of a thread up to where it is full, and runs
// the hook of a tool.
func (h *hookRig) codex(thread, more string) string {
	h.t.Helper()
	h.set("CTXMETER_WINDOW", "").set("CTXMETER_COMPACT_THRESHOLD", "")
	rel := filepath.Join("sessions", "2026", "11", "30", "rollout-2026-11-30T20-37-45-"+thread+".jsonl")
	to := filepath.Join(h.env["HOME"], ".codex", rel)
	h.copyPart("codex-0.171.0", rel, to, func(data []byte) []byte { return data[:43692] })
	return h.hook(fmt.Sprintf(`{"session_id":%q,"transcript_path":%q,"turn_id":"7","hook_event_name":"PostToolUse"%s}`, thread, filepath.ToSlash(to), more))
}

// Before the first prompt, and of a session that is nowhere, there are no files.
func TestHookKnowsNothingOfASessionWithoutFiles(t *testing.T) {
	const id = "11111111-1111-4111-8111-111111111111"
	for _, event := range []string{"UserPromptSubmit", "PostToolUse", "PreToolUse", "SessionStart", "PreCompact"} {
		for _, more := range []string{"", `,"turn_id":"7"`, `,"transcript_path":null`, `,"transcript_path":""`, `,"transcript_path":"/none/x.jsonl"`, `,"agent_id":"a0123456789abcdef"`, `,"agent_id":"` + id + `","turn_id":"7"`} {
			h := newHookRig(t)
			h.set("CTXMETER_DEBUG", "1") // tells of a panic
			h.stdin = fmt.Sprintf(`{"session_id":%q,"hook_event_name":%q,"source":"compact","model":"claude-sonnet-4-6","tool_name":"Read","tool_input":{"file_path":%q}%s}`, id, event, h.file("big.txt", foxes(100)), more)
			if got := h.run("hook"); got.code != 0 || got.stdout != "" || strings.Contains(got.stderr, "goroutine") {
				t.Errorf("%s: %+v", h.stdin, got)
			}
		}
	}
}

// With settings that cannot be read the hook warns as by default, and stops
// nothing.
func TestHookWarnsWithoutSettings(t *testing.T) {
	for name, text := range map[string]string{
		"no TOML":        "[hook\nblock = \"trigger\"",
		"an unknown key": "[hook]\nblock = \"trigger\"\nlevels = 3\n",
		"a wrong value":  "stale_after = \"soon\"\n[hook]\nblock = \"trigger\"\n",
		"a wrong block":  "[hook]\nblock = \"everything\"\n",
	} {
		h := newHookRig(t)
		h.set("CTXMETER_WINDOW", "").set("CTXMETER_COMPACT_THRESHOLD", "")
		path := filepath.Join(h.env["HOME"], ".config", "ctxmeter", "config.toml")
		putFile(t, path, []byte(text))
		h.reply(150_000)
		if said, _ := h.reads(h.file("big.txt", foxes(3000)), ""); !strings.HasPrefix(said, "Reading") {
			t.Errorf("%s: %q", name, said)
		}
		h.reply(160_000)
		h.speaks("PostToolUse", name, "Save the state")
	}
	h := newHookRig(t)
	h.set("CTXMETER_COMPACT_THRESHOLD", "").set("CTXMETER_WINDOW", "many").set("CTXMETER_HOOK_BLOCK", "trigger")
	h.reply(160_000)
	h.speaks("PostToolUse", "a variable", "Save the state")
}

// A window that nobody stated is no plain fact.
func TestHookSaysWhereTheWindowIsAssumed(t *testing.T) {
	h := newHookRig(t)
	h.set("CTXMETER_WINDOW", "")
	h.reply(95_000)
	const words = "48 % full (95k of an assumed window of 200k tokens)"
	model, person := h.say("PostToolUse")
	if !strings.Contains(model, words) || !strings.Contains(person, words) {
		t.Errorf("%q, %q", model, person)
	}
	h.compact(3_000)
	h.reply(20_000)
	h.speaks("UserPromptSubmit", "compacted", "of an assumed window of 200k tokens)")
	h = newHookRig(t)
	h.set("CTXMETER_WINDOW", "")
	h.reply(92_000)
	if model, person = h.reads(h.file("big.txt", foxes(1000)), ""); !strings.Contains(model, "an assumed window") || !strings.Contains(person, "an assumed window") {
		t.Errorf("%q, %q", model, person)
	}
}

func TestHookSaysLittleInFiftyPrompts(t *testing.T) {
	h := newHookRig(t)
	told, used := 0, 20_000
	for range 50 {
		for _, event := range []string{"UserPromptSubmit", "PostToolUse"} {
			if used += 3_500; used > 99_000 {
				h.compact(3_000)
				used = 20_000
			}
			h.reply(used)
			if model, _ := h.say(event); model != "" {
				told++
			}
		}
	}
	if told != mostTold {
		t.Errorf("%d notices", told)
	}
	// Later there may be more.
	h.reply(20_000)
	for range 50 {
		h.reply(21_000)
		h.say("UserPromptSubmit")
	}
	h.compact(3_000)
	h.reply(20_000)
	h.speaks("UserPromptSubmit", "50 prompts later", "freed about 1k")
}

// An agent that works for long on one prompt is not left alone: each fill of its
// context is as good as the first, unless they come fast.
func TestHookSaysMoreInALongTurn(t *testing.T) {
	for _, tt := range []struct{ fills, step, critical, freed, all int }{
		{4, 700, 4, 3, 11},    // 113 calls up to a compaction
		{40, 8_000, 9, 8, 25}, // 10 calls
	} {
		h := newHookRig(t)
		h.silent("UserPromptSubmit", "the one prompt")
		critical, freed, all, calls := 0, 0, 0, 0
		for range tt.fills {
			for used := 20_000; used < 99_000; used += tt.step {
				h.reply(used)
				calls++
				model, _ := h.say("PostToolUse")
				all += strings.Count(model, "our context is ")
				critical += strings.Count(model, "Save the state")
				freed += strings.Count(model, "which freed")
			}
			h.compact(3_000)
		}
		if critical != tt.critical || freed != tt.freed || all != tt.all {
			t.Errorf("%d notices in %d calls, %d of them critical and %d of compactions", all, calls, critical, freed)
		}
	}
}

func TestHookIsSilentAtOtherEvents(t *testing.T) {
	h := newHookRig(t)
	h.reply(95_000)
	for _, event := range []string{"Stop", "SubagentStart", "SubagentStop", "PreCompact", "PostCompact", "SessionEnd", "Notification", "PostToolUseFailure", "PostToolBatch", "PreModelRequest", "NoSuchEvent", ""} {
		if got := h.hook(h.payload(event, `,"source":"compact","stop_hook_active":false,"trigger":"auto"`)); got != "" {
			t.Errorf("%s says %s", event, got)
		}
	}
	for _, source := range []string{"startup", "resume", "clear", "fork"} {
		if got := h.hook(h.payload("SessionStart", `,"source":"`+source+`"`)); got != "" {
			t.Errorf("start by %s says %s", source, got)
		}
	}
	h.speaks("UserPromptSubmit", "after all of these", "Save the state")
}

// If the transcript is what it was when it was read last, it is not read.
func TestHookDoesNotReadWhatItKnows(t *testing.T) {
	h := newHookRig(t)
	h.reply(60_000)
	h.silent("UserPromptSubmit", "moderate")
	old, err := os.ReadFile(h.transcript)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(h.transcript)
	if err != nil {
		t.Fatal(err)
	}
	fuller := strings.Replace(string(old), "60000", "95000", 1)
	if err := os.WriteFile(h.transcript, []byte(fuller), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(h.transcript, info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	h.silent("UserPromptSubmit", "same size and time")
	if err := os.Chtimes(h.transcript, info.ModTime(), info.ModTime().Add(time.Second)); err != nil {
		t.Fatal(err)
	}
	h.speaks("UserPromptSubmit", "another time", "Save the state")
}

// Hooks of tools that are used at once run at once: one of them speaks.
func TestHooksAtOnceSayItOnce(t *testing.T) {
	h := newHookRig(t)
	h.reply(95_000)
	var all sync.WaitGroup
	texts := make([]string, 24)
	for i := range texts {
		all.Go(func() {
			one := *h.rig // with an input of its own
			one.stdin = h.payload("PostToolUse", "")
			texts[i] = one.run("hook").stdout
		})
	}
	all.Wait()
	if said := strings.Join(texts, ""); strings.Count(said, "systemMessage") != 1 {
		t.Errorf("not once:\n%s", said)
	}
	left, err := filepath.Glob(filepath.Join(h.state(), "*.*"))
	if err != nil || len(left) != 1 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// state is the folder in which hooks remember.
func (h *hookRig) state() string {
	return filepath.Join(h.env["HOME"], ".local", "state", "ctxmeter", "hooks")
}

func TestHookEndsWellWhateverItIsGiven(t *testing.T) {
	h := newHookRig(t)
	h.reply(95_000)
	good := h.payload("UserPromptSubmit", "")
	for name, payload := range map[string]string{
		"nothing": "", "no JSON": "what", "an array": "[1]", "null": "null", "a number": "7",
		"other types":     `{"session_id":7,"transcript_path":[],"hook_event_name":{"a":1}}`,
		"no such session": strings.ReplaceAll(good, hookID, strings.Replace(hookID, "a", "b", 1)),
		"no session":      strings.Replace(good, `"session_id":"`+hookID+`",`, "", 1),
		"a path for id":   strings.Replace(good, `"session_id":"`+hookID, `"session_id":"../../../x`, 1),
		"cut off early":   good[:40],
		"binary":          "\x00\xff\xfe",
		"an unknown read": h.payload("PreToolUse", `,"tool_name":"Read","tool_input":{"file_path":"/no/such/file"}`),
		"a read of /proc": h.payload("PreToolUse", `,"tool_name":"Read","tool_input":{"file_path":"/proc/self/environ"}`),
		"another tool":    h.payload("PreToolUse", `,"tool_name":"Bash","tool_input":{"command":"ls"}`),
	} {
		if got := h.hook(payload); got != "" {
			t.Errorf("%s: %s", name, got)
		}
	}
	h.set("CTXMETER_WINDOW", "many")
	for _, args := range [][]string{nil, {"--no-such-flag"}, {"stray"}, {"--config", "/no/such/file"}} {
		if got := h.hook(good, args...); got != "" {
			t.Errorf("%v: %s", args, got)
		}
	}
	h.set("CTXMETER_WINDOW", "200000")
	h.reply(95_000)
	if got := h.hook(good + strings.Repeat(" ", 1<<20)); got == "" {
		t.Error("after all of that it is silent about what it should say")
	}
}

// Where the transcript is not at the path that the client names, the id leads to
// it.
func TestHookFindsTheSessionByItsID(t *testing.T) {
	h := newHookRig(t)
	h.reply(95_000)
	if got := h.hook(strings.Replace(h.payload("UserPromptSubmit", ""), "-home-dev-shop", "-home-dev-moved", 1)); !strings.Contains(got, "Save the state") {
		t.Error(got)
	}
}

func TestHookEndsWellWithoutAPlaceToRemember(t *testing.T) {
	h := newHookRig(t)
	h.reply(95_000)
	if err := os.MkdirAll(filepath.Dir(filepath.Dir(h.state())), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Dir(h.state()), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	h.silent("UserPromptSubmit", "a file in the place of the folder")
	h.env["HOME"] = ""
	h.silent("UserPromptSubmit", "no home")
}

type panicking struct{ backends.Client }

func (panicking) Payload([]byte) (meter.Payload, bool) { panic("secret") }

func TestHookEndsWellAfterAPanic(t *testing.T) {
	h := newHookRig(t)
	h.clients = func(env meter.Env) []backends.Client { return []backends.Client{panicking{backends.All(env)[0]}} }
	if got := h.hook("{}"); got != "" {
		t.Error(got)
	}
}

type unwritable struct{}

func (unwritable) Write([]byte) (int, error) { return 0, errors.New("closed") }

func TestHookEndsWellWhenTheClientHasGone(t *testing.T) {
	h := newHookRig(t)
	h.reply(95_000)
	h.stdin = h.payload("UserPromptSubmit", "")
	var stderr strings.Builder
	if code := h.program(unwritable{}, &stderr).run(t.Context(), []string{"ctxmeter", "hook"}); code != 0 || stderr.Len() > 0 {
		t.Errorf("status %d, %q", code, stderr.String())
	}
}

// Claude Code starts the session anew before it writes down that it was
// compacted: what the level was before would stand in the new context.
func TestTheStartAfterACompactionDoesNotTellTheOldLevel(t *testing.T) {
	h := newHookRig(t)
	h.reply(20_000)
	h.silent("UserPromptSubmit", "at the beginning")
	h.reply(95_000)
	h.silent("SessionStart", "compacted, which is not written down yet")
	h.compact(10_000)
	h.speaks("UserPromptSubmit", "written down", "compacted", "freed")
	h.reply(95_000)
	h.speaks("PostToolUse", "full again", "95k")
}

// Why there is nothing to say, is said to who asks, and to nobody else; what
// stood on standard input is not repeated.
func TestHookTellsADeveloperWhyItIsSilent(t *testing.T) {
	h := newHookRig(t)
	h.reply(95_000)
	for _, tt := range []struct{ stdin, says string }{
		{"", "standard input is empty"},
		{" \n", "standard input is empty"},
		{"secret", "no payload of Claude Code or Codex, but 6 bytes"},
		{"{}", "no payload of Claude Code or Codex, but 2 bytes"},
		{h.payload("Stop", ""), "an event at which there is nothing to say"},
		{strings.ReplaceAll(h.payload("UserPromptSubmit", ""), hookID, "../x"), "the session's id is none"},
		{strings.ReplaceAll(h.payload("UserPromptSubmit", ""), hookID, "bbbbbbbb-0000-4000-8000-000000000009"), "session"},
	} {
		h.stdin = tt.stdin
		delete(h.env, "CTXMETER_DEBUG")
		if got := h.run("hook"); got != (result{}) {
			t.Errorf("%q: %+v", tt.stdin, got)
		}
		got := h.set("CTXMETER_DEBUG", "1").run("hook")
		if got.code != 0 || got.stdout != "" || !strings.Contains(got.stderr, tt.says) || strings.Contains(got.stderr, "secret") || strings.Contains(got.stderr, "wrong in ctxmeter") {
			t.Errorf("%q: %+v, want %q", tt.stdin, got, tt.says)
		}
	}
}
