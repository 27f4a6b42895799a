//go:build unix

package doctor

import (
	"io/fs"
	"syscall"
)

// names is how many names a file has.
func names(info fs.FileInfo) uint64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Nlink)
	}
	return 1
}

// mayMake reports whether files can be made in a folder: access(2), with W_OK
// and X_OK.
func mayMake(dir string) bool { return syscall.Access(dir, 2|1) == nil }
