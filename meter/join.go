package meter

// What a client tells its status line about the newest request may be ahead of
// the transcript, or behind it: see Payload. The two below bring a state to
// where the client is. They know clients whose transcripts are trees.

// joined is the id of a record that is no record of the transcript.
const joined Link = 1<<64 - 1

// Ahead returns the state after a reply that the transcript does not hold yet.
// While a reply is streamed, Claude Code states its usage before it writes the
// record (2.1.197, observed).
func (s State) Ahead(u Usage) State {
	s = s.Clone()
	parent := Link(0)
	if len(s.Nodes) > 0 {
		parent = s.leaf().ID
	}
	s.Fold(Event{Kind: KindReply, ID: joined, Parent: parent, Usage: u})
	return s
}

// Back returns the state with the live end at the reply that was measured so,
// at the end of its turn; ok is false if there is none since the newest
// boundary, or it is the live end already. After a rewind the transcript says
// nothing of it before the next prompt, but the client states the usage of the
// turn it went back to (Claude Code 2.1.197, observed). Where that turn may be
// too old to be in memory, a smaller usage than the newest is believed.
func (s State) Back(u Usage) (State, bool) {
	now := s.Context()
	if now.Ground != GroundMeasured {
		return s, false
	}
	for i := len(s.Nodes) - 1; i >= 0; i-- {
		n := &s.Nodes[i]
		b := s.base(n.Base)
		if b == nil || b.Kind != baseMeasured || b.Seq < s.Boundary || n.Turn || n.Loose ||
			b.Usage.Prompt != u.Prompt || b.Usage.Output != u.Output {
			continue
		}
		if b.Usage.Key == now.Usage.Key {
			return s, false
		}
		s = s.Clone()
		s.Fold(Event{Kind: KindLink, ID: joined, Parent: n.ID})
		return s, true
	}
	if s.forgot() && u.Prompt < now.Usage.Prompt && !s.denies(u) {
		return s.Ahead(u), true
	}
	return s, false
}

// Kept reports whether the usage was measured before the newest boundary. A
// compaction keeps the newest records as they are, "Summarize from here" all
// before the place, and with them their usage (Claude Code 2.1.197, observed).
func (s State) Kept(u Usage) bool {
	for i := range s.Bases {
		b := &s.Bases[i]
		if b.Kind == baseMeasured && b.Seq < s.Boundary && b.Usage.Prompt == u.Prompt && b.Usage.Output == u.Output {
			return true
		}
	}
	return false
}

// denies reports that the usage is of something else than an earlier turn: it
// was measured before the newest boundary, or with another reply.
func (s State) denies(u Usage) bool {
	for i := range s.Bases {
		if b := &s.Bases[i]; b.Usage.Prompt == u.Prompt && (b.Seq < s.Boundary || b.Usage.Output != u.Output) {
			return true
		}
	}
	return false
}

// Restart returns the state with the live end where nothing was sent since the
// newest boundary, or since the beginning if there is none; ok is false if it is
// there already. Of a rewind to such a place the client states no usage, or
// zeros, or the usage of a reply that the compaction kept (Claude Code 2.1.197,
// observed).
func (s State) Restart() (State, bool) {
	if s.Context().Ground != GroundMeasured {
		return s, false
	}
	s = s.Clone()
	if !s.Compacted() && s.FactsFrom == 0 && s.Root == 0 { // the beginning is out of sight, but known
		s.Root = s.addBase(base{Kind: baseRoot}).Seq
	}
	s.Fold(Event{Kind: KindLink, ID: joined})
	return s, true
}

// Follow returns the state after what was appended to its live end.
func (s State) Follow(text Text, client int64) State {
	s = s.Clone()
	s.Fold(Event{Kind: KindContent, ID: joined - 1, Parent: s.leaf().ID, Text: text, Client: client})
	return s
}

// Compacted reports whether a compaction stands before the live end, as far as
// is known.
func (s State) Compacted() bool { return s.Boundary != 0 || s.Facts.Compactions > 0 }

// forgot reports that the records since the newest boundary are not all in
// memory.
func (s State) forgot() bool {
	return s.SinceBoundary > int64(len(s.Nodes)) || s.Boundary == 0 && s.From > 0
}

// Measured reports whether one of the requests in memory was measured as so
// many tokens.
func (s State) Measured(prompt int64) bool {
	for i := range s.Bases {
		if s.Bases[i].Usage.Prompt == prompt {
			return true
		}
	}
	return false
}
