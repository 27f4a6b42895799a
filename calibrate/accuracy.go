package calibrate

import (
	"math"
	"slices"
	"strings"
)

// Rule is a way to say how much of the context is used.
type Rule string

// The rules that are compared.
const (
	RuleOurs    Rule = "ctxmeter"
	RuleLast    Rule = "last_measured"
	RuleQuarter Rule = "characters_by_4"
	RuleBytes   Rule = "bytes_by_3.2_and_43500"
)

// Rules are all rules, in the order in which they are shown.
func Rules() []Rule { return []Rule{RuleOurs, RuleLast, RuleQuarter, RuleBytes} }

// Accuracy adds up how far off predictions were. Its memory does not grow with
// the number of requests: models beyond the first maxModels share one name, and
// of single requests only the worst are kept.
type Accuracy struct {
	Worst Worst

	groups map[groupKey]*Group
	models map[string]bool
}

type groupKey struct {
	model string
	after After
}

// maxModels bounds the memory: a model's name is what the transcript says.
const maxModels = 64

// OtherModels is the name of all models beyond the first few dozens.
const OtherModels = "other models"

// NewAccuracy keeps the so many worst requests.
func NewAccuracy(worst int) *Accuracy {
	return &Accuracy{Worst: Worst{most: worst}, groups: map[groupKey]*Group{}, models: map[string]bool{}}
}

// Group is the requests of one model and one kind.
type Group struct {
	Requests int64
	Errors   map[Rule]*Histogram // of what each rule says, parts of the truth
	Tails    Histogram           // our error on tails of more than LongTail code points alone, parts of what they measured
	Ranged   int64               // requests that a band was given for
	Inside   int64               // and whose truth was in it
	Blanks   map[Blank]int64     // requests for which nothing was predicted
}

// LongTail is the length, in code points, from which on a tail's own error is
// counted: a short one is mostly wrapping.
const LongTail = 1500

// Add adds a request.
func (a *Accuracy) Add(s Step) {
	if s.Truth <= 0 {
		return
	}
	a.group(&s).add(&s)
	if s.Blank == "" && s.After != AfterStart {
		a.Worst.add(&s)
	}
}

func (a *Accuracy) group(s *Step) *Group {
	model := s.Model
	if !a.models[model] && len(a.models) >= maxModels {
		model = OtherModels
	}
	a.models[model] = true
	key := groupKey{model, s.After}
	if a.groups[key] == nil {
		a.groups[key] = newGroup()
	}
	return a.groups[key]
}

// Models are the models of the requests, those with most of them first.
func (a *Accuracy) Models() []string {
	requests := map[string]int64{}
	for key, g := range a.groups {
		requests[key.model] += g.Requests
	}
	var out []string
	for model := range requests {
		out = append(out, model)
	}
	slices.SortFunc(out, func(x, y string) int {
		if requests[x] != requests[y] {
			return int(min(max(requests[y]-requests[x], -1), 1))
		}
		return strings.Compare(x, y)
	})
	return out
}

// Group is what was added of one model and kind, nil if nothing was.
func (a *Accuracy) Group(model string, after After) *Group { return a.groups[groupKey{model, after}] }

// All is what was added of one kind, of whatever model; nil if nothing was.
func (a *Accuracy) All(after After) *Group {
	all := newGroup()
	for key, g := range a.groups {
		if key.after == after {
			all.merge(g)
		}
	}
	if all.Requests == 0 {
		return nil
	}
	return all
}

func newGroup() *Group {
	g := &Group{Errors: map[Rule]*Histogram{}, Blanks: map[Blank]int64{}}
	for _, r := range Rules() {
		g.Errors[r] = &Histogram{}
	}
	return g
}

func (g *Group) add(s *Step) {
	g.Requests++
	off := func(rule Rule, said int64) {
		if said > 0 {
			g.Errors[rule].Add(errorOf(said, s.Truth))
		}
	}
	off(RuleLast, s.Last)
	off(RuleQuarter, s.Rough.Quarter)
	off(RuleBytes, s.Rough.Bytes)
	if s.Blank != "" {
		g.Blanks[s.Blank]++
		return
	}
	off(RuleOurs, s.Predicted)
	g.Ranged++
	if s.Range[0] <= s.Truth && s.Truth <= s.Range[1] {
		g.Inside++
	}
	if s.Tail.Chars > LongTail {
		tail := s.Truth - (s.Predicted - s.Tail.Predicted) // what the tail came to
		g.Tails.Add(float64(s.Predicted-s.Truth) / float64(max(tail, 1)))
	}
}

func (g *Group) merge(other *Group) {
	g.Requests += other.Requests
	g.Ranged += other.Ranged
	g.Inside += other.Inside
	g.Tails.Merge(&other.Tails)
	for rule, h := range other.Errors {
		g.Errors[rule].Merge(h)
	}
	for why, n := range other.Blanks {
		g.Blanks[why] += n
	}
}

// Coverage is the part of the bands that hold the truth; ok is false if there
// was none.
func (g *Group) Coverage() (part float64, ok bool) {
	return float64(g.Inside) / math.Max(float64(g.Ranged), 1), g.Ranged > 0
}

// errorOf is how far off a number is, as a part of the truth.
func errorOf(said, truth int64) float64 {
	return math.Abs(float64(said-truth)) / float64(truth)
}

// Error is how far off the prediction was, as a part of the truth.
func (s *Step) Error() float64 { return errorOf(s.Predicted, s.Truth) }
