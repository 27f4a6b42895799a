package main

import (
	"errors"
	"path"
	"slices"
	"strings"
)

// isGlob reports a text that may match names.
func isGlob(text string) bool { return strings.ContainsAny(text, "*?[{") }

// pattern is a glob below a folder, step by step.
type pattern []step

// step is the patterns of path.Match, one of which a name has to match; "**" as
// the only one stands for any number of folders.
type step []string

func (s step) any() bool { return len(s) == 1 && s[0] == "**" }

func (s step) match(name string) bool {
	return slices.ContainsFunc(s, func(p string) bool { ok, _ := path.Match(p, name); return ok })
}

// steps is a set of places in a pattern, one bit each: what may come next.
// The place behind the last step is the end.
type steps uint64

const mostSteps = 60

// everything matches all that is below a folder.
func everything() pattern { return pattern{{"**"}} }

// parseGlob parts a glob, with slashes, into the folder that it begins with
// and the pattern below it.
func parseGlob(text string) (dir string, p pattern, err error) {
	parts := strings.Split(text, "/")
	n := max(slices.IndexFunc(parts, func(s string) bool { return strings.ContainsAny(s, `*?[{\`) }), 0)
	dir = "."
	if n > 0 {
		dir = strings.Join(parts[:n], "/") + "/"
	}
	for _, text := range parts[n:] {
		s, err := parseStep(text)
		if err != nil {
			return "", nil, err
		}
		if text == "" || text == "." || s.any() && len(p) > 0 && p[len(p)-1].any() {
			continue
		}
		p = append(p, s)
	}
	if len(p) > mostSteps {
		return "", nil, errors.New("it has too many parts")
	}
	return dir, p, nil
}

func parseStep(text string) (step, error) {
	s, ok := alternatives(text, mostAlternatives)
	slices.Sort(s)
	s = slices.Compact(s)
	if !ok {
		return nil, errors.New("a brace has no end in its part of the path, or there are too many")
	}
	for _, p := range s {
		if _, err := path.Match(p, ""); err != nil {
			return nil, errors.New("a bracket or a backslash has no end")
		}
		if p == ".." {
			return nil, errors.New("'..' can stand before the first '*', '?', '[' or '{' only")
		}
	}
	return s, nil
}

const mostAlternatives = 16

// alternatives writes out the braces of a pattern, as shells do: a{b,c}d is abd
// and acd. Braces may hold braces, and every one needs its end.
func alternatives(text string, most int) (out []string, ok bool) {
	open := strings.IndexByte(text, '{')
	if open < 0 {
		return []string{text}, !strings.Contains(text, "}")
	}
	depth, from, end := 0, open+1, -1
	var inner []string
	for i := open; i < len(text) && end < 0; i++ {
		switch {
		case text[i] == '{':
			depth++
		case text[i] == ',' && depth == 1:
			inner, from = append(inner, text[from:i]), i+1
		case text[i] == '}':
			if depth--; depth == 0 {
				inner, end = append(inner, text[from:i]), i
			}
		}
	}
	if end < 0 {
		return nil, false
	}
	if len(inner) == 1 { // a brace without a comma stands for itself, as in a shell
		rest, ok := alternatives(text[end+1:], most)
		for i := range rest {
			rest[i] = text[:end+1] + rest[i]
		}
		return rest, ok
	}
	for _, one := range inner {
		more, ok := alternatives(text[:open]+one+text[end+1:], most-len(out))
		if out = append(out, more...); !ok || len(out) > most {
			return nil, false
		}
	}
	return out, true
}

// start is where a match begins.
func (p pattern) start() steps { return p.reach(1) }

// reach adds the places that are reached without a name: behind each "**" but
// the last, which stands for at least the file's own name.
func (p pattern) reach(s steps) steps {
	for i, step := range p {
		if s&(1<<i) != 0 && step.any() && i < len(p)-1 {
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
		if step.any() {
			out |= 1 << i
			if i == len(p)-1 {
				out |= 1 << (i + 1)
			}
		} else if step.match(name) {
			out |= 1 << (i + 1)
		}
	}
	return p.reach(out)
}

// ended reports that all of the pattern is matched.
func (p pattern) ended(s steps) bool { return s&(1<<len(p)) != 0 }

// goesOn reports that more names can match.
func (p pattern) goesOn(s steps) bool { return s&^(1<<len(p)) != 0 }
