package calibrate

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
)

func day(n int) time.Time { return time.Date(2026, 11, n, 0, 0, 0, 0, time.UTC) }

// The newest amounts count, in whatever order they were seen.
func TestTheNewestAmountsAreKept(t *testing.T) {
	var up, down amounts
	for i := 1; i <= 30; i++ {
		up.add(amount{tokens: float64(i), session: fmt.Sprint(i), at: day(i)})
		down.add(amount{tokens: float64(31 - i), session: fmt.Sprint(31 - i), at: day(31 - i)})
	}
	if len(up.list) != mostOfAKind || fmt.Sprint(up) != fmt.Sprint(down) {
		t.Errorf("%v, then %v", up, down)
	}
	if low, mid, high := up.band(); mid < 18 || mid > 19 || low > 7 || high < 30 {
		t.Errorf("%d to %d around %d", low, high, mid)
	}
}

// One session says little of the next: its band is half of it on each side.
func TestOneAmountHasAWideBand(t *testing.T) {
	a := amounts{list: []amount{{tokens: 20_000, session: "a"}}}
	if low, mid, high := a.band(); low != 10_000 || mid != 20_000 || high != 30_000 {
		t.Errorf("%d, %d, %d", low, mid, high)
	}
}

// A trigger is what two sessions agree on lately.
func TestObservedTriggersAgree(t *testing.T) {
	auto := func(session string, d int, tokens float64) amount {
		return amount{tokens: tokens, session: session, at: day(d), version: "2.1.197"}
	}
	for name, tt := range map[string]struct {
		autos []amount
		want  string
	}{
		"none":            {nil, "[]"},
		"one session":     {[]amount{auto("a", 1, 150_000), auto("a", 2, 150_500)}, "[]"},
		"two that agree":  {[]amount{auto("a", 1, 150_000), auto("b", 2, 155_000)}, "[150000]"},
		"two that do not": {[]amount{auto("a", 1, 100_000), auto("b", 2, 155_000)}, "[]"},
		"two windows":     {[]amount{auto("a", 1, 150_000), auto("b", 2, 155_000), auto("c", 3, 960_000), auto("d", 4, 965_000)}, "[150000 960000]"},
		"the newest": {[]amount{
			auto("a", 1, 90_000), auto("b", 2, 91_000), auto("c", 3, 150_000), auto("d", 4, 151_000), auto("e", 5, 152_000),
			auto("f", 6, 151_000), auto("g", 7, 153_000), auto("h", 8, 154_000),
		}, "[150000]"},
	} {
		var a amounts
		for _, one := range tt.autos {
			a.add(one)
		}
		got := []int64{}
		for _, s := range a.triggers(textKey{"claude-code", "m"}) {
			got = append(got, s.Tokens)
		}
		if fmt.Sprint(got) != tt.want {
			t.Errorf("%s: %v, want %s", name, got, tt.want)
		}
	}
}

func TestDamageToWhatWasLearnedIsNothingLearned(t *testing.T) {
	whole := Learned{
		At: day(3), Ratios: []Ratio{{Client: "codex", Model: "gpt-5.5", Factor: 1.1}},
		Triggers: []Seen{{Client: "codex", Tokens: 7}},
		Lists:    Lists{Overheads: []Amount{{Client: "codex", Tokens: 5, Low: 1, High: 9, Count: 2}}},
	}
	data, err := whole.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if got, err := DecodeLearned(data); err != nil || len(got.Ratios) != 1 || got.Autos("codex")[0].Pre != 7 {
		t.Fatalf("%+v, %v", got, err)
	}
	for _, change := range [][2]string{
		{`"version": 1`, `"version": 2`},
		{`1.1`, `11`},
		{`1.1`, `-1.1`},
		{`1.1`, `"1.1"`},
		{`"low": 1`, `"low": 6`},
		{`"high": 9`, `"high": 1e300`},
		{`"count": 2`, `"count": 0`},
		{`"tokens": 7`, `"tokens": -7`},
		{`}`, ``},
	} {
		text := strings.Replace(string(data), change[0], change[1], 1)
		if text == string(data) {
			t.Fatalf("%q is not in it", change[0])
		}
		if l, err := DecodeLearned([]byte(text)); !errors.Is(err, ErrLearned) || l != nil {
			t.Errorf("%s for %s: %v, %v", change[1], change[0], l, err)
		}
	}
	for _, text := range []string{"", "null", "[]", "{}", strings.Repeat("[", 100_000)} {
		if _, err := DecodeLearned([]byte(text)); !errors.Is(err, ErrLearned) {
			t.Errorf("%.20q: %v", text, err)
		}
	}
}

func TestAProjectIsKeptAsANumber(t *testing.T) {
	if key := ProjectKey("/home/dev/shop"); strings.Contains(key, "shop") || key == "" || key == ProjectKey("/home/dev/shops") {
		t.Errorf("%q", key)
	}
	if ProjectKey("") != "" {
		t.Error("no project has a key")
	}
}

func FuzzDecodeLearned(f *testing.F) {
	f.Add([]byte(`{"version":1,"ratios":[{"factor":1}],"overheads":[{"tokens":1,"low":0,"high":2,"count":1}],"triggers":[{"tokens":5}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if l, err := DecodeLearned(data); err == nil {
			l.Autos("codex")
			if _, err := l.Encode(); err != nil {
				t.Error(err)
			}
		}
	})
}

// A reading, which leaves the amounts for later, takes a file for what it is
// when all of it is looked at, whatever byte of it changed.
func TestDamageShowsWithoutALookAtTheAmounts(t *testing.T) {
	whole := Learned{
		At: day(3), Ratios: []Ratio{{Client: "codex", Model: "m", Factor: 1.1}}, Triggers: []Seen{{Client: "codex", Model: "m", Tokens: 7}},
		Lists: Lists{Overheads: []Amount{{Client: "codex", Tokens: 5, Low: 1, High: 9, Count: 2}}, Restored: []Amount{}},
	}
	data, err := whole.Encode()
	if err != nil {
		t.Fatal(err)
	}
	l, err := OpenLearned(data)
	if err != nil || l.late == nil || len(l.Overheads) != 0 {
		t.Fatalf("%+v, %v: the amounts are not left for later", l, err)
	}
	same := func(data []byte) {
		t.Helper()
		want, wantErr := DecodeLearned(data)
		got, err := OpenLearned(data)
		if err != wantErr {
			t.Fatalf("%v, want %v, of\n%s", err, wantErr, data)
		}
		if err != nil {
			return
		}
		got.Lists, got.late = got.lists(), nil
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%+v, want %+v, of\n%s", got, want, data)
		}
	}
	same(data)
	for i := range data {
		same(data[:i])
		for _, c := range []byte(`"0-},`) {
			changed := bytes.Clone(data)
			changed[i] = c
			same(changed)
		}
	}
}
