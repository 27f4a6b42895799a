package calibrate

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestTheWorstAreKeptInWhateverOrderTheyCome(t *testing.T) {
	var steps []Step
	for i := range 200 {
		steps = append(steps, Step{Session: fmt.Sprint(i % 7), Offset: int64(i), Model: "m", After: AfterReply, Truth: 1000, Predicted: int64(1000 + i/2)})
	}
	want := steps[190:]
	slices.Reverse(want)
	want = slices.Clone(want)
	slices.SortFunc(want, func(a, b Step) int { return worse(&a, &b) })
	for seed := range uint64(5) {
		rand.New(rand.NewPCG(seed, 2)).Shuffle(len(steps), func(i, j int) { steps[i], steps[j] = steps[j], steps[i] })
		a := NewAccuracy(10)
		for _, s := range steps {
			a.Add(s)
		}
		a.Add(Step{Session: "first", After: AfterStart, Truth: 1000, Predicted: 1})
		a.Add(Step{Session: "silent", After: AfterReply, Truth: 1000, Blank: BlankFar})
		if got := a.Worst.Steps(); !slices.Equal(got, want) {
			t.Errorf("seed %d: %v", seed, got)
		}
	}
	none := NewAccuracy(0)
	none.Add(steps[0])
	if len(none.Worst.Steps()) != 0 {
		t.Error("none were asked for")
	}
}

func TestCoverageCountsBandsThatWereGiven(t *testing.T) {
	a := NewAccuracy(1)
	for i, band := range [][2]int64{{90, 110}, {100, 100}, {101, 110}, {80, 99}} {
		a.Add(Step{Model: fmt.Sprint("m", i%2), After: AfterReply, Truth: 100, Predicted: 100, Range: band})
	}
	a.Add(Step{Model: "m0", After: AfterReply, Truth: 100, Blank: BlankFar, Last: 50})
	a.Add(Step{Model: "m0", After: AfterStart, Truth: 100, Blank: BlankStart})
	a.Add(Step{Model: "m0", After: AfterReply, Truth: 0, Predicted: 7}) // measured nothing
	g := a.All(AfterReply)
	if part, ok := g.Coverage(); !ok || part != .5 || g.Requests != 5 || g.Blanks[BlankFar] != 1 {
		t.Errorf("%v of %d, %v", part, g.Requests, g.Blanks)
	}
	if n, last := g.Errors[RuleOurs].Count(), g.Errors[RuleLast]; n != 4 || last.Count() != 1 || last.Quantile(.5) != .5 {
		t.Errorf("%d and %d errors", n, last.Count())
	}
	if _, ok := a.Group("m0", AfterStart).Coverage(); ok {
		t.Error("no band was given at the start")
	}
	if a.All(AfterRewind) != nil || a.Group("m1", AfterStart) != nil {
		t.Error("groups of nothing")
	}
}

func TestTheTailIsHeldToWhatItCameTo(t *testing.T) {
	a := NewAccuracy(0)
	step := Step{Model: "m", After: AfterReply, Truth: 11_000, Predicted: 10_900, Tail: Tail{Chars: LongTail + 1, Predicted: 900}}
	a.Add(step) // 10,000 before it, so it came to 1,000 and 900 were said
	step.Tail.Chars = LongTail
	a.Add(step)
	g := a.Group("m", AfterReply)
	if got := g.Tails.Quantile(.5); g.Tails.Count() != 1 || got < .098 || got > .102 {
		t.Errorf("%d tails, %g", g.Tails.Count(), got)
	}
}

func TestModelsAreBounded(t *testing.T) {
	a := NewAccuracy(0)
	for i := range 10_000 {
		a.Add(Step{Model: fmt.Sprint("model ", i), After: AfterReply, Truth: 100, Predicted: 100})
	}
	a.Add(Step{Model: "model 3", After: AfterReply, Truth: 100, Predicted: 100})
	models := a.Models()
	if len(models) != maxModels+1 || models[0] != OtherModels || models[1] != "model 3" || a.All(AfterReply).Requests != 10_001 {
		t.Errorf("%d models: %q", len(models), models)
	}
}
