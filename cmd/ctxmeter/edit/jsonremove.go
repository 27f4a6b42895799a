package edit

import (
	"slices"
	"strings"
)

// Remove takes a member or an element out, and what u says was only there for
// it. What was put in by Set or Append leaves no trace; what was written
// around it since, stays. It is no error if there is nothing.
func (j JSON) Remove(u *Undo, path ...string) JSON {
	it, ok := j.find(path[:len(path)-1])
	if !ok {
		return j
	}
	c, i := j.child(it, path[len(path)-1])
	if i < 0 {
		return j
	}
	return j.cut(u, path[:len(path)-1], c, i)
}

// cut takes an item out of a container.
func (j JSON) cut(u *Undo, path []string, c container, i int) JSON {
	switch {
	case i > 0:
		return JSON{splice(j.text, c.items[i-1].end, c.items[i].end, "")}
	case len(c.items) > 1:
		return JSON{splice(j.text, c.items[0].from, c.items[1].from, "")}
	}
	name := pointer(path)
	if slices.Contains(u.Made, name) {
		u.Made = slices.DeleteFunc(u.Made, func(p string) bool { return p == name })
		if len(path) == 0 {
			return j.withoutRoot(c)
		}
		return j.Remove(u, path...)
	}
	if inner, ok := u.Empty[name]; ok {
		delete(u.Empty, name)
		return JSON{splice(j.text, c.open+1, c.shut, inner)}
	}
	return JSON{splice(j.text, c.open+1, c.items[0].end, "")}
}

// withoutRoot takes the outermost object out, with the line end that was put
// behind it.
func (j JSON) withoutRoot(root container) JSON {
	end := root.shut + 1
	if rest := string(j.text[end:]); strings.HasPrefix(rest, "\n") {
		end++
	} else if strings.HasPrefix(rest, "\r\n") {
		end += 2
	}
	return JSON{splice(j.text, root.open, end, "")}
}
