//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly || windows)

package lock

// Try does nothing where there is no lock that the system releases when its
// holder is no more. Files are still replaced in one step.
func Try(string) (release func(), err error) { return func() {}, nil }
