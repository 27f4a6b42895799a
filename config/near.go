package config

import (
	"slices"
	"strings"
)

// mostNear is how many names a suggestion holds.
const mostNear = 3

// Near returns the names that word may have meant: those that begin with it,
// else those that are the fewest letters away, two at most. It never returns
// many: that would be no help.
func Near(word string, names ...string) []string {
	var near, begin []string
	least := min(2, len(word)/2)
	for _, name := range names {
		if d := distance(word, name); d < least {
			near, least = []string{name}, d
		} else if d == least {
			near = append(near, name)
		}
		if len(word) > 1 && strings.HasPrefix(name, word) {
			begin = append(begin, name)
		}
	}
	for _, list := range [][]string{begin, near} {
		if n := len(list); n > 0 && n <= mostNear {
			return list
		}
	}
	return nil
}

// distance is the number of single letters to add, drop or change to make b
// of a.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := slices.Clone(row)
		row[0] = i + 1
		for j := range len(b) {
			change := before[j]
			if a[i] != b[j] {
				change++
			}
			row[j+1] = min(change, before[j+1]+1, row[j]+1)
		}
	}
	return row[len(b)]
}

// List joins names to "a, b or c"; last is the word before the last one.
func List(names []string, last string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	n := len(names) - 1
	return strings.Join(names[:n], ", ") + " " + last + " " + names[n]
}
