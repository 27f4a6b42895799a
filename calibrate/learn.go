package calibrate

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/ctxmeter/ctxmeter/meter"
	"github.com/ctxmeter/ctxmeter/meter/transcript"
)

// Learner gathers what transcripts tell of their models and clients. Its
// memory does not grow with their number or size. The order of the transcripts
// decides which are forgotten where there are too many: the newest go last.
type Learner struct {
	est         *Table
	transcripts int
	requests    int64
	newest      time.Time
	texts       map[textKey]*ratios
	overheads   map[amountKey]*amounts
	restored    map[amountKey]*amounts
	autos       map[textKey]*amounts
}

type textKey struct{ client, model string }

type amountKey struct {
	client, family, version, project string
	shown                            bool // of overheads: beside instructions that the transcript shows
}

// Limits of what is remembered at a time.
const (
	mostModels  = 256
	mostAmounts = 256
)

// NewLearner returns an empty Learner.
func NewLearner() *Learner {
	return &Learner{
		est: Builtin(), texts: map[textKey]*ratios{},
		overheads: map[amountKey]*amounts{}, restored: map[amountKey]*amounts{}, autos: map[textKey]*amounts{},
	}
}

// lesson is what one transcript tells, until it is read to its end.
type lesson struct {
	texts    map[string]*lessonTexts
	overhead *booked
	restored []booked
	requests int64
}

// booked is an amount with what it is of.
type booked struct {
	amountKey
	amount
}

type lessonTexts struct {
	classes ratioClasses
	n       int64
}

// Learn takes in a transcript. Where that fails, or ctx is done, nothing of it
// is kept.
func (l *Learner) Learn(ctx context.Context, s meter.Session, d transcript.Decoder) error {
	one := lesson{texts: map[string]*lessonTexts{}}
	r := replay{session: s, est: l.est, brief: true, report: func(step Step) { one.take(&step, l.est) }}
	st, err := transcript.WalkContext(ctx, s, d, func(before *meter.State, e meter.Event) { r.event(before, &e) })
	if err != nil {
		return err
	}
	l.keep(s, &st, &one)
	return nil
}

// smallestText is how large the table has to say that a text is for it to tell
// of the model and not of what the client wraps around it, tokens.
const smallestText = 150

func (o *lesson) take(step *Step, est *Table) {
	o.requests++
	now := &step.now
	switch {
	case step.After == AfterStart && now.Ground == meter.GroundStart && o.requests == 1:
		shown := est.Tokens(step.Model, now.Tail).Tokens + est.Tokens(step.Model, now.Body).Tokens
		key := keyOf(step)
		key.shown = now.Body != meter.Text{}
		o.overhead = &booked{key, amount{tokens: float64(step.Truth) - shown}}
	case step.After == AfterReply && whole(now, est):
		said := est.Tokens(now.Model, now.Tail).Tokens
		measured := float64(step.Truth - now.Usage.Prompt - now.Usage.Output)
		if said < smallestText || measured <= 0 {
			return
		}
		if class, ok := ratioClass(math.Log(measured / said)); ok {
			t := o.texts[step.Model]
			if t == nil {
				if len(o.texts) >= mostModels {
					return
				}
				t = new(lessonTexts)
				o.texts[step.Model] = t
			}
			t.n++
			t.classes[class]++
		}
	case step.After == AfterCompaction && now.Ground == meter.GroundBoundary && step.Predicted > 0:
		table := est.Restored(*now).Tokens
		key := keyOf(step)
		key.project = ""
		o.restored = append(o.restored[:min(len(o.restored), mostRestored-1)], booked{key, amount{tokens: float64(step.Truth-step.Predicted) + table, table: table}})
	}
}

// keyOf is what an amount seen with a request is of: the client as it was then.
func keyOf(step *Step) amountKey {
	return amountKey{client: step.Client, family: familyName(step.Model), version: called(step.now.Version), project: ProjectKey(step.now.Project)}
}

const mostRestored = 16 // of one transcript

// whole reports whether all that was appended is in the transcript, as far as
// can be seen, and was measured together with a reply of known size.
func whole(c *meter.Context, est *Table) bool {
	reply := est.Reply(*c)
	t := c.Tail
	return c.Ground == meter.GroundMeasured && !c.Usage.Estimated && !c.Usage.Full && !c.Usage.Bound && c.Rival == nil && reply.Above == 0 &&
		c.Usage.Output > 0 && c.Earlier == 0 && (!c.Turn || c.Usage.Dropped || est.Dropped(*c) == 0) &&
		t.Images == 0 && t.Fixed == 0 && t.Attachment.Chars == 0 && t.Signature == 0
}

// keep books what a transcript told.
func (l *Learner) keep(s meter.Session, st *meter.State, one *lesson) {
	l.transcripts++
	l.requests += one.requests
	if st.Last.After(l.newest) {
		l.newest = st.Last
	}
	for model, t := range one.texts {
		key := textKey{s.Backend, model}
		r := l.texts[key]
		if r == nil {
			if len(l.texts) >= mostModels {
				continue
			}
			r = new(ratios)
			l.texts[key] = r
		}
		r.add(s.ID, &t.classes, t.n)
	}
	if s.AgentID != "" {
		return // subagents have prompts of their own
	}
	if a := one.overhead; a != nil {
		a.session, a.at = s.ID, st.Last
		l.amount(l.overheads, a.amountKey, a.amount)
	}
	for _, a := range one.restored {
		a.session, a.at = s.ID, st.Last
		l.amount(l.restored, a.amountKey, a.amount)
	}
	for _, a := range st.Facts.Autos {
		key := textKey{s.Backend, a.Model}
		if a.Pre <= 0 || !plausible(float64(a.Pre)) || a.Model == "" || l.autos[key] == nil && len(l.autos) >= mostModels {
			continue
		}
		if l.autos[key] == nil {
			l.autos[key] = new(amounts)
		}
		l.autos[key].add(amount{tokens: float64(a.Pre), session: s.ID, version: called(a.Version), at: a.At})
	}
}

// amount books an amount for its project and version, for its version, and for
// its client; those without a project are what an unknown project gets.
func (l *Learner) amount(in map[amountKey]*amounts, key amountKey, one amount) {
	if !plausible(2 * one.tokens) { // with a band around it
		return
	}
	keys := []amountKey{key, key, key, key}
	keys[1].project, keys[2].version = "", ""
	keys[3].project, keys[3].version = "", ""
	slices.SortFunc(keys, compareKeys)
	for _, k := range slices.Compact(keys) {
		a := in[k]
		if a == nil {
			if len(in) >= mostAmounts {
				delete(in, stalest(in))
			}
			a = new(amounts)
			in[k] = a
		}
		a.add(one)
	}
}

// stalest is the key of what was seen the longest ago.
func stalest(in map[amountKey]*amounts) amountKey {
	return slices.MinFunc(slices.SortedFunc(maps.Keys(in), compareKeys), func(a, b amountKey) int {
		return in[a].list[0].at.Compare(in[b].list[0].at)
	})
}

// called is a version if it looks like one: nothing else of a transcript's text
// is kept.
func called(version string) string {
	if len(version) > 32 || strings.Trim(version, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-+") != "" {
		return ""
	}
	return version
}

func compareKeys(a, b amountKey) int {
	return cmp.Or(strings.Compare(a.client, b.client), strings.Compare(a.family, b.family),
		strings.Compare(a.version, b.version), strings.Compare(a.project, b.project), order(a.shown, b.shown))
}

func order(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

func familyName(model string) string {
	name, _ := FamilyOf(model)
	return name
}
