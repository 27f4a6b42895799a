package calibrate

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

// Whatever a model is called, what is kept is JSON, and each entry is a line.
func TestWhatWasLearnedHasALineForEachEntry(t *testing.T) {
	for _, model := range []string{"gpt-5.5", `a"b`, `a\`, `a\\"`, "a, {b}: [c]  d", "é\x00\n", ""} {
		l := Learned{
			At: day(3), Ratios: []Ratio{{Model: model, Factor: 1}, {Factor: 1.1}},
			Triggers: []Seen{{Client: model, Tokens: 7}},
			Lists:    Lists{Overheads: []Amount{{Tokens: 5, Low: 1, High: 9, Count: 2}}, Restored: []Amount{}},
		}
		data, err := l.Encode()
		if err != nil {
			t.Fatal(err)
		}
		got, err := DecodeLearned(data)
		if err != nil || !reflect.DeepEqual(got, &l) {
			t.Errorf("%q: %v\n%s", model, err, data)
		}
		if n := strings.Count(string(data), "\n"); n != 18 {
			t.Errorf("%q: %d lines\n%s", model, n, data)
		}
	}
	data, err := linewise(map[string]any{})
	if err != nil || !json.Valid(data) {
		t.Errorf("%q, %v", data, err)
	}
}

// What an amount says that stands for it anyway is not kept a second time.
func TestAnAmountIsKeptOnce(t *testing.T) {
	amount := func(version, project string, tokens int64) Amount {
		return Amount{Client: "codex", Version: version, Project: project, Tokens: tokens, Count: 2}
	}
	list := []Amount{
		amount("", "", 1), amount("", "p", 1), amount("1", "", 1), // an unknown project, another version: each is asked for
		amount("1", "p", 1), amount("2", "p", 2),
	}
	want := []Amount{list[0], list[1], list[2], list[4]}
	if got := distinct(list); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
}
