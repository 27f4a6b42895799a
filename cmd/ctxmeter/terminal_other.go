//go:build !(linux || darwin || freebsd || netbsd || dragonfly || windows)

package main

import "os"

// terminalOf takes a character device for a terminal of unknown width.
func terminalOf(f *os.File) screen {
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return screen{}
	}
	return screen{terminal: true, colors: true}
}
