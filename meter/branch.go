package meter

// Turned reports whether the live end c does not go on from what was measured
// last: the conversation was taken up at an earlier place. In a transcript that
// is a tree, a rewind only shows by the parent of the next prompt, which lies
// before the newest measured reply (Claude Code 2.1.197, observed); two
// processes that write to one session look the same, each time they take turns.
// A transcript that is no tree has one end only.
func (s *State) Turned(c Context) bool {
	for i := len(s.Bases) - 1; i >= 0; i-- {
		if b := &s.Bases[i]; b.Kind == baseMeasured && b.Seq > s.Boundary {
			return len(s.Nodes) > 0 && b.Seq > c.seq
		}
	}
	return false
}

// Holds reports whether u is a measurement that is in memory already: the lines
// of one reply repeat it.
func (s *State) Holds(u Usage) bool {
	for i := len(s.Bases) - 1; i >= 0; i-- {
		b := &s.Bases[i]
		if b.Kind == baseMeasured && b.Seq > s.Boundary && u.Key != 0 && b.Usage.Key == u.Key && b.Usage.Prompt == u.Prompt {
			return true
		}
	}
	return false
}
