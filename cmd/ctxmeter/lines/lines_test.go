package lines

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// sink is a writer that several goroutines use.
type sink struct {
	mu sync.Mutex
	bytes.Buffer
}

func (s *sink) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.Buffer.Write(b)
}

func dial(in io.Reader) (mcp.Connection, *sink) {
	out := &sink{}
	c, _ := (&Transport{In: in, Out: out, Grace: time.Minute}).Connect(context.Background())
	return c, out
}

// all reads messages and answers the calls at once.
func all(t *testing.T, c mcp.Connection) (methods []string, end error) {
	t.Helper()
	for {
		m, err := c.Read(context.Background())
		if err != nil {
			return methods, err
		}
		if r, ok := m.(*jsonrpc.Request); ok {
			methods = append(methods, r.Method)
			if r.IsCall() {
				if err := c.Write(context.Background(), &jsonrpc.Response{ID: r.ID, Result: json.RawMessage(`{}`)}); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

func ping(id int) string { return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"m%d"}`, id, id) }

func TestWhatIsNoMessageIsAnsweredAndPassedOver(t *testing.T) {
	in := strings.Join([]string{
		"\ufeff" + ping(1),
		"", "  ", "no JSON", "\x00\x00", "[" + ping(9) + "]", `"text"`, `{"jsonrpc":"2.0","id":8}`, `{"jsonrpc":"1.0","id":"x","method":"m"}`,
		strings.Repeat("[", 100_000),
		strings.Repeat("y", MaxLine+1),
		"\r" + ping(2) + "\r",
		ping(3), // without an end
	}, "\n")
	for name, r := range map[string]io.Reader{"at once": strings.NewReader(in), "in halves": iotest.HalfReader(strings.NewReader(in)), "in bytes": iotest.OneByteReader(strings.NewReader(in))} {
		c, out := dial(r)
		methods, end := all(t, c)
		if got := strings.Join(methods, " "); got != "m1 m2 m3" || !errors.Is(end, io.EOF) {
			t.Errorf("%s: %s, %v", name, got, end)
		}
		refused := 0
		for line := range strings.Lines(out.String()) {
			var a struct{ Error *jsonrpc.Error }
			if err := json.Unmarshal([]byte(line), &a); err != nil {
				t.Errorf("%s: %q", name, line)
			} else if a.Error != nil {
				refused++
			}
		}
		if refused != 7 {
			t.Errorf("%s: %d refusals:\n%s", name, refused, out.String())
		}
	}
}

// The SDK cancels what is unanswered when the stream ends: it must not learn
// of the end before.
func TestTheEndWaitsForTheAnswers(t *testing.T) {
	c, out := dial(strings.NewReader(ping(1) + "\n"))
	m, err := c.Read(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	end := make(chan string)
	go func() {
		_, err := c.Read(context.Background())
		end <- fmt.Sprint(err, out.String() != "")
	}()
	for range 1000 { // ample time to end too early
		runtime.Gosched()
	}
	if err := c.Write(context.Background(), &jsonrpc.Response{ID: m.(*jsonrpc.Request).ID, Result: json.RawMessage(`{}`)}); err != nil {
		t.Fatal(err)
	}
	if got := <-end; got != "EOF true" {
		t.Error(got)
	}
}

func TestAnErrorOfTheStreamIsTold(t *testing.T) {
	broken := errors.New("broken")
	c, _ := dial(io.MultiReader(strings.NewReader(ping(1)+"\n"), iotest.ErrReader(broken)))
	if _, err := all(t, c); !errors.Is(err, broken) {
		t.Error(err)
	}
}

// A call that would get no answer, or one that is not its own, is refused.
func TestIDsThatCannotBeAnswered(t *testing.T) {
	call := func(id string) string { return `{"jsonrpc":"2.0","id":` + id + `,"method":"m"}` + "\n" }
	for id, want := range map[string]string{
		"1.5": `"id":1.5`, "1e3": `"id":1e3`, "9007199254740993": `"id":9007199254740993`, "-12345678901234567890": `"id":-12345678901234567890`,
	} {
		c, out := dial(strings.NewReader(call(id)))
		if methods, _ := all(t, c); len(methods) > 0 || !strings.Contains(out.String(), want) {
			t.Errorf("%s: %v, %s", id, methods, out.String())
		}
	}
	c, out := dial(strings.NewReader(call("7") + call("7") + call(`"7"`)))
	for range 2 {
		m, err := c.Read(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = c.Write(context.Background(), &jsonrpc.Response{ID: m.(*jsonrpc.Request).ID}) }()
	}
	if got := out.String(); !strings.Contains(got, `"id":null`) || strings.Count(got, "\n") != 1 {
		t.Errorf("%s", got)
	}
}

func TestACallThatIsNeverAnsweredIsLeftAlone(t *testing.T) {
	gone := make(chan bool, 1)
	c, _ := (&Transport{In: strings.NewReader(ping(1)), Out: io.Discard, Abandoned: func() { gone <- true }}).Connect(context.Background())
	for range 2 { // the call, and the end
		_, _ = c.Read(context.Background())
	}
	<-gone
}

// Nobody reads the answers, and the server is to end all the same.
func TestABlockedWriteKeepsNobodyFromClosing(t *testing.T) {
	r, w := io.Pipe()
	defer r.Close()
	c, _ := (&Transport{In: strings.NewReader("no JSON\n"), Out: w}).Connect(context.Background())
	c.Close()
	if _, err := c.Read(context.Background()); err == nil {
		t.Error("a message")
	}
}

func TestToCloseEndsAWait(t *testing.T) {
	in, _ := io.Pipe()
	for name, end := range map[string]func(mcp.Connection, context.CancelFunc){
		"closed": func(c mcp.Connection, _ context.CancelFunc) { c.Close() },
		"ended":  func(_ mcp.Connection, cancel context.CancelFunc) { cancel() },
	} {
		c, _ := dial(in)
		ctx, cancel := context.WithCancel(context.Background())
		done := make(chan error)
		go func() {
			_, err := c.Read(ctx)
			done <- err
		}()
		end(c, cancel)
		if err := <-done; err == nil {
			t.Error(name, "without an error")
		}
		cancel()
		c.Close()
	}
}

// A call that is still unanswered must not keep the process from ending.
func TestToEndEndsTheWaitForAnswers(t *testing.T) {
	for name, end := range map[string]func(mcp.Connection, context.CancelFunc){
		"closed": func(c mcp.Connection, _ context.CancelFunc) { c.Close() },
		"ended":  func(_ mcp.Connection, cancel context.CancelFunc) { cancel() },
	} {
		c, _ := dial(strings.NewReader(ping(1)))
		if _, err := c.Read(context.Background()); err != nil {
			t.Fatal(name, err)
		}
		<-c.(*conn).ended // it waits for the answer from here on
		ctx, cancel := context.WithCancel(context.Background())
		done := make(chan error)
		go func() {
			_, err := c.Read(ctx)
			done <- err
		}()
		end(c, cancel)
		<-done
		cancel()
	}
}

func TestAClientThatReadsNoAnswersIsNotReadFrom(t *testing.T) {
	var in strings.Builder
	for i := range mostWaiting + 10 {
		in.WriteString(ping(i) + "\n")
	}
	c, _ := dial(strings.NewReader(in.String()))
	defer c.Close()
	for range mostWaiting {
		if _, err := c.Read(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if m, err := c.Read(ctx); err == nil {
		t.Errorf("one more: %+v", m)
	}
}

func TestALongErrorIsCut(t *testing.T) {
	c, out := dial(strings.NewReader(""))
	id, _ := jsonrpc.MakeID(float64(1))
	for _, err := range []error{
		&jsonrpc.Error{Code: -32601, Message: strings.Repeat("é", 1<<20)},
		fmt.Errorf("wrapped: %w", &jsonrpc.Error{Code: -32601, Message: strings.Repeat("x", 1<<20)}),
	} {
		out.Reset()
		if err := c.Write(context.Background(), &jsonrpc.Response{ID: id, Error: err}); err != nil {
			t.Fatal(err)
		}
		if got := out.String(); len(got) > 400 || !strings.Contains(got, "-32601") || !json.Valid([]byte(got)) {
			t.Errorf("%d bytes: %.100s", len(got), got)
		}
	}
}

func FuzzLines(f *testing.F) {
	f.Add([]byte(ping(1)+"\n"+ping(2)), 1)
	f.Add([]byte("[1]\n\n{}\n"+`{"jsonrpc":"2.0","id":null,"method":"x"}`), 3)
	f.Add([]byte(ping(1)+"\n"+ping(1)+"\n"), 2)
	f.Fuzz(func(t *testing.T, in []byte, step int) {
		c, out := dial(&steps{in, max(step, 1)})
		if _, end := all(t, c); !errors.Is(end, io.EOF) {
			t.Errorf("ended with %v", end)
		}
		for line := range bytes.Lines(out.Bytes()) {
			if !json.Valid(line) {
				t.Errorf("written: %q", line)
			}
		}
	})
}

// steps reads a few bytes at a time.
type steps struct {
	rest []byte
	n    int
}

func (s *steps) Read(b []byte) (int, error) {
	if len(s.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(b[:min(len(b), s.n)], s.rest)
	s.rest = s.rest[n:]
	return n, nil
}
