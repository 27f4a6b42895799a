package edit

// Kind is what a part of a text is.
type Kind int

// The kinds of parts.
const (
	Key     Kind = iota // of a member or a table
	Text                // a string
	Plain               // any other value without parts: a number, a truth, a date
	Comment             // with the mark that it begins with
	Group               // of TOML: an array or an inline table, after its own parts
)

// Part is a key, a value or a comment, and where it stands. All of a text that
// says something is in its parts: between them are only white space and marks.
type Part struct {
	Kind      Kind
	Path      []string // of a key and a value: keys and indexes. It holds during the call only
	Word      string   // what a key or a string says, "" if that is not known
	From, End int
}

// Same reports whether a part is at a path.
func (p Part) Same(path ...string) bool {
	if len(p.Path) != len(path) {
		return false
	}
	for n := range path {
		if p.Path[n] != path[n] {
			return false
		}
	}
	return true
}
