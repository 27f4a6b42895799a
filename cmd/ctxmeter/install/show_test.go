package install

import (
	"strings"
	"testing"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/edit"
)

// Of a line of megabytes, what changes is seen, and little of what does not.
func TestLongLinesAreShortened(t *testing.T) {
	long := strings.Repeat(`{"é":[true,1]},`, 3000)
	for _, eol := range []string{"", "\n"} {
		before, after := `{"a":[`+long+`1],"b":1}`+eol, `{"a":[`+long+`1],"b":1,"new":2}`+eol
		got := narrow(edit.Unified(edit.Side{Name: "a", Text: before}, edit.Side{Name: "b", Text: after}, 3))
		if len(got) > 400 || !strings.Contains(got, `+…`) || !strings.Contains(got, `"b":1,"new":2}`) || !strings.Contains(got, `-…`) {
			t.Errorf("%s", got)
		}
	}
	if got := narrow(edit.Unified(edit.Side{Name: "a"}, edit.Side{Name: "b", Text: strings.Repeat("x", 9000)}, 3)); len(got) > 2*mostShown {
		t.Errorf("%d bytes are shown", len(got))
	}
}
