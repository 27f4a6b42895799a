package claudecode

import "github.com/ctxmeter/ctxmeter/meter"

// observed corrects the table by what this transcript shows, and where it shows
// nothing by what the user's other sessions did.
//
// An automatic compaction records the tokens just before it. That number lies
// above the trigger by what the last turn added, so the smallest one of the
// same model, in versions of the same rules, bounds the trigger from above:
//
//   - below the table's trigger, by more than the client's own estimate of
//     what is pending may be off, it disproves the table and stands itself;
//   - within one turn above it agrees, and the table's number is the better
//     one; where the table says that nothing fires, the rule for a model that
//     is armed is taken, and what was observed is that it is;
//   - farther above it says nothing: the provider refused the prompt, or the
//     last turn was a giant.
//
// A prompt that was sent although it was larger than the trigger by more than
// a turn disproves that trigger, wherever it comes from.
func (l *limiter) observed(table meter.Trigger, window int64) meter.Trigger {
	turn := turnOf(l.version)
	seen := l.smallestAuto(l.facts.Autos, window)
	if seen == 0 {
		seen = l.smallestAuto(l.seen, window)
	}
	if seen > 0 && l.largest > seen+turn {
		seen = 0 // other settings, or another window, by now
	}
	if table.Mode == meter.ModeAuto && l.largest > table.Tokens+turn {
		table = meter.Trigger{Mode: meter.ModeUnknown}
	}
	switch {
	case seen == 0 || window <= 0:
		return table
	case table.Mode == meter.ModeAuto:
		if seen < table.Tokens-pending {
			return auto(seen, meter.SourceObserved)
		}
		return table
	}
	rule := triggerAt(window, l.reserve())
	switch {
	case seen < rule-pending:
		return auto(seen, meter.SourceObserved)
	case seen <= rule+turn && rule > 0:
		return auto(rule, meter.SourceObserved)
	}
	return table
}

// pending is how far below its trigger the client may record a compaction, in
// tokens: it counts an attachment that is not in the transcript yet (2.1.197,
// observed: 130).
const pending = 200

// turnOf is how far one turn may carry a session past its trigger, in tokens.
// Clients before 2.1.25 compared the last usage only (public sessions: up to
// 33,421 above); later ones add an estimate of what was not sent yet and check
// between tools, so that less is left: a margin, not a measurement.
func turnOf(version string) int64 {
	if eraOf(version) == eraOld {
		return 34_000
	}
	return 20_000
}

// smallestAuto is the smallest automatic compaction among autos of the
// session's model and version, in tokens; 0 if there is none.
func (l *limiter) smallestAuto(autos []meter.Auto, window int64) (least int64) {
	for _, a := range autos {
		if a.Pre <= 0 || window > 0 && a.Pre > window {
			continue
		}
		if window == window1M && l.model.family != "" && a.Pre <= window200k {
			continue // the same model with its smaller window would have done that
		}
		if parseModel(a.Model) != l.model || eraOf(a.Version) != eraOf(l.version) {
			continue
		}
		if least == 0 || a.Pre < least {
			least = a.Pre
		}
	}
	return least
}
