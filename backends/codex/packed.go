package codex

import (
	"io"
	"os"
	"strings"

	"github.com/klauspost/compress/zstd"

	"github.com/ctxmeter/ctxmeter/meter/files"
)

// Cold rollouts may be zstd frames, one to a file, with the content's size in
// the frame's header (feature local_thread_store_compression of 0.171.0, off
// by default). Resuming a thread restores the plain file.

// maxWindow is the most memory, in bytes, that a frame may ask for. The
// client's own frames (level 3) need 2 MiB.
const maxWindow = 8 << 20

func isPacked(path string) bool { return strings.HasSuffix(path, ".zst") }

// unpack opens the content of a compressed file.
func unpack(path string) (io.ReadCloser, error) {
	f, _, err := files.Open(path)
	if err != nil {
		return nil, err
	}
	d, err := zstd.NewReader(f,
		zstd.WithDecoderConcurrency(1),
		zstd.WithDecoderLowmem(true),
		zstd.WithDecoderMaxWindow(maxWindow),
	)
	if err != nil {
		f.Close()
		return nil, err
	}
	return &unpacked{d, f}, nil
}

type unpacked struct {
	*zstd.Decoder
	file *os.File
}

func (u *unpacked) Close() error {
	u.Decoder.Close()
	return u.file.Close()
}

// contentSize is the length of the rollout at path in bytes, uncompressed; ok
// is false if that is unknown.
func contentSize(path string) (size int64, ok bool) {
	f, size, err := files.Open(path)
	if err != nil {
		return 0, false
	}
	defer f.Close()
	if !isPacked(path) {
		return size, true
	}
	var buf [zstd.HeaderMaxSize]byte
	n, _ := io.ReadFull(f, buf[:])
	var h zstd.Header
	if h.Decode(buf[:n]) != nil || !h.HasFCS || h.FrameContentSize > 1<<62 {
		return 0, false
	}
	return int64(h.FrameContentSize), true
}

// open opens the content of a rollout, plain or compressed.
func open(path string) (io.ReadCloser, error) {
	if isPacked(path) {
		return unpack(path)
	}
	f, _, err := files.Open(path)
	return f, err
}
