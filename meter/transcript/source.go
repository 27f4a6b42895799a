package transcript

import (
	"bytes"
	"io"
	"os"

	"github.com/ctxmeter/ctxmeter/meter"
	"github.com/ctxmeter/ctxmeter/meter/files"
	"github.com/ctxmeter/ctxmeter/meter/sidecar"
	"github.com/ctxmeter/ctxmeter/meter/tail"
)

// part is one open segment. Its records have offsets from start on: a chain
// of segments is read as if it were one file.
type part struct {
	file   *os.File
	stream func() (io.ReadCloser, error) // nil for plain files
	most   int64                         // bytes of a stream that are read
	start  int64
	end    int64 // just after its last byte; unknown (-1) for a stream that is not bounded
}

// source is an open transcript.
type source struct{ parts []part }

func open(s meter.Session) (*source, error) {
	src := &source{}
	start := int64(0)
	for _, seg := range s.Segments {
		p, err := openPart(seg, start)
		if err != nil {
			src.close()
			return nil, meter.Unreadable(called(s), err)
		}
		src.parts = append(src.parts, p)
		start = p.end
	}
	return src, nil
}

func openPart(seg meter.Segment, start int64) (part, error) {
	f, size, err := files.Open(seg.Path)
	if err != nil {
		return part{}, err
	}
	p := part{file: f, stream: seg.Stream, start: start, end: -1, most: streamed(size)}
	switch {
	case seg.End >= 0:
		p.end = start + seg.End
	case seg.Stream == nil:
		p.end = start + size
	}
	return p, nil
}

// streamed is how much of a compressed file of that size is read: transcripts
// shrink to a tenth or less, and what grows far more is made to harm.
func streamed(size int64) int64 { return max(64<<20, 200*size) }

func (s *source) close() {
	for _, p := range s.parts {
		p.file.Close()
	}
}

func (s *source) last() part { return s.parts[len(s.parts)-1] }

// size is the length of the transcript in bytes, or -1 if it ends in a stream.
func (s *source) size() int64 { return s.last().end }

// seekable reports whether every segment can be read at an offset.
func (s *source) seekable() bool {
	for _, p := range s.parts {
		if p.stream != nil {
			return false
		}
	}
	return true
}

// foreign reports a plain file whose first character begins no JSON object.
func (s *source) foreign() bool {
	var head [64]byte
	n, _ := s.parts[0].file.ReadAt(head[:], 0)
	text := bytes.TrimLeft(bytes.TrimPrefix(head[:n], []byte("\ufeff")), "\x00 \t\r\n")
	return s.parts[0].stream == nil && len(text) > 0 && text[0] != '{'
}

// lineStart returns the start of the line that lies back bytes before the end,
// if it is found at most limit bytes before it (0: no limit). A segment's
// start is a line start.
func (s *source) lineStart(back, limit int64) (int64, bool, error) {
	at := s.size() - back
	if at <= 0 {
		return 0, true, nil
	}
	for _, p := range s.parts {
		if at > p.end {
			continue
		}
		room := int64(-1)
		if limit > 0 {
			room = limit - back
		}
		start, ok, err := tail.LineStart(p.file, at-p.start, 0, room)
		return p.start + start, ok, err
	}
	return 0, true, nil
}

// nextLine returns the start of the first line that begins at or after at.
func (s *source) nextLine(at int64) (int64, bool, error) {
	buf := make([]byte, 64<<10)
	for _, p := range s.parts {
		if at > p.end {
			continue
		}
		for at = max(at, p.start); at < p.end; {
			n, err := p.file.ReadAt(buf[:min(int64(len(buf)), p.end-at)], at-p.start)
			if i := bytes.IndexByte(buf[:n], '\n'); i >= 0 {
				return at + int64(i) + 1, true, nil
			}
			if err != nil && err != io.EOF {
				return 0, false, err
			}
			if n == 0 {
				break
			}
			at += int64(n)
		}
		if p.end < s.size() {
			return p.end, true, nil
		}
	}
	return 0, false, nil
}

// files describes the segments for the sidecar of a scan that has read up to
// offset.
func (s *source) files(offset int64) ([]sidecar.File, error) {
	var out []sidecar.File
	for _, p := range s.parts {
		read := offset - p.start
		if p.end >= 0 {
			read = min(read, p.end-p.start)
		}
		if p.stream != nil { // compressed files do not grow: any change is another file
			info, err := p.file.Stat()
			if err != nil {
				return nil, err
			}
			read = info.Size()
		}
		f, err := sidecar.Recognise(p.file, max(read, 0))
		if err != nil {
			return nil, err
		}
		out = append(out, f)
	}
	return out, nil
}

// same reports whether the segments are those that a sidecar was made for.
func (s *source) same(files []sidecar.File) bool {
	if len(files) != len(s.parts) {
		return false
	}
	for i, p := range s.parts {
		if !files[i].Same(p.file) {
			return false
		}
		if p.stream != nil {
			if info, err := p.file.Stat(); err != nil || info.Size() != files[i].Offset {
				return false
			}
		}
	}
	return true
}
