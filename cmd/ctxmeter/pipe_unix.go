//go:build unix

package main

import (
	"os"
	"os/signal"
	"syscall"
)

// outlivePipe lets a write to a closed standard output fail instead of ending
// the process, for what has to clean up behind itself.
func outlivePipe() { signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) }
