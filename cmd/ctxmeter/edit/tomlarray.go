package edit

import "slices"

// element is the index of the n-th header of an array of tables, -1 if there
// are fewer.
func (t TOML) element(n int, array []string) int {
	for i, l := range t.lines {
		if l.header == 2 && slices.Equal(l.keys, array) {
			if n == 0 {
				return i
			}
			n--
		}
	}
	return -1
}

// ElementKeys are the texts of a key in the elements of an array of tables, ""
// where one has no such key.
func (t TOML) ElementKeys(key string, array ...string) (out []string) {
	for n := 0; ; n++ {
		i := t.element(n, array)
		if i < 0 {
			return out
		}
		text := ""
		for _, l := range t.lines[i+1 : t.last(i)+1] {
			if slices.Equal(l.keys, []string{key}) {
				text = t.text[l.value:l.valEnd]
			}
		}
		out = append(out, text)
	}
}

// ElementNames are the keys that are written in the n-th element of an array
// of tables, in their order.
func (t TOML) ElementNames(n int, array ...string) []string {
	i := t.element(n, array)
	if i < 0 {
		return nil
	}
	return namesOf(t.lines[i+1 : t.last(i)+1])
}

// ElementHasComment is HasComment for the n-th element of an array of tables.
func (t TOML) ElementHasComment(n int, array ...string) bool {
	i := t.element(n, array)
	return i >= 0 && len(t.comments(t.lines[i].from, t.lines[t.last(i)].end)) > 0
}

// RemoveElement takes the n-th element of an array of tables out, and the
// element that it lies in if that has no other.
func (t TOML) RemoveElement(seam Seam, n int, array ...string) (TOML, error) {
	i := t.element(n, array)
	if i < 0 {
		return t, nil
	}
	from := i
	if around := t.around(i, array[:len(array)-1]); around >= 0 && t.only(around, array) {
		if t.last(around)+1 == i {
			from = around
		} else { // others stand between them
			next, err := t.cut(t.lines[i].from, t.lines[t.last(i)].end, Seam{After: "\n"})
			if err != nil {
				return t, err
			}
			return next.cut(next.lines[around].from, next.lines[next.last(around)].end, seam)
		}
	}
	if from == i {
		seam = Seam{After: "\n"}
	}
	return t.cut(t.lines[from].from, t.lines[t.last(i)].end, seam)
}

// around is the index of the header that the header with index i lies in.
func (t TOML) around(i int, outer []string) int {
	for i--; i >= 0; i-- {
		if t.lines[i].header == 2 && slices.Equal(t.lines[i].keys, outer) {
			return i
		}
	}
	return -1
}

// only reports whether an element holds one element of the inner array, and no
// other table.
func (t TOML) only(around int, inner []string) bool {
	outer, found := t.lines[around].keys, 0
	for _, l := range t.lines[around+1:] {
		switch {
		case l.header == 0:
		case slices.Equal(l.keys, outer):
			return found == 1
		case slices.Equal(l.keys, inner):
			found++
		case len(l.keys) > len(outer) && slices.Equal(l.keys[:len(outer)], outer):
			return false
		}
	}
	return found == 1
}
