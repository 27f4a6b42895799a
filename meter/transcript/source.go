package transcript

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/ctxmeter/ctxmeter/meter"
	"github.com/ctxmeter/ctxmeter/meter/sidecar"
	"github.com/ctxmeter/ctxmeter/meter/tail"
)

// part is one open segment. Its records have offsets from start on: a chain
// of segments is read as if it were one file.
type part struct {
	file   *os.File
	stream func() (io.ReadCloser, error) // nil for plain files
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
			return nil, unreadable(s, err)
		}
		src.parts = append(src.parts, p)
		start = p.end
	}
	return src, nil
}

func unreadable(s meter.Session, err error) error {
	why := "it cannot be read; check the file system"
	switch {
	case errors.Is(err, os.ErrPermission):
		why = "this user may not read it; check its permissions"
	case errors.Is(err, os.ErrNotExist):
		why = "it is not there; name another session with --thread-id"
	case errors.Is(err, errNotAFile):
		why = "it is not a regular file; name another with --session-file"
	}
	return &meter.Fault{
		Code:    meter.CodeUnreadable,
		Message: fmt.Sprintf("the transcript%s cannot be opened: %s", of(s), why),
		Err:     err,
	}
}

var errNotAFile = errors.New("not a regular file")

func openPart(seg meter.Segment, start int64) (part, error) {
	info, err := os.Stat(seg.Path) // before opening: a pipe would block
	if err != nil {
		return part{}, err
	}
	if !info.Mode().IsRegular() {
		return part{}, errNotAFile
	}
	f, err := os.Open(seg.Path)
	if err != nil {
		return part{}, err
	}
	p := part{file: f, stream: seg.Stream, start: start, end: -1}
	switch {
	case seg.End >= 0:
		p.end = start + seg.End
	case seg.Stream == nil:
		if info, err = f.Stat(); err != nil {
			f.Close()
			return part{}, err
		}
		p.end = start + info.Size()
	}
	return p, nil
}

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
