package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ctxmeter/ctxmeter/backends"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/paths"
	"github.com/ctxmeter/ctxmeter/config"
	"github.com/ctxmeter/ctxmeter/meter"
	"github.com/ctxmeter/ctxmeter/meter/files"
)

// found is the session that is meant, and why it is that one.
type found struct {
	client   backends.Client
	session  meter.Session
	identity meter.Identity
}

// finder decides whose session is meant. The first rule that gives an answer
// wins: an id or a file in so many words; what the environment names; the
// only session of the folder that may be live. Two answers are none.
type finder struct {
	clients []backends.Client
	dir     string // whose sessions are looked for, "" if nobody knows
	gone    string // what is wrong with --cwd, if there is no such folder
	wd      string // the process's own working folder
	home    string // "" if unknown
	now     time.Time
}

const (
	// minID is the shortest beginning of an id that is taken for it.
	minID = 8
	// recent is how long a session is taken for live after it was written to,
	// if its client keeps no list of what is live.
	recent = 30 * time.Minute
	// lately is how old a session may be that is the only one left to be meant.
	lately = 24 * time.Hour
)

func (p *program) finder(s *config.Settings) (*finder, error) {
	wd, err := p.getwd() // without one, only an explicit id can be answered
	if err == nil {
		err = p.checkFolders(s, wd)
	} else if s.Dir != "" && !paths.Rooted(s.Dir) {
		err = badArgument("--cwd must be absolute: the working folder itself is not known")
	} else {
		err = nil
	}
	if err != nil {
		return nil, err
	}
	return p.newFinder(s, wd)
}

// newFinder is finder, for client folders that need not exist yet.
func (p *program) newFinder(s *config.Settings, wd string) (*finder, error) {
	all := p.clients(p.env(s, wd))
	f := &finder{dir: wd, wd: wd, home: p.home(), now: p.now()}
	if s.Dir != "" {
		f.dir = paths.Under(wd, s.Dir)
		if !files.IsDir(f.dir) {
			f.gone = fmt.Sprintf("%s names no folder: %s", s.Origin("cwd").Name, s.Dir)
		}
	}
	var names []string
	for _, c := range all {
		names = append(names, c.Name())
		if s.Backend == "auto" || s.Backend == c.Name() {
			f.clients = append(f.clients, c)
		}
	}
	if len(f.clients) == 0 {
		return nil, configFault(&config.Error{
			Key: "backend", Origin: s.Origin("backend"),
			Problem: fmt.Sprintf("wants auto or one of %s, not %q", strings.Join(names, ", "), s.Backend),
		})
	}
	return f, nil
}

func (f *finder) find(s *config.Settings) (found, error) {
	if f.gone != "" {
		// The sessions of a folder that was removed can still be read.
		if all, _ := f.here(); len(all) == 0 {
			return found{}, badArgument("%s", f.gone)
		}
	}
	switch {
	case s.SessionFile != "":
		return f.byFile(s.SessionFile, s.Origin("session_file").Name)
	case s.ThreadID != "":
		return f.byID(s.ThreadID, "--thread-id")
	case s.Latest:
		return f.latest()
	}
	named, over, err := f.byEnv()
	if err != nil || named != nil {
		return deref(named), err
	}
	return f.only(over)
}

func deref(f *found) found {
	if f == nil {
		return found{}
	}
	return *f
}

// byFile asks every client whether the file is one of its transcripts. What a
// single client says of a file that cannot be used would speak of its own
// transcripts only.
func (f *finder) byFile(path, flag string) (found, error) {
	var worst error
	for _, c := range f.clients {
		session, err := c.File(path)
		if err == nil {
			return found{c, session, meter.IdentityExplicit}, nil
		}
		// "not mine" says less than "a part of it is missing".
		if fault, ok := errors.AsType[*meter.Fault](err); worst == nil || ok && fault.Code != meter.CodeNotATranscript {
			worst = err
		}
	}
	if fault := unusable(paths.Under(f.wd, path), path, flag); fault != nil {
		return found{}, fault
	}
	return found{}, worst
}

// byID finds a session by the id that an argument of this name was given.
func (f *finder) byID(id, name string) (found, error) {
	if strings.Trim(id, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_/.") != "" || len(id) > 300 || strings.Contains(id, "..") || strings.HasPrefix(id, "/") {
		return found{}, badArgument("%s is no session id: letters, digits and dashes are expected", name)
	}
	hits, err := f.search(id)
	switch {
	case len(hits) == 1:
		return hits[0], nil
	case len(hits) > 1:
		return found{}, ambiguous(hits, "several sessions fit this id: give more of it, or --backend, or the transcript with --session-file")
	case err != nil:
		return found{}, err
	case len(id) < minID:
		return found{}, badArgument("%s needs the whole id or at least %d characters of it", name, minID)
	}
	return found{}, &meter.Fault{
		Code:    meter.CodeSessionNotFound,
		Message: "no session has this id: check it; " + f.elsewhere(),
	}
}

// byPayload takes the session that a client speaks of on standard input: the
// one whose transcript it names; where that is not there, the one with the id
// it names. Before the first prompt there is none (Claude Code 2.1.197): then
// the session has no files, and the error tells why.
func (f *finder) byPayload(c backends.Client, said meter.Payload) (found, error) {
	var fault error
	if said.Transcript != "" {
		session, err := c.File(said.Transcript)
		if err == nil {
			return found{c, session, meter.IdentityPayload}, nil
		}
		fault = err
	}
	if said.Session != "" {
		sessions, err := c.Find(said.Session)
		for _, s := range sessions {
			if s.AgentID == "" && sameID(s.ID, said.Session) {
				return found{c, s, meter.IdentityPayload}, nil
			}
		}
		fault = errors.Join(fault, err)
	}
	none := meter.Session{ID: said.Session, Backend: c.Name(), Project: said.Dir}
	return found{c, none, meter.IdentityPayload}, fault
}

func sameID(a, b string) bool { return strings.EqualFold(a, b) }

// byEnv takes the session that a client told its children about, where that
// exists and is not known to have ended. Where it has ended, the variable is an
// old one, and only a session that certainly lives can be meant; where it does
// not exist, the caller's own session has no transcript yet, and another one of
// the folder would be somebody else's.
func (f *finder) byEnv() (named *found, over bool, err error) {
	var hits []found
	missing := ""
	for _, c := range f.clients {
		sessions, e := current(c)
		for _, s := range sessions {
			if s.Live == meter.LiveNo {
				over = true
				continue
			}
			hits = append(hits, found{c, s, meter.IdentityEnv})
		}
		switch {
		case c.Current() == "" || len(sessions) > 0:
		case e != nil && err == nil:
			err = e
		default:
			missing = c.Name()
		}
	}
	switch {
	case len(hits) > 1:
		return nil, over, ambiguous(hits, "the environment names several sessions: choose with --backend or --thread-id")
	case err == nil && missing != "":
		all, _ := f.here()
		err = listing(meter.CodeSessionNotFound, all, "the environment names a session of "+missing+" that has no transcript yet: ask again after its first reply, or name another with --thread-id")
	case err == nil && len(hits) == 1:
		return &hits[0], over, nil
	}
	return nil, over, err
}

// current returns the sessions that the environment names to a client; the
// variable holds a whole id.
func current(c backends.Client) ([]meter.Session, error) {
	id := c.Current()
	if id == "" {
		return nil, nil
	}
	sessions, err := c.Find(id)
	return slices.DeleteFunc(sessions, func(s meter.Session) bool {
		return !strings.EqualFold(s.ID, id) && !strings.EqualFold(s.AgentID, id)
	}), err
}

// only takes the one session of the folder that can be meant: the only live
// one, counting those of clients that keep no list and were written to lately;
// if there is none, the only one of the last day that is not known to have
// ended. certain asks for one that is known to live.
func (f *finder) only(certain bool) (found, error) {
	all, err := f.here()
	if err != nil {
		return found{}, err
	}
	var live, maybe []found
	for _, h := range all {
		age := f.now.Sub(h.session.Modified)
		unknown := h.session.Live == meter.LiveUnknown && !certain
		switch {
		case h.session.Live == meter.LiveYes, unknown && age < recent:
			live = append(live, h)
		case unknown && age < lately:
			maybe = append(maybe, h)
		}
	}
	if len(live) == 0 {
		live = maybe
	}
	switch {
	case len(live) == 1:
		live[0].identity = meter.IdentityOnly
		return live[0], nil
	case len(live) > 1:
		return found{}, ambiguous(live, fmt.Sprintf("%d sessions of this folder may be meant: choose with --thread-id, or take the newest with --latest", len(live)))
	case len(all) > 0:
		return found{}, listing(meter.CodeSessionNotFound, all, "no session of this folder is known to be live: choose with --thread-id, or take the newest with --latest")
	}
	return found{}, f.nothingHere()
}

func (f *finder) latest() (found, error) {
	all, err := f.here()
	if err != nil {
		return found{}, err
	}
	if len(all) == 0 {
		return found{}, f.nothingHere()
	}
	newest := all[0]
	newest.identity = meter.IdentityLatest
	return newest, nil
}
