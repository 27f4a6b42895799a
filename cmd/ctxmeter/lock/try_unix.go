//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package lock

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// Try takes the lock of a file, which the system releases when its holder is
// no more; errLocked if another process has it. Only its holder may remove the
// file: who took the lock of a file that is gone has to try again.
func Try(path string) (release func(), err error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	for {
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err != syscall.EINTR {
			break
		}
	}
	if err != nil {
		f.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, ErrLocked
		}
		return nil, err
	}
	held, err := f.Stat()
	if err == nil {
		var now os.FileInfo
		if now, err = os.Stat(path); err == nil && os.SameFile(held, now) {
			return func() { f.Close() }, nil
		}
	}
	f.Close()
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		err = ErrLocked
	}
	return nil, err
}
