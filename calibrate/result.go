package calibrate

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// What has to speak for something that is learned.
const (
	fewestSessions = 4
	fewestTexts    = 40
	fewestAmounts  = 3
	// better is by how much a learned value has to be nearer to what sessions
	// measured that had no part in it than the table is.
	better = 0.97
	// steady is how far from the middle, in parts of it, the amounts of other
	// sessions may be at the median.
	steady = 0.25
	// agreeing are triggers that are within one turn of each other, tokens.
	agreeing = 20_000
)

// Finding is a ratio that was looked at, and whether it is kept.
type Finding struct {
	Ratio
	Kept bool   `json:"kept"`
	Why  string `json:"why"` // it is not kept
}

// Result returns what was learned, and all ratios that were looked at.
func (l *Learner) Result() (Learned, []Finding) {
	out := Learned{
		Version: LearnedVersion, At: l.newest.UTC(), Transcripts: l.transcripts, Requests: l.requests,
		Ratios: []Ratio{}, Triggers: []Seen{}, Lists: Lists{Overheads: []Amount{}, Restored: []Amount{}},
	}
	findings := []Finding{}
	for _, key := range slices.SortedFunc(maps.Keys(l.texts), compareTexts) {
		f := l.texts[key].finding(key)
		findings = append(findings, f)
		if f.Kept {
			out.Ratios = append(out.Ratios, f.Ratio)
		}
	}
	for _, key := range slices.SortedFunc(maps.Keys(l.overheads), compareKeys) {
		if a := l.overheads[key]; a.overhead(key) {
			out.Overheads = append(out.Overheads, a.as(key))
		}
	}
	for _, key := range slices.SortedFunc(maps.Keys(l.restored), compareKeys) {
		a := l.restored[key]
		if with, without := a.apart(); len(a.list) >= fewestAmounts && a.sessions() > 1 && with < better*without {
			out.Restored = append(out.Restored, a.as(key))
		}
	}
	out.Overheads, out.Restored = distinct(out.Overheads), distinct(out.Restored)
	for _, key := range slices.SortedFunc(maps.Keys(l.autos), compareTexts) {
		out.Triggers = append(out.Triggers, l.autos[key].triggers(key)...)
	}
	return out, findings
}

func compareTexts(a, b textKey) int {
	return cmp.Or(strings.Compare(a.client, b.client), strings.Compare(a.model, b.model))
}

func (r *ratios) finding(key textKey) Finding {
	all := r.without(-1)
	f := Finding{Ratio: Ratio{Client: key.client, Model: key.model, Factor: all.factor(r.sessions), Sessions: r.sessions, Texts: r.texts}}
	switch f.Before, f.After = r.errors(); {
	case r.sessions < fewestSessions:
		f.Why = "few sessions"
	case r.texts < fewestTexts:
		f.Why = "few texts"
	case f.After >= better*f.Before:
		f.Why = "no nearer than the table"
	default:
		f.Kept = true
	}
	return f
}

// overhead reports whether the amounts are of use before the first reply. One
// session in a project says more than many in all, with a wide band.
func (a *amounts) overhead(key amountKey) bool {
	if key.project != "" && len(a.list) < fewestAmounts {
		return middle(a.without("")) > 0
	}
	with, _ := a.apart()
	mid := middle(a.without(""))
	return len(a.list) >= fewestAmounts && mid > 0 && with <= steady*mid
}

func (a *amounts) as(key amountKey) Amount {
	low, mid, high := a.band()
	return Amount{Client: key.client, Family: key.family, Version: key.version, Project: key.project, Shown: key.shown, Tokens: mid, Low: low, High: high, Count: len(a.list)}
}

// distinct leaves out what says nothing that the amount does not which would be
// taken instead: of a version in a project that was seen with no other.
func distinct(list []Amount) []Amount {
	said := map[Amount]bool{}
	for _, a := range list {
		said[a] = true
	}
	return slices.DeleteFunc(list, func(a Amount) bool {
		any := a
		any.Version = ""
		return a.Version != "" && a.Project != "" && said[any]
	})
}

// triggers are the compactions that at least two sessions agree on, of the
// newest: apart where a smaller window cannot have held them.
func (a *amounts) triggers(key textKey) []Seen {
	var out []Seen
	small := slices.DeleteFunc(slices.Clone(a.list), func(x amount) bool { return x.tokens > smallWindow })
	large := slices.DeleteFunc(slices.Clone(a.list), func(x amount) bool { return x.tokens <= smallWindow })
	for _, list := range [][]amount{small, large} {
		list = list[:min(len(list), newestAutos)]
		if len(list) == 0 {
			continue
		}
		least := slices.MinFunc(list, func(x, y amount) int { return cmp.Compare(x.tokens, y.tokens) })
		agree := amounts{list: slices.DeleteFunc(slices.Clone(list), func(x amount) bool { return x.tokens > least.tokens+agreeing })}
		if agree.sessions() > 1 {
			out = append(out, Seen{Client: key.client, Model: key.model, Version: least.version, Tokens: int64(least.tokens), At: list[0].at.UTC(), Count: len(agree.list)})
		}
	}
	return out
}

const (
	newestAutos = 6
	smallWindow = 200_000 // tokens
)
