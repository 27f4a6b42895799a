package tail

import (
	"io"
	"runtime"
	"strings"
	"testing"
	"unsafe"
)

// giant is a line of many bytes that nobody ever held in memory: a record
// with a long text of a repeated pattern.
type giant struct {
	head, pattern, foot string
	repeat              int64
	some                string // a few repetitions, to copy from
}

func newGiant(head, pattern, foot string, repeat int) giant {
	return giant{head, pattern, foot, int64(repeat), strings.Repeat(pattern, 200)}
}

func (g giant) size() int64 { return int64(len(g.head)+len(g.foot)) + g.repeat*int64(len(g.pattern)) }

func (g giant) ReadAt(b []byte, off int64) (int, error) {
	n := 0
	for n < len(b) {
		at := off + int64(n)
		body := at - int64(len(g.head))
		foot := body - g.repeat*int64(len(g.pattern))
		switch {
		case body < 0:
			n += copy(b[n:], g.head[at:])
		case foot < 0:
			k := body % int64(len(g.pattern))
			n += copy(b[n:min(len(b), n-int(foot))], g.some[k:])
		case foot < int64(len(g.foot)):
			n += copy(b[n:], g.foot[foot:])
		default:
			return n, io.EOF
		}
	}
	return n, nil
}

func TestGiantLineTakesConstantMemory(t *testing.T) {
	const pattern = `line of text\n\t\"quoted\" and \\ and \u00e9 漢字 0123456789 `
	const decoded = "line of text\n\t\"quoted\" and \\ and é 漢字 0123456789 "
	for _, tt := range []struct {
		name    string
		line    giant
		text, c Counts // of one pattern
		damaged int64
	}{
		{"one text", newGiant(`{"a":"`, pattern, `","b":1}`+"\n", 200<<20/len(pattern)), countText(decoded), Counts{}, 0},
		{"a million values", newGiant(`{"c":[{"a":0}`, `,{"a":"x","d":[[1,2],"y"]}`, `],"a":"","b":1}`+"\n", 1<<20), Counts{}, countText("xy"), 0},
		{"half a record", newGiant(`{"a":"`, pattern, "\n"+`{"b":1}`+"\n", 1<<20), Counts{}, Counts{}, 1},
		{"a key", newGiant(`{"`, pattern, `":0,"b":1}`+"\n", 1<<19), Counts{}, Counts{}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := NewSchema()
			a, b, text, c := s.Capture("a", 100), s.Capture("b", 10), s.Count("a"), s.Count("c.**")
			s.Each("c[]")
			n := newProbe().notes()
			n.onRecord = func(r *Record) {
				if v, _ := r.Int(b); v != 1 || len(r.Raw(a)) > 100 {
					t.Errorf("b is %d, %d bytes of a", v, len(r.Raw(a)))
				}
				for counter, one := range map[Counter]Counts{text: tt.text, c: tt.c} {
					if got := r.Counts(counter); got.Chars != one.Chars*tt.line.repeat || got.Letters != one.Letters*tt.line.repeat {
						t.Errorf("counted %+v, of one pattern %+v", got, one)
					}
				}
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			sc := NewScanner(s)
			res, err := sc.Scan(tt.line, 0, -1, silently{n})
			runtime.ReadMemStats(&after)
			if err != nil || res.Records != 1 || res.Damaged != tt.damaged || res.Next != tt.line.size() {
				t.Errorf("%+v, %v", res, err)
			}
			if used := after.TotalAlloc - before.TotalAlloc; used > 1<<20 {
				t.Errorf("%d bytes allocated for a line of %d", used, tt.line.size())
			}
		})
	}
}

// silently passes on records only.
type silently struct{ *notes }

func (silently) Begin(*Record, Array)   {}
func (silently) Element(*Record, Array) {}

func TestScannerIsSmallAndAllocatesOnce(t *testing.T) {
	s := NewScanner(usualSchema())
	line := newGiant("", `{"type":"user","message":{"content":[{"type":"text","text":"x"}]},"uuid":"u"}`+"\n", "", 10_000)
	scan := func() {
		if res, err := s.Scan(line, 0, -1, silent{}); err != nil || res.Records != 10_000 {
			t.Error(res, err)
		}
	}
	scan()
	if n := testing.AllocsPerRun(3, scan); n > 10 {
		t.Errorf("%v allocations", n)
	}
	if size := int(unsafe.Sizeof(*s)) + len(s.buf); size > 512<<10 {
		t.Errorf("%d bytes", size)
	}
}
