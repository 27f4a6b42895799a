package main

import (
	"errors"
	"path"
	"slices"
	"strings"
)

// isGlob reports a text that may match names.
func isGlob(text string) bool { return strings.ContainsAny(text, "*?[") }

// pattern is a glob below a folder: a pattern of path.Match for each step, or
// "**" for any number of folders.
type pattern []string

// steps is a set of places in a pattern, one bit each: what may come next.
// The place behind the last step is the end.
type steps uint64

const mostSteps = 60

// everything matches all that is below a folder.
func everything() pattern { return pattern{"**"} }

// parseGlob parts a glob, with slashes, into the folder that it begins with
// and the pattern below it.
func parseGlob(text string) (dir string, p pattern, err error) {
	parts := strings.Split(text, "/")
	n := max(slices.IndexFunc(parts, func(s string) bool { return strings.ContainsAny(s, `*?[\`) }), 0)
	dir = "."
	if n > 0 {
		dir = strings.Join(parts[:n], "/") + "/"
	}
	for _, step := range parts[n:] {
		if _, err := path.Match(step, ""); err != nil {
			return "", nil, errors.New("a bracket or a backslash has no end")
		}
		if step == "" || step == "." || step == "**" && len(p) > 0 && p[len(p)-1] == "**" {
			continue
		}
		p = append(p, step)
	}
	switch {
	case len(p) > mostSteps:
		return "", nil, errors.New("it has too many parts")
	case slices.Contains(p, ".."):
		return "", nil, errors.New("'..' can stand before the first '*', '?' or '[' only")
	}
	return dir, p, nil
}

// start is where a match begins.
func (p pattern) start() steps { return p.reach(1) }

// reach adds the places that are reached without a name: behind each "**" but
// the last, which stands for at least the file's own name.
func (p pattern) reach(s steps) steps {
	for i, step := range p {
		if s&(1<<i) != 0 && step == "**" && i < len(p)-1 {
			s |= 1 << (i + 1)
		}
	}
	return s
}

// next is where a match can be after one more name; 0 is nowhere.
func (p pattern) next(s steps, name string) steps {
	var out steps
	for i, step := range p {
		if s&(1<<i) == 0 {
			continue
		}
		if step == "**" {
			out |= 1 << i
			if i == len(p)-1 {
				out |= 1 << (i + 1)
			}
		} else if ok, _ := path.Match(step, name); ok {
			out |= 1 << (i + 1)
		}
	}
	return p.reach(out)
}

// ended reports that all of the pattern is matched.
func (p pattern) ended(s steps) bool { return s&(1<<len(p)) != 0 }

// goesOn reports that more names can match.
func (p pattern) goesOn(s steps) bool { return s&^(1<<len(p)) != 0 }
