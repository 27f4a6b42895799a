//go:build !unix

package files

const withoutWaiting = 0
