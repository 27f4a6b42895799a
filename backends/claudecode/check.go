package claudecode

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/ctxmeter/ctxmeter/meter"
	"github.com/ctxmeter/ctxmeter/meter/files"
)

// check looks whether the transcript of a hit is a regular file of its root,
// and opens nothing. called is what the session is called in a message: a path
// may tell more than its reader should know.
func (f *finder) check(h hit, called string) (fs.FileInfo, *meter.Fault) {
	target, info, err := f.resolve(h.path)
	if err != nil {
		return nil, meter.Unreadable(called, err)
	}
	if !h.root.holds(target) {
		return nil, &meter.Fault{
			Code:    meter.CodeOutsideRoot,
			Message: fmt.Sprintf("session %s: a link leads out of the client's folder; to read it all the same, name the file with --session-file", called),
		}
	}
	if !info.Mode().IsRegular() {
		return nil, meter.Unreadable(called, files.ErrNotRegular)
	}
	return info, nil
}

// resolve follows all symbolic links in a path. The links of a folder are
// followed once for all of its files.
func (f *finder) resolve(path string) (target string, info fs.FileInfo, err error) {
	dir := filepath.Dir(path)
	if f.dirs[dir] == "" {
		if f.dirs[dir], err = filepath.EvalSymlinks(dir); err != nil {
			return "", nil, err
		}
	}
	target = filepath.Join(f.dirs[dir], filepath.Base(path))
	if info, err = os.Lstat(target); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		return target, info, err
	}
	if target, err = filepath.EvalSymlinks(target); err != nil {
		return "", nil, err
	}
	info, err = os.Lstat(target)
	return target, info, err
}

// readable looks whether path is a regular file that can be opened.
func readable(path, called string) (fs.FileInfo, *meter.Fault) {
	f, _, err := files.Open(path)
	if err != nil {
		return nil, meter.Unreadable(called, err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, meter.Unreadable(called, err)
	}
	return info, nil
}
