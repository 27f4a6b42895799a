package claudecode

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"testing/iotest"
)

func TestTopLevelSeesOnlyTheOutermostObject(t *testing.T) {
	const key = "autoCompactEnabled"
	for text, want := range map[string]string{
		`{"autoCompactEnabled":false}`:                                     "false",
		"{\n  \"a\": 1,\n  \"autoCompactEnabled\" : true ,\n \"b\":2}":     "true",
		`{"projects":{"/a":{"autoCompactEnabled":false}},"x":1}`:           "",
		`{"a":[{"autoCompactEnabled":false}],"autoCompactEnabled":true}`:   "true",
		`{"a":"\"autoCompactEnabled\":false,","b":1}`:                      "",
		`{"a":"autoCompactEnabled","b":false}`:                             "",
		`{"autoCompactEnabled":"false"}`:                                   "",
		`{"autoCompactEnabled":{"x":false}}`:                               "",
		`{"autoCompactEnabledToo":false}`:                                  "",
		`{"xautoCompactEnabled":false}`:                                    "",
		`{"a\\":"x","autoCompactEnabled":false}`:                           "false",
		`{"` + strings.Repeat("k", 70_000) + `":1,"autoCompactEnabled":0}`: "0",
		`["autoCompactEnabled",false]`:                                     "",
		`{"autoCompactEnabled":fal`:                                        "",
		``:                                                                 "",
	} {
		if got := string(topLevel(strings.NewReader(text), key)); got != want {
			t.Errorf("topLevel(%.60s) = %q, want %q", text, got, want)
		}
		if got := string(topLevel(iotest.OneByteReader(strings.NewReader(text)), key)); got != want {
			t.Errorf("byte by byte: topLevel(%.60s) = %q, want %q", text, got, want)
		}
	}
}

func TestContainsAcrossBlocks(t *testing.T) {
	for _, at := range []int{0, 1, 256<<10 - 9, 256<<10 - 1, 256 << 10, 600_000} {
		text := strings.Repeat("a", at) + "autoCompactEnabled" + strings.Repeat("a", 1000)
		if !contains(strings.NewReader(text), "autoCompactEnabled") || contains(strings.NewReader(text), "autoCompactEnabledX") {
			t.Errorf("wrong with the text at %d", at)
		}
	}
	if !contains(iotest.OneByteReader(strings.NewReader("xautoCompactEnabled")), "autoCompactEnabled") {
		t.Error("wrong byte by byte")
	}
}

func FuzzTopLevel(f *testing.F) {
	f.Add([]byte(`{"k":false,"a":{"k":true}}`))
	f.Add([]byte(`{"a":"\\\"k\":1","k":-1.5e3}`))
	f.Add([]byte(`[{"k":1}]`))
	f.Fuzz(func(t *testing.T, b []byte) {
		got := topLevel(bytes.NewReader(b), "k")
		dec := json.NewDecoder(bytes.NewReader(b))
		if tok, err := dec.Token(); err != nil || tok != json.Delim('{') || !json.Valid(b) {
			return // no promise
		}
		want := "" // of the first "k"
		for dec.More() && want == "" {
			key, err := dec.Token()
			if err != nil {
				return
			}
			var raw json.RawMessage
			if err := dec.Decode(&raw); err != nil {
				return
			}
			if key == "k" && !bytes.ContainsAny(raw[:1], `"{[`) {
				if len(raw) > 32 {
					return
				}
				want = string(raw)
			}
		}
		if strings.Contains(string(b), `\u006`) {
			return // the key written with an escape
		}
		if string(got) != want {
			t.Errorf("topLevel(%q) = %q, want %q", b, got, want)
		}
	})
}
