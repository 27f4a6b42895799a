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
	// payloadLimit is how long it may take in all.
	payloadLimit    = 5 * time.Second
	mostPayloadRead = 8 << 20 // bytes; a status line's has 2,000
	wholeLooked     = 64 << 10
)

// payloadInput reads what the client hands over. It does not wait for the end
// of standard input where the payload has ended, and not for a payload that
// does not come: an open pipe, or a terminal. What is too large is read all the
// same, since a client may be sorry to see its pipe closed, but not kept.
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
	late := p.after(ctx, payloadLimit)
	var data []byte
	for {
		chunk, ok := p.nextChunk(ctx, chunks, late)
		if !ok {
			break
		}
		data = append(data, chunk[:min(len(chunk), mostPayloadRead-len(data))]...)
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

// nextChunk waits for a chunk as long as is worth waiting, or until it is late.
func (p *program) nextChunk(ctx context.Context, from <-chan []byte, late <-chan struct{}) (chunk []byte, ok bool) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	select {
	case chunk, ok = <-from:
		return chunk, ok
	case <-p.after(ctx, payloadPatience):
	case <-late:
	}
	return nil, false
}

// after is closed when the time has passed, or the context is done.
func (p *program) after(ctx context.Context, d time.Duration) <-chan struct{} {
	over := make(chan struct{})
	go func() {
		defer close(over)
		p.wait(ctx, d)
	}()
	return over
}
