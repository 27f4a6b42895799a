package edit

import (
	"fmt"
	"slices"
	"strings"
)

// maxChanges bounds the search for a small difference, in lines: past it, what
// lies between the first and the last changed line is shown as one change.
const maxChanges = 400

// Side is one of two texts that are compared.
type Side struct {
	Name, Text string
	Shown      []string // what its lines are shown as, without their ends; nil is as they are
}

// Unified is the difference of two texts, line by line, in the unified format
// with so many lines around each change; "" if they are equal.
func Unified(before, after Side, around int) string {
	if before.Text == after.Text {
		return ""
	}
	a, b := splitLines(before.Text), splitLines(after.Text)
	var out strings.Builder
	out.WriteString("--- " + before.Name + "\n+++ " + after.Name + "\n")
	steps := compare(a, b)
	for i := 0; i < len(steps); {
		if steps[i].kind == ' ' {
			i++
			continue
		}
		from, to := max(0, i-around), i
		for end := i; end < len(steps) && end-to <= 2*around+1; end++ {
			if steps[end].kind != ' ' {
				to = end
			}
		}
		i = min(len(steps), to+1+around)
		hunk(&out, steps[from:i], before.Shown, after.Shown)
	}
	return out.String()
}

// step is a line that is in both texts (' '), in the old one ('-'), or in the
// new one ('+'); a and b count the lines before it.
type step struct {
	kind byte
	text string
	a, b int
}

func hunk(out *strings.Builder, steps []step, before, after []string) {
	olds, news := 0, 0
	for _, s := range steps {
		if s.kind != '+' {
			olds++
		}
		if s.kind != '-' {
			news++
		}
	}
	fmt.Fprintf(out, "@@ -%s +%s @@\n", extent(steps[0].a, olds), extent(steps[0].b, news))
	for _, s := range steps {
		text, hasEnd := strings.CutSuffix(s.text, "\n")
		switch {
		case s.kind == '+' && after != nil:
			text = after[s.b]
		case s.kind != '+' && before != nil:
			text = before[s.a]
		}
		out.WriteString(string(s.kind) + text + "\n")
		if !hasEnd {
			out.WriteString("\\ No newline at end of file\n")
		}
	}
}

func extent(before, n int) string {
	if n == 0 {
		return fmt.Sprintf("%d,0", before)
	}
	if n == 1 {
		return fmt.Sprint(before + 1)
	}
	return fmt.Sprintf("%d,%d", before+1, n)
}

func splitLines(text string) []string { return slices.Collect(strings.Lines(text)) }

// Fresh reports of each of the items of b whether it is not in a, in an order
// that both have as much of as can be.
func Fresh(a, b []string) []bool {
	out := make([]bool, 0, len(b))
	for _, s := range compare(a, b) {
		if s.kind != '-' {
			out = append(out, s.kind == '+')
		}
	}
	return out
}

// compare finds the steps from one text to the other.
func compare(a, b []string) []step {
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	var out []step
	na, nb := 0, 0
	add := func(kind byte, text string) {
		out = append(out, step{kind, text, na, nb})
		if kind != '+' {
			na++
		}
		if kind != '-' {
			nb++
		}
	}
	for _, l := range a[:head] {
		add(' ', l)
	}
	ma, mb := a[head:len(a)-tail], b[head:len(b)-tail]
	kinds, ok := script(ma, mb)
	if !ok {
		kinds = strings.Repeat("-", len(ma)) + strings.Repeat("+", len(mb))
	}
	for _, k := range []byte(kinds) {
		if k == '+' {
			add(k, mb[0])
		} else {
			add(k, ma[0])
		}
		if k != '+' {
			ma = ma[1:]
		}
		if k != '-' {
			mb = mb[1:]
		}
	}
	for _, l := range a[len(a)-tail:] {
		add(' ', l)
	}
	return out
}

// script is the shortest script of ' ', '-' and '+' (E. W. Myers, An O(ND)
// Difference Algorithm, 1986), if it has no more than maxChanges changes.
func script(a, b []string) (string, bool) {
	n, m := len(a), len(b)
	if n == 0 || m == 0 {
		return strings.Repeat("-", n) + strings.Repeat("+", m), true
	}
	most := min(n+m, maxChanges)
	at := make([]int, 2*most+3) // farthest place in a, by diagonal
	mid := most + 1
	var trace [][]int
	for d := 0; d <= most; d++ {
		trace = append(trace, slices.Clone(at))
		for k := -d; k <= d; k += 2 {
			x := 0
			if k == -d || k != d && at[mid+k-1] < at[mid+k+1] {
				x = at[mid+k+1]
			} else {
				x = at[mid+k-1] + 1
			}
			for x < n && x-k < m && a[x] == b[x-k] {
				x++
			}
			at[mid+k] = x
			if x >= n && x-k >= m {
				return walk(trace, mid, n, m), true
			}
		}
	}
	return "", false
}

// walk follows the trace back to its beginning.
func walk(trace [][]int, mid, x, y int) string {
	var out []byte
	for d := len(trace) - 1; d > 0; d-- {
		at, k := trace[d], x-y
		prev := k - 1
		if k == -d || k != d && at[mid+k-1] < at[mid+k+1] {
			prev = k + 1
		}
		px := at[mid+prev]
		py := px - prev
		for x > px && y > py {
			out = append(out, ' ')
			x, y = x-1, y-1
		}
		if prev == k+1 {
			out = append(out, '+')
		} else {
			out = append(out, '-')
		}
		x, y = px, py
	}
	for range x {
		out = append(out, ' ')
	}
	slices.Reverse(out)
	return string(out)
}
