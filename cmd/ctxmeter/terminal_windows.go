package main

import (
	"os"
	"syscall"
	"unsafe"
)

// terminalOf asks the console for its size and for whether it obeys escape
// sequences, which older ones do only when told to.
func terminalOf(f *os.File) screen {
	const virtualTerminal = 0x4
	handle := syscall.Handle(f.Fd())
	var mode uint32
	if syscall.GetConsoleMode(handle, &mode) != nil {
		return screen{}
	}
	kernel := syscall.NewLazyDLL("kernel32.dll")
	s := screen{terminal: true, colors: mode&virtualTerminal != 0}
	if !s.colors {
		ok, _, _ := kernel.NewProc("SetConsoleMode").Call(uintptr(handle), uintptr(mode|virtualTerminal))
		s.colors = ok != 0
	}
	var info struct {
		size, cursor             [2]int16
		attributes               uint16
		left, top, right, bottom int16
		largest                  [2]int16
	}
	if ok, _, _ := kernel.NewProc("GetConsoleScreenBufferInfo").Call(uintptr(handle), uintptr(unsafe.Pointer(&info))); ok != 0 {
		s.width = int(info.right-info.left) + 1
	}
	return s
}
