// Package lock keeps other processes of the same user out: the lock of a file,
// which the system releases when its holder is no more.
package lock
