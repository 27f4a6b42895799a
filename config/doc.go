// Package config knows what can be set and from where: flags, environment
// variables, the configuration file and the built-in defaults, in that order
// of strength.
//
// [All] is the one table of settings: a name in the file, a flag, a variable,
// a default. [Resolve] reads the four layers and returns [Settings], the
// effective values with the [Origin] of each. A value that cannot be used is
// an [*Error] that names where it stands, down to the line of the file.
//
// The package reads one file and nothing else. It is the only one that knows
// TOML.
package config
