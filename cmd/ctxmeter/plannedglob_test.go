package main

import (
	"path"
	"strings"
	"testing"
)

// matches walks a pattern along a path, as a tree does.
func (p pattern) matches(name string) bool {
	s := p.start()
	for part := range strings.SplitSeq(name, "/") {
		if s = p.next(s, part); s == 0 {
			return false
		}
	}
	return p.ended(s)
}

func TestGlobs(t *testing.T) {
	for _, tt := range []struct {
		glob, dir string
		yes, no   []string
	}{
		{"*.go", ".", []string{"a.go", ".go"}, []string{"a.md", "x/a.go", "go"}},
		{"**", ".", []string{"a", "a/b", "a/b/c"}, nil},
		{"src/**/*.go", "src/", []string{"a.go", "x/a.go", "x/y/z.go"}, []string{"a.md", "x/a.md"}},
		{"**/a/**/b", ".", []string{"a/b", "x/a/b", "a/x/b", "a/a/b/b", "x/a/y/z/b"}, []string{"a", "b", "a/c", "b/a"}},
		{"/x/y/?", "/x/y/", []string{"a", "é"}, []string{"ab", "a/b"}},
		{"/*", "/", []string{"a"}, []string{"a/b"}},
		{"../*/[a-c]", "../", []string{"x/a", "x/c"}, []string{"a", "x/d"}},
		{"a**b", ".", []string{"ab", "axb"}, []string{"a/b"}}, // within a name, as one
		{"*//.//x", ".", []string{"a/x"}, []string{"x"}},
		{`a\*/\?*`, ".", []string{"a*/?", "a*/?x"}, []string{"ab/?", "a*/x"}},
		{"**/", ".", []string{"a", "a/b"}, nil},
		{"src/*.{go,ts}", "src/", []string{"a.go", "a.ts"}, []string{"a.{go,ts}", "a.gots", "a.md"}},
		{"{a,b{c,d}}/x{,y}", ".", []string{"a/x", "bc/xy", "bd/x"}, []string{"b/x", "c/x", "a/y"}},
		{"{a}*", ".", []string{"{a}b"}, []string{"ab"}},
		{"*/**", ".", []string{"a/b", "a/b/c"}, []string{"a"}},
	} {
		dir, p, err := parseGlob(tt.glob)
		if err != nil || dir != tt.dir {
			t.Errorf("%s begins with %q, %v", tt.glob, dir, err)
		}
		for _, name := range tt.yes {
			if !p.matches(name) {
				t.Errorf("%s does not match %s", tt.glob, name)
			}
		}
		for _, name := range tt.no {
			if p.matches(name) {
				t.Errorf("%s matches %s", tt.glob, name)
			}
		}
	}
}

// matchSlowly says the same as pattern, by trying every way.
func matchSlowly(p pattern, names []string) bool {
	switch {
	case len(p) == 0:
		return len(names) == 0
	case p[0].any() && len(p) == 1:
		return len(names) > 0
	case p[0].any():
		return matchSlowly(p[1:], names) || len(names) > 0 && matchSlowly(p, names[1:])
	case len(names) == 0:
		return false
	}
	for _, one := range p[0] {
		if ok, _ := path.Match(one, names[0]); ok {
			return matchSlowly(p[1:], names[1:])
		}
	}
	return false
}

func FuzzGlob(f *testing.F) {
	f.Add("**/a/**/b*", "x/a/y/b")
	f.Add("src/[a-c]/?", "a/b")
	f.Add(`\*/**/**`, "*/a")
	f.Add("{a,b{c,}}/*", "bc/x")
	f.Fuzz(func(t *testing.T, glob, name string) {
		dir, p, err := parseGlob(glob)
		if err != nil || len(p) == 0 || name == "" || strings.Count(glob, "*") > 12 || len(name) > 40 {
			return
		}
		if dir == "" {
			t.Errorf("%q begins with nothing", glob)
		}
		if got, want := p.matches(name), matchSlowly(p, strings.Split(name, "/")); got != want {
			t.Errorf("%q matches %q: %v, want %v", glob, name, got, want)
		}
		s := p.start()
		for part := range strings.SplitSeq(name, "/") {
			if s != 0 && !p.goesOn(s) && p.next(s, part) != 0 {
				t.Errorf("%q goes on after all, at %q of %q", glob, part, name)
			}
			s = p.next(s, part)
		}
	})
}
