//go:build unix

package install

import (
	"io/fs"
	"os"
	"syscall"
)

// keepOwner gives a file the owner of another one. Only the superuser may, and
// only for others it would make a difference.
func keepOwner(f *os.File, info fs.FileInfo) {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		_ = f.Chown(int(st.Uid), int(st.Gid))
	}
}

// linkCount is how many names a file has.
func linkCount(info fs.FileInfo) uint64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Nlink)
	}
	return 1
}

// mayWriteFolder reports whether files can be made in a folder: access(2), with
// W_OK and X_OK.
func mayWriteFolder(dir string) bool { return syscall.Access(dir, 2|1) == nil }
