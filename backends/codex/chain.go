package codex

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/ctxmeter/ctxmeter/meter"
)

// chain finds what a rollout goes on from. A fork, and a segment that a
// rewind has started, name in their first line another rollout and how many
// of its (uncompressed) bytes belong to their history; they repeat none of
// it. That rollout may be such a file itself.
type chain struct {
	session string
	homes   []home // the file's own first
	heads   *headReader

	asked int
	index map[string][]file // of the own home, once much was asked
}

// maxBases bounds a chain: more is a loop in disguise.
const maxBases = 200

// bases returns the segments before f, oldest first.
func (c *chain) bases(f file, hd head) ([]meter.Segment, error) {
	var out []meter.Segment
	met := map[string]bool{}
	if own := f.rollout(); own != "" {
		met[own] = true
	}
	for next := hd.base; next != nil; {
		if met[next.rollout] || len(out) == maxBases {
			return nil, c.fault(meter.CodeSegmentCycle, "the history of session %s leads back to itself (at %s): no order of its files can be made out; ask for another session", next.rollout)
		}
		met[next.rollout] = true
		if next.end < 0 {
			return nil, c.fault(meter.CodeSegmentTooShort, "session %s does not state how much of rollout %s its history begins with; the file may be from a newer Codex: see whether ctxmeter is up to date", next.rollout)
		}
		b, err := c.base(*next)
		if err != nil {
			return nil, err
		}
		out = append(out, segment(b.path, next.end))
		hd, _, err := readHead(c.heads, b)
		if err != nil {
			return nil, meter.Unreadable(c.session, err)
		}
		next = hd.base
	}
	slices.Reverse(out)
	return out, nil
}

// base finds the file of a base and checks that it can be one.
func (c *chain) base(want base) (file, error) {
	h, copies := c.find(want.rollout)
	if len(copies) == 0 {
		return file{}, c.fault(meter.CodeSegmentMissing, "the history of session %s begins in rollout %s, which is in none of the Codex homes; restore its file, or name its home with --codex-home", want.rollout)
	}
	slices.SortFunc(copies, func(a, b file) int { return better(b, a) })
	best := copies[0]
	for _, other := range copies[1:] {
		if samePlace(best, other) {
			continue // the client prefers the plain file, whatever the other says
		}
		if !sameContent(best.path, other.path, want.end) {
			return file{}, c.fault(meter.CodeSegmentDuplicate, "the history of session %s begins in rollout %s, of which there are several files that differ; move all but the right one out of the Codex home", want.rollout)
		}
	}
	if !h.holds(best.path) {
		return file{}, outside(c.session)
	}
	if !reaches(best.path, want.end) {
		return file{}, c.fault(meter.CodeSegmentTooShort, "the history of session %s begins in rollout %s, which is shorter than that beginning; its file was cut, restore it from a backup", want.rollout)
	}
	return best, nil
}

func (c *chain) fault(code meter.Code, format, rollout string) error {
	return &meter.Fault{Code: code, Message: fmt.Sprintf(format, c.session, rollout)}
}

// find returns the files of a rollout, from the first home that has it.
func (c *chain) find(rollout string) (home, []file) {
	keep := func(n name) bool { return n.rollout() == rollout }
	for i, h := range c.homes {
		var files []file
		if i == 0 {
			files = c.own(rollout, keep)
		} else {
			files = h.from(rollout, keep)
		}
		if len(files) > 0 {
			return h, files
		}
	}
	return home{}, nil
}

// own looks in the file's own home: for each base of a short chain from its
// day on, for those of a long chain in an index.
func (c *chain) own(rollout string, keep func(name) bool) []file {
	const few = 4
	if c.asked++; c.asked <= few {
		return c.homes[0].from(rollout, keep)
	}
	if c.index == nil {
		c.index = map[string][]file{}
		for _, f := range c.homes[0].all("", func(name) bool { return true }) {
			c.index[f.rollout()] = append(c.index[f.rollout()], f)
		}
	}
	return c.index[rollout]
}

// reaches says whether a rollout has at least end bytes. One that cannot be
// read is left to whoever loads it.
func reaches(path string, end int64) bool {
	size, ok := contentSize(path)
	if ok && size >= end || !ok && !isPacked(path) {
		return true
	}
	if !isPacked(path) {
		return false
	}
	r, err := unpack(path) // the header may say nothing, or speak of the first of several frames
	if err != nil {
		return true
	}
	defer r.Close()
	_, err = io.CopyN(io.Discard, r, end)
	return err != io.EOF
}

// samePlace says whether b is a compressed copy beside a.
func samePlace(a, b file) bool {
	return a.packed != b.packed && filepath.Dir(a.path) == filepath.Dir(b.path) && a.name.stamp == b.name.stamp
}

// sameContent says whether two rollouts are equally long and agree in their
// first end bytes.
func sameContent(a, b string, end int64) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	if errA != nil || errB != nil {
		return false
	}
	if os.SameFile(infoA, infoB) {
		return true
	}
	sizeA, okA := contentSize(a)
	sizeB, okB := contentSize(b)
	if okA && okB && sizeA != sizeB {
		return false
	}
	ra, errA := open(a)
	if errA != nil {
		return false
	}
	defer ra.Close()
	rb, errB := open(b)
	if errB != nil {
		return false
	}
	defer rb.Close()
	return sameBytes(io.LimitReader(ra, end), io.LimitReader(rb, end))
}

func sameBytes(a, b io.Reader) bool {
	const block = 64 << 10
	bufA, bufB := make([]byte, block), make([]byte, block)
	for {
		n, errA := io.ReadFull(a, bufA)
		m, errB := io.ReadFull(b, bufB)
		if !bytes.Equal(bufA[:n], bufB[:m]) {
			return false
		}
		if err := cmp.Or(errA, errB); err != nil {
			return ended(errA) && ended(errB)
		}
	}
}

func ended(err error) bool { return err == io.EOF || err == io.ErrUnexpectedEOF }
