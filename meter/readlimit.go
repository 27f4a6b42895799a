package meter

// Cut is a limit of a client that a read goes beyond.
type Cut struct {
	Tool   string `json:"tool"` // that reads, as the model calls it
	How    CutHow `json:"how"`
	Tokens int64  `json:"tokens,omitempty"` // that it shows or allows
	Bytes  int64  `json:"bytes,omitempty"`
}

// CutHow says what becomes of a read beyond a limit.
type CutHow string

// The ways of cutting a read short.
const (
	CutRefused CutHow = "refused"        // it has to be done in parts
	CutPage    CutHow = "first_page"     // the beginning is shown
	CutMiddle  CutHow = "without_middle" // beginning and end are shown
)

// ReadLimit is what one read of a file with a client's own tool adds to the
// context, beside the text of the file, and where it ends. The zero value
// knows no limit. A limit that is zero does not exist.
type ReadLimit struct {
	Tool     string // that reads, as the model calls it: "Read"
	Numbered bool   // the tool puts a number and a tab before every line, and ends lines with a newline only
	Padded   bool   // then the number is six characters wide, with an arrow behind it instead of the tab
	Frame    string // text that comes with every read, for its size
	Note     string // text that comes with a part of a file, for its size
	Empty    string // text in place of an empty file, for its size

	// Bytes is the size of the largest file that the tool reads as a whole. A
	// larger one is refused, and has to be read in parts.
	Bytes int64
	// Tokens is the most that a part may have, as the provider counts the text
	// of the file. Of a whole file with more, the tool shows the first Page
	// tokens, in whole lines; it refuses the file if Page is 0. Text of no more
	// than Unchecked characters is never counted.
	Tokens, Page, Unchecked int64
	// Ends is how many bytes come of a larger file: half of them from its
	// beginning, half from its end.
	Ends int64
}
