package meter

import "testing"

// A reply that is not written yet stands after all that is.
func TestAheadOfTheTranscript(t *testing.T) {
	for name, events := range map[string][]Event{
		"nothing yet":       nil,
		"a prompt":          {say(1, 0, 40)},
		"a later prompt":    {say(1, 0, 40), reply(2, 1, 7, 1000, 50), say(3, 2, 400)},
		"after a boundary":  {say(1, 0, 40), reply(2, 1, 7, 9000, 50), boundary(3, false, 9000, 100), summary(4, 3, 40), say(5, 4, 3)},
		"a branch was left": {say(1, 0, 40), reply(2, 1, 7, 9000, 50), say(3, 2, 40), reply(4, 3, 8, 9500, 50), say(5, 2, 3)},
	} {
		before := fold(events...)
		after := before.Ahead(Usage{Prompt: 1234, Total: 1234, Output: 1})
		c := after.Context()
		if c.Ground != GroundMeasured || c.Usage.Prompt != 1234 || c.Tail != (Text{}) {
			t.Errorf("%s: %+v", name, c)
		}
		if got, want := before.Context(), fold(events...).Context(); got != want {
			t.Errorf("%s: the state itself is changed: %+v", name, got)
		}
	}
}

func TestBackToAnEarlierTurn(t *testing.T) {
	turns := []Event{
		say(1, 0, 40), reply(2, 1, 7, 1000, 50), link(3, 2), say(4, 3, 30),
		reply(5, 4, 8, 2000, 9), result(6, 5, 80), reply(7, 6, 9, 3000, 9), say(8, 7, 5),
	}
	for name, tc := range map[string]struct {
		events []Event
		usage  Usage
		ok     bool
		prompt int64
	}{
		"the first turn":         {turns, Usage{Prompt: 1000, Output: 50}, true, 1000},
		"the live end":           {turns, Usage{Prompt: 3000, Output: 9}, false, 3000},
		"never measured":         {turns, Usage{Prompt: 1001, Output: 50}, false, 3000},
		"another reply to it":    {turns, Usage{Prompt: 1000, Output: 51}, false, 3000},
		"before a boundary":      {append(turns, boundary(9, false, 3000, 100), summary(10, 9, 5), reply(11, 10, 10, 700, 5)), Usage{Prompt: 1000, Output: 50}, false, 700},
		"right after a boundary": {append(turns, boundary(9, false, 3000, 100), summary(10, 9, 5)), Usage{Prompt: 1000, Output: 50}, false, 0},
		"nothing measured":       {[]Event{say(1, 0, 40)}, Usage{Prompt: 1000, Output: 50}, false, 0},
	} {
		before := fold(tc.events...)
		after, ok := before.Back(tc.usage)
		c := after.Context()
		if ok != tc.ok || c.Usage.Prompt != tc.prompt || ok && c.Tail != (Text{}) {
			t.Errorf("%s: %v, %+v", name, ok, c)
		}
		if got, want := before.Context(), fold(tc.events...).Context(); got != want {
			t.Errorf("%s: the state itself is changed: %+v", name, got)
		}
	}
}
