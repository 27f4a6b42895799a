package wording

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"github.com/ctxmeter/ctxmeter/meter/files"
)

// Cause is the innermost reason of an error of the system; its wrapping may
// name files.
func Cause(err error) string {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Op + ": " + e.Err.Error()
	}
	if e, ok := errors.AsType[*os.LinkError](err); ok {
		return e.Op + ": " + e.Err.Error()
	}
	if e, ok := errors.AsType[syscall.Errno](err); ok {
		return e.Error()
	}
	return err.Error()
}

// Reason says why a file cannot be read.
func Reason(err error) string {
	switch {
	case errors.Is(err, fs.ErrPermission):
		return "permission denied"
	case errors.Is(err, fs.ErrNotExist):
		return "it is not there"
	case errors.Is(err, files.ErrNotRegular):
		return "it is no regular file"
	}
	return Cause(err)
}
