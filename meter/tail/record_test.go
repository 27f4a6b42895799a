package tail

import (
	"encoding/json"
	"hash/fnv"
	"math"
	"strings"
	"testing"
)

// read scans one record and calls do with it.
func read(tb testing.TB, s *Schema, record string, do func(r *Record)) {
	tb.Helper()
	n := newProbe().notes()
	n.onRecord = do
	res, err := NewScanner(s).Scan(strings.NewReader(record+"\n"), 0, -1, n)
	if err != nil || res.Records != 1 {
		tb.Fatalf("%s: %+v, %v", record, res, err)
	}
}

// readField scans a record whose only key is captured.
func readField(tb testing.TB, value string, limit int, do func(r *Record, f Field)) {
	tb.Helper()
	s := NewSchema()
	f := s.Capture("f", limit)
	read(tb, s, `{"f":`+value+`}`, func(r *Record) { do(r, f) })
}

func TestKindIsThatOfTheValue(t *testing.T) {
	for value, want := range map[string]Kind{
		`null`: Null, `true`: Bool, `false`: Bool, `-1.5e3`: Number, `""`: String, `{"f":1}`: Object, `["f"]`: List,
	} {
		readField(t, value, 10, func(r *Record, f Field) {
			if got := r.Kind(f); got != want {
				t.Errorf("%s: %d, want %d", value, got, want)
			}
			if b, ok := r.Bool(f); ok != (want == Bool) || b != (value == "true") {
				t.Errorf("%s: Bool %v %v", value, b, ok)
			}
		})
	}
	s := NewSchema()
	f := s.Capture("f", 10)
	read(t, s, `{"g":1}`, func(r *Record) {
		if r.Kind(f) != Missing || r.Raw(f) != nil || r.Text(f) != "" || r.Hash(f) != 0 || r.Is(f, "") || r.Truncated(f) {
			t.Error("a field that is not there")
		}
	})
}

func TestTextIsWhatEncodingJSONDecodes(t *testing.T) {
	for _, raw := range []string{
		``, `plain`, `é漢😀`, `\"\\\/\b\f\n\r\t`, `\u0041\u00e9\u6f22\ud83d\ude00`, `\ud83d`, `\ude00x`, `\ud83d\ud83d\ude00`,
		`\ud83d\n`, "\xff\xe4\xb8", "a\xc3", `\u0000`,
	} {
		var want string
		if err := json.Unmarshal([]byte(`"`+raw+`"`), &want); err != nil {
			t.Fatal(err)
		}
		readField(t, `"`+raw+`"`, 100, func(r *Record, f Field) {
			if got := r.Text(f); got != want {
				t.Errorf("%q: %q, want %q", raw, got, want)
			}
			if !r.Is(f, want) || r.Is(f, want+"x") || want != "" && r.Is(f, "") {
				t.Errorf("%q: Is", raw)
			}
			h := fnv.New64a()
			h.Write([]byte(want))
			if got := r.Hash(f); want != "" && got != h.Sum64() || want == "" && got != 0 {
				t.Errorf("%q: Hash %x, want %x", raw, got, h.Sum64())
			}
			if string(r.Raw(f)) != raw {
				t.Errorf("%q: Raw %q", raw, r.Raw(f))
			}
		})
	}
}

func TestInvalidEscapesStandForThemselves(t *testing.T) {
	for raw, want := range map[string]string{`\x`: `\x`, `\u12`: `\u12`, `\u12zz\n`: "\\u12zz\n", `\ud83d\u`: "\ufffd\\u"} {
		readField(t, `"`+raw+`"`, 100, func(r *Record, f Field) {
			if got := r.Text(f); got != want {
				t.Errorf("%q: %q, want %q", raw, got, want)
			}
		})
	}
}

func TestCapturesAreCutToTheirLimits(t *testing.T) {
	const raw = `a\u00e9\ud83d\ude00漢z` // cut anywhere, only whole code points remain
	texts := []string{"a", "aé", "aé😀", "aé😀漢", "aé😀漢z"}
	for limit := range len(raw) + 2 {
		readField(t, `"`+raw+`"`, limit, func(r *Record, f Field) {
			if got, want := string(r.Raw(f)), raw[:min(limit, len(raw))]; got != want {
				t.Errorf("limit %d: raw %q, want %q", limit, got, want)
			}
			text, want := r.Text(f), ""
			for i, end := range []int{1, 7, 19, 22, 23} {
				if limit >= end {
					want = texts[i]
				}
			}
			if text != want || r.Truncated(f) != (limit < len(raw)) || r.Is(f, text) == r.Truncated(f) {
				t.Errorf("limit %d: %q, want %q, truncated %v", limit, text, want, r.Truncated(f))
			}
		})
	}
	s := NewSchema()
	short, long, none := s.Capture("f", 2), s.Capture("f", 5), s.Capture("f", 0)
	read(t, s, `{"f":12345}`, func(r *Record) {
		if string(r.Raw(short)) != "12" || string(r.Raw(long)) != "12345" || len(r.Raw(none)) != 0 {
			t.Errorf("%q %q %q", r.Raw(short), r.Raw(long), r.Raw(none))
		}
		if _, ok := r.Int(short); ok {
			t.Error("half a number is a number")
		}
		if n, ok := r.Int(long); n != 12345 || !ok {
			t.Error(n, ok)
		}
	})
}

func TestInt(t *testing.T) {
	for value, want := range map[string]int64{
		`0`: 0, `-0`: 0, `12`: 12, `-12`: -12, `12.0`: 12, `1.2e1`: 12, `1.2E+1`: 12, `120e-1`: 12, `0.012e3`: 12, `"12"`: 12,
		`"\u0031\u0032"`: 12, `12.000000000000000000000000000`: 12, `1000000000000000000000000e-23`: 10,
		`0e999999999999999999999`: 0, `0.0`: 0, `10`: 10, `100200`: 100200, `1.5e1`: 15,
		`9223372036854775807`: math.MaxInt64, `-9223372036854775808`: math.MinInt64, `"-5e0"`: -5, `9.223372036854775807e18`: math.MaxInt64,
	} {
		readField(t, value, 100, func(r *Record, f Field) {
			if got, ok := r.Int(f); got != want || !ok {
				t.Errorf("%s: %d %v, want %d", value, got, ok, want)
			}
		})
	}
	for _, value := range []string{
		`1.5`, `1e-1`, `9223372036854775808`, `-9223372036854775809`, `1e19`, `1e999999999999999999999`, `1e-999999999999999999999`,
		`18446744073709551616`, `99999999999999999999999`, `"NaN"`, `"Infinity"`, `""`, `" 1"`, `"1 "`, `"1x"`, `"0x10"`, `"+1"`, `"1e"`,
		`"1."`, `".5"`, `"."`, `"-"`, `"1_0"`, `"1.2.3"`, `null`, `true`, `[1]`, `{"f":1}`, `-`, `1-2`, `1e+`,
	} {
		readField(t, value, 100, func(r *Record, f Field) {
			if got, ok := r.Int(f); ok {
				t.Errorf("%s: %d", value, got)
			}
		})
	}
}

func TestIsDoesNotAllocate(t *testing.T) {
	readField(t, `"assistant"`, 32, func(r *Record, f Field) {
		if n := testing.AllocsPerRun(100, func() {
			if !r.Is(f, "assistant") || r.Is(f, "user") || r.Hash(f) == 0 {
				t.Error("Is")
			}
		}); n != 0 {
			t.Errorf("%v allocations", n)
		}
	})
}

func TestPathsThatCannotBePanic(t *testing.T) {
	for _, path := range []string{"", ".", "a..b", "a.", "[]", "a[].", "a[]b", "a]", "a.**.b", `a\b`, "**"} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("Each(%q) did not panic", path)
				}
			}()
			NewSchema().Each(path)
		}()
	}
}

func TestCountOfTheWholeRecord(t *testing.T) {
	newProbe("count **", "count a.**", "count a").tests(t, []outcome{
		{"every string", `{"a":"x","b":{"c":["yy",1]}}` + "\n", `0-28 count **:3/3l3 count a.**:1/1l1 count a:1/1l1
next 29, 1 records, 0 damaged, tail 0`},
	})
}
