// Package edit changes settings files of other programs without rewriting
// them: JSON and TOML texts in which something is put in, or taken out again,
// at the level of bytes. Everything that is not concerned stays as it is: the
// order of keys, indentation, comments, line ends, a byte order mark, numbers
// as they were typed.
//
//	text -> Value, Members, Table ...   what is there, and where
//	text -> Set, Append, Block, Remove  the text with one thing changed
//	two texts -> Unified                what a person is shown
//
// What it does not understand it refuses. It reads and writes no files.
package edit
