package main

import (
	"context"
	"os"

	"github.com/ctxmeter/ctxmeter/config"
	"github.com/ctxmeter/ctxmeter/meter"
)

// hooking is one run of a hook whose session is known.
type hooking struct {
	*program
	settings *config.Settings
	said     meter.Payload
	hit      found
	store    hookStore
}

// run reads the session, decides what to say, and remembers that.
func (h *hooking) run(ctx context.Context, o occasion) notice {
	file := h.hit.session.Segments[len(h.hit.session.Segments)-1].Path
	info, err := os.Stat(file) // before it is read: what comes after is news for the next hook
	if err != nil {
		h.debug(err)
		return notice{}
	}
	var ended []string
	var others int64
	if o == aheadOfRead {
		// Before the session is read: what has ended by now, the reading counts.
		m := h.store.load()
		ended = h.ended(m, file)
		m.end(ended)
		others = m.expected(h.said.ToolUse, h.now())
	}
	r, err := h.read(h.hit, h.settings, nil)
	if err != nil {
		h.debug(err)
		return notice{}
	}
	var read ahead
	if o == aheadOfRead {
		if read, err = h.ahead(&r, others); err != nil {
			h.debug(err)
			return notice{}
		}
		if read.crosses == "" && (read.tokens == 0 || !h.follows()) {
			return notice{}
		}
	}
	unlock, ok := h.store.lock(ctx)
	if !ok {
		return h.stop(read)
	}
	defer unlock()
	m := h.store.load()
	if !m.see(&r, seenFile{file, info.Size()}) {
		return h.stop(read)
	}
	m.count(h.said.Event)
	m.end(ended)
	if read.others = m.expected(h.said.ToolUse, h.now()); o == aheadOfRead && crossing(&r, read.tokens+read.others) != read.crosses {
		if read, err = h.ahead(&r, read.others); err != nil { // another read came first
			h.debug(err)
			return notice{}
		}
	}
	n := h.decide(o, &m, &r, read)
	if o == telling {
		m.Transcript, m.File, m.Size, m.Time = h.said.Transcript, file, info.Size(), info.ModTime().UnixNano()
	}
	if h.store.save(m) != nil { // it would be said again and again
		return h.stop(read)
	}
	return n
}

// decide says what there is to say, if it was not said before.
func (h *hooking) decide(o occasion, m *hookMemory, r *meter.Reading, read ahead) notice {
	due := m.due(r.Level, meter.Level(h.settings.HookLevel))
	critical := due && r.Level == meter.LevelCritical
	switch o {
	case aheadOfRead:
		if n := h.stop(read); n.deny {
			return n
		}
		if h.follows() {
			m.begin(h.said.ToolUse, read.tokens, h.now())
		}
		if read.crosses == "" {
			return notice{}
		}
		if m.warned(read) || !m.tell(aboutRead, critical) {
			return notice{}
		}
		m.warn(read)
		if due {
			m.Level = r.Level // the warning tells as much
		}
		return read.notice(false)
	case telling:
		if h.said.Event == "SessionStart" && m.Before == 0 {
			return notice{} // Claude Code writes the compaction down later (2.1.197, observed)
		}
		f, what := m.freed(r), aboutLevel
		if critical {
			what = aboutCritical
		}
		switch {
		case due && m.tell(what, critical):
			m.Level = r.Level
			return levelNotice(r, f)
		case f != (freed{}) && m.tell(aboutFreed, false):
			return freedNotice(r, f)
		}
	}
	return notice{}
}

// stop denies a read that the user does not want to be done, whatever was said
// before.
func (h *hooking) stop(read ahead) notice {
	switch h.settings.HookBlock {
	case config.BlockWindow:
		if read.crosses != crossesWindow {
			return notice{}
		}
	case config.BlockTrigger:
		if read.crosses == "" {
			return notice{}
		}
	default:
		return notice{}
	}
	return read.notice(true)
}
