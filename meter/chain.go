package meter

import (
	"slices"
	"time"
)

// The chain is the part of a State that knows which record follows which.
//
// Transcripts of Claude Code are trees: a rewind starts a new branch and
// leaves the old one in the file, parallel tool results hang beside the
// branch, a child may stand before its parent. The chain keeps the newest
// maxNodes records; each knows the base it stands on (the measurement or the
// boundary that its branch last passed) and the content added since. That is
// enough to tell what the next request carries, wherever the live end is,
// without an index of the file. A parent older than the ring is reported by
// Context.Missing, and a second scan with Pin set finds it.

const (
	maxNodes = 128           // records kept for certain; parents in real sessions lie at most 101 back
	capNodes = maxNodes + 32 // forgotten together, since moving them one by one is slow
	capBases = capNodes + 32 // each record may stand on a base of its own
)

type node struct {
	ID     Link
	Parent Link
	Base   int64 // seq of its base; 0 is unknown
	Named  bool  // another record follows it
	Prefix bool
	Side   bool
	Reply  bool
	Turn   bool  // a user turn began on the chain since the base
	Old    bool  // it stands before the newest boundary
	Loose  bool  // the chain leads to a parent that was not seen yet: the base is a guess, or unknown
	Tail   Text  // on the chain since the base
	Client int64 // the same as the client estimates it, tokens
}

type baseKind uint8

const (
	baseRoot     baseKind = iota // the beginning of the session
	baseMeasured                 // a measurement
	baseBoundary                 // a compaction without a measurement since
)

type base struct {
	Seq        int64
	Kind       baseKind
	Offset     int64 // bytes: of the record it came from
	Usage      Usage
	Compaction Compaction
	Model      string
	At         time.Time
	Recount    bool // the client's recount after a compaction
	Ended      bool // the reply has a stop reason
	Whole      bool // Thought goes back to the turn's beginning
	Thought    Text // reasoning of the turn's replies, up to and with this one
	Body       Text // measured: the reply; boundary: summary and kept history; root: instructions
	BodyClient int64
	Side       Text // tool results and attachments anywhere below
	SideClient int64
}

func (s *State) base(seq int64) *base {
	if seq == 0 {
		return nil
	}
	for i := len(s.Bases) - 1; i >= 0; i-- {
		if s.Bases[i].Seq == seq {
			return &s.Bases[i]
		}
	}
	return nil
}

func (s *State) addBase(b base) *base {
	s.Seq++
	b.Seq = s.Seq
	if len(s.Bases) >= capBases {
		s.dropBases()
	}
	s.Bases = append(s.Bases, b)
	return &s.Bases[len(s.Bases)-1]
}

// dropBases forgets the bases that nothing stands on any more.
func (s *State) dropBases() {
	used := map[int64]bool{s.Boundary: true, s.Root: true, s.Line.Base: true}
	for i := range s.Nodes {
		used[s.Nodes[i].Base] = true
	}
	if s.Pinned != nil {
		used[s.Pinned.Base] = true
	}
	s.Bases = slices.DeleteFunc(s.Bases, func(b base) bool { return !used[b.Seq] })
}

// find returns the node of a record, nil if it is not in memory. The newest
// one wins: forks copy records with their ids.
func (s *State) find(id Link) *node {
	if id == 0 {
		return nil
	}
	for i := len(s.Nodes) - 1; i >= 0; i-- {
		if s.Nodes[i].ID == id {
			return &s.Nodes[i]
		}
	}
	if s.Pinned != nil && s.Pinned.ID == id {
		return s.Pinned
	}
	return nil
}

func (s *State) addNode(n node) *node {
	if s.Pin != 0 && n.ID == s.Pin {
		pinned := n
		s.Pinned = &pinned
	}
	for i := range s.Nodes { // a child may stand before its parent
		if s.Nodes[i].Parent == n.ID {
			n.Named = true
			break
		}
	}
	s.SinceBoundary++
	if len(s.Nodes) >= capNodes {
		s.Nodes = append(s.Nodes[:0], s.Nodes[len(s.Nodes)-maxNodes:]...)
	}
	s.Nodes = append(s.Nodes, n)
	return &s.Nodes[len(s.Nodes)-1]
}

// adopt gives records that stood before their parent what they inherit from
// it, down their branches.
func (s *State) adopt(parent Link, from node) {
	for i := range s.Nodes {
		c := &s.Nodes[i]
		if !c.Loose || c.Parent != parent {
			continue
		}
		c.Loose, c.Base = from.Loose, from.Base
		c.Turn = c.Turn || from.Turn
		c.Tail.Add(from.Tail)
		c.Client += from.Client
		if !c.Loose {
			s.adopt(c.ID, from)
		}
	}
}

// place tells where a record with this parent stands: its base and what the
// chain holds up to it.
func (s *State) place(parent Link) node {
	if parent == 0 {
		if s.Boundary != 0 {
			return node{Base: s.Boundary}
		}
		if s.Root == 0 && s.From > 0 {
			return node{} // whether a compaction stands before it is out of sight
		}
		if s.Root == 0 {
			s.Root = s.addBase(base{Kind: baseRoot}).Seq
		}
		return node{Base: s.Root}
	}
	p := s.find(parent)
	if p == nil {
		// With the boundary still in memory, a record that is not lies before
		// it, unless it is still to come.
		if s.SinceBoundary < maxNodes {
			return node{Base: s.Boundary, Loose: true}
		}
		return node{Loose: true}
	}
	p.Named = true
	return node{Base: p.Base, Tail: p.Tail, Client: p.Client, Prefix: p.Prefix, Side: p.Side, Reply: p.Reply, Turn: p.Turn, Loose: p.Loose}
}

// bound makes b the newest boundary. A record that follows one from before it
// stands on it (Claude Code 2.1.197, observed: after an automatic compaction
// parents may lie before it, so position in the file decides).
func (s *State) bound(b base) *base {
	added := s.addBase(b)
	s.Boundary, s.SinceBoundary = added.Seq, 0
	s.Clearing.Results, s.Clearing.Refuted = nil, 0
	on := func(n *node) {
		n.Base, n.Tail, n.Client, n.Turn, n.Prefix, n.Loose = added.Seq, Text{}, 0, false, false, false
		n.Old = true
	}
	for i := range s.Nodes {
		on(&s.Nodes[i])
	}
	if s.Pinned != nil {
		on(s.Pinned)
	}
	return added
}
