package edit

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
)

func parse(t *testing.T, text string) JSON {
	t.Helper()
	j, err := ParseJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// What is put in follows the layout around it, and goes without a trace.
func TestWhatIsPutIntoJSONLooksLikeTheRest(t *testing.T) {
	for name, tt := range map[string]struct{ before, after string }{
		"lines":               {"{\n  \"a\": 1\n}\n", "{\n  \"a\": 1,\n  \"new\": {\n    \"k\": \"v\"\n  }\n}\n"},
		"tabs":                {"{\n\t\"a\": 1\n}", "{\n\t\"a\": 1,\n\t\"new\": {\n\t\t\"k\": \"v\"\n\t}\n}"},
		"carriage returns":    {"{\r\n  \"a\": 1\r\n}\r\n", "{\r\n  \"a\": 1,\r\n  \"new\": {\r\n    \"k\": \"v\"\r\n  }\r\n}\r\n"},
		"byte order mark":     {bom + "{\n \"a\": 1\n}", bom + "{\n \"a\": 1,\n \"new\": {\n  \"k\": \"v\"\n }\n}"},
		"one line":            {`{"a": 1, "b": 2}`, `{"a": 1, "b": 2, "new": {"k": "v"}}`},
		"one line, narrow":    {`{"a":1,"b":2}`, `{"a":1,"b":2,"new":{"k":"v"}}`},
		"space before colons": {"{\n  \"a\" : 1\n}", "{\n  \"a\" : 1,\n  \"new\" : {\n    \"k\" : \"v\"\n  }\n}"},
		"nothing in it":       {"{}", "{\n  \"new\": {\n    \"k\": \"v\"\n  }\n}"},
		"space in it":         {"{ \n }\n", "{\n  \"new\": {\n    \"k\": \"v\"\n  }\n}\n"},
		"no object":           {"\n", "\n{\n  \"new\": {\n    \"k\": \"v\"\n  }\n}\n"},
		"no text":             {"", "{\n  \"new\": {\n    \"k\": \"v\"\n  }\n}\n"},
		"comma first":         {"{ \"a\": 1\n, \"b\": 2\n}", "{ \"a\": 1\n, \"b\": 2, \"new\": {\"k\": \"v\"}\n}"},
		"numbers as typed":    {`{"a": 1.50e+02, "b": 12345678901234567890}`, `{"a": 1.50e+02, "b": 12345678901234567890, "new": {"k": "v"}}`},
	} {
		t.Run(name, func(t *testing.T) {
			var u Undo
			j, err := parse(t, tt.before).Set(&u, Object{{"k", "v"}}, "new")
			if err != nil || string(j.Text()) != tt.after {
				t.Fatalf("%q, %v, want %q", j.Text(), err, tt.after)
			}
			if back := j.Remove(&u, "new"); string(back.Text()) != tt.before {
				t.Errorf("%q came back as %q", tt.before, back.Text())
			}
		})
	}
}

func TestContainersThatWereMadeGoWithWhatIsInThem(t *testing.T) {
	for _, before := range []string{"", "{}", `{"a":1}`, "{\n  \"hooks\": {}\n}\n", "{\n  \"hooks\": { \"E\": [ ] }\n}\n", "{\n  \"hooks\": {\n    \"E\": [\n      1\n    ]\n  }\n}\n"} {
		var u Undo
		j := parse(t, before)
		for range 2 {
			var err error
			if j, err = j.Append(&u, Object{{"c", "x"}}, "hooks", "E"); err != nil {
				t.Fatal(err)
			}
		}
		if n := len(j.Elements("hooks", "E")); n < 2 || !json.Valid(j.Text()) {
			t.Fatalf("%d elements in %s", n, j.Text())
		}
		for range 2 {
			n := len(j.Elements("hooks", "E"))
			j = j.Remove(&u, "hooks", "E", string(rune('0'+n-1)))
		}
		if string(j.Text()) != before || len(u.Made) > 0 {
			t.Errorf("%q came back as %q, left to undo: %v", before, j.Text(), u)
		}
	}
}

// Of a key that is there twice, the clients see the last.
func TestTheLastOfTwoKeysCounts(t *testing.T) {
	j := parse(t, `{"hooks":{"E":[1]},"hooks":{}}`)
	if got := j.Elements("hooks", "E"); got != nil {
		t.Errorf("%s", got)
	}
	var u Undo
	next, err := j.Append(&u, "x", "hooks", "E")
	if want := `{"hooks":{"E":[1]},"hooks":{"E":["x"]}}`; err != nil || string(next.Text()) != want {
		t.Errorf("%s, %v", next.Text(), err)
	}
}

func TestWhatIsNoStrictJSONIsRefused(t *testing.T) {
	for _, text := range []string{"{", "// c\n{}", `{"a":1,}`, "[]", "1", `"x"`, "null", "{} {}", "{\"a\":\x001}", "\xff\xfe{\x00}\x00"} {
		if _, err := ParseJSON([]byte(text)); !errors.Is(err, ErrBroken) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestWhereNoObjectIsNothingIsPut(t *testing.T) {
	for _, text := range []string{`{"hooks":null}`, `{"hooks":[]}`, `{"hooks":{"E":{}}}`, `{"hooks":{"E":"x"}}`, `{"hooks":"E"}`} {
		j := parse(t, text)
		if next, err := j.Append(&Undo{}, "x", "hooks", "E"); err == nil {
			t.Errorf("%s became %s", text, next.Text())
		}
	}
}

func TestDeepAndHugeTexts(t *testing.T) {
	deep := strings.Repeat(`{"a":[`, 4000) + strings.Repeat(`]}`, 4000)
	huge := `{"projects":{` + strings.Repeat(`"/some/folder":{"history":["one","two \" three"]},`, 200_000) + `"x":1}}`
	for _, text := range []string{deep, huge} {
		var u Undo
		j, err := parse(t, text).Set(&u, Object{{"k", "v"}}, "mcpServers", "ctxmeter")
		if err != nil || !json.Valid(j.Text()) {
			t.Fatalf("%v", err)
		}
		if back := j.Remove(&u, "mcpServers", "ctxmeter"); string(back.Text()) != text {
			t.Error("it did not come back")
		}
	}
}

func FuzzJSON(f *testing.F) {
	for _, s := range []string{"", "{}", " \n", `{"a":1}`, "{\r\n\t\"hooks\": {\"E\": []}\r\n}", `{"hooks":{"E":[{"hooks":[]}]},"s":null}`, bom + `{"s":{"t":{}}}`, `{"s":{},"s":{"x":1}}`, `{"a":"\u0022}","b":[[],{}]}`, "{\"é\":\"\xff\"}"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		j, err := ParseJSON(text)
		if err != nil {
			return
		}
		_, there := j.Value("s", "t")
		var u Undo
		next := j
		steps := 0
		if n, err := next.Append(&u, Object{{"hooks", List{Object{{"c", "x"}}}}}, "hooks", "E"); err == nil {
			next, steps = n, 1
		}
		if !there {
			if n, err := next.Set(&u, Object{{"c", List{"x", "y"}}, {"n", 5}}, "s", "t"); err == nil {
				next, steps = n, steps+2
			}
		}
		got, want := decoded(t, next.Text()), decoded(t, text)
		last := len(next.Elements("hooks", "E")) - 1
		if steps&1 != 0 {
			hooks := got["hooks"].(map[string]any)
			list := hooks["E"].([]any)
			if list = list[:last]; len(list) > 0 || j.has("hooks", "E") {
				hooks["E"] = list
			} else if delete(hooks, "E"); !j.has("hooks") {
				delete(got, "hooks")
			}
		}
		if steps&2 != 0 {
			s := got["s"].(map[string]any)
			if delete(s, "t"); !j.has("s") {
				delete(got, "s")
			}
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%q became %q: what was there changed", text, next.Text())
		}
		if steps&2 != 0 {
			next = next.Remove(&u, "s", "t")
		}
		if steps&1 != 0 {
			next = next.Remove(&u, "hooks", "E", literal(last))
		}
		if !bytes.Equal(next.Text(), text) {
			t.Errorf("%q came back as %q", text, next.Text())
		}
	})
}

func (j JSON) has(path ...string) bool {
	_, ok := j.find(path)
	return ok
}

func decoded(t *testing.T, text []byte) map[string]any {
	t.Helper()
	out := map[string]any{}
	text = bytes.TrimPrefix(text, []byte(bom))
	if len(bytes.TrimSpace(text)) == 0 {
		return out
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	if err := dec.Decode(&out); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return out
}
