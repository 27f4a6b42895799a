package main

import (
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
	return &meter.Fault{Code: meter.CodeAmbiguousSession, Message: message, Candidates: candidates(hits)}
}

// maxCandidates is how many sessions an error lists.
const maxCandidates = 20

func candidates(hits []found) (out []meter.Candidate) {
	for _, h := range hits[:min(len(hits), maxCandidates)] {
		c := meter.Candidate{ID: h.session.ID, Backend: h.session.Backend, Project: h.session.Project, Live: h.session.Live == meter.LiveYes}
		if !h.session.Modified.IsZero() {
			c.At = h.session.Modified.UTC().Format(time.RFC3339)
		}
		out = append(out, c)
	}
	return out
}

func nothingHere() error {
	return &meter.Fault{
		Code: meter.CodeSessionNotFound,
		Message: "no session of this folder was found: start one here, or say which with --thread-id or --cwd; " +
			"--claude-dir and --codex-home name further folders to search, and 'ctxmeter demo' shows a sample",
	}
}
