package codex

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/ctxmeter/ctxmeter/meter"
	"github.com/ctxmeter/ctxmeter/meter/tail"
)

// events decodes lines as the thread id(1) of one file.
func events(t testing.TB, text string) []meter.Event {
	t.Helper()
	d := newDecoder(meter.Session{ID: id(1), Segments: []meter.Segment{{}}})
	var out []meter.Event
	h := d.Handler(func(e meter.Event) { out = append(out, e) })
	if _, err := tail.NewScanner(d.Schema()).Scan(strings.NewReader(text), 0, -1, h); err != nil {
		t.Fatal(err)
	}
	return out
}

func fold(t testing.TB, text string) meter.State {
	t.Helper()
	var s meter.State
	for _, e := range events(t, text) {
		s.Fold(e)
	}
	return s
}

func line(typ, payload string) string {
	return fmt.Sprintf(`{"timestamp":"2026-11-30T12:00:00.000Z","type":%q,"payload":%s}`+"\n", typ, payload)
}

func entry(payload string) string { return line("response_item", payload) }

func say(role, text string) string {
	return fmt.Sprintf(`{"type":"message","role":%q,"content":[{"type":"input_text","text":%q}],"internal_chat_message_metadata_passthrough":{"turn_id":"not counted"}}`, role, text)
}

func TestItems(t *testing.T) {
	type want struct {
		kind                          meter.Kind
		client, user, tool, call      int64
		reply, signature, images      int64
		blocks, results, calls        int64
		userTurn, reasoning, prefixed bool
	}
	x := func(n int) string { return strings.Repeat("x", n) }
	content, reply := meter.KindContent, meter.KindReply
	for payload, w := range map[string]want{
		say("user", "fünf"):                            {kind: content, client: 2, user: 5, blocks: 1, userTurn: true},
		say("developer", "a\nb\"c"):                    {kind: content, client: 2, user: 5, blocks: 1},
		say("system", "1234"):                          {kind: content, client: 1, user: 4, blocks: 1},
		say("assistant", x(9)):                         {kind: reply, client: 3, reply: 9, blocks: 1},
		say("user", "<turn_aborted>\nno"):              {kind: content, client: 5, user: 17, blocks: 1},
		say("user", "# AGENTS.md instructions for /x"): {kind: content, client: 8, user: 31, blocks: 1},
		`{"type":"message","role":"user","content":[{"type":"input_text","text":"12345"},{"type":"input_image","image_url":"data:image/png;base64,` + x(9999) + `"},{"type":"input_text","text":"123"}]}`: {kind: content, client: (8 + 7373 + 3) / 4, user: 8, images: 1, blocks: 1, userTurn: true},
		`{"type":"message","role":"user","content":"plain"}`: {kind: content, client: 2, user: 5, blocks: 1, userTurn: true},
		`{"type":"agent_message","author":"/root","recipient":"/root/a","content":[{"type":"input_text","text":"12345"},{"type":"encrypted","encrypted_content":"1234"}]}`: {kind: content, client: 3, user: 5, signature: 4, blocks: 1, userTurn: true},
		`{"type":"reasoning","summary":[{"type":"summary_text","text":"not counted"}],"content":null,"encrypted_content":"` + x(1000) + `"}`:                               {kind: reply, client: 25, signature: 1000, reasoning: true},
		`{"type":"reasoning","summary":[],"encrypted_content":"` + x(866) + `"}`:                                                                                           {kind: reply, client: 0, signature: 866, reasoning: true},
		`{"type":"function_call","name":"exec","namespace":"ns","arguments":"{\"a\":1}","call_id":"c1"}`:                                                                   {kind: reply, client: 4, call: 13, calls: 1},
		`{"type":"custom_tool_call","name":"exec","input":"12345","call_id":"c1"}`:                                                                                         {kind: reply, client: 3, call: 9, calls: 1},
		`{"type":"local_shell_call","call_id":"c1","action":{"type":"exec","command":["ls"]}}`:                                                                             {kind: reply, client: 9, call: 32, calls: 1},
		`{"type":"function_call_output","call_id":"c123","output":"12345678"}`:                                                                                             {kind: content, client: 3, tool: 8, results: 1},
		`{"type":"function_call_output","call_id":"c123","output":[{"type":"input_text","text":"12345678"},{"type":"input_image","image_url":"x"}]}`:                       {kind: content, client: (8 + 4 + 7373 + 3) / 4, tool: 8, images: 1, results: 1},
		`{"type":"custom_tool_call_output","call_id":"c123","output":{"content":"12345678","success":true}}`:                                                               {kind: content, client: 3, tool: 8, results: 1},
		`{"type":"compaction","encrypted_content":"` + x(100) + `"}`:                                                                                                       {kind: reply, client: 9, signature: 100},
		`{"type":"additional_tools","role":"developer","tools":[{"type":"custom"}]}`:                                                                                       {kind: content, client: 5, user: 19, blocks: 1},
		`{"type":"from_the_future","content":[{"type":"input_text","text":"1234"}]}`:                                                                                       {kind: content, client: 1, user: 4, blocks: 1},
	} {
		got := events(t, entry(payload))
		if len(got) != 1 {
			t.Errorf("%.70s: %d events", payload, len(got))
			continue
		}
		e := got[0]
		have := want{
			kind: e.Kind, client: e.Client, user: e.Text.User.Bytes, tool: e.Text.Tool.Bytes, call: e.Text.Call.Bytes,
			reply: e.Text.Reply.Bytes, signature: e.Text.Signature, images: e.Text.Images,
			blocks: e.Text.Blocks, results: e.Text.Results, calls: e.Text.Calls,
			userTurn: e.UserTurn, reasoning: e.Reasoning, prefixed: e.Prefix,
		}
		if have != w {
			t.Errorf("%.70s:\n got %+v\nwant %+v", payload, have, w)
		}
	}
}

func TestRecordsWithoutContent(t *testing.T) {
	for _, text := range []string{
		line("event_msg", `{"type":"item_completed","item":{"type":"CommandExecution","aggregated_output":"copy"}}`),
		line("event_msg", `{"type":"user_message","message":"copy"}`),
		line("event_msg", `{"type":"agent_message","message":"copy"}`),
		line("event_msg", `{"type":"token_count","info":null,"rate_limits":{"primary":null}}`),
		line("event_msg", `{"type":"thread_settings_applied","thread_settings":{"model":"gpt-6.2-sol"}}`),
		line("world_state", `{"full":true,"state":{"tools":{}}}`),
		line("inter_agent_communication_metadata", `{"trigger_turn":true}`),
		line("from_the_future", `{"content":[{"text":"?"}]}`),
		line("response_item", `{"type":"compaction_trigger"}`),
		line("response_item", `{"type":"message","role":"developer","content":[{"type":"input_text","text":"instructions"}],"internal_chat_message_metadata_passthrough":{"content_item_kinds":["model.base_instructions"]}}`),
		line("token_usage_record", `{"response_id":"r","usage":null}`),
		`{"record_type":"state"}` + "\n",
		`{}` + "\n",
	} {
		if got := events(t, text); len(got) != 0 {
			t.Errorf("%s: %+v", text, got)
		}
	}
}

// A usage with a part that makes no sense measures nothing.
func TestNonsenseIsNoMeasurement(t *testing.T) {
	for _, usage := range []string{
		`{"input_tokens":-20,"output_tokens":4,"total_tokens":-16}`,
		`{"input_tokens":"many","output_tokens":4,"total_tokens":24}`,
		`{"input_tokens":9000000000000000000,"output_tokens":4,"total_tokens":24}`,
		`{"input_tokens":20.5,"output_tokens":4,"total_tokens":24}`,
	} {
		for _, text := range []string{
			line("token_usage_record", `{"response_id":"r1","usage":`+usage+`}`),
			line("event_msg", `{"type":"token_count","info":{"total_token_usage":{},"last_token_usage":`+usage+`,"model_context_window":258400}}`),
		} {
			for _, e := range events(t, text) {
				if e.Usage.Known() {
					t.Errorf("%s: %+v", text, e.Usage)
				}
			}
		}
	}
}

func TestUsages(t *testing.T) {
	vector := func(in, out, reasoning, total int) string {
		return fmt.Sprintf(`{"input_tokens":%d,"cached_input_tokens":%d,"output_tokens":%d,"reasoning_output_tokens":%d,"total_tokens":%d}`, in, in/2, out, reasoning, total)
	}
	count := func(sum, last, more string) string {
		return line("event_msg", `{"type":"token_count","info":{"total_token_usage":`+sum+`,"last_token_usage":`+last+`,"model_context_window":258400`+more+`}}`)
	}
	for text, w := range map[string]meter.Usage{
		count(vector(50, 5, 3, 55), vector(20, 4, 2, 24), ""):                                         {Prompt: 20, Output: 4, Total: 24, Reasoning: 2},
		count(vector(50, 5, 3, 55), vector(20, 4, 2, 24), `,"last_usage_includes_reasoning":false`):   {Prompt: 20, Output: 4, Total: 24, Reasoning: 2, Dropped: true},
		count(vector(50, 5, 3, 55), vector(20, 4, 2, 24), `,"last_usage_includes_reasoning":true`):    {Prompt: 20, Output: 4, Total: 24, Reasoning: 2},
		count(vector(50, 5, 3, 55), vector(0, 0, 0, 70), `,"last_usage_includes_reasoning":true`):     {Total: 70, Estimated: true},
		count(vector(0, 0, 0, 258400), vector(0, 0, 0, 258400), ""):                                   {Total: 258400, Estimated: true, Full: true},
		count(vector(0, 0, 0, 258400), vector(0, 0, 0, 8400), ""):                                     {Total: 258400, Estimated: true, Full: true},
		count(vector(0, 0, 0, 258400), vector(0, 0, 0, 0), ""):                                        {Total: 258400, Estimated: true, Full: true},
		count(`{}`, `{"input_tokens":20,"output_tokens":4}`, ""):                                      {Prompt: 20, Output: 4, Total: 24},
		line("token_usage_record", `{"response_id":"r1","usage":`+vector(20, 4, 2, 24)+`}`):           {Prompt: 20, Output: 4, Total: 24, Reasoning: 2},
		line("token_usage_record", `{"usage":`+vector(20, 4, 2, 24)+`,"cache_write_input_tokens":3}`): {Prompt: 20, Output: 4, Total: 24, Reasoning: 2},
	} {
		got := events(t, text)
		if len(got) != 1 || got[0].Kind != meter.KindUsage || got[0].Usage.Key == 0 {
			t.Errorf("%s: %+v", text, got)
			continue
		}
		u := got[0].Usage
		u.Key = 0
		if u != w {
			t.Errorf("%s:\n got %+v\nwant %+v", text, u, w)
		}
	}
	// Repeated counters are one measurement, the next response is another.
	a := events(t, count(vector(50, 5, 3, 55), vector(20, 4, 2, 24), ""))[0].Usage.Key
	b := events(t, count(vector(70, 9, 5, 79), vector(20, 4, 2, 24), ""))[0].Usage.Key
	again := events(t, strings.Replace(count(vector(50, 5, 3, 55), vector(20, 4, 2, 24), ""), "12:00", "13:00", 1))[0].Usage.Key
	if a == b || a != again {
		t.Errorf("keys %d, %d, %d", a, b, again)
	}
}

func TestMeta(t *testing.T) {
	instructions := `,"base_instructions":{"text":"12345"}`
	got := events(t, meta(id(1), instructions)+meta(id(2), instructions)+meta(id(1), `,"git":{}`))
	if len(got) != 3 {
		t.Fatalf("%d events", len(got))
	}
	e := got[0]
	if !e.Prefix || e.Kind != meter.KindContent || e.Client != 2 || e.Text.User.Bytes != 5 || e.Project != "/home/dev/shop" || e.Version != "0.171.0" {
		t.Errorf("own: %+v", e)
	}
	if e := got[1]; e.Prefix || e.Project != "" || e.Version != "" || e.Kind != meter.KindModel {
		t.Errorf("the parent's copy: %+v", e)
	}
	if e := got[2]; e.Prefix || e.Kind != meter.KindModel {
		t.Errorf("repeated: %+v", e)
	}
	if e := events(t, "\xef\xbb\xbf"+meta(id(1), instructions))[0]; !e.Prefix {
		t.Errorf("after a byte order mark: %+v", e)
	}
	if e := events(t, meta(id(1), instructions+goesOn(id(3), 5)))[0]; e.Prefix {
		t.Errorf("of a file that goes on from another: %+v", e)
	}
	// Before 0.111 the user's own instructions stand there, and in the first message too.
	if e := events(t, meta(id(1), `,"instructions":"mine"`))[0]; e.Prefix {
		t.Errorf("instructions: %+v", e)
	}
}

func TestRolloutWithoutEnvelope(t *testing.T) {
	s := fold(t, `{"id":"`+id(1)+`","timestamp":"2025-06-01T10:00:00Z","instructions":"1234","git":{}}`+"\n"+
		`{"record_type":"state"}`+"\n"+say("user", "12345678")+"\n"+
		`{"type":"function_call_output","call_id":"c1","output":"1234"}`+"\n")
	c := s.Context()
	if c.Ground != meter.GroundStart || c.BodyClient != 1 || c.Client != 4 || c.Tail.User.Bytes != 8 || c.Tail.Tool.Bytes != 4 {
		t.Errorf("%+v", c)
	}
}

func TestCompaction(t *testing.T) {
	before := meta(id(1), "") + entry(say("user", "hello")) + entry(say("assistant", "hi")) + response(1000, 10)
	kept := line("compacted", `{"message":"","replacement_history":[`+say("developer", "12345")+`,`+say("user", "123456789")+
		`,{"type":"message","role":"developer","content":[{"text":"instructions"}],"internal_chat_message_metadata_passthrough":{"content_item_kinds":["model.base_instructions"]}}`+
		`,{"type":"compaction","encrypted_content":"123456789012"}],"guardian_history":[`+say("user", "not sent")+`]}`)
	c := fold(t, before+kept+entry(say("user", "1234"))).Context()
	if c.Ground != meter.GroundBoundary || c.BodyClient != 2+3+1 || c.Body.User.Bytes != 14 || c.Body.Signature != 12 || c.Client != 1 {
		t.Errorf("kept history: %+v", c)
	}
	// Up to 0.80 there is only the summary, and the recount stands before it.
	recount := line("event_msg", `{"type":"token_count","info":{"total_token_usage":{"input_tokens":9,"total_tokens":9},"last_token_usage":{"total_tokens":4096},"model_context_window":258400}}`)
	summary := line("compacted", `{"message":"summary!"}`)
	s := fold(t, before+recount+summary)
	if c := s.Context(); c.Ground != meter.GroundMeasured || c.Usage.Total != 4096 || !c.Usage.Estimated || s.Facts.Compactions != 1 {
		t.Errorf("recounted before: %+v", c)
	}
	if c := fold(t, before+summary).Context(); c.Ground != meter.GroundBoundary || c.BodyClient != 2 || c.Body.User.Bytes != 8 {
		t.Errorf("summary alone: %+v", c)
	}
	if e := events(t, kept)[0]; e.Compaction.Auto {
		t.Error("said to be automatic, which no record tells")
	}
}

func TestTimes(t *testing.T) {
	want := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	for stamp, ok := range map[string]bool{
		`"2026-11-30T12:00:00Z"`: true, `"2026-11-30T13:00:00.000+01:00"`: true,
		fmt.Sprint(want.Unix()): true, fmt.Sprint(want.UnixMilli()): true, fmt.Sprintf(`"%d"`, want.Unix()): true,
		`null`: false, `"yesterday"`: false, `-1`: false, `1e30`: false,
	} {
		got := events(t, `{"timestamp":`+stamp+`,"type":"turn_context","payload":{"model":"gpt-5.5"}}`+"\n")
		if len(got) != 1 || got[0].Model != "gpt-5.5" || got[0].Time.Equal(want) != ok || !ok && !got[0].Time.IsZero() {
			t.Errorf("%s: %+v", stamp, got)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(meta(id(1), `,"base_instructions":{"text":"x"}`) + response(10, 1)))
	f.Add([]byte(line("compacted", `{"replacement_history":[`+say("user", "x")+`,{"content":[[{"text":1}]]},null]}`)))
	f.Add([]byte(entry(`{"type":"reasoning","encrypted_content":"eA=="}`) + entry(say("user", "\u00e9"))))
	f.Add([]byte(line("token_usage_record", `{"response_id":"r","usage":{"input_tokens":9223372036854775807,"output_tokens":9223372036854775807}}`)))
	f.Add([]byte(line("event_msg", `{"type":"thread_rolled_back","num_turns":1}`) + `{"type":"message","content":"x"}` + "\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		s := fold(t, string(text))
		c := s.Context()
		for _, n := range []int64{
			c.Usage.Total, c.Usage.Prompt, c.Usage.Output, c.Usage.Reasoning, c.Client, c.BodyClient, c.Earlier, c.ThoughtTokens,
			c.Tail.User.Bytes, c.Tail.Tool.Bytes, c.Tail.Signature, s.Window.Tokens, s.Largest, s.Facts.Compactions,
			c.Usage.Total + c.Client + c.Earlier + c.BodyClient,
		} {
			if n < 0 {
				t.Fatalf("negative: %+v", c)
			}
		}
		cl := New(meter.Env{})
		l := cl.Limits(meter.Session{}, s)
		if tr := l.Trigger(s.Window); tr.Tokens < 0 {
			t.Fatalf("trigger %+v", tr)
		}
		if v := cl.View(s, 258400); v.UsedPercent != nil && (*v.UsedPercent < 0 || *v.UsedPercent > 100) {
			t.Fatalf("view %v", *v.UsedPercent)
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	text, err := os.ReadFile("../../testdata/codex/s05_threshold/N244800/sessions/2026/11/30/rollout-2026-11-30T14-53-31-01a22cf2-616a-7e40-badb-d540fe200c55.jsonl")
	if err != nil {
		b.Fatal(err)
	}
	all := bytes.Repeat(text, 64)
	d := newDecoder(meter.Session{ID: id(1)})
	s := tail.NewScanner(d.Schema())
	var st meter.State
	h := d.Handler(func(e meter.Event) { st.Fold(e) })
	b.SetBytes(int64(len(all)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.Scan(bytes.NewReader(all), 0, -1, h); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkNewDecoder(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		d := newDecoder(meter.Session{ID: id(1)})
		tail.NewScanner(d.Schema())
	}
}

// Only a search that the provider makes itself brings in what no record holds.
func TestWebSearchesAreTold(t *testing.T) {
	for payload, want := range map[string]bool{
		`{"type":"web_search_call","status":"completed","action":{"type":"search","query":"q"}}`: true,
		`{"type":"tool_search_call","call_id":"c1","action":{"type":"search"}}`:                  false,
		`{"type":"function_call","name":"web_search_call","arguments":"{}","call_id":"c1"}`:      false,
	} {
		if got := events(t, entry(payload)); len(got) != 1 || got[0].Searches != want {
			t.Errorf("%s: %+v", payload, got)
		}
	}
}
