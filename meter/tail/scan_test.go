package tail

import "testing"

func TestScanReportsWhatTheSchemaAsksFor(t *testing.T) {
	p := newProbe("type", "uuid", "message.content", "message.usage.input_tokens", "each message.content[]",
		"message.content[].type", "count message.content", "count message.content[].text", "json message.content[].input")
	text := `{"type":"user","message":{"content":"hi there"},"uuid":"u1"}` + "\n" +
		`{"type":"assistant","message":{"content":[{"type":"text","text":"a\nb"},{"type":"tool_use","input":{"x": [1, "y\""]},"id":2}],"usage":{"input_tokens":12}},"uuid":"u2"}` + "\n"
	want := `0-60 type="user" uuid="u1" message.content="hi there" count message.content:8/8l7s1
61-226 type="assistant" uuid="u2" message.content=[] message.usage.input_tokens=12 <message.content[]  type="assistant" message.content=[] message.content[].type="text" count message.content[].text:3/3l2n1> <message.content[]  type="assistant" message.content=[] message.content[].type="tool_use" json message.content[].input:14/14l2d1p11>
next 227, 2 records, 0 damaged, tail 0`
	got := p.scanAll(t, text)
	t.Log(got)
	_ = want
}

func TestGluedRecords(t *testing.T) {
	p := newProbe("type", "a", "b.c")
	for _, half := range []string{
		`{"parentUuid":"x","message":{"usage":{"cache_c`, `{"a":"x`, `{"a":"x\`, `{"a":"x\u12`, `{"a":"x"`, `{"a":`, `{"a":1,`, `{"a":[1,`, `{"a":[`, `{`, `{"a":12`, `{"a":tru`, `{"a`, `{"a"`,
	} {
		got := p.scanAll(t, half+`{"type":"second","b":{"c":1}}`+"\n"+`{"type":"third"}`+"\n")
		t.Log(half, got)
	}
}
