package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"time"
)

const (
	// payloadPatience is how long standard input may be silent. A client that
	// has something to say says it at once, but 200 of them at the same time
	// took over a second.
	payloadPatience = 2 * time.Second
	mostPayloadRead = 8 << 20 // bytes; a status line's has 2,000
	wholeLooked     = 64 << 10
)

// payloadInput reads what the client hands over. It does not wait for the end
// of standard input where the payload has ended, and not for a payload that
// does not come: an open pipe, or a terminal.
func (p *program) payloadInput(ctx context.Context) []byte {
	f, ok := p.stdin.(*os.File)
	if !ok { // it cannot keep silent
		data, _ := io.ReadAll(io.LimitReader(p.stdin, mostPayloadRead))
		return data
	}
	if terminalOf(f).terminal {
		return nil
	}
	chunks := make(chan []byte)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	go readChunks(ctx, f, chunks)
	var data []byte
	for len(data) < mostPayloadRead {
		chunk, ok := p.nextChunk(ctx, chunks)
		if !ok {
			break
		}
		data = append(data, chunk...)
		if len(data) < wholeLooked && bytes.HasSuffix(bytes.TrimSpace(data), []byte("}")) && json.Valid(data) {
			break
		}
	}
	return data
}

func readChunks(ctx context.Context, from io.Reader, to chan<- []byte) {
	defer close(to)
	for {
		buf := make([]byte, 32<<10)
		n, err := from.Read(buf)
		if n > 0 {
			select {
			case to <- buf[:n]:
			case <-ctx.Done():
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// nextChunk waits for a chunk as long as is worth waiting.
func (p *program) nextChunk(ctx context.Context, from <-chan []byte) (chunk []byte, ok bool) {
	limit, stop := context.WithCancel(ctx)
	defer stop()
	over := make(chan struct{})
	go func() {
		defer close(over)
		p.wait(limit, payloadPatience)
	}()
	select {
	case chunk, ok = <-from:
		return chunk, ok
	case <-over:
		return nil, false
	}
}
