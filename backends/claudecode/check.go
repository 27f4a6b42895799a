package claudecode

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/ctxmeter/ctxmeter/meter"
)

// check looks whether the transcript at path can be read as part of the root,
// without opening anything but a regular file. name is what the session is
// called in a message: a path may tell more than its reader should know.
func (r root) check(path, name string) (fs.FileInfo, *meter.Fault) {
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, unreadable(name, err)
	}
	if !r.holds(target) {
		return nil, &meter.Fault{
			Code:    meter.CodeOutsideRoot,
			Message: fmt.Sprintf("session %s: a link leads out of the client's folder; to read it all the same, name the file with --session-file", name),
		}
	}
	return readable(target, name)
}

// readable looks whether path is a regular file that can be opened.
func readable(path, name string) (fs.FileInfo, *meter.Fault) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, unreadable(name, err)
	}
	if !info.Mode().IsRegular() {
		return nil, unreadable(name, errNotPlain)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, unreadable(name, err)
	}
	f.Close()
	return info, nil
}

func unreadable(name string, err error) *meter.Fault {
	why := "the system reports an error; try again"
	switch {
	case errors.Is(err, fs.ErrNotExist):
		why = "a link leads to nothing; restore the file it names"
	case errors.Is(err, fs.ErrPermission):
		why = "permission denied; run as the user whose session it is"
	case errors.Is(err, errNotPlain):
		why = "there is no regular file in its place"
	}
	return &meter.Fault{
		Code:    meter.CodeUnreadable,
		Message: fmt.Sprintf("session %s: its transcript cannot be read: %s", name, why),
		Err:     err,
	}
}
