//go:build linux || darwin || freebsd || netbsd || dragonfly

package main

import (
	"os"
	"syscall"
	"unsafe"
)

// terminalOf asks the terminal for its size; nothing else knows how.
func terminalOf(f *os.File) screen {
	var size struct{ rows, columns, _, _ uint16 }
	_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), syscall.TIOCGWINSZ, uintptr(unsafe.Pointer(&size)))
	if errno != 0 {
		return screen{}
	}
	return screen{terminal: true, width: int(size.columns), colors: true}
}
