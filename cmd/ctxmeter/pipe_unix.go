//go:build unix

package main

import (
	"errors"
	"os"
	"os/signal"
	"syscall"
)

// outlivePipe lets a write to a closed standard output fail instead of ending
// the process, for what has to clean up behind itself.
func outlivePipe() { signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) }

// closedPipe reports that a write failed because nobody reads any longer.
func closedPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }
