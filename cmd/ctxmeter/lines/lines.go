package lines

import (
	"bufio"
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// MaxLine is the longest line that is read, in bytes. Real calls of this
	// server have a few hundred.
	MaxLine = 4 << 20
	// mostWaiting is how many calls may be unanswered before nothing more is
	// read: a client that never reads its answers must not fill the memory.
	mostWaiting = 256
)

// Transport is a connection over In and Out. It serves one connection. Out is
// written to in whole lines.
type Transport struct {
	In  io.Reader
	Out io.Writer
	// Grace is how long calls may take that are unanswered when In ends. Those
	// that take longer, as on a disk that does not answer, are left alone.
	Grace time.Duration
	// Abandoned is called then, if it is not nil.
	Abandoned func()
}

// Connect implements mcp.Transport.
func (t *Transport) Connect(ctx context.Context) (mcp.Connection, error) {
	c := &conn{
		Transport: t,
		incoming:  make(chan jsonrpc.Message),
		ended:     make(chan struct{}),
		closed:    make(chan struct{}),
		waiting:   map[any]bool{},
		room:      make(chan struct{}, mostWaiting),
	}
	c.answered = sync.NewCond(&c.mu)
	// A read of standard input cannot be interrupted: this goroutine may
	// outlive the connection, until the process ends.
	go c.pump(bufio.NewReaderSize(t.In, 64<<10))
	return c, nil
}

type conn struct {
	*Transport
	incoming chan jsonrpc.Message
	ended    chan struct{} // no more messages come
	failure  error         // why, if it is not the end of the stream; set before ended is closed
	closed   chan struct{}
	close    sync.Once
	room     chan struct{} // an entry for each call that waits

	writing sync.Mutex // guards Out; whoever has it may have to wait for a reader

	mu       sync.Mutex   // guards what follows
	waiting  map[any]bool // ids of calls that were read and not answered
	answered *sync.Cond
	shut     bool
}

// SessionID implements mcp.Connection; a pair of streams has none.
func (c *conn) SessionID() string { return "" }

// Close implements mcp.Connection.
func (c *conn) Close() error {
	c.close.Do(func() {
		close(c.closed)
		c.mu.Lock()
		c.shut = true
		c.answered.Broadcast()
		c.mu.Unlock()
	})
	return nil
}

// Read implements mcp.Connection. After the last message it returns io.EOF,
// but only once every call is answered: the SDK cancels what is unanswered at
// the end of the stream, and a client that pipes its calls in and closes the
// stream wants the answers all the same.
func (c *conn) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case m := <-c.incoming:
		return m, nil
	case <-c.ended:
	case <-c.closed:
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	stop := context.AfterFunc(ctx, func() { _ = c.Close() })
	defer stop()
	late := time.AfterFunc(c.Grace, c.abandon)
	defer late.Stop()
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.room) > 0 && !c.shut {
		c.answered.Wait()
	}
	if c.failure != nil {
		return nil, c.failure
	}
	return nil, io.EOF
}

// abandon ends the wait for answers.
func (c *conn) abandon() {
	_ = c.Close()
	if c.Abandoned != nil {
		c.Abandoned()
	}
}

// Write implements mcp.Connection.
func (c *conn) Write(_ context.Context, m jsonrpc.Message) error {
	r, isResponse := m.(*jsonrpc.Response)
	if isResponse {
		m = &jsonrpc.Response{ID: r.ID, Result: r.Result, Error: brief(r.Error)}
	}
	line, err := jsonrpc.EncodeMessage(m)
	if err != nil {
		return err
	}
	// The id is free before the answer is out: it may come back at once.
	if isResponse && c.answer(r.ID.Raw()) {
		defer c.done()
	}
	return c.write(append(line, '\n'))
}

func (c *conn) write(line []byte) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	_, err := c.Out.Write(line)
	return err
}

// answer notes that a call is being answered, if it waits.
func (c *conn) answer(id any) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	waits := c.waiting[id]
	delete(c.waiting, id)
	return waits
}

// done notes that the answer is out.
func (c *conn) done() {
	c.mu.Lock()
	defer c.mu.Unlock()
	<-c.room
	c.answered.Broadcast()
}

// begin notes a call, once there is room for it, unless one with its id waits:
// the SDK would answer to neither.
func (c *conn) begin(r *jsonrpc.Request) (refusal []byte, open bool) {
	select {
	case c.room <- struct{}{}:
	case <-c.closed:
		return nil, false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if id := r.ID.Raw(); c.waiting[id] {
		<-c.room
		return failure(nil, jsonrpc.CodeInvalidRequest, "a call was passed over: its id is that of another one that is not answered yet"), true
	}
	c.waiting[r.ID.Raw()] = true
	return nil, true
}

// pump reads lines until the stream ends.
func (c *conn) pump(in *bufio.Reader) {
	defer close(c.ended)
	for {
		line, err := next(in)
		if len(line) > 0 || errors.Is(err, errTooLong) {
			m, refusal := message(line, err)
			if refusal != nil {
				_ = c.write(refusal) // the SDK notices by its own writes that nobody listens
			} else if !c.pass(m) {
				return
			}
		}
		if err != nil && !errors.Is(err, errTooLong) {
			if !errors.Is(err, io.EOF) {
				c.failure = err
			}
			return
		}
	}
}

// pass hands a message on.
func (c *conn) pass(m jsonrpc.Message) bool {
	if r, ok := m.(*jsonrpc.Request); ok && r.IsCall() {
		refusal, open := c.begin(r)
		if refusal != nil {
			_ = c.write(refusal)
			return true
		}
		if !open {
			return false
		}
	}
	select {
	case c.incoming <- m:
		return true
	case <-c.closed:
		return false
	}
}
