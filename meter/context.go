package meter

import "time"

// Ground says what a Context rests on.
type Ground uint8

// The grounds of a Context.
const (
	GroundUnknown  Ground = iota // the live chain leaves the records in memory: see Missing
	GroundStart                  // nothing measured, nothing compacted
	GroundMeasured               // a measurement
	GroundBoundary               // a compaction, no measurement since
)

// Context is what a state says of the live end of the transcript: what the
// next request carries.
type Context struct {
	Ground        Ground
	Offset        int64      // bytes: where the record stands that it rests on
	Usage         Usage      // GroundMeasured
	Compaction    Compaction // GroundBoundary
	Model         string     // that measured, or the newest named
	Version       string     // of the client, the newest named
	Project       string     // working folder, as the client recorded it first; "" is not known
	At            time.Time  // of the measurement or the boundary
	Body          Text       // measured: the reply itself; boundary: summary and kept history; start: instructions
	BodyClient    int64      // Body as the client estimates it, tokens
	Tail          Text       // everything appended since
	Client        int64      // Tail as the client estimates it, tokens
	Recount       bool       // GroundMeasured: the client's own recount after a compaction
	Ended         bool       // the reply came to its proper end
	Turn          bool       // a new user turn began since the measurement
	Thought       Text       // reasoning of the turn that was measured last
	ThoughtTokens int64      // the same in measured tokens, where the client states them
	Earlier       int64      // tokens: reasoning of earlier turns that Usage leaves out (Usage.Dropped)
	Missing       Link       // GroundUnknown: the record to look for
	Clears        int64      // GroundMeasured, tokens as the client counts: old tool results that it is about to clear
	Kept          bool       // it could have cleared as much before, and did not
	Searches      int64      // web searches of the provider whose finds were in the measured prompt and may leave with the next
	Rival         *Usage     // measurement of another branch on which a resume would go on

	seq   int64 // of the base
	whole bool  // Thought goes back to the turn's beginning
}

// Context tells what the next request carries.
func (s State) Context() Context {
	if len(s.Nodes) == 0 {
		return s.lineContext()
	}
	leaf := s.leaf()
	c := s.contextAt(leaf)
	if n := s.betterLeaf(leaf, c); n != nil {
		orphan := c
		leaf = n
		c = s.contextAt(n)
		if orphan.Ground == GroundUnknown {
			c.Tail.Add(orphan.Tail)
			c.Client += orphan.Client
		}
	}
	if other := s.rival(leaf); other != nil {
		if r := s.contextAt(other); r.Ground == GroundMeasured && r.Usage.Key != c.Usage.Key {
			c.Rival = &r.Usage
		}
	}
	return c
}

// leaf is the record at the live end: the newest that nobody names as parent.
// What a compaction put at the beginning is never the end, though it may be
// written after the first reply (Claude Code 2.1.197, observed).
func (s *State) leaf() *node {
	for i := len(s.Nodes) - 1; i >= 0; i-- {
		if n := &s.Nodes[i]; !n.Named && !n.Prefix {
			return n
		}
	}
	return &s.Nodes[len(s.Nodes)-1]
}

// betterLeaf returns the end of the branch that counts where leaf, whose
// context is c, is a false one or leads nowhere; nil if leaf is right.
func (s *State) betterLeaf(leaf *node, c Context) *node {
	switch c.Ground {
	case GroundBoundary:
		if n := s.newestMeasured(); n != nil && s.twice(leaf, n) {
			return n
		}
	case GroundUnknown:
		// A parent that was looked for and is nowhere in the file: the newest
		// branch has to do.
		if s.From == 0 && s.Pin != 0 && s.Pin == c.Missing && s.Pinned == nil {
			return s.newestMeasured()
		}
	}
	return nil
}

// twice reports that leaf is a false one: the prompt that set off a compaction
// may be written twice, the second time below the summary and after the reply
// to it (Claude Code 2.1.197, observed). Then leaf and the measured reply n
// share that prompt.
func (s *State) twice(leaf, n *node) bool {
	for range capNodes + 1 {
		if leaf == nil || leaf.Prefix || leaf.Old {
			return false
		}
		if s.descends(n, leaf.ID) {
			return true
		}
		leaf = s.find(leaf.Parent)
	}
	return false
}

// newestMeasured returns the end of the newest branch that was measured after
// the last boundary, nil if there is none.
func (s *State) newestMeasured() *node {
	var any *node
	for i := len(s.Nodes) - 1; i >= 0; i-- {
		n := &s.Nodes[i]
		if b := s.base(n.Base); b == nil || b.Kind != baseMeasured || b.Seq < s.Boundary {
			continue
		}
		if !n.Named {
			return n
		}
		if any == nil {
			any = n
		}
	}
	return any
}

// rival returns the end of the branch that the client's own pointer names, if
// it is not the branch of leaf.
func (s *State) rival(leaf *node) *node {
	named := s.find(s.Resume)
	if named == nil {
		return nil
	}
	if s.descends(leaf, named.ID) || s.descends(named, leaf.ID) {
		return nil
	}
	for i := len(s.Nodes) - 1; i >= 0; i-- {
		if n := &s.Nodes[i]; !n.Named && s.descends(n, named.ID) {
			return n
		}
	}
	return named
}

func (s *State) descends(n *node, from Link) bool {
	for range capNodes + 1 {
		if n == nil {
			return false
		}
		if n.ID == from {
			return true
		}
		n = s.find(n.Parent)
	}
	return false
}

func (s *State) contextAt(n *node) Context {
	b := s.base(n.Base)
	if b == nil {
		return Context{Model: s.Model, Version: s.Version, Project: s.Project, Missing: s.missing(n), Tail: n.Tail, Client: n.Client}
	}
	c := s.ground(b)
	c.Tail, c.Client, c.Turn = n.Tail, n.Client, n.Turn
	c.Tail.Add(b.Side)
	c.Client += b.SideClient
	if b.Kind == baseMeasured {
		c.Clears = s.clears(b.Usage)
		c.Kept = c.Clears <= s.Clearing.Refuted
	}
	return c
}

func (s *State) missing(n *node) Link {
	for range capNodes + 1 {
		p := s.find(n.Parent)
		if p == nil {
			return n.Parent
		}
		n = p
	}
	return 0
}

func (s *State) ground(b *base) Context {
	c := Context{
		Ground: GroundStart, Offset: b.Offset, Usage: b.Usage, Compaction: b.Compaction, Model: b.Model, Version: s.Version, Project: s.Project,
		At: b.At, Body: b.Body, BodyClient: b.BodyClient, Ended: b.Ended, Thought: b.Thought, Recount: b.Recount,
		seq: b.Seq, whole: b.Whole,
	}
	switch b.Kind {
	case baseMeasured:
		c.Ground = GroundMeasured
	case baseBoundary:
		c.Ground = GroundBoundary
	}
	if c.Model == "" {
		c.Model = s.Model
	}
	return c
}

func (s State) lineContext() Context {
	b := s.base(s.Line.Base)
	if b == nil || b.Kind == baseRoot && s.From > 0 {
		return Context{Model: s.Model, Version: s.Version, Project: s.Project, Tail: s.Line.Tail, Client: s.Line.Client}
	}
	c := s.ground(b)
	c.Tail, c.Client = s.Line.Tail, s.Line.Client
	c.Turn, c.ThoughtTokens = s.Line.newTurn(), s.Line.Thought
	if c.Searches = s.Line.Found; c.Turn {
		c.Searches = s.Line.Finds
	}
	if b.Usage.Dropped {
		c.Earlier = s.Line.Earlier
	}
	return c
}

// Settled reports whether a scan that began at From has seen enough of the
// transcript for its Context to be that of a scan from the beginning.
func (s State) Settled() bool {
	if s.From == 0 {
		return true
	}
	if s.Model == "" {
		return false
	}
	if len(s.Nodes) > 0 {
		return s.treeSettled()
	}
	l := s.Line
	switch {
	case !l.Starts:
		return false // a client that announces no turns may write measurements before their items
	case l.newTurn() && !l.Whole:
		return false
	}
	b := s.base(l.Base)
	switch {
	case b == nil || b.Kind == baseRoot || b.Kind == baseMeasured && b.Model == "":
		return false
	case b.Kind == baseBoundary || b.Usage.Estimated:
		return s.Boundary != 0
	case l.Usages < 2 || !l.Replied:
		return false // the first measurement in sight may be a repeat of one out of sight
	case b.Usage.Dropped:
		return s.Boundary != 0 // the reasoning since the boundary has to be added up
	}
	return true
}

// treeSettled: of the first reply in sight some lines may be out of sight, and
// with them its tool results; when a new turn begins, the reasoning of the
// whole turn before it has to be known.
func (s *State) treeSettled() bool {
	c := s.Context()
	switch {
	case c.Ground == GroundUnknown, s.Headless:
		return false
	case c.Ground == GroundMeasured && c.seq < 2:
		return false
	case s.Clearing.On && c.Usage.nearlyFull() && s.startsLate():
		return false
	case c.Ground == GroundMeasured && c.Turn:
		return c.whole
	}
	return true
}

// Marks are the offsets in bytes of the measurements and boundaries in memory,
// newest first: places from which a scan may see all that the Context rests
// on.
func (s State) Marks() []int64 {
	var out []int64
	for i := len(s.Bases) - 1; i >= 0; i-- {
		if b := s.Bases[i]; b.Kind != baseRoot {
			out = append(out, b.Offset)
		}
	}
	return out
}
