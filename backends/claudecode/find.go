package claudecode

import (
	"slices"
	"strings"

	"github.com/ctxmeter/ctxmeter/meter"
)

// Find implements backends.Client. Several files of one id are one session:
// worktrees leave stubs and copies in other folders (testdata/cases/D06). Names of
// folders and files are all that is read, unless they are not enough. One file
// that cannot be used hides no other: it is a fault only where nothing else
// was found.
func (c *Client) Find(id string) ([]meter.Session, error) {
	q, ok := parseQuery(id)
	if !ok {
		return nil, nil
	}
	var hits []hit
	for _, r := range c.roots() {
		hits = append(hits, search(r, q)...)
	}
	if slices.ContainsFunc(hits, func(h hit) bool { return h.whole }) {
		hits = slices.DeleteFunc(hits, func(h hit) bool { return !h.whole })
	}
	var found []meter.Session
	var fault *meter.Fault
	f := c.finder()
	for len(hits) > 0 {
		var same []hit
		same, hits = take(hits)
		s, broken := f.choose(same)
		if broken != nil {
			fault = broken
			continue
		}
		found = append(found, s)
	}
	if len(found) == 0 && fault != nil {
		return nil, fault
	}
	slices.SortStableFunc(found, func(a, b meter.Session) int { return b.Modified.Compare(a.Modified) })
	return found, nil
}

// take splits off the hits that have the id of the first one.
func take(hits []hit) (same, rest []hit) {
	first := hits[0]
	for _, h := range hits {
		if strings.EqualFold(h.session, first.session) && strings.EqualFold(h.agent, first.agent) {
			same = append(same, h)
		} else {
			rest = append(rest, h)
		}
	}
	return same, rest
}
