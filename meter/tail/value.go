package tail

// start begins a record at offset off.
func (s *Scanner) start(off int64) state {
	s.wipe()
	s.counting = s.countNext
	s.live = true
	s.rec.Offset, s.rec.End = off, off
	s.rec.Unterminated, s.rec.Recovered = false, s.line.glued
	s.line.glued = false
	s.depth = 0
	s.enter(none, 0)
	s.val = 0
	return s.openValue('{', off)
}

// wipe resets what the last record left.
func (s *Scanner) wipe() {
	for _, n := range s.touched {
		sl := &s.rec.slots[n]
		if sl.counted {
			nd := &s.prog.nodes[n]
			clear(s.rec.sums[nd.sums : nd.sums+nd.nsum])
		}
		*sl = slot{raw: sl.raw[:0]}
	}
	s.touched = s.touched[:0]
}

func (s *Scanner) touch(n int32) {
	if sl := &s.rec.slots[n]; !sl.touched {
		sl.touched = true
		s.touched = append(s.touched, n)
	}
}

// enter makes the container of node n, at the given depth, the innermost one
// that has a node.
func (s *Scanner) enter(n, depth int32) {
	s.cur, s.curDepth = n, depth
	s.deepText, s.deepJSON = false, false
	if n != none && s.counting {
		nd := &s.prog.nodes[n]
		s.deepText = nd.deep != none || nd.json != none
		s.deepJSON = nd.json != none
	}
}

// openValue begins an object or array, whose bracket c is at offset off.
func (s *Scanner) openValue(c byte, off int64) state {
	if s.depth == maxDepth {
		return s.bad()
	}
	s.depth++
	kind, first := Object, atFirstKey
	if c == '[' {
		kind, first = List, atFirstItem
		off = ^off
	}
	s.open[s.depth] = off
	if s.val != none {
		s.beginValue(kind)
		s.enter(s.val, s.depth)
	}
	if s.deepJSON {
		s.addJSON(1)
	}
	if c == '[' {
		s.val = s.itemNode()
	}
	return first
}

// close ends the innermost container, whose bracket is at offset off.
func (s *Scanner) close(off int64) state {
	if s.deepJSON {
		s.addJSON(1)
	}
	s.val = none
	s.depth--
	if s.depth < s.curDepth {
		n := s.cur
		s.enter(s.prog.nodes[n].parent, s.depth)
		s.val = n
		s.endValue()
		if s.depth == 0 {
			s.rec.End = off + 1
			return atDone
		}
	}
	return atNext
}

// comma goes on to the next key or item.
func (s *Scanner) comma() state {
	if s.open[s.depth] >= 0 {
		if s.deepJSON {
			var c Counts
			c.addPunct(1, 0)
			s.addLink(c)
		}
		return atKey
	}
	if s.deepJSON {
		s.addJSON(1)
	}
	s.val = s.itemNode()
	return atValue
}

// itemNode is the node of the items of the innermost container, an array.
func (s *Scanner) itemNode() int32 {
	if s.depth == s.curDepth {
		return s.prog.nodes[s.cur].items
	}
	return none
}

// beginValue prepares for the value of node val.
func (s *Scanner) beginValue(kind Kind) {
	s.textNode, s.textSum, s.jsonSum = s.val, none, none
	if s.val == none {
		if s.deepText {
			s.textNode = s.cur
			s.textSum, s.jsonSum = s.prog.nodes[s.cur].deep, s.prog.nodes[s.cur].json
		}
		return
	}
	nd := &s.prog.nodes[s.val]
	if s.counting {
		s.textSum, s.jsonSum = nd.own, nd.json
	}
	if nd.item {
		s.forget(s.val)
	}
	s.touch(s.val)
	sl := &s.rec.slots[s.val]
	sl.kind, sl.size, sl.raw = kind, 0, sl.raw[:0]
	if kind == List && nd.items != none {
		if a := s.prog.nodes[nd.items].array; a != none {
			sl.opened = true
			s.h.Begin(&s.rec, Array(a))
		}
	}
}

// endValue ends the value of node val.
func (s *Scanner) endValue() {
	if s.val != none && s.prog.nodes[s.val].item {
		s.endItem(s.val)
	}
}

// endItem reports an item and lets go of its sums: they move to the item
// around it, so that counters above the array still have them.
func (s *Scanner) endItem(n int32) {
	nd := &s.prog.nodes[n]
	if nd.array != none {
		s.rec.array = int(nd.array) + 1
		s.h.Element(&s.rec, Array(nd.array))
		s.rec.array = 0
	}
	for m := n; m < nd.end; m++ {
		if !s.rec.slots[m].counted {
			continue
		}
		md := &s.prog.nodes[m]
		for sum := md.sums; sum < md.sums+md.nsum; sum += md.level + 1 {
			s.rec.sums[sum+nd.level-1].Add(s.rec.sums[sum+nd.level])
			s.rec.sums[sum+nd.level] = Counts{}
		}
	}
}

// forget makes the values at and below node n missing: another item begins.
func (s *Scanner) forget(n int32) {
	for m := n; m < s.prog.nodes[n].end; m++ {
		if sl := &s.rec.slots[m]; sl.touched {
			*sl = slot{raw: sl.raw[:0], touched: true, counted: sl.counted}
		}
	}
}

// void forgets the value of node n, whose key came again, with its sums.
func (s *Scanner) void(n int32) {
	nd := &s.prog.nodes[n]
	for m := n; m < nd.end; m++ {
		sl := &s.rec.slots[m]
		if sl.counted {
			md := &s.prog.nodes[m]
			for sum := md.sums; sum < md.sums+md.nsum; sum += md.level + 1 {
				clear(s.rec.sums[sum+nd.level : sum+md.level+1])
			}
		}
		if sl.opened {
			sl.opened = false
			s.h.Begin(&s.rec, Array(s.prog.nodes[s.prog.nodes[m].items].array))
		}
	}
	s.forget(n)
}

// add adds c to a sum of node n, if there is one, for the current item.
func (s *Scanner) add(n, sum int32, c Counts) {
	if sum != none {
		s.touch(n)
		s.rec.slots[n].counted = true
		s.rec.sums[sum+s.prog.nodes[n].level].Add(c)
	}
}

// addJSON adds punctuation to the JSON text of cur.
func (s *Scanner) addJSON(punct int64) {
	var c Counts
	c.addPunct(punct, 0)
	s.add(s.cur, s.prog.nodes[s.cur].json, c)
}

// addLink adds what stands before or after a value in its object: to the
// value's node, so that it goes if its key comes again.
func (s *Scanner) addLink(c Counts) {
	if s.val != none {
		s.add(s.val, s.prog.nodes[s.val].link, c)
	} else {
		s.add(s.cur, s.prog.nodes[s.cur].json, c)
	}
}

// addPunct adds n signs of JSON's own. What stands between two texts of it is
// one run: there are two for each key of an object.
func (c *Counts) addPunct(n, runs int64) {
	c.Bytes += n
	c.Chars += n
	c.Punct += n
	c.PunctRuns += runs
}
