package claudecode

import "github.com/ctxmeter/ctxmeter/meter"

// trigger tells when the client compacts on its own, with that window
// (zero if it is unknown). The first that applies:
//
//  1. switched off, by a variable or a setting;
//  2. a window for compaction or a percentage that a person set;
//  3. automatic compactions in this transcript, where they disprove the table
//     or there is none (see observed);
//  4. the table of models and versions.
func (l *limiter) trigger(claim meter.Claim) meter.Trigger {
	window := claim.Tokens
	for _, name := range []string{"DISABLE_COMPACT", "DISABLE_AUTO_COMPACT"} {
		if source, ok := l.vars.on(name); ok {
			return meter.Trigger{Mode: meter.ModeOff, Source: source}
		}
	}
	const enabled = meter.SourceSettings + ".autoCompactEnabled"
	if on := l.settings.autoCompact; on != nil && !*on || on == nil && l.off {
		return meter.Trigger{Mode: meter.ModeOff, Source: enabled}
	}
	if at, source := l.compactWindow(); at > 0 {
		return l.lowered(auto(triggerAt(within(at, window), l.reserve()), source), window)
	}
	table := l.table(window)
	if low := l.lowered(table, window); low != table {
		return low
	}
	return l.observed(table, window)
}

// compactWindow is the auto-compact window that a person set. It arms any
// model (2.1.197, observed).
func (l *limiter) compactWindow() (tokens int64, source meter.Source) {
	if n, source := l.vars.number("CLAUDE_CODE_AUTO_COMPACT_WINDOW"); n > 0 {
		return n, source
	}
	return l.settings.compactAt, meter.SourceSettings + ".autoCompactWindow"
}

// within bounds an auto-compact window: not under 100,000, not over the
// model's window (2.1.197: 60,000 acted as 100,000, 900,000 on a model of
// 200,000 as 200,000).
func within(at, window int64) int64 {
	at = max(at, compactFloor)
	if window > 0 {
		at = min(at, window)
	}
	return at
}

// reserve is what is kept free for the reply (2.1.197: 8,000 moved the trigger
// of a window of 180,000 from 147,000 to 159,000, 30,000 moved nothing).
func (l *limiter) reserve() int64 {
	n, _ := l.vars.number("CLAUDE_CODE_MAX_OUTPUT_TOKENS")
	if n == 0 {
		return reserveMost
	}
	return min(n, reserveMost)
}

// triggerAt is the trigger of a window for compaction.
func triggerAt(window, reserve int64) int64 { return window - reserve - buffer }

func auto(tokens int64, source meter.Source) meter.Trigger {
	if tokens <= 0 {
		return meter.Trigger{Mode: meter.ModeUnknown}
	}
	return meter.Trigger{Mode: meter.ModeAuto, Tokens: tokens, Source: source}
}

// table is the built-in trigger.
func (l *limiter) table(window int64) meter.Trigger {
	if window <= 0 || !l.known {
		return meter.Trigger{Mode: meter.ModeUnknown}
	}
	at, arm := window, armed
	if window > window200k && l.row.largeAt > 0 {
		at = min(l.row.largeAt, window)
	}
	switch eraOf(l.version) {
	case eraOld:
		return auto(window-oldBuffer, meter.SourceAssumed)
	case eraTable:
		arm = l.row.small
		if window > window200k {
			arm = l.row.large
		}
	}
	switch arm {
	case armed:
		return auto(triggerAt(at, l.reserve()), meter.SourceAssumed)
	case unarmed:
		return meter.Trigger{Mode: meter.ModeReactive, Source: meter.SourceAssumed}
	}
	return meter.Trigger{Mode: meter.ModeUnknown}
}

// lowered applies CLAUDE_AUTOCOMPACT_PCT_OVERRIDE, a percentage of what the
// reserve leaves of the window. It never raises a trigger and arms nothing
// (2.1.197: 50 made 90,000 of 167,000, 95 changed nothing, alone on opus-4-8
// it never fired).
func (l *limiter) lowered(t meter.Trigger, window int64) meter.Trigger {
	p, source := l.vars.number("CLAUDE_AUTOCOMPACT_PCT_OVERRIDE")
	if t.Mode != meter.ModeAuto || p <= 0 || p > 100 {
		return t
	}
	if low := (t.Tokens + buffer) * p / 100; low < t.Tokens {
		return auto(low, source)
	}
	return t
}
