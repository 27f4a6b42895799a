package sidecar

import (
	"hash/fnv"
	"io"
	"os"
)

// probe is how many bytes at the beginning of a file, and before the offset
// of a scan, tell whether it is still the same file.
const probe = 1024

// File recognises a file that a scan has read up to an offset. Device and
// inode stand where the system has them; the hashes catch a file that was
// replaced or rewritten under the same inode. A file that only grew is the
// same file.
type File struct {
	Device uint64
	Inode  uint64
	Offset int64  // bytes read
	Head   uint64 // hash of the first bytes, at most probe and at most Offset of them
	Before uint64 // hash of the bytes just before Offset, at most probe
}

// Recognise describes the open file f, read up to offset.
func Recognise(f *os.File, offset int64) (File, error) {
	info, err := f.Stat()
	if err != nil {
		return File{}, err
	}
	id := File{Offset: offset}
	id.Device, id.Inode = device(info)
	n := min(offset, probe)
	if id.Head, err = hashAt(f, 0, n); err != nil {
		return File{}, err
	}
	id.Before, err = hashAt(f, offset-n, n)
	return id, err
}

// Same reports whether f still begins with what id has read.
func (id File) Same(f *os.File) bool {
	info, err := f.Stat()
	if err != nil || info.Size() < id.Offset {
		return false
	}
	now, err := Recognise(f, id.Offset)
	return err == nil && now == id
}

func hashAt(r io.ReaderAt, at, n int64) (uint64, error) {
	buf := make([]byte, n)
	if _, err := r.ReadAt(buf, at); err != nil {
		return 0, err
	}
	h := fnv.New64a()
	h.Write(buf)
	return h.Sum64(), nil
}
