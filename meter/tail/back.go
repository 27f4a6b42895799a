package tail

import (
	"bytes"
	"io"
)

// LineStart returns where the line begins that holds the byte before offset
// pos-back; the newline belongs to the line it ends. It is how a reader walks
// backward: LineStart(f, size, 256<<10, -1) is where to scan from for the last
// 256 KiB, and LineStart(f, start, 0, -1) is the line before start. At or
// before the beginning of the file it returns 0. It looks at no more than
// limit bytes, all if limit is negative; ok is false if no line began there.
func LineStart(src io.ReaderAt, pos, back, limit int64) (start int64, ok bool, err error) {
	end := pos - back - 1 // the newline that ends this line does not begin it
	if end <= 0 {
		return 0, true, nil
	}
	buf := make([]byte, min(end, 64<<10))
	for end > 0 {
		n := min(end, int64(len(buf)))
		if limit >= 0 {
			if n = min(n, limit); n == 0 {
				return 0, false, nil
			}
			limit -= n
		}
		got, err := src.ReadAt(buf[:n], end-n)
		if int64(got) < n {
			if err == io.EOF || err == nil {
				err = io.ErrUnexpectedEOF
			}
			return 0, false, err
		}
		if i := bytes.LastIndexByte(buf[:n], '\n'); i >= 0 {
			return end - n + int64(i) + 1, true, nil
		}
		end -= n
	}
	return 0, true, nil
}
