package transcript_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ctxmeter/ctxmeter/meter"
	"github.com/ctxmeter/ctxmeter/meter/tail"
	"github.com/ctxmeter/ctxmeter/meter/transcript"
)

// toy is a client with the smallest possible transcript: {"id":2,"up":1,...}
// with "say" (content), "use" (a reply that measured so many tokens) or "cut"
// (a compaction).
type toy struct {
	schema               *tail.Schema
	id, up, use, cut, md tail.Field
	say                  tail.Counter
}

func newToy() *toy {
	s := tail.NewSchema()
	return &toy{schema: s, id: s.Capture("id", 24), up: s.Capture("up", 24), use: s.Capture("use", 24), cut: s.Capture("cut", 8), md: s.Capture("md", 16), say: s.Count("say")}
}

func (t *toy) Schema() *tail.Schema { return t.schema }

func (t *toy) Handler(emit func(meter.Event)) tail.Handler { return &toyHandler{t, emit} }

type toyHandler struct {
	*toy
	emit func(meter.Event)
}

func (h *toyHandler) Begin(*tail.Record, tail.Array)   {}
func (h *toyHandler) Element(*tail.Record, tail.Array) {}
func (h *toyHandler) Record(r *tail.Record) {
	e := meter.Event{Offset: r.Offset, Model: r.Text(h.md)}
	if n, ok := r.Int(h.id); ok {
		e.ID = meter.Link(n)
	}
	if n, ok := r.Int(h.up); ok {
		e.Parent = meter.Link(n)
	}
	e.Kind = meter.KindContent
	e.Text.User = r.Counts(h.say)
	if n, ok := r.Int(h.use); ok {
		e.Kind = meter.KindReply
		e.Usage = meter.Usage{Key: uint64(e.ID), Prompt: n, Total: n}
	}
	if cut, _ := r.Bool(h.cut); cut {
		e.Kind = meter.KindBoundary
	}
	h.emit(e)
}

func toySession(paths ...string) meter.Session {
	s := meter.Session{ID: "toy-session", Backend: "toy"}
	for _, p := range paths {
		s.Segments = append(s.Segments, meter.Segment{Path: p, End: -1})
	}
	return s
}

// answer is what a reading would rest on.
type answer struct {
	ground      meter.Ground
	prompt      int64
	appended    int64
	compactions int64
	whole       bool
}

// walked is the answer of a scan from the first byte.
func walked(t *testing.T, s meter.Session) answer {
	t.Helper()
	st, err := transcript.Walk(s, newToy(), func(*meter.State, meter.Event) {})
	if err != nil {
		t.Fatalf("walking: %v", err)
	}
	return answerOf(st)
}

func answerOf(st meter.State) answer {
	c := st.Context()
	return answer{c.Ground, c.Usage.Prompt, c.Tail.User.Chars, st.Facts.Compactions, st.FactsFrom == 0}
}

func load(t *testing.T, s meter.Session, o transcript.Options) answer {
	t.Helper()
	st, err := transcript.Load(s, newToy(), o)
	if err != nil {
		t.Fatalf("loading: %v", err)
	}
	return answerOf(st)
}

// story writes a session of n turns with compactions and rewinds.
func story(n int, pad int) []byte {
	var b bytes.Buffer
	rnd := rand.New(rand.NewPCG(1, uint64(n)))
	id, up := 1, 0
	for turn := range n {
		fmt.Fprintf(&b, `{"id":%d,"up":%d,"say":"%s","md":"m"}`+"\n", id, up, strings.Repeat("x", 1+rnd.IntN(pad)))
		fmt.Fprintf(&b, `{"id":%d,"up":%d,"use":%d,"md":"m"}`+"\n", id+1, id, 1000+turn)
		up = id + 1
		id += 2
		switch {
		case turn%37 == 36:
			fmt.Fprintf(&b, `{"id":%d,"cut":true}`+"\n", id)
			up = id
			id++
		case turn%11 == 10:
			up -= 4 // rewind
		}
	}
	return b.Bytes()
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestReadingAfterEachPieceEqualsOneReadingAtTheEnd(t *testing.T) {
	dir := t.TempDir()
	path, cache := filepath.Join(dir, "s.jsonl"), filepath.Join(dir, "cache")
	data := story(900, 2000)
	rnd := rand.New(rand.NewPCG(2, 3))
	for at := 0; at < len(data); {
		at = min(at+1+rnd.IntN(60_000), len(data))
		write(t, path, data[:at])
		with := load(t, toySession(path), transcript.Options{MaxScan: 64 << 20, Cache: cache})
		without := load(t, toySession(path), transcript.Options{MaxScan: 64 << 20})
		whole := walked(t, toySession(path))
		if with != whole || without != whole {
			t.Fatalf("after %d bytes: with a sidecar %+v, from the end %+v, whole %+v", at, with, without, whole)
		}
	}
}

func TestASidecarOfAnotherFileIsNotBelieved(t *testing.T) {
	data := story(600, 2000)
	other := story(601, 2000)
	for name, change := range map[string]func(t *testing.T, path string){
		"truncated":        func(t *testing.T, p string) { write(t, p, data[:len(data)/2]) },
		"replaced":         func(t *testing.T, p string) { os.Remove(p); write(t, p, other) },
		"rewritten longer": func(t *testing.T, p string) { write(t, p, append(bytes.Clone(other), other...)) },
		"rewritten shorter": func(t *testing.T, p string) {
			write(t, p, other[:len(other)/3])
		},
		"moved away and another in its place": func(t *testing.T, p string) {
			os.Rename(p, p+".old")
			write(t, p, other)
		},
		"emptied": func(t *testing.T, p string) { write(t, p, nil) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "s.jsonl")
			o := transcript.Options{MaxScan: 64 << 20, Cache: filepath.Join(dir, "cache")}
			write(t, path, data)
			load(t, toySession(path), o)
			change(t, path)
			got := load(t, toySession(path), o)
			if want := walked(t, toySession(path)); got != want {
				t.Errorf("with the old sidecar %+v, afresh %+v", got, want)
			}
		})
	}
}

func TestDamagedSidecarsAreMisses(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "s.jsonl")
	o := transcript.Options{MaxScan: 64 << 20, Cache: filepath.Join(dir, "cache")}
	write(t, path, story(600, 2000))
	want := load(t, toySession(path), o)
	files, _ := filepath.Glob(filepath.Join(o.Cache, "sidecars", "*"))
	if len(files) != 1 {
		t.Fatalf("%d files in the cache, want one sidecar", len(files))
	}
	good, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	for cut := 0; cut < len(good); cut += 97 {
		write(t, files[0], good[:cut])
		if got := load(t, toySession(path), o); got != want {
			t.Fatalf("sidecar cut at %d: %+v, want %+v", cut, got, want)
		}
		flipped := bytes.Clone(good)
		flipped[cut] ^= 1
		write(t, files[0], flipped)
		if got := load(t, toySession(path), o); got != want {
			t.Fatalf("sidecar with a flipped bit at %d: %+v, want %+v", cut, got, want)
		}
	}
}

func TestALongSessionIsAnsweredFromItsEndAndCompletedInSlices(t *testing.T) {
	dir := t.TempDir()
	path, cache := filepath.Join(dir, "s.jsonl"), filepath.Join(dir, "cache")
	data := bytes.Repeat([]byte(`{"note":"`+strings.Repeat("y", 5000)+`"}`+"\n"), 3500) // 17 MB of bookkeeping
	data = append(data, story(400, 2000)...)
	write(t, path, data)
	o := transcript.Options{MaxScan: 64 << 20, Cache: cache}
	whole := load(t, toySession(path), transcript.Options{})
	first := load(t, toySession(path), o)
	if first.whole || first.prompt != whole.prompt || first.appended != whole.appended {
		t.Fatalf("first call %+v, want the context of %+v and the facts not yet whole", first, whole)
	}
	for range 40 {
		if got := load(t, toySession(path), o); got == whole {
			return
		}
	}
	t.Error("the facts never became whole")
}

// A line without end, as a crash of the machine may leave it, costs no more
// than the limit; the answer comes from behind it, and is not called whole.
func TestALineOverTheLimitIsNotReadInVain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	giant := append(make([]byte, 40<<20), '\n')
	write(t, path, slices.Concat(story(3, 50), giant, story(400, 2000)))
	o := transcript.Options{MaxScan: 1 << 20, Cache: filepath.Join(t.TempDir(), "cache")}
	want := load(t, toySession(path), transcript.Options{})
	for range 8 {
		got := load(t, toySession(path), o)
		if got.whole || got.prompt != want.prompt || got.appended != want.appended {
			t.Fatalf("%+v, want %+v, but not whole", got, want)
		}
	}
	empty := filepath.Join(t.TempDir(), "empty.jsonl")
	write(t, empty, nil)
	if err := os.Truncate(empty, 1<<40); err != nil { // sparse; whoever reads it does not come back soon
		t.Skip(err)
	}
	if st, err := transcript.Load(toySession(empty), newToy(), o); err != nil || !slices.Contains(st.Notes, transcript.NoteScanLimit) {
		t.Errorf("nothing but zeros: %v, notes %v", err, st.Notes)
	}
}

func TestMegabytesOfBookkeepingDoNotHideTheMeasurement(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	data := append(story(3, 50), bytes.Repeat([]byte(`{"note":"zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz"}`+"\n"), 60_000)...)
	write(t, path, data)
	if got := load(t, toySession(path), transcript.Options{MaxScan: 64 << 20}); got.ground != meter.GroundMeasured || got.prompt != 1002 {
		t.Errorf("%+v, want the measurement of 1002", got)
	}
	st, err := transcript.Load(toySession(path), newToy(), transcript.Options{MaxScan: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	if st.Context().Ground == meter.GroundMeasured || len(st.Notes) == 0 || st.Notes[0] != transcript.NoteScanLimit {
		t.Errorf("a limit of 1 MiB: ground %d, notes %v; want no measurement and a note", st.Context().Ground, st.Notes)
	}
}

func TestWhatLiesWithinTheLimitIsFound(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	data := story(2000, 500)
	write(t, path, data)
	want := load(t, toySession(path), transcript.Options{})
	for _, limit := range []int64{3000, 16 << 10, 64 << 10, 100 << 10, 200 << 10} {
		got := load(t, toySession(path), transcript.Options{MaxScan: limit})
		if got.prompt != want.prompt || got.appended != want.appended {
			t.Errorf("limit %d: %+v, want %+v", limit, got, want)
		}
	}
}

func TestARewindFarBackIsFoundAgain(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "s.jsonl")
	data := story(40, 50) // one compaction, after turn 36; the last turn ends with id 81
	for i := 100; i < 3000; i += 2 {
		data = fmt.Appendf(data, `{"id":%d,"up":%d,"say":"%s","md":"m"}`+"\n"+`{"id":%d,"up":%d,"use":%d,"md":"m"}`+"\n", i, i-1, strings.Repeat("x", 1000), i+1, i, i)
	}
	write(t, path, data)
	cached := transcript.Options{MaxScan: 64 << 20, Cache: filepath.Join(dir, "cache")}
	load(t, toySession(path), cached) // the sidecar knows nothing of what comes now
	data = fmt.Appendf(data, `{"id":9999,"up":81,"say":"back"}`+"\n")
	write(t, path, data)
	for how, o := range map[string]transcript.Options{"whole": {}, "from the end": {MaxScan: 64 << 20}, "with a sidecar": cached} {
		want := answer{ground: meter.GroundMeasured, prompt: 1039, appended: 4, compactions: 1, whole: true}
		if got := load(t, toySession(path), o); got != want {
			t.Errorf("%s: %+v, want %+v", how, got, want)
		}
	}
}

func TestALastRecordWithoutALineEndCountsOnceAndIsNotConsumed(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "s.jsonl")
	o := transcript.Options{MaxScan: 64 << 20, Cache: filepath.Join(dir, "cache")}
	data := story(600, 2000)
	record := []byte(`{"id":5000,"up":2,"use":77}`)
	for range 2 {
		write(t, path, append(bytes.Clone(data), record...))
		if got := load(t, toySession(path), o); got.prompt != 77 {
			t.Errorf("%+v, want the whole record without its line end", got)
		}
		write(t, path, append(bytes.Clone(data), record[:len(record)-1]...))
		if got, want := load(t, toySession(path), o), load(t, toySession(path), transcript.Options{}); got != want || got.prompt == 77 {
			t.Errorf("%+v, want half a record to say nothing: %+v", got, want)
		}
	}
}

func TestChainsReadAsOneTranscript(t *testing.T) {
	dir := t.TempDir()
	data := story(200, 500)
	whole := filepath.Join(dir, "whole.jsonl")
	write(t, whole, data)
	want := load(t, toySession(whole), transcript.Options{})
	at := bytes.LastIndexByte(data[:len(data)/2], '\n') + 1
	base, own := filepath.Join(dir, "base.jsonl"), filepath.Join(dir, "own.jsonl")
	write(t, base, append(bytes.Clone(data[:at]), `{"id":9,"use":1}`+"\n"...)) // the base went on without us
	write(t, own, data[at:])
	plain := meter.Session{ID: "toy", Segments: []meter.Segment{{Path: base, End: int64(at)}, {Path: own, End: -1}}}
	packed := plain
	packed.Segments = []meter.Segment{
		{Path: base, End: int64(at), Stream: func() (io.ReadCloser, error) { return os.Open(base) }},
		{Path: own, End: -1, Stream: func() (io.ReadCloser, error) { return os.Open(own) }},
	}
	for name, s := range map[string]meter.Session{"plain": plain, "compressed": packed} {
		cache := filepath.Join(dir, "cache-"+name)
		for call := range 3 {
			if got := load(t, s, transcript.Options{MaxScan: 64 << 20, Cache: cache}); got != want {
				t.Errorf("%s, call %d: %+v, want %+v", name, call, got, want)
			}
		}
	}
}

func TestATornBaseDoesNotSwallowWhatFollows(t *testing.T) {
	dir := t.TempDir()
	base, own := filepath.Join(dir, "base.jsonl"), filepath.Join(dir, "own.jsonl")
	write(t, base, []byte(`{"id":1,"say":"abc"}`+"\n"+`{"id":2,"up":1,"us`))
	write(t, own, []byte(`{"id":3,"up":1,"use":44}`+"\n"))
	s := meter.Session{ID: "toy", Segments: []meter.Segment{{Path: base, End: 39}, {Path: own, End: -1}}}
	if got := load(t, s, transcript.Options{}); got.prompt != 44 {
		t.Errorf("%+v, want 44", got)
	}
}

func TestErrorsNameTheSessionAndNoPath(t *testing.T) {
	dir := t.TempDir()
	garbage := filepath.Join(dir, "garbage.jsonl")
	write(t, garbage, []byte("not json\nnot at all\n"))
	word := filepath.Join(dir, "word.jsonl")
	write(t, word, []byte("hello"))
	for name, tc := range map[string]struct {
		path string
		code meter.Code
	}{
		"gone":     {filepath.Join(dir, "nowhere.jsonl"), meter.CodeUnreadable},
		"a folder": {dir, meter.CodeUnreadable},
		"garbage":  {garbage, meter.CodeNotATranscript},
		"a word":   {word, meter.CodeNotATranscript},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := transcript.Load(toySession(tc.path), newToy(), transcript.Options{})
			var fault *meter.Fault
			if !errors.As(err, &fault) || fault.Code != tc.code {
				t.Fatalf("error %v, want code %s", err, tc.code)
			}
			if strings.Contains(fault.Message, dir) || !strings.Contains(fault.Message, "toy-session") {
				t.Errorf("message %q", fault.Message)
			}
		})
	}
}

func TestAnEmptyTranscriptIsNoError(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	write(t, path, nil)
	if got := load(t, toySession(path), transcript.Options{}); got != (answer{whole: true}) {
		t.Errorf("%+v", got)
	}
}

// A stream that grows beyond all measure ends the scan, not the machine.
func TestAStreamThatNeverEndsIsCutOff(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl.zst")
	write(t, path, []byte("tiny"))
	s := meter.Session{ID: "toy", Segments: []meter.Segment{{Path: path, End: -1, Stream: func() (io.ReadCloser, error) {
		return io.NopCloser(io.MultiReader(strings.NewReader(`{"id":1,"use":5}`+"\n"), endless{})), nil
	}}}}
	st, err := transcript.Load(s, newToy(), transcript.Options{MaxScan: 64 << 20})
	if err != nil || st.Context().Usage.Prompt != 5 || len(st.Notes) == 0 {
		t.Errorf("measured %d, notes %v, %v", st.Context().Usage.Prompt, st.Notes, err)
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '\n'
	}
	return len(p), nil
}
