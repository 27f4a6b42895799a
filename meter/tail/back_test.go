package tail

import (
	"errors"
	"io"
	"strings"
	"testing"
)

func TestLineStartWalksBackward(t *testing.T) {
	text := "one\n\nthree" + strings.Repeat("x", 200_000) + "\nfour"
	var starts []int64
	for pos := int64(len(text)); pos > 0; {
		start, ok, err := LineStart(strings.NewReader(text), pos, 0, -1)
		if !ok || err != nil || start >= pos {
			t.Fatal(pos, start, ok, err)
		}
		starts = append(starts, start)
		pos = start
	}
	if want := []int64{200_011, 5, 4, 0}; len(starts) != 4 || starts[0] != want[0] || starts[1] != want[1] || starts[2] != want[2] || starts[3] != want[3] {
		t.Errorf("got %v, want %v", starts, want)
	}
}

func TestLineStart(t *testing.T) {
	const text = "ab\ncd\n\nef"
	for _, tt := range []struct {
		name             string
		pos, back, limit int64
		start            int64
		ok               bool
	}{
		{"in the last line", 9, 0, -1, 7, true},
		{"at the first byte of a line", 8, 0, -1, 7, true},
		{"a newline belongs to the line it ends", 7, 0, -1, 6, true},
		{"and so on", 6, 0, -1, 3, true},
		{"back from the end", 9, 4, -1, 3, true},
		{"in the first line", 3, 0, -1, 0, true},
		{"at the beginning", 0, 0, -1, 0, true},
		{"before the beginning", 5, 100, -1, 0, true},
		{"within the limit", 6, 0, 3, 3, true},
		{"one byte beyond the limit", 6, 0, 2, 0, false},
		{"no limit to read", 6, 0, 0, 0, false},
		{"the first line within the limit", 3, 0, 2, 0, true},
		{"the first line beyond the limit", 3, 0, 1, 0, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			start, ok, err := LineStart(strings.NewReader(text), tt.pos, tt.back, tt.limit)
			if start != tt.start || ok != tt.ok || err != nil {
				t.Errorf("got %d %v %v, want %d %v", start, ok, err, tt.start, tt.ok)
			}
		})
	}
	if _, _, err := LineStart(strings.NewReader(text), 100, 0, -1); err != io.ErrUnexpectedEOF {
		t.Errorf("beyond the end: %v", err)
	}
	broken := errors.New("broken")
	if _, _, err := LineStart(failing{"ab", broken}, 100, 0, -1); err != broken {
		t.Errorf("an error: %v", err)
	}
}
