package config

import (
	"fmt"
	"slices"
	"strings"
)

// Error tells that a value cannot be used, and where it stands. Its text is a
// sentence for the user and holds no path.
type Error struct {
	Key     string
	Origin  Origin
	Problem string
	Err     error
}

func (e *Error) Error() string {
	switch {
	case e.Origin.Layer != LayerFile:
		return e.Origin.Name + " " + e.Problem
	case e.Origin.Line == 0:
		return "the configuration file " + e.Problem
	case e.Key == "":
		return fmt.Sprintf("the configuration file, line %d, %s", e.Origin.Line, e.Problem)
	}
	problem := e.Problem
	if !strings.Contains(problem, e.Key) {
		problem = e.Key + " " + problem
	}
	return fmt.Sprintf("the configuration file, line %d: %s", e.Origin.Line, problem)
}

func (e *Error) Unwrap() error { return e.Err }

// nearest is the known key that a mistyped one may have meant.
func (p *parser) nearest(key string) string {
	best, least := "", len(key)/3+2
	for _, s := range All() {
		if !s.File {
			continue
		}
		for _, name := range []string{s.Key, s.Flag} {
			if name == "" {
				continue
			}
			if d := distance(key, name); d < least || d == least && best != "" && s.Key < best {
				best, least = s.Key, d
			}
		}
	}
	if best == "" {
		return ": 'ctxmeter config' lists the known ones"
	}
	return fmt.Sprintf("; did you mean %q?", best)
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
