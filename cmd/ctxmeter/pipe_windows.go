package main

import (
	"errors"
	"syscall"
)

func outlivePipe() {}

// closedPipe reports that a write failed because nobody reads any longer. The
// system has two errors for that: a pipe is closed (ERROR_NO_DATA), or broken.
func closedPipe(err error) bool {
	const noData = syscall.Errno(232)
	return errors.Is(err, noData) || errors.Is(err, syscall.ERROR_BROKEN_PIPE)
}
