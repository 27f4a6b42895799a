//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly || windows)

package main

import "context"

// lock does nothing where there is nothing to lock with: each file is still
// replaced in one step, and only if it is as it was read.
func lock(context.Context, string) (release func(), err error) { return func() {}, nil }
