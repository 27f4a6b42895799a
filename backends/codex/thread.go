package codex

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/ctxmeter/ctxmeter/meter"
	"github.com/ctxmeter/ctxmeter/meter/files"
)

// Find implements backends.Client.
func (c *Client) Find(id string) ([]meter.Session, error) {
	id = strings.ToLower(strings.TrimSpace(id))
	if len(id) < minPrefix || !isIDPrefix(id) {
		return nil, nil
	}
	var out []meter.Session
	var fault error
	seen := map[string]bool{}
	for _, h := range c.homes() {
		for _, files := range byThread(h.from(id, func(n name) bool { return strings.HasPrefix(n.thread, id) })) {
			f := live(files)
			if seen[f.thread] {
				continue // an earlier home has it
			}
			seen[f.thread] = true
			s, err := c.session(h, f)
			if err != nil {
				// Among several it is still one of those that may be meant.
				fault = err
				s = meter.Session{ID: f.thread, Backend: Backend, Root: h.dir, Segments: []meter.Segment{segment(f.path, -1)}}
			}
			out = append(out, s)
		}
	}
	if len(out) == 1 && fault != nil {
		return nil, fault
	}
	slices.SortStableFunc(out, func(a, b meter.Session) int { return b.Modified.Compare(a.Modified) })
	return out, nil
}

// byThread groups files by thread, the threads in the order of their ids.
func byThread(files []file) [][]file {
	slices.SortStableFunc(files, func(a, b file) int { return cmp.Compare(a.thread, b.thread) })
	var out [][]file
	for i, f := range files {
		if i == 0 || f.thread != files[i-1].thread {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], f)
	}
	return out
}

// live picks the file that a thread is going on in: the newest segment, whose
// ids sort by time, else the thread's first file. Of copies it is the one
// that the client would take.
func live(files []file) file {
	return slices.MaxFunc(files, func(a, b file) int {
		return cmp.Or(cmp.Compare(a.segment, b.segment), better(a, b))
	})
}

// better orders copies of one rollout as the client does: a plain file wins
// over a compressed one, a live one over an archived one.
func better(a, b file) int {
	return cmp.Or(rank(a.packed, b.packed), rank(a.archived, b.archived), cmp.Compare(b.path, a.path))
}

func rank(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// session is the session that goes on in f.
func (c *Client) session(h home, f file) (meter.Session, error) {
	if !h.holds(f.path) {
		return meter.Session{}, outside(f.thread)
	}
	r := newHeadReader()
	hd, at, err := readHead(r, f)
	if err != nil {
		return meter.Session{}, err
	}
	return c.assemble(h, f, r, hd, at)
}

// assemble makes the session of which f, with the head hd, is the newest file.
func (c *Client) assemble(h home, f file, r *headReader, hd head, at time.Time) (meter.Session, error) {
	s := meter.Session{
		ID: hd.id, Backend: Backend, ParentID: hd.parent, Project: hd.project,
		Root: h.dir, Modified: at,
	}
	others := slices.DeleteFunc(c.homes(), func(o home) bool { return o == h })
	before := chain{session: hd.id, homes: append([]home{h}, others...), heads: r}
	bases, err := before.bases(f, hd)
	if err != nil {
		return meter.Session{}, err
	}
	s.Segments = append(bases, segment(f.path, -1))
	return s, nil
}

// segment is the file at path up to end.
func segment(path string, end int64) meter.Segment {
	s := meter.Segment{Path: path, End: end}
	if isPacked(path) {
		s.Stream = func() (io.ReadCloser, error) { return unpack(path) }
	}
	return s
}

// readHead reads the head of a file, and its time.
func readHead(r *headReader, f file) (head, time.Time, error) {
	info, err := os.Stat(f.path) // before opening: a pipe would block
	if err == nil && !info.Mode().IsRegular() {
		err = files.ErrNotRegular
	}
	if err != nil {
		return head{}, time.Time{}, meter.Unreadable(f.thread, err)
	}
	hd, err := r.read(f.path, f.thread)
	if err != nil {
		return head{}, time.Time{}, meter.Unreadable(f.thread, err)
	}
	return hd, info.ModTime(), nil
}

func outside(thread string) error {
	return &meter.Fault{
		Code:    meter.CodeOutsideRoot,
		Message: fmt.Sprintf("the rollout of session %s is a link that leads out of the Codex home; name the file itself with --session-file", thread),
	}
}
