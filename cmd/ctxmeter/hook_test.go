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
	h.reply(60_000)
	h.silent("UserPromptSubmit", "a rewind")
	h.reply(92_000)
	h.silent("UserPromptSubmit", "critical after a rewind")
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

// An agent that works for long on one prompt is not left alone.
func TestHookSaysMoreInALongTurn(t *testing.T) {
	h := newHookRig(t)
	told, calls := 0, 0
	for range 4 {
		for used := 20_000; used < 99_000; used += 700 {
			h.reply(used)
			calls++
			if model, _ := h.say("PostToolUse"); model != "" {
				told++
			}
		}
		h.compact(3_000)
	}
	if want := mostTold + (calls-toldCalls)/toldCalls; told < want || told > want+1 {
		t.Errorf("%d notices in %d calls", told, calls)
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
	left, err := filepath.Glob(filepath.Join(h.state(), "*"))
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
