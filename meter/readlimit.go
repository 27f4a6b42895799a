package meter

// ReadLimit is what one read with a client's own tool can add to the context.
// The zero value knows no limit. A limit that is zero does not exist.
type ReadLimit struct {
	Tool      string // that reads: "Read"
	Bytes     int64  // of a file, at most
	Lines     int64  // of a file, at most
	LineChars int64  // characters of a line, at most
	Tokens    int64  // at most, as the client counts them
	Numbered  bool   // the tool puts a number before every line
	Refuses   bool   // what is over Bytes or Tokens adds nothing; else it is cut
}
