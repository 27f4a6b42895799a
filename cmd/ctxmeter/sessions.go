package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ctxmeter/ctxmeter/meter"
)

// search returns the sessions with the id, or those whose id begins with it.
// A client that fails does not hide what another found.
func (f *finder) search(id string) (hits []found, err error) {
	for _, c := range f.clients {
		sessions, e := c.Find(id)
		if err == nil {
			err = e
		}
		for _, s := range sessions {
			hits = append(hits, found{c, s, meter.IdentityExplicit})
		}
	}
	whole := slices.DeleteFunc(slices.Clone(hits), func(h found) bool { return !strings.EqualFold(h.session.ID, id) || h.session.AgentID != "" })
	if len(whole) > 0 {
		hits = whole
	}
	slices.SortStableFunc(hits, func(a, b found) int { return b.session.Modified.Compare(a.session.Modified) })
	return hits, err
}

// here lists the folder's sessions of all clients, newest first. An error
// counts only if it leaves nothing.
func (f *finder) here() ([]found, error) {
	if f.dir == "" {
		return nil, &meter.Fault{Code: meter.CodeSessionNotFound, Message: "the working folder is not known: give --cwd or --thread-id"}
	}
	var lists [][]found
	var fault error
	for _, c := range f.clients {
		sessions, err := c.Here(f.dir)
		if err != nil && fault == nil {
			fault = err
		}
		var list []found
		for _, s := range sessions {
			list = append(list, found{client: c, session: s})
		}
		lists = append(lists, list)
	}
	all := merge(lists)
	if len(all) == 0 && fault != nil {
		return nil, fault
	}
	return all, nil
}

// merge makes one list, newest first, of the lists of the clients. The order
// within each stays: a client may know better than its files' times.
func merge(lists [][]found) (all []found) {
	for {
		next := -1
		for i, list := range lists {
			if len(list) > 0 && (next < 0 || list[0].session.Modified.After(lists[next][0].session.Modified)) {
				next = i
			}
		}
		if next < 0 {
			return all
		}
		all = append(all, lists[next][0])
		lists[next] = lists[next][1:]
	}
}

func ambiguous(hits []found, message string) error {
	return listing(meter.CodeAmbiguousSession, hits, message)
}

// maxCandidates is how many sessions an error lists.
const maxCandidates = 20

// omitted is how many candidates an error does not list.
type omitted int

func (n omitted) Error() string { return fmt.Sprintf("%d more", int(n)) }

// listing is a fault that lists the sessions which may be meant.
func listing(code meter.Code, hits []found, message string) error {
	f := &meter.Fault{Code: code, Message: message}
	shown := hits[:min(len(hits), maxCandidates)]
	for _, h := range shown {
		c := meter.Candidate{ID: h.session.ID, Backend: h.session.Backend, Project: h.session.Project, Live: h.session.Live == meter.LiveYes}
		if !h.session.Modified.IsZero() {
			c.At = h.session.Modified.UTC().Format(time.RFC3339)
		}
		f.Candidates = append(f.Candidates, c)
	}
	if n := len(hits) - len(shown); n > 0 {
		f.Message += fmt.Sprintf(" (listed are the %d newest of %d)", len(shown), len(hits))
		f.Err = omitted(n)
	}
	return f
}
