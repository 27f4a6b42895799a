package tail

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// documents are what fuzzing starts from: the paths of fuzzProbe are made of
// the keys a, b and c.
var documents = []string{
	`{"a":"x","b":{"a":1,"c":[1,2,{"a":"é"}]},"c":true}`,
	`{"a":[{"a":"t","b":"long\ntext"},{"a":"u","b":{"c":["\ud83d\ude00",null]}},3,"s",[["a"]]]}`,
	`{"a":{"a":"one"},"a":{"b":"two"},"a":"three"}`,
	`{"a":[{"b":"1"}],"b":2,"a":{"b":"漢字"}}`,
	`{"\u0061":"escaped key","b\u0000":1,"":{"":""}}`,
	`{"a":[[{"b":[{"c":"deep"},{"c":1.50e+3}]}],[]],"b":"q\"\\/\b"}`,
	`{"type":"x","a":{"b":[{"a":"1","a":"22","c":[{"a":"z"}]}]},"c":"{\"a\":1}"}`,
	"\ufeff{\"a\":1}\r\n\x00\x00 {\"b\":2} \n\n[1]\n{\"a\":tru}\n{\"a\":\"x{\"b\":1}\n{\"a\":{\"b\":2}\n{}{\"a\":1}\n{\"c\":",
	"{\"a\":\"\xff\xe4\xb8\",\"b\":-0.0,\"c\":\"\\ud800\\ud800\"} x\n",
	`{"a":"\\\"\\\\\"","b":"\\"}` + "\n" + `{"a":[1,{"c":2}` + "\n",
}

// fuzzProbe asks for some paths over a, b and c.
func fuzzProbe(rng *rand.Rand) *probe {
	path := func(depth int) string {
		var b strings.Builder
		for i := range 1 + rng.IntN(depth) {
			if i > 0 {
				b.WriteByte('.')
			}
			b.WriteByte("abc"[rng.IntN(3)])
			for rng.IntN(3) == 0 {
				b.WriteString("[]")
			}
		}
		return b.String()
	}
	var requests []string
	for range rng.IntN(3) {
		// Arrays only in arrays that are reported, too: see Handler.Begin.
		each := "each " + "abc"[rng.IntN(3):][:1] + "[]"
		requests = append(requests, each)
		if rng.IntN(2) == 0 {
			requests = append(requests, each+[]string{".b[]", "[]", ".a.c[]"}[rng.IntN(3)])
		}
	}
	for range 1 + rng.IntN(6) {
		switch p := path(4); rng.IntN(5) {
		case 0:
			requests = append(requests, "count "+p)
		case 1:
			requests = append(requests, "count "+p+".**")
		case 2:
			requests = append(requests, "json "+p)
		default:
			requests = append(requests, p)
		}
	}
	return newProbe(requests...)
}

// FuzzScan holds every line against encoding/json.
func FuzzScan(f *testing.F) {
	for i, d := range documents {
		f.Add([]byte(d+"\n"), uint64(i), uint16(i))
		f.Add([]byte(strings.Join(documents, "\n")), uint64(i)+100, uint16(7*i))
	}
	f.Fuzz(func(t *testing.T, text []byte, seed uint64, block uint16) {
		rng := rand.New(rand.NewPCG(seed, 1))
		p := fuzzProbe(rng)
		got := p.scan(t, string(text), len(text)+1)
		if again := p.scan(t, string(text), int(block)+1); again != got {
			t.Fatalf("in blocks of %d bytes:\n%s\nin one:\n%s", block+1, again, got)
		}

		records := strings.Split(got, "\n")
		records = records[:len(records)-1]
		damaged := 0
		for offset := 0; offset < len(text); {
			line, _, ended := bytes.Cut(text[offset:], []byte("\n"))
			next := offset + len(line) + 1
			start := 0
			if bytes.HasPrefix(line, []byte(byteOrderMark)) {
				start = len(byteOrderMark)
			}
			object := bytes.TrimRight(line[start:], " \t\r\x00")
			if object = bytes.TrimLeft(object, " \t\r\x00"); len(object) > 0 {
				start = bytes.IndexByte(line, '{')
			}
			switch {
			case len(object) == 0: // nothing, or half of a mark
			case lenient(object):
				if len(records) == 0 {
					t.Fatalf("no record at %d", offset+start)
				}
				want := fmt.Sprintf("%d-%d", offset+start, offset+start+len(object))
				if json.Valid(object) {
					want += p.want(parse(object))
					if !ended {
						want += " unterminated"
					}
					if records[0] != want {
						t.Fatalf("%v\ngot  %s\nwant %s", p.requests(), records[0], want)
					}
				} else if !strings.HasPrefix(records[0], want) || strings.Contains(records[0], "recovered") {
					t.Fatalf("got %s, want %s", records[0], want)
				}
				records = records[1:]
			default:
				if ended {
					damaged++
				}
				// Whatever was found in the line is a record by itself.
				for len(records) > 0 {
					var from, to int
					fmt.Sscanf(records[0], "%d-%d", &from, &to)
					if from >= next {
						break
					}
					if !lenient(text[from:to]) {
						t.Fatalf("%s is no record: %q", records[0], text[from:to])
					}
					alone := strings.SplitN(p.scan(t, string(text[from:to])+"\n", 1<<16), "\n", 2)[0]
					_, alone, _ = strings.Cut(alone+" ", " ")
					_, found, _ := strings.Cut(records[0]+" ", " ")
					found = strings.TrimPrefix(found, "recovered ")
					found = strings.TrimSuffix(found, "unterminated ")
					if strings.TrimSpace(found) != strings.TrimSpace(alone) {
						t.Fatalf("in a damaged line: %s\nalone: %s", found, alone)
					}
					records = records[1:]
				}
			}
			offset = next
		}
		if len(records) > 0 {
			t.Fatalf("records too many: %q", records)
		}
		if want := fmt.Sprintf("%d damaged,", damaged); !strings.Contains(got, want) {
			t.Fatalf("%s\nwant %s", got, want)
		}
	})
}

func (p *probe) requests() []string {
	all := append(append([]string{}, p.fields...), p.counters...)
	return append(all, p.arrays...)
}

// FuzzGlued glues a record to a half one, cut anywhere.
func FuzzGlued(f *testing.F) {
	for i, d := range documents[:7] {
		for _, e := range documents[:7] {
			f.Add([]byte(d), uint(5*i+3), []byte(e), uint16(i))
		}
	}
	p := newProbe("a", "b.c", "count a.**", "json b")
	f.Fuzz(func(t *testing.T, first []byte, cut uint, second []byte, block uint16) {
		if !isRecord(first) || !isRecord(second) {
			return
		}
		// A first key that looks like punctuation makes sense as the end of
		// the half record: clients have none.
		if len(second) < 3 || second[1] != '"' || second[2]|0x20 < 'a' || second[2]|0x20 > 'z' {
			return
		}
		half := first[:cut%uint(len(first)+1)]
		text := string(half) + string(second) + "\n"
		n := p.notes()
		res, err := newScanner(p.schema, int(block)+1).Scan(strings.NewReader(text), 0, -1, n)
		if err != nil {
			t.Fatal(err)
		}
		want := fmt.Sprintf("%d-%d", len(half), len(half)+len(second))
		if len(half) > 0 && len(half) < len(first) {
			want += " recovered"
		}
		want += p.want(parse(second))
		if k := len(n.records); k == 0 || n.records[k-1] != want {
			t.Fatalf("%s\ngot  %q\nwant %q", text, n.records, want)
		}
		if want := int64(min(len(half), 1)); res.Damaged != want {
			t.Fatalf("%d damaged lines, want %d", res.Damaged, want)
		}
	})
}

func isRecord(b []byte) bool {
	return len(b) > 0 && b[0] == '{' && b[len(b)-1] == '}' && json.Valid(b) && !bytes.ContainsAny(b, "\n")
}

// FuzzAppend scans a file as it grows.
func FuzzAppend(f *testing.F) {
	all := strings.Join(documents, "\n")
	f.Add([]byte(all), uint64(1), uint16(3))
	f.Add([]byte(all+"\n"), uint64(2), uint16(100))
	f.Add([]byte(`{"a":1}{"b":{"c":2}}{"a":[3]}`), uint64(3), uint16(1))
	p := newProbe("a", "b.c", "count a.**", "json b", "each a[]", "a[].b")
	f.Fuzz(func(t *testing.T, text []byte, seed uint64, block uint16) {
		whole := p.notes()
		want, err := newScanner(p.schema, len(text)+1).Scan(bytes.NewReader(text), 0, -1, whole)
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(seed, 1))
		grown := p.notes()
		s := newScanner(p.schema, int(block)+1)
		var got Result
		for size := 0; ; size = min(size+1+rng.IntN(1+len(text)/3), len(text)) {
			grown.tail = nil
			// Half of the time the file ends there, half of the time the scan.
			src, to := bytes.NewReader(text[:size]), int64(-1)
			if rng.IntN(2) == 0 {
				src, to = bytes.NewReader(text), int64(size)
			}
			res, err := s.Scan(src, got.Next, to, grown)
			if err != nil {
				t.Fatal(err)
			}
			if res.Next+res.Tail != int64(size) {
				t.Fatalf("at %d: next %d, tail %d", size, res.Next, res.Tail)
			}
			got.Damaged += res.Damaged
			got.Records += res.Records - int64(len(grown.tail))
			got.Next, got.Tail = res.Next, res.Tail
			if size == len(text) {
				break
			}
		}
		got.Records += int64(len(grown.tail))
		if a, b := grown.lines(got), whole.lines(want); a != b {
			t.Fatalf("in pieces:\n%s\nat once:\n%s", a, b)
		}
	})
}
