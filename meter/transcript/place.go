package transcript

import (
	"bytes"
	"io"
	"path/filepath"

	"github.com/ctxmeter/ctxmeter/meter"
)

// Place is where a record stands, for a person who wants to look.
type Place struct {
	File   string // name of the file, without its folder
	Line   int64  // from 1 on; 0 if it was not found
	Offset int64  // bytes, in the (uncompressed) file
}

// PlaceOf finds the record that stands at an offset of a session's transcript.
// It counts the lines before it.
func PlaceOf(s meter.Session, offset int64) Place {
	src, err := open(s)
	if err != nil {
		return Place{}
	}
	defer src.close()
	for i, p := range src.parts {
		if p.end >= 0 && offset >= p.end && i < len(src.parts)-1 {
			continue
		}
		at := Place{File: filepath.Base(s.Segments[i].Path), Offset: offset - p.start}
		var r io.Reader = io.NewSectionReader(p.file, 0, at.Offset)
		if p.stream != nil {
			stream, err := p.stream()
			if err != nil {
				return at
			}
			defer stream.Close()
			r = io.LimitReader(stream, at.Offset)
		}
		lines, n, err := countLines(r)
		if err == nil && n == at.Offset {
			at.Line = lines + 1
		}
		return at
	}
	return Place{}
}

func countLines(r io.Reader) (lines, size int64, err error) {
	buf := make([]byte, 64<<10)
	for {
		n, err := r.Read(buf)
		lines += int64(bytes.Count(buf[:n], []byte{'\n'}))
		size += int64(n)
		if err == io.EOF {
			return lines, size, nil
		}
		if err != nil {
			return lines, size, err
		}
	}
}
