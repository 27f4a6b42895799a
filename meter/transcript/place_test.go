package transcript_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/ctxmeter/ctxmeter/meter"
	"github.com/ctxmeter/ctxmeter/meter/transcript"
)

// Offsets of a chain of files lead to the line of the file that holds them.
func TestPlacesOfAChain(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	packed := func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader([]byte("{}\n{}\n"))), nil
	}
	s := meter.Session{Segments: []meter.Segment{
		{Path: write("a", "{}\n\n{}\n{ is no part of it }\n"), End: 7},
		{Path: write("b", "packed"), End: 6, Stream: packed},
		{Path: write("c", "{}\n{}"), End: -1},
	}}
	got := transcript.Places(s, []int64{16, 0, 4, 10, 13, 7, 99})
	for i, want := range []transcript.Place{
		{File: "c", Line: 2, Offset: 3},
		{File: "a", Line: 1, Offset: 0},
		{File: "a", Line: 3, Offset: 4},
		{File: "b", Line: 2, Offset: 3},
		{File: "c", Line: 1, Offset: 0},
		{File: "b", Line: 1, Offset: 0},
		{File: "c", Line: 0, Offset: 86},
	} {
		if got[i] != want {
			t.Errorf("place %d: %+v, want %+v", i, got[i], want)
		}
	}
	if none := transcript.Places(meter.Session{Segments: []meter.Segment{{Path: filepath.Join(dir, "x")}}}, []int64{1}); none[0] != (transcript.Place{}) {
		t.Errorf("a file that is gone: %+v", none)
	}
}
