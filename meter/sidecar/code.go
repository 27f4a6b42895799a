package sidecar

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math"

	"github.com/ctxmeter/ctxmeter/meter"
)

// Version changes whenever the stored form or the meaning of a stored state
// changes.
const Version = 5

// A sidecar is
//
//	8 bytes   "ctxmeter"
//	2 bytes   version, little endian
//	4 bytes   CRC-32C of all that follows, little endian
//	number    of files, then five numbers each: device, inode, offset, head, before
//	number    length of the state, then the state
//	number    length of the past state, 0 if there is none, then that state
//
// where numbers are unsigned and of variable length.
const (
	magic  = "ctxmeter"
	header = len(magic) + 2 + 4
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func encode(e Entry) []byte {
	b := append(make([]byte, 0, 8192), magic...)
	b = binary.LittleEndian.AppendUint16(b, Version)
	b = append(b, 0, 0, 0, 0)
	b = binary.AppendUvarint(b, uint64(len(e.Files)))
	for _, f := range e.Files {
		for _, n := range []uint64{f.Device, f.Inode, uint64(f.Offset), f.Head, f.Before} {
			b = binary.AppendUvarint(b, n)
		}
	}
	b = appendState(b, &e.State)
	b = appendState(b, e.Past)
	binary.LittleEndian.PutUint32(b[header-4:], crc32.Checksum(b[header:], castagnoli))
	return b
}

func appendState(b []byte, s *meter.State) []byte {
	if s == nil {
		return binary.AppendUvarint(b, 0)
	}
	body, _ := s.AppendBinary(nil)
	return append(binary.AppendUvarint(b, uint64(len(body))), body...)
}

var errUnusable = errors.New("not a sidecar of this version, or a damaged one")

func decode(data []byte) (Entry, error) {
	var e Entry
	if len(data) < header || string(data[:len(magic)]) != magic ||
		binary.LittleEndian.Uint16(data[len(magic):]) != Version ||
		binary.LittleEndian.Uint32(data[header-4:]) != crc32.Checksum(data[header:], castagnoli) {
		return e, errUnusable
	}
	r := reader{data: data[header:]}
	for n := r.number(); n > 0 && !r.bad; n-- {
		e.Files = append(e.Files, File{
			Device: r.number(), Inode: r.number(), Offset: int64(min(r.number(), math.MaxInt64)), Head: r.number(), Before: r.number(),
		})
	}
	if body := r.bytes(); e.State.UnmarshalBinary(body) != nil {
		return Entry{}, errUnusable
	}
	if body := r.bytes(); len(body) > 0 {
		e.Past = &meter.State{}
		if e.Past.UnmarshalBinary(body) != nil {
			return Entry{}, errUnusable
		}
	}
	if r.bad || len(r.data) > 0 {
		return Entry{}, errUnusable
	}
	return e, nil
}

type reader struct {
	data []byte
	bad  bool
}

func (r *reader) number() uint64 {
	v, n := binary.Uvarint(r.data)
	if n <= 0 {
		r.bad, r.data = true, nil
		return 0
	}
	r.data = r.data[n:]
	return v
}

func (r *reader) bytes() []byte {
	n := r.number()
	if n > uint64(len(r.data)) {
		r.bad, r.data = true, nil
		return nil
	}
	b := r.data[:n]
	r.data = r.data[n:]
	return b
}
