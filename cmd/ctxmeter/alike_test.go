package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

// tolerance is how far a number in a golden file may be off. Estimates move a
// little with the calibration; what a golden file pins is what is said.
const tolerance = 0.04

// alike compares two outputs: words must be the same, numbers nearly, and the
// cells of a bar may be filled a little more or less.
func alike(got, want string) (ok bool, why string) {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	if len(g) != len(w) {
		return false, fmt.Sprintf("%d lines instead of %d", len(g), len(w))
	}
	for i := range g {
		if ok, why := alikeLine(g[i], w[i]); !ok {
			return false, fmt.Sprintf("line %d: %s", i+1, why)
		}
	}
	return true, ""
}

func alikeLine(got, want string) (bool, string) {
	g, w := tokens(got), tokens(want)
	if len(g) != len(w) {
		return false, fmt.Sprintf("%q instead of %q", got, want)
	}
	for i := range g {
		if g[i] == w[i] {
			continue
		}
		x, errX := strconv.ParseFloat(strings.ReplaceAll(g[i], ",", ""), 64)
		y, errY := strconv.ParseFloat(strings.ReplaceAll(w[i], ",", ""), 64)
		if errX != nil || errY != nil || math.Abs(x-y) > 1+tolerance*math.Max(math.Abs(x), math.Abs(y)) {
			return false, fmt.Sprintf("%q instead of %q", g[i], w[i])
		}
	}
	return true, ""
}

// tokens splits a line into numbers and what stands between them. The cells of
// a bar, full or empty, are all the same.
func tokens(line string) []string {
	line = strings.Map(func(r rune) rune {
		if strings.ContainsRune("█▉▊▋▌▍▎▏·", r) {
			return '█'
		}
		return r
	}, line)
	var out []string
	numeric := false
	for _, r := range line {
		n := unicode.IsDigit(r) || numeric && (r == '.' || r == ',')
		if len(out) == 0 || n != numeric {
			out = append(out, "")
		}
		out[len(out)-1] += string(r)
		numeric = n
	}
	return out
}

func TestAlike(t *testing.T) {
	for _, tt := range []struct {
		got, want string
		alike     bool
	}{
		{"~151,234 of 200,000", "~152,000 of 200,000", true},
		{"~151,234 of 200,000", "~190,000 of 200,000", false},
		{"███▌··┃ 75.6 %", "███▏··┃ 75.1 %", true},
		{"███▌··┃", "███▌···┃", false},
		{"5 left", "5 right", false},
		{"a\nb", "a", false},
	} {
		if ok, why := alike(tt.got, tt.want); ok != tt.alike {
			t.Errorf("%q and %q: %v %s", tt.got, tt.want, ok, why)
		}
	}
}
