package config

import (
	"fmt"
	"strings"
)

// Error tells that a value cannot be used, and where it stands. Its text is a
// sentence for the user; the only path in it is one that the user named.
type Error struct {
	Key     string // what the problem is with, if Problem does not begin with it
	Origin  Origin
	File    string // the configuration file, if the user named it
	Problem string
	Err     error
}

func (e *Error) Error() string {
	if e.Origin.Layer != LayerFile || e.Key == keyFile {
		return e.Origin.Name + " " + e.Problem
	}
	where := "the configuration file"
	if e.File != "" {
		where = e.File
	}
	if e.Origin.Line == 0 {
		return where + ": " + e.Problem
	}
	problem := strings.TrimPrefix(e.Key+" "+e.Problem, " ")
	return fmt.Sprintf("%s, line %d: %s", where, e.Origin.Line, problem)
}

func (e *Error) Unwrap() error { return e.Err }
