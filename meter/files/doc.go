// Package files opens what other programs left on the disk, and only what it
// is meant to be: a pipe or a device in the place of a file would block or
// never end, and a giant in the place of a small one would take the memory.
package files
