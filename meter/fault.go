package meter

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/ctxmeter/ctxmeter/meter/files"
)

// Code names a reason for which there is no reading. The set is fixed.
type Code string

// The codes of an unavailable reading.
const (
	CodeSessionNotFound  Code = "session_not_found"     // no such session, or none here
	CodeAmbiguousSession Code = "ambiguous_session"     // several fit; see the candidates
	CodeUnreadable       Code = "transcript_unreadable" // permissions, not a file, I/O error
	CodeOutsideRoot      Code = "outside_root"          // a link leads out of the client's folder
	CodeNotATranscript   Code = "not_a_transcript"      // the file holds no record of the client
	CodeSegmentMissing   Code = "segment_missing"       // a base of the chain does not exist
	CodeSegmentDuplicate Code = "segment_duplicate"     // a base of the chain exists more than once, and differs
	CodeSegmentCycle     Code = "segment_cycle"         // the chain of bases leads back to itself
	CodeSegmentTooShort  Code = "segment_too_short"     // a base is shorter than its stated prefix
	CodeBadConfig        Code = "bad_config"            // the configuration cannot be used
	CodeBadArgument      Code = "bad_argument"          // a flag or argument cannot be used
	CodeInternal         Code = "internal"              // a fault of ctxmeter
)

// Candidate is a session that the caller may have meant.
type Candidate struct {
	ID      string `json:"id"`
	Backend string `json:"backend"`
	Project string `json:"project,omitempty"`
	Live    bool   `json:"live"`
	At      string `json:"modified_at,omitempty"` // of the newest file, RFC 3339
}

// Fault is an error with a code that scripts can rely on. Message says what
// to do next and holds no path outside a project folder and nothing from a
// conversation; Err is for wrapping and is never printed as it is.
type Fault struct {
	Code       Code        `json:"code"`
	Message    string      `json:"message"`
	Candidates []Candidate `json:"candidates,omitempty"`
	Err        error       `json:"-"`
}

func (f *Fault) Error() string { return string(f.Code) + ": " + f.Message }

func (f *Fault) Unwrap() error { return f.Err }

// Unreadable is the fault of a transcript that cannot be opened. called is the
// session's id, "" if it has none yet: a path may tell more than its reader
// should know.
func Unreadable(called string, err error) *Fault {
	why := "the system reports an error; try again"
	switch {
	case errors.Is(err, fs.ErrNotExist):
		why = "it is not there, or a link leads to nothing; name another with --thread-id"
	case errors.Is(err, fs.ErrPermission):
		why = "permission denied; run as the user whose session it is"
	case errors.Is(err, files.ErrNotRegular):
		why = "there is no regular file in its place"
	}
	return &Fault{Code: CodeUnreadable, Message: fmt.Sprintf("the transcript%s cannot be read: %s", Of(called), why), Err: err}
}

// Of names a session in a message, where it has an id.
func Of(called string) string {
	if called == "" {
		return ""
	}
	return " of session " + called
}

// Unavailable is the JSON of an answer without a reading.
type Unavailable struct {
	SchemaVersion int    `json:"schema_version"`
	Status        Status `json:"status"`
	Error         *Fault `json:"error"`
}
