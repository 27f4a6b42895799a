package config

import (
	"fmt"
	"strings"
)

// Error tells that a value cannot be used, and where it stands. Its text is a
// sentence for the user; the only path in it is that of the configuration file,
// which is written with ~ for the home folder unless the user named it.
type Error struct {
	Key     string // what the problem is with, if Problem does not begin with it
	Origin  Origin
	File    string // the configuration file
	Problem string
	Err     error
	More    []*Error // what else is wrong in the file, in the order of its lines
}

func (e *Error) Error() string {
	if e.Origin.Layer != LayerFile || e.Key == keyFile {
		return e.Origin.Name + " " + e.Problem
	}
	if e.Origin.Line == 0 {
		return e.File + ": " + e.Problem
	}
	problem := strings.TrimPrefix(e.Key+" "+e.Problem, " ")
	return fmt.Sprintf("%s, line %d: %s", e.File, e.Origin.Line, problem)
}

func (e *Error) Unwrap() error { return e.Err }
