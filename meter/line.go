package meter

// applyLine folds events of a transcript that is no tree: each record follows
// the one before.
//
// A Codex measurement stands apart from the reply: output items, then (from
// 0.156 on) token_usage_record, then tool outputs, then token_count. The
// measurement covers everything up to the last item the model wrote, so what
// follows that item is unmeasured even where it stands before the measurement
// (codex-cli 0.171.0, observed).
func (s *State) applyLine(e *Event) {
	l := &s.Line
	if s.base(l.Base) == nil {
		l.Base = s.addBase(base{Kind: baseRoot}).Seq
		if s.From == 0 {
			s.Root = l.Base
		}
	}
	switch e.Kind {
	case KindContent:
		l.Pending = false
		if e.Prefix {
			b := s.base(l.Base)
			b.Body.Add(e.Text)
			b.BodyClient += e.Client
			return
		}
		if e.UserTurn {
			l.Earlier = l.Reasoning
			l.User = l.User || !l.cutOff()
		}
		l.Tail.Add(e.Text)
		l.Client += e.Client
		l.Fresh.Add(e.Text)
		l.FreshClient += e.Client
	case KindReply:
		if l.Pending {
			return // measured already
		}
		l.Replied, l.Unmeasured = true, true
		if e.Searches {
			l.Searched++
		}
		if e.Reasoning {
			l.Reasoning += e.Client
		}
		l.Tail.Add(e.Text)
		l.Client += e.Client
		l.Fresh, l.FreshClient = Text{}, 0
	case KindUsage:
		s.lineUsage(e)
	}
}

// announce notes that the client says a turn begins.
func (l *line) announce(e *Event) {
	if e.TurnStart {
		l.Started, l.Starts = true, true
	}
}

// rewind takes the newest turns back; the recount that stands before it speaks
// of what is left.
func (l *line) rewind() {
	l.Tail, l.Fresh, l.Client, l.FreshClient = Text{}, Text{}, 0, 0
	l.User, l.Started, l.Unmeasured = false, false, false
}

// newTurn reports whether a new turn began since the measurement. A user
// message without an announcement is a client's injection into a running turn
// (real sessions of codex-cli 0.118 to 0.147).
func (l *line) newTurn() bool { return l.User && (l.Started || !l.Starts) }

// cutOff reports that the newest reply made calls and was not measured. So
// begins a thread that was forked off in the middle of a turn: with the words
// that follow, no new turn begins. The reasoning of the turn is sent once more,
// and leaves with the turn after (3 subagents of codex-cli 0.118, each forked
// at another call; in 45 other turns the reasoning before left at once).
func (l *line) cutOff() bool { return l.Unmeasured && l.Tail.Calls > 0 }

// lineUsage books a measurement, once: clients repeat the old counters at
// the start of a turn, after an interrupt and when rate limits are refreshed.
func (s *State) lineUsage(e *Event) {
	l := &s.Line
	u := e.Usage
	b := s.base(l.Base)
	if !u.Known() || u.Key == l.Key {
		return
	}
	l.Key = u.Key
	if !l.Unmeasured && b.Kind == baseMeasured && b.Usage.Prompt == u.Prompt && b.Usage.Output == u.Output && b.Usage.Total == u.Total {
		b.Usage.Dropped = u.Dropped // the same measurement, recorded a second time in a form that says more
		return
	}
	// A token_usage_record does not say whether earlier reasoning is in it; the
	// token_count that does comes after the tools have run.
	u.Dropped = u.Dropped || !u.Estimated && b.Kind == baseMeasured && b.Usage.Dropped
	l.Usages++
	if l.newTurn() {
		l.Thought, l.Finds = 0, 0
		l.Whole = l.Started || s.From == 0 // else whether the client announces turns is not known
	}
	l.Thought += u.Reasoning
	l.Found, l.Searched = l.Searched, 0
	l.Finds += l.Found
	l.User, l.Started = false, false
	at := node{Tail: l.Tail, Base: l.Base}
	s.noteFacts(at, u, s.Model)
	recount := u.Estimated && b.Kind == baseBoundary
	l.Base = s.addBase(base{Kind: baseMeasured, Offset: e.Offset, Usage: u, Model: s.Model, At: e.Time, Recount: recount}).Seq
	l.Tail, l.Client = l.Fresh, l.FreshClient
	// codex-cli 0.40 writes the measurement before the items it measured: then
	// everything so far was in the prompt, and the items are still to come. A
	// recount by the client covers everything so far as well.
	l.Pending = !l.Unmeasured && !u.Estimated && (s.From == 0 || l.Usages > 1)
	if l.Pending || u.Estimated {
		l.Tail, l.Fresh, l.Client, l.FreshClient = Text{}, Text{}, 0, 0
	}
	l.Unmeasured = false
}

func (s *State) lineBoundary(e *Event) {
	l := &s.Line
	l.Tail, l.Fresh = Text{}, Text{}
	l.Client, l.FreshClient = 0, 0
	l.Reasoning, l.Earlier, l.Thought = 0, 0, 0
	l.Searched, l.Found, l.Finds = 0, 0, 0
	l.Pending, l.Unmeasured, l.Whole = false, false, true
	if b := s.base(l.Base); e.Compaction.Recounted && b != nil && b.Kind == baseMeasured && b.Usage.Estimated {
		b.Recount = true
		s.Boundary = b.Seq // the recount before the boundary already speaks of what follows it (Codex up to 0.80)
		return
	}
	l.Base = s.addBase(base{Kind: baseBoundary, Offset: e.Offset, Compaction: e.Compaction, Body: e.Text, BodyClient: e.Client, At: e.Time}).Seq
	s.Boundary = l.Base
}
