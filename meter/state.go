package meter

import (
	"slices"
	"time"

	"github.com/ctxmeter/ctxmeter/meter/tail"
)

// State is the whole memory of a scan: small, plain, and enough to go on with
// the scan later. The zero State is a scan that has not begun. Apply is pure;
// who reads the file sets From, Offset, Records and Damaged.
type State struct {
	From      int64 // bytes: where the scan began
	FactsFrom int64 // bytes: where the stretch begins that Facts, Records and Damaged speak of; 0 is the whole transcript
	Offset    int64 // bytes: where it goes on, always a line start
	Records   int64 // read
	Damaged   int64 // lines that could not be read

	Events      int64     // folded
	Last        time.Time // newest time stated by any record
	Model       string
	Version     string // of the client
	Project     string
	Window      Claim    // as the transcript states it
	WindowModel string   // the model that a notice stated the window for
	Switched    bool     // the model or its window was switched since From
	Opening     int64    // tokens: the first measurement since From, if no compaction stands before it
	Notes       []string // codes of warnings
	Largest     int64    // largest prompt the current model took, tokens
	Unnamed     int64    // the same of a model whose name is out of sight
	Facts       Facts

	Seq           int64
	Root          int64 // seq of the base at the session's beginning
	Boundary      int64 // seq of the newest boundary's base
	SinceBoundary int64 // linked records since then
	Headless      bool  // the scan began with a summary whose boundary is out of sight, or never was
	Nodes         []node
	Bases         []base
	Resume        Link // the record at which a resume would go on
	Pin           Link // a record to keep whatever its age
	Pinned        *node
	Clearing      clearing

	Line line
}

// line is the live end of a transcript that is no tree (Codex).
type line struct {
	Base        int64
	Tail        Text // since the measured reply
	Client      int64
	Fresh       Text // since the newest reply item, measured or not
	FreshClient int64
	Key         uint64 // of the newest measurement
	Usages      int64  // distinct measurements seen
	Replied     bool   // a reply item was seen
	Unmeasured  bool   // a reply item was seen since the measurement
	Pending     bool   // the measured reply's items are still to come
	Started     bool   // the client announced a turn since the measurement
	Starts      bool   // the client announces turns at all
	User        bool   // a person spoke since the measurement, and cut no turn off
	Thought     int64  // reasoning tokens measured in the turn so far
	Whole       bool   // Thought goes back to the turn's beginning
	Searched    int64  // web searches of the provider, since the measurement
	Found       int64  // in the reply that was measured
	Finds       int64  // in all of its turn
	Reasoning   int64  // reasoning since the boundary, tokens as the client estimates
	Earlier     int64  // the part of it before the newest user turn
}

// Apply returns the state after e and leaves s as it is. It never fails: an
// event that makes no sense changes nothing.
func (s State) Apply(e Event) State {
	s = s.Clone()
	s.apply(&e)
	return s
}

// Clone returns a copy that shares no memory with s.
func (s State) Clone() State {
	s.Nodes = slices.Clone(s.Nodes)
	s.Bases = slices.Clone(s.Bases)
	s.Notes = slices.Clone(s.Notes)
	s.Facts.Autos = slices.Clone(s.Facts.Autos)
	s.Clearing.Results = slices.Clone(s.Clearing.Results)
	s.Clearing.Calls = slices.Clone(s.Clearing.Calls)
	if s.Pinned != nil {
		pinned := *s.Pinned
		s.Pinned = &pinned
	}
	return s
}

// Fold applies e in place; a scan of many records uses it instead of Apply.
func (s *State) Fold(e Event) { s.apply(&e) }

func (s *State) apply(e *Event) {
	s.Events++
	if e.Time.After(s.Last) {
		s.Last = e.Time
	}
	if e.Version != "" {
		s.Version, s.Clearing.On = e.Version, e.Clears
	}
	if e.Project != "" && s.Project == "" {
		s.Project = e.Project
	}
	s.applyModel(e)
	switch e.Kind {
	case KindBoundary:
		s.applyBoundary(e)
	case KindMicro:
		s.Facts.Micro++
		s.applyTree(e)
	case KindLeaf:
		s.Resume = e.Parent
	case KindModel:
		if e.ID != 0 {
			s.link(e)
		}
		s.Line.announce(e)
	case KindRewind:
		s.Line.rewind()
	default:
		if e.ID != 0 {
			s.applyTree(e)
		} else {
			s.applyLine(e)
		}
	}
}

// Precede books what a scan of the stretch before FactsFrom learned. Once that
// stretch is read to its end, the facts are whole.
func (s *State) Precede(past State) {
	if s.FactsFrom == 0 {
		return
	}
	if s.Facts.First.Prompt == 0 {
		s.Facts.First = past.Facts.First
	}
	if past.Offset < s.FactsFrom {
		return
	}
	if past.Facts.First.Prompt == 0 && past.Facts.Compactions == 0 && s.Opening > 0 {
		past.Facts.First = First{Prompt: s.Opening, Text: past.Context().Tail.prompt(), Model: s.Model} // its reply is the first record of the scan
	}
	for i := range s.Facts.Autos {
		if s.Facts.Autos[i].Model == "" {
			s.Facts.Autos[i].Model = past.Model
		}
	}
	s.Facts = past.Facts.Join(s.Facts)
	// A notice at the end of the past speaks of the model that replies next.
	waiting := past.Window.Source == SourceTranscript && past.WindowModel == ""
	if !s.Switched && (waiting || past.Model == s.Model) {
		s.Largest = max(s.Largest, past.Largest, s.Unnamed)
		if s.Window.Tokens == 0 {
			s.Window, s.WindowModel = past.Window, past.WindowModel
			if waiting {
				s.WindowModel = s.Model
			}
		}
	}
	if past.Last.After(s.Last) {
		s.Last = past.Last
	}
	if past.Project != "" {
		s.Project = past.Project
	}
	s.Events += past.Events
	s.Records += past.Records
	s.Damaged += past.Damaged
	s.FactsFrom = 0
}

// applyModel follows model and window switches. A window stated for one model
// says nothing about another; a notice speaks of the model that replies next.
func (s *State) applyModel(e *Event) {
	if e.Window > 0 && e.WindowFor != "" && e.WindowFor == s.Model {
		s.Window, s.WindowModel = Claim{Tokens: e.Window, Source: SourceTranscript}, s.Model
	}
	if e.Window > 0 && e.WindowFor == "" && e.ID != 0 {
		s.Window = Claim{Tokens: e.Window, Source: SourceTranscript}
		s.WindowModel, s.Largest, s.Switched = "", 0, true
	}
	if e.Model != "" {
		if e.Model != s.Model && s.Model != "" {
			s.Largest, s.Switched = 0, true
		}
		s.Model = e.Model
		if s.WindowModel == "" {
			s.WindowModel = e.Model
		}
		if e.Model != s.WindowModel && s.Window.Source == SourceTranscript {
			s.Window = Claim{}
		}
	}
	if e.Kind == KindUsage && e.Usage.Key == s.Line.Key {
		return // old counters repeated, with the window of their time
	}
	if e.Window > 0 && e.ID == 0 {
		s.Window = Claim{Tokens: e.Window, Source: SourceRollout}
	}
}

func (s *State) applyBoundary(e *Event) {
	s.Facts.Compactions++
	if !e.Time.IsZero() {
		s.Facts.LastAt = e.Time
	}
	if e.Compaction.Auto && e.Compaction.Pre > 0 {
		s.Facts = s.Facts.Join(Facts{Autos: []Auto{{Pre: e.Compaction.Pre, At: e.Time, Model: s.Model, Version: s.Version}}})
	}
	if e.ID == 0 {
		s.lineBoundary(e)
		return
	}
	b := s.bound(base{Kind: baseBoundary, Offset: e.Offset, Compaction: e.Compaction, Body: e.Text, BodyClient: e.Client, At: e.Time})
	s.addNode(node{ID: e.ID, Parent: e.Parent, Base: b.Seq, Prefix: true})
}

func (s *State) link(e *Event) {
	if e.ID == 0 {
		return
	}
	n := s.place(e.Parent)
	n.ID, n.Parent, n.Reply = e.ID, e.Parent, false
	s.addNode(n)
	s.adopt(n.ID, n)
}

func (s *State) applyTree(e *Event) {
	n := s.place(e.Parent)
	after := n // what the parent left
	n.ID, n.Parent = e.ID, e.Parent
	n.Side = e.Side || e.Inherit && (after.Side || after.Reply)
	n.Reply = e.Kind == KindReply
	if e.Call != 0 {
		s.Clearing.call(e)
	}
	n.Turn = after.Turn || e.UserTurn
	n.Prefix = e.Prefix || e.Inherit && after.Prefix
	switch {
	case e.Kind == KindReply && e.Usage.Known():
		s.measure(&n, after, e)
	case n.Prefix:
		s.prefix(&n, after, e)
	case n.Side:
		if b := s.base(n.Base); b != nil && !n.Loose {
			b.Side.Add(e.Text)
			b.SideClient += e.Client
		} else {
			n.Tail.Add(e.Text)
			n.Client += e.Client
		}
	default:
		n.Tail.Add(e.Text)
		n.Client += e.Client
	}
	s.addNode(n)
	s.adopt(n.ID, n)
}

// prefix books what a compaction put at the beginning of the new context. A
// summary without a boundary before it is a boundary of an older client.
func (s *State) prefix(n *node, after node, e *Event) {
	b := s.base(s.Boundary)
	if e.Prefix && (b == nil || b.Kind != baseBoundary || b.Body != (Text{}) || !after.Prefix && after.Base > s.Boundary) {
		if s.From > 0 && s.Boundary == 0 {
			s.Headless = true // its boundary is out of sight, and counted there
		} else {
			s.Facts.Compactions++
			if !e.Time.IsZero() {
				s.Facts.LastAt = e.Time
			}
		}
		b = s.bound(base{Kind: baseBoundary, Offset: e.Offset, At: e.Time})
	}
	if b == nil {
		return
	}
	n.Base, n.Tail, n.Client, n.Loose = b.Seq, Text{}, 0, false
	if e.Prefix {
		b.Body.Add(e.Text)
		b.BodyClient += e.Client
	} else {
		b.Side.Add(e.Text)
		b.SideClient += e.Client
	}
}

// measure books a reply that carries its usage. The lines of one reply share
// the id and the prompt side and may differ in output: the largest counts
// (Claude Code before 2.1.197 wrote partial usage). A gateway may give every
// reply the same id: then the prompt side tells them apart.
func (s *State) measure(n *node, after node, e *Event) {
	u := e.Usage
	n.Turn, n.Loose = false, false
	s.noteFacts(after, u, e.Model)
	for i := len(s.Bases) - 1; i >= 0; i-- {
		b := &s.Bases[i]
		if b.Kind == baseMeasured && b.Seq > s.Boundary && u.Key != 0 && b.Usage.Key == u.Key && b.Usage.Prompt == u.Prompt {
			b.Usage.Output = max(b.Usage.Output, u.Output)
			b.Ended = b.Ended || e.Ended
			b.Body.Add(e.Text)
			b.Thought.Add(thought(e.Text))
			b.BodyClient += e.Client
			n.Base, n.Tail, n.Client = b.Seq, Text{}, 0
			return
		}
	}
	if before := s.base(after.Base); before != nil && before.Kind == baseMeasured && s.Boundary < before.Seq {
		s.Clearing.measured(before.Usage, u)
	}
	fresh := base{Kind: baseMeasured, Offset: e.Offset, Usage: u, Model: e.Model, At: e.Time, Body: e.Text, BodyClient: e.Client, Ended: e.Ended}
	if before := s.base(after.Base); after.Turn || before != nil && before.Kind != baseMeasured {
		fresh.Whole = true
	} else if before != nil {
		fresh.Thought, fresh.Whole = before.Thought, before.Whole
	}
	fresh.Thought.Add(thought(e.Text))
	b := s.addBase(fresh)
	n.Base, n.Tail, n.Client = b.Seq, Text{}, 0
}

// prompt is t without what the model wrote: a reply is no part of its prompt.
func (t Text) prompt() Text {
	t.Reply, t.Call, t.Thinking = tail.Counts{}, tail.Counts{}, tail.Counts{}
	t.Signature, t.Calls = 0, 0
	return t
}

// thought is the reasoning in t.
func thought(t Text) Text { return Text{Thinking: t.Thinking, Signature: t.Signature} }

func (s *State) noteFacts(after node, u Usage, model string) {
	if u.Estimated || u.Full || u.Bound {
		return
	}
	if s.From > 0 && s.Model == "" && model == "" {
		s.Unnamed = max(s.Unnamed, u.Prompt)
	} else {
		s.Largest = max(s.Largest, u.Prompt)
	}
	if u.Prompt > s.Facts.Peak {
		s.Facts.Peak, s.Facts.PeakModel = u.Prompt, model
	}
	if s.Opening == 0 && s.Boundary == 0 {
		s.Opening = u.Prompt
	}
	if s.Facts.First.Prompt == 0 && s.Facts.Compactions == 0 && s.From == 0 && s.FactsFrom == 0 {
		first := First{Prompt: u.Prompt, Text: after.Tail, Model: model}
		if b := s.base(after.Base); b != nil {
			first.Text.Add(b.Side)
		}
		first.Text = first.Text.prompt()
		s.Facts.First = first
	}
}
