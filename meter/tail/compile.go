package tail

import (
	"cmp"
	"slices"
)

// none stands where a node, slot or sum is missing.
const none = int32(-1)

// node is a branch as the scanner sees it. Nodes are numbered so that
// everything below node n is the range [n, end).
type node struct {
	parent int32 // none for the record itself
	end    int32
	items  int32 // what the items of this array are, or none
	array  int32 // the Array these items are reported as, or none
	level  int32 // how many arrays the path goes through
	item   bool  // an item of an array, not the value of a key
	keep   int   // raw bytes kept of a scalar

	// The named keys of this object, by length: those of length n are
	// keys[byLen[n]:byLen[n+1]].
	keys  []key
	byLen []uint16

	// Where in the scanner's sums the text found here goes, or none. A sum is
	// level+1 Counts: what stands in the current item of the innermost array,
	// of the one around it, and so on; see Scanner.endItem.
	own  int32 // the string that this value is
	deep int32 // strings below that no named node takes
	json int32 // JSON text of this value that no named node below takes
	link int32 // its key, colon and comma
	sums int32 // the first of all those
	nsum int32 // how many Counts they are together
}

type key struct {
	name string
	node int32
}

// program is a compiled schema.
type program struct {
	nodes    []node
	fields   []field
	counters []terms
	nsums    int
	longest  int // key, bytes
}

type field struct {
	node  int32
	limit int
}

// terms are the sums that make up a Counter: at index 0 in the whole record,
// at index 1+a while an item of Array a is reported.
type terms [][]int32

func compile(s *Schema) *program {
	p := &program{}
	at := map[*branch]int32{}
	p.add(&s.root, none, 0, at)

	for _, f := range s.fields {
		p.fields = append(p.fields, field{at[f.at], f.limit})
	}
	// Which sums there must be.
	for _, c := range s.counters {
		n := at[c.at]
		if c.how == countOwn {
			p.nodes[n].own = 0
			continue
		}
		for m := n; m < p.nodes[n].end; m++ {
			switch nd := &p.nodes[m]; {
			case c.how == countDeep:
				nd.own, nd.deep = 0, 0
			case m == n:
				nd.json = 0
			default:
				nd.json, nd.link = 0, 0
			}
		}
	}
	for i := range p.nodes {
		nd := &p.nodes[i]
		nd.sums = int32(p.nsums)
		for _, sum := range []*int32{&nd.own, &nd.deep, &nd.json, &nd.link} {
			if *sum != none {
				*sum = int32(p.nsums)
				p.nsums += int(nd.level) + 1
			}
		}
		nd.nsum = int32(p.nsums) - nd.sums
	}
	for _, c := range s.counters {
		n := at[c.at]
		t := terms{p.terms(n, c.how, 0)}
		for _, a := range s.arrays {
			t = append(t, p.terms(n, c.how, p.itemLevel(n, at[a])))
		}
		p.counters = append(p.counters, t)
	}
	return p
}

// add numbers b, found at the given level, and everything below it.
func (p *program) add(b *branch, parent, level int32, at map[*branch]int32) int32 {
	n := int32(len(p.nodes))
	at[b] = n
	p.nodes = append(p.nodes, node{
		parent: parent, items: none, array: int32(b.array) - 1,
		level: level, item: parent != none && b.key == "", keep: b.keep,
		own: none, deep: none, json: none, link: none,
	})
	var keys []key
	for _, k := range b.kids {
		keys = append(keys, key{k.key, p.add(k, n, level, at)})
		p.longest = max(p.longest, len(k.key))
	}
	slices.SortStableFunc(keys, func(a, b key) int { return cmp.Compare(len(a.name), len(b.name)) })
	items := none
	if b.items != nil {
		items = p.add(b.items, n, level+1, at)
	}
	nd := &p.nodes[n]
	nd.keys, nd.byLen, nd.items, nd.end = keys, lengths(keys), items, int32(len(p.nodes))
	return n
}

// lengths returns where in keys, which are sorted by length, those of each
// length begin.
func lengths(keys []key) []uint16 {
	if len(keys) == 0 {
		return nil
	}
	byLen := make([]uint16, len(keys[len(keys)-1].name)+2)
	for _, k := range keys {
		byLen[len(k.name)+1]++
	}
	for i := 1; i < len(byLen); i++ {
		byLen[i] += byLen[i-1]
	}
	return byLen
}

// find returns the node of a key of nd, or none. The key is decoded.
func (nd *node) find(name []byte) int32 {
	n := len(name)
	if n+1 >= len(nd.byLen) {
		return none
	}
	for _, k := range nd.keys[nd.byLen[n]:nd.byLen[n+1]] {
		if string(name) == k.name {
			return k.node
		}
	}
	return none
}

// itemLevel is the level of the innermost Array that both node n and an item
// being reported are in, or 0: further out are other items.
func (p *program) itemLevel(n, item int32) int32 {
	for ; n != none; n = p.nodes[n].parent {
		if nd := &p.nodes[n]; nd.array != none && n <= item && item < nd.end {
			return nd.level
		}
	}
	return 0
}

// terms lists the sums of the given level and further in that make up a
// counter at node n.
func (p *program) terms(n int32, how counting, from int32) []int32 {
	var terms []int32
	add := func(m, sum int32) {
		if sum != none {
			for level := from; level <= p.nodes[m].level; level++ {
				terms = append(terms, sum+level)
			}
		}
	}
	if how == countOwn {
		add(n, p.nodes[n].own)
		return terms
	}
	for m := n; m < p.nodes[n].end; m++ {
		nd := &p.nodes[m]
		if how == countDeep {
			add(m, nd.own)
			add(m, nd.deep)
			continue
		}
		add(m, nd.json)
		if m > n {
			add(m, nd.link)
		}
	}
	return terms
}
