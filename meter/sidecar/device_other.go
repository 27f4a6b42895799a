//go:build !unix

package sidecar

import "io/fs"

func device(fs.FileInfo) (dev, ino uint64) { return 0, 0 }
