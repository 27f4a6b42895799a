package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/ctxmeter/ctxmeter/backends"
	"github.com/ctxmeter/ctxmeter/config"
	"github.com/ctxmeter/ctxmeter/meter"
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
	dir     string
	now     time.Time
}

const (
	// minID is the shortest beginning of an id that is taken for it.
	minID = 8
	// recent is how long a session is taken for live after it was written to,
	// if its client keeps no list of what is live.
	recent = 30 * time.Minute
)

func (p *program) finder(s *config.Settings) (*finder, error) {
	dir, err := p.dir(s)
	if err != nil {
		return nil, err
	}
	all := p.clients(p.env(s, dir))
	f := &finder{dir: dir, now: p.now()}
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

// dir is the folder whose sessions are looked for, "" if nobody knows.
func (p *program) dir(s *config.Settings) (string, error) {
	wd, err := p.getwd()
	switch {
	case s.Dir == "":
		return wd, nil // without one, only an explicit id can be answered
	case filepath.IsAbs(s.Dir) || strings.HasPrefix(s.Dir, "/"):
		return s.Dir, nil
	case err != nil:
		return "", badArgument("--cwd must be absolute: the working folder itself is not known")
	}
	return filepath.Join(wd, s.Dir), nil
}

func (f *finder) find(s *config.Settings) (found, error) {
	switch {
	case s.SessionFile != "":
		return f.byFile(s.SessionFile)
	case s.ThreadID != "":
		return f.byID(s.ThreadID)
	case s.Latest:
		return f.latest()
	}
	named, unusable, err := f.byEnv()
	if err != nil || named != nil {
		return deref(named), err
	}
	return f.only(unusable)
}

func deref(f *found) found {
	if f == nil {
		return found{}
	}
	return *f
}

// byFile asks every client whether the file is one of its transcripts.
func (f *finder) byFile(path string) (found, error) {
	var worst error
	for _, c := range f.clients {
		session, err := c.File(path)
		if err == nil {
			return found{c, session, meter.IdentityExplicit}, nil
		}
		// "not mine" says less than "cannot be read".
		if fault, ok := errors.AsType[*meter.Fault](err); worst == nil || ok && fault.Code != meter.CodeNotATranscript {
			worst = err
		}
	}
	return found{}, worst
}

func (f *finder) byID(id string) (found, error) {
	if strings.Trim(id, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_/.") != "" || len(id) > 300 {
		return found{}, badArgument("--thread-id is no session id: letters, digits and dashes are expected")
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
		return found{}, badArgument("--thread-id needs the whole id or at least %d characters of it", minID)
	}
	return found{}, &meter.Fault{
		Code:    meter.CodeSessionNotFound,
		Message: "no session has this id: check it; --claude-dir and --codex-home name further folders to search",
	}
}

// byEnv takes the session that a client told its children about, where that
// exists and is not known to have ended. unusable reports that something was
// named and did not fit.
func (f *finder) byEnv() (named *found, unusable bool, err error) {
	var hits []found
	for _, c := range f.clients {
		id := c.Current()
		if id == "" {
			continue
		}
		sessions, e := c.Find(id)
		var fits []found
		for _, s := range sessions {
			if s.Live != meter.LiveNo {
				fits = append(fits, found{c, s, meter.IdentityEnv})
			}
		}
		if len(fits) == 0 {
			unusable = true
			if e != nil && err == nil {
				err = e
			}
		}
		hits = append(hits, fits...)
	}
	switch len(hits) {
	case 0:
		return nil, unusable, err
	case 1:
		return &hits[0], unusable, nil
	}
	return nil, unusable, ambiguous(hits, "the environment names several sessions: choose with --backend or --thread-id")
}

// only takes the one session of the folder that can be meant: the only live
// one; if none is known to live, the only one that was written to lately; if
// none was, the only one that is not known to have ended. The last is no
// answer to somebody whose own session is unusable.
func (f *finder) only(unusable bool) (found, error) {
	all, err := f.here()
	if err != nil {
		return found{}, err
	}
	var live, maybe []found
	for _, h := range all {
		switch {
		case h.session.Live == meter.LiveYes,
			h.session.Live == meter.LiveUnknown && f.now.Sub(h.session.Modified) < recent:
			live = append(live, h)
		case h.session.Live == meter.LiveUnknown:
			maybe = append(maybe, h)
		}
	}
	if len(live) == 0 && !unusable {
		live = maybe
	}
	switch {
	case len(live) == 1:
		live[0].identity = meter.IdentityOnly
		return live[0], nil
	case len(live) > 1:
		return found{}, ambiguous(live, fmt.Sprintf("%d sessions of this folder may be meant: choose with --thread-id, or take the newest with --latest", len(live)))
	case len(all) > 0:
		return found{}, &meter.Fault{
			Code:       meter.CodeSessionNotFound,
			Message:    "no session of this folder is known to be live: choose with --thread-id, or take the newest with --latest",
			Candidates: candidates(all),
		}
	}
	return found{}, nothingHere()
}

func (f *finder) latest() (found, error) {
	all, err := f.here()
	if err != nil {
		return found{}, err
	}
	if len(all) == 0 {
		return found{}, nothingHere()
	}
	newest := all[0]
	newest.identity = meter.IdentityLatest
	return newest, nil
}
