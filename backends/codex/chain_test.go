package codex

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/ctxmeter/ctxmeter/meter"
	"github.com/ctxmeter/ctxmeter/meter/transcript"
)

func TestChain(t *testing.T) {
	h := newTree(t)
	root := meta(id(1), "") + response(1000, 10)
	fork := meta(id(2), goesOn(id(1), len(root))) + response(2000, 20)
	h.write(h.path("2026/11/30", id(1), ""), root+response(9000, 90)) // went on by itself
	h.write(h.path(archiveDir, id(2), "")+".zst", fork)
	h.write(h.path("2026/12/03", id(2), id(3)), meta(id(2), goesOn(id(2), len(fork))))
	c := h.client()
	s := one(t, c, id(2))
	if len(s.Segments) != 3 || s.Segments[0].End != int64(len(root)) || s.Segments[1].End != int64(len(fork)) || s.Segments[1].Stream == nil {
		t.Fatalf("segments %+v", s.Segments)
	}
	st, err := transcript.Load(s, c.Decoder(s), transcript.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if u := st.Context().Usage; u.Total != 2020 {
		t.Errorf("usage %+v, want the last in the base", u)
	}
}

func TestChainMissing(t *testing.T) {
	h := newTree(t)
	h.write(h.path("2026/11/30", id(2), ""), meta(id(2), goesOn(id(1), 10)))
	_, err := h.client().Find(id(2))
	wantFault(t, err, meter.CodeSegmentMissing, id(2))
	h.write(h.path("2026/11/30", id(2), ""), meta(id(2), `,"history_base":{"thread_id":"/home/dev/secret","end_byte_offset":3}`))
	_, err = h.client().Find(id(2))
	wantFault(t, err, meter.CodeSegmentMissing, id(2))
}

func TestChainDuplicate(t *testing.T) {
	h := newTree(t)
	text := meta(id(1), "")
	h.write(h.path("2026/11/30", id(2), ""), meta(id(2), goesOn(id(1), len(text))))
	plain := h.write(h.path("2026/11/30", id(1), ""), text)
	same := []string{
		h.write(h.path(archiveDir, id(1), ""), text),
		h.write(h.path(archiveDir, id(1), "")+".zst", text),
		h.write(plain+".zst", text+response(1, 1)), // the client takes the plain one whatever this says
	}
	s, err := h.client().Find(id(2))
	if err != nil || len(s) != 1 || s[0].Segments[0].Path != plain {
		t.Fatalf("copies: %+v, %v", s, err)
	}
	for _, other := range []string{text + response(1, 1), strings.Replace(text, "shop", "shed", 1), text[:len(text)-1]} {
		for _, path := range []string{same[0], h.path("2026/12/05", id(1), ""), same[1]} {
			os.Remove(same[0])
			os.Remove(same[1])
			h.write(path, other)
			_, err := h.client().Find(id(2))
			wantFault(t, err, meter.CodeSegmentDuplicate, id(2))
			os.Remove(path)
		}
	}
}

func TestChainCycle(t *testing.T) {
	h := newTree(t)
	h.write(h.path("2026/11/30", id(1), ""), meta(id(1), goesOn(id(2), 5)))
	h.write(h.path("2026/11/30", id(2), ""), meta(id(2), goesOn(id(1), 5)))
	_, err := h.client().Find(id(1))
	wantFault(t, err, meter.CodeSegmentCycle, id(1))
	h.write(h.path("2026/11/30", id(3), ""), meta(id(3), goesOn(id(3), 5)))
	_, err = h.client().Find(id(3))
	wantFault(t, err, meter.CodeSegmentCycle, id(3))
}

func TestChainTooLong(t *testing.T) {
	h := newTree(t)
	for n := range maxBases + 2 {
		h.write(h.path("2026/11/30", id(n), ""), meta(id(n), goesOn(id(n+1), 5)))
	}
	_, err := h.client().Find(id(0))
	wantFault(t, err, meter.CodeSegmentCycle, id(0))
	last := maxBases - 1
	h.write(h.path("2026/11/30", id(last), ""), meta(id(last), ""))
	if s := one(t, h.client(), id(0)); len(s.Segments) != maxBases {
		t.Errorf("%d segments", len(s.Segments))
	}
}

func TestChainTooShort(t *testing.T) {
	text := meta(id(1), "")
	for _, ext := range []string{"", ".zst"} {
		h := newTree(t)
		h.write(h.path("2026/11/30", id(1), "")+ext, text)
		h.write(h.path("2026/11/30", id(2), ""), meta(id(2), goesOn(id(1), len(text)+1)))
		_, err := h.client().Find(id(2))
		wantFault(t, err, meter.CodeSegmentTooShort, id(2))
	}
	h := newTree(t)
	h.write(h.path("2026/11/30", id(1), ""), text)
	h.write(h.path("2026/11/30", id(2), ""), meta(id(2), fmt.Sprintf(`,"history_base":{"thread_id":%q}`, id(1))))
	_, err := h.client().Find(id(2))
	wantFault(t, err, meter.CodeSegmentTooShort, id(2))
}

// A rewound thread's plain file and its segments share the thread's id in
// their first lines; rollouts are told apart by the last id of their names.
func TestChainOfACopiedSegment(t *testing.T) {
	h := newTree(t)
	text := meta(id(1), "")
	h.write(h.path("2026/11/30", id(1), ""), text)
	path := h.write(h.dir+"/copy.jsonl", meta(id(1), goesOn(id(1), len(text))))
	s, err := h.client().File(path)
	if err != nil || len(s.Segments) != 2 {
		t.Errorf("%+v, %v", s, err)
	}
}
