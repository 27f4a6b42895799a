// Package tail turns the bytes of a growing JSONL file into records, without
// assembling a line and without knowing whose file it is.
//
//	file -> 256 KiB blocks -> lines -> automaton -> slots -> Handler
//
// A [Schema] names what somebody wants to know: scalars at a path, the number
// of characters of the strings at a path, the items of an array. A [Scanner]
// pushes blocks through a JSON automaton that keeps those values and nothing
// else, so that a line of 200 MB costs no more memory than one of 200 bytes.
// Only the top-level object of a line is a record; JSON in a string is text
// and an object in an object is a value. A half record that the next append
// was glued to costs one damaged line, not the record that follows it.
// [Result].Next is where the next scan of the grown file goes on, and
// [LineStart] finds where a scan of only its end may begin.
package tail
