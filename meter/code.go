package meter

import (
	"encoding/binary"
	"errors"
	"math"
	"time"

	"github.com/ctxmeter/ctxmeter/meter/tail"
)

// A State is stored in the order of its fields: integers as variable-length
// signed numbers, strings and lists behind their length, and a Text as one
// zero byte where it is empty. One walk over the fields does both directions.
//
//	state:  from factsfrom offset records damaged events last model version
//	        project window windowmodel
//	        switched opening notes largest unnamed facts seq root boundary headless nodes bases
//	        resume pin pinned clearing line
//	text:   0  |  1, six counts of nine numbers, six numbers
//
// Readers and writers of the stored form are of one version: see package
// sidecar.

// AppendBinary appends the stored form of s to b. It never fails.
func (s State) AppendBinary(b []byte) ([]byte, error) {
	c := coder{buf: b}
	c.state(&s)
	return c.buf, nil
}

// UnmarshalBinary reads the stored form. An error means that b is damaged; s
// is then undefined.
func (s *State) UnmarshalBinary(b []byte) error {
	*s = State{}
	c := coder{buf: b, decode: true}
	c.state(s)
	if c.bad || c.pos != len(b) {
		return errDamaged
	}
	return nil
}

var errDamaged = errors.New("damaged state")

type coder struct {
	buf    []byte
	pos    int
	decode bool
	bad    bool
}

func (c *coder) int(p *int64) {
	if !c.decode {
		c.buf = binary.AppendVarint(c.buf, *p)
		return
	}
	v, n := binary.Varint(c.buf[c.pos:])
	if n <= 0 {
		c.bad, c.pos = true, len(c.buf)
		return
	}
	*p = v
	c.pos += n
}

func (c *coder) ints(ps ...*int64) {
	for _, p := range ps {
		c.int(p)
	}
}

func (c *coder) uint(p *uint64) {
	v := int64(*p)
	c.int(&v)
	*p = uint64(v)
}

func (c *coder) link(p *Link) { c.uint((*uint64)(p)) }

func (c *coder) bools(ps ...*bool) {
	var v int64
	for i, p := range ps {
		if *p {
			v |= 1 << i
		}
	}
	c.int(&v)
	for i, p := range ps {
		*p = v&(1<<i) != 0
	}
}

// length codes a length of at most limit.
func (c *coder) length(n, limit int) int {
	v := int64(n)
	c.int(&v)
	if v < 0 || v > int64(limit) {
		c.bad, c.pos = true, len(c.buf)
		return 0
	}
	return int(v)
}

func (c *coder) string(p *string) {
	n := c.length(len(*p), math.MaxInt32)
	switch {
	case !c.decode:
		c.buf = append(c.buf, *p...)
	case n > len(c.buf)-c.pos:
		c.bad, c.pos = true, len(c.buf)
	default:
		*p = string(c.buf[c.pos : c.pos+n])
		c.pos += n
	}
}

func (c *coder) time(p *time.Time) {
	var v int64
	if !p.IsZero() {
		v = p.UnixNano()
	}
	c.int(&v)
	if c.decode && v != 0 {
		*p = time.Unix(0, v).UTC()
	}
}

// list codes a list: each is called for every element.
func list[T any](c *coder, p *[]T, limit int, each func(*T)) {
	n := c.length(len(*p), limit)
	if c.decode && n > 0 {
		*p = make([]T, n)
	}
	for i := range *p {
		if c.bad {
			return
		}
		each(&(*p)[i])
	}
}

func (c *coder) counts(p *tail.Counts) {
	full := *p != (tail.Counts{})
	c.bools(&full)
	if full {
		all := p.All()
		c.ints(all[:]...)
	}
}

func (c *coder) text(p *Text) {
	full := *p != (Text{})
	c.bools(&full)
	if !full {
		return
	}
	for _, k := range []*tail.Counts{&p.User, &p.Tool, &p.Call, &p.Reply, &p.Thinking, &p.Attachment} {
		c.counts(k)
	}
	c.ints(&p.Signature, &p.Images, &p.Blocks, &p.Results, &p.Calls, &p.Fixed)
}

func (c *coder) usage(u *Usage) {
	c.uint(&u.Key)
	c.ints(&u.Prompt, &u.Output, &u.Total, &u.Reasoning)
	c.bools(&u.Estimated, &u.Full, &u.Bound, &u.Dropped)
}

func (c *coder) compaction(p *Compaction) {
	c.bools(&p.Auto, &p.Recounted)
	c.ints(&p.Pre, &p.Post)
}

func (c *coder) node(n *node) {
	c.link(&n.ID)
	c.link(&n.Parent)
	c.int(&n.Base)
	c.bools(&n.Named, &n.Prefix, &n.Side, &n.Reply, &n.Turn, &n.Old, &n.Loose)
	c.text(&n.Tail)
	c.int(&n.Client)
}

func (c *coder) base(b *base) {
	kind := int64(b.Kind)
	c.ints(&b.Seq, &kind, &b.Offset)
	b.Kind = baseKind(kind)
	c.usage(&b.Usage)
	c.compaction(&b.Compaction)
	c.string(&b.Model)
	c.time(&b.At)
	c.bools(&b.Ended, &b.Whole, &b.Recount)
	c.text(&b.Thought)
	c.text(&b.Body)
	c.text(&b.Side)
	c.ints(&b.BodyClient, &b.SideClient)
}

func (c *coder) facts(f *Facts) {
	c.ints(&f.Compactions, &f.Peak, &f.Micro, &f.First.Prompt)
	c.time(&f.LastAt)
	c.string(&f.PeakModel)
	c.text(&f.First.Text)
	c.string(&f.First.Model)
	list(c, &f.Autos, maxAutos, func(a *Auto) {
		c.int(&a.Pre)
		c.time(&a.At)
		c.string(&a.Model)
		c.string(&a.Version)
	})
}

func (c *coder) line(l *line) {
	c.ints(&l.Base, &l.Client, &l.FreshClient, &l.Usages, &l.Thought, &l.Reasoning, &l.Earlier, &l.Searched, &l.Found, &l.Finds)
	c.uint(&l.Key)
	c.bools(&l.Replied, &l.Unmeasured, &l.Pending, &l.Started, &l.Starts, &l.User, &l.Whole)
	c.text(&l.Tail)
	c.text(&l.Fresh)
}

func (c *coder) state(s *State) {
	c.ints(&s.From, &s.FactsFrom, &s.Offset, &s.Records, &s.Damaged, &s.Events)
	c.time(&s.Last)
	c.string(&s.Model)
	c.string(&s.Version)
	c.string(&s.Project)
	c.int(&s.Window.Tokens)
	c.string((*string)(&s.Window.Source))
	c.string(&s.WindowModel)
	c.bools(&s.Switched)
	c.int(&s.Opening)
	list(c, &s.Notes, 64, c.string)
	c.ints(&s.Largest, &s.Unnamed)
	c.facts(&s.Facts)
	c.ints(&s.Seq, &s.Root, &s.Boundary, &s.SinceBoundary)
	c.bools(&s.Headless)
	list(c, &s.Nodes, capNodes, c.node)
	list(c, &s.Bases, capBases, c.base)
	c.link(&s.Resume)
	c.link(&s.Pin)
	pinned := s.Pinned != nil
	c.bools(&pinned)
	if pinned {
		if s.Pinned == nil {
			s.Pinned = &node{}
		}
		c.node(s.Pinned)
	}
	c.bools(&s.Clearing.On)
	list(c, &s.Clearing.Results, maxResults, c.int)
	c.int(&s.Clearing.Refuted)
	list(c, &s.Clearing.Calls, maxCalls, c.link)
	c.line(&s.Line)
}
