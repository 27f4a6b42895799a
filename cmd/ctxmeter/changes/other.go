//go:build !darwin && !freebsd && !openbsd && !netbsd && !dragonfly

package changes

const opensFiles = false
