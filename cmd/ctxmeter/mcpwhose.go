package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/ctxmeter/ctxmeter/backends"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/changes"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/lock"
	"github.com/ctxmeter/ctxmeter/config"
	"github.com/ctxmeter/ctxmeter/meter"
)

// caller is whose context a call asks for.
type caller struct {
	found
	doubt     bool // it may be a subagent's as well
	uncounted bool // the reply that made the call is not in the transcript yet

	foreign []backends.Client // that did not make the call, whatever else is known
}

const (
	// patience is how long a call waits for what tells more about its caller.
	patience = 250 * time.Millisecond
	// breath is the least time between two looks in that while.
	breath = 5 * time.Millisecond
)

// whose finds the session of a call: by the id it gives; by what the client
// says with the call; by the processes around the server; by the environment
// the server was started with, which is out of date after /clear in Claude
// Code. It is never guessed from what is in the folder.
func (t *tool) whose(ctx context.Context, id string, by func() meter.Call) (caller, error) {
	f := *t.finder
	f.now = t.p.now()
	switch {
	case id != "":
		hit, err := f.byID(id, "session_id")
		return caller{found: hit}, err
	case t.settings.SessionFile != "":
		hit, err := f.byFile(t.settings.SessionFile, t.settings.Origin("session_file").Name)
		return caller{found: hit}, err
	case t.settings.ThreadID != "":
		hit, err := f.byID(t.settings.ThreadID, "--thread-id")
		return caller{found: hit}, err
	case t.remote():
		return caller{}, badArgument("session_id is needed here: over HTTP nothing tells who is calling. %s", f.hint())
	}
	call := by()
	f.clients = speaking(f.clients, call.Client)
	who, open, err := f.asked(ctx, call)
	f.clients = slices.DeleteFunc(slices.Clone(f.clients), func(c backends.Client) bool { return slices.Contains(who.foreign, c) })
	if err != nil || who.client != nil {
		return who, err
	}
	if hit := f.alive(open); hit != nil {
		return caller{found: *hit}, nil
	}
	return caller{}, f.unknown()
}

// speaking are the clients that introduce themselves so; all of them if none
// does. A client inside another's shell has both around it.
func speaking(all []backends.Client, name string) (some []backends.Client) {
	for _, c := range all {
		if c.Is(name) {
			some = append(some, c)
		}
	}
	if len(some) == 0 {
		return all
	}
	return some
}

// asked asks the clients whose call it is, and waits for what may still be
// written about it. open is set if that was not written in time.
func (f *finder) asked(ctx context.Context, call meter.Call) (who caller, open bool, err error) {
	limit, stop := context.WithTimeout(ctx, patience)
	defer stop()
	who, folders, err := f.ask(call)
	if len(folders) == 0 {
		return who, false, err
	}
	watch := changes.New(folders)
	defer func() { go watch.Close() }() // the system takes its time
	for {
		// For the first time after the watch began: what was written before
		// it went unnoticed.
		who, folders, err = f.ask(call)
		if len(folders) == 0 {
			return who, false, err
		}
		if !watch.Next(limit) {
			break
		}
		lock.Pause(limit, breath)
	}
	who, folders, err = f.ask(call) // what was written in the last moment counts
	return who, len(folders) > 0, err
}

// ask asks once. Where there are folders to watch, to ask again may tell more.
// What the call itself says counts more than processes.
func (f *finder) ask(call meter.Call) (best caller, watch []string, err error) {
	var hits []found
	var foreign []backends.Client
	for _, c := range f.clients {
		who, e := c.Caller(call)
		if e != nil && err == nil {
			err = e
		}
		watch = append(watch, who.Watch...)
		if who.Foreign {
			foreign = append(foreign, c)
		}
		if who.Session.ID == "" {
			continue
		}
		hit := found{c, who.Session, who.Identity}
		switch {
		case len(hits) > 0 && rank(hits[0].identity) > rank(who.Identity):
		case len(hits) > 0 && rank(hits[0].identity) == rank(who.Identity):
			hits = append(hits, hit)
		default:
			hits = []found{hit}
			best = caller{found: hit, doubt: who.Doubt, uncounted: who.Uncounted}
		}
	}
	switch {
	case len(hits) > 1:
		return caller{}, nil, ambiguous(hits, "several sessions may have made this call: give session_id")
	case len(hits) == 1:
		err = nil
	}
	best.foreign = foreign
	return best, watch, err
}

func rank(i meter.Identity) int {
	if i == meter.IdentityCall {
		return 1
	}
	return 0
}

// alive is the session that the environment names, if it certainly lives; of
// clients that keep no list of what lives, if it was written to lately and
// nothing better is yet to come.
func (f *finder) alive(open bool) *found {
	var hits []found
	for _, c := range f.clients {
		sessions, _ := current(c)
		for _, s := range sessions {
			if s.Live == meter.LiveYes || s.Live == meter.LiveUnknown && f.now.Sub(s.Modified) < recent && !open {
				hits = append(hits, found{c, s, meter.IdentityEnv})
			}
		}
	}
	if len(hits) != 1 {
		return nil
	}
	return &hits[0]
}

// unknown is the fault of a call of which nothing tells whose it is, with the
// sessions it may be of.
func (f *finder) unknown() error {
	hint := "nothing tells which session is calling: give session_id. " + f.hint()
	all, _ := f.here()
	maybe := slices.DeleteFunc(all, func(h found) bool { return h.session.Live == meter.LiveNo })
	if len(maybe) == 0 {
		return &meter.Fault{Code: meter.CodeSessionNotFound, Message: hint}
	}
	if n := len(maybe); n > mostListed {
		hint += fmt.Sprintf(" (listed are the %d newest of %d)", mostListed, n)
		maybe = maybe[:mostListed]
	}
	return ambiguous(maybe, hint)
}

// hint tells an agent where it finds the id of its session.
func (f *finder) hint() string {
	var names []string
	for _, c := range f.clients {
		names = append(names, c.Variable())
	}
	return "In a shell of yours, " + config.List(names, "or") + " names your session"
}
