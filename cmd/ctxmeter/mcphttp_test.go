package main

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/ctxmeter/ctxmeter/backends"
)

const testToken = "0123456789abcdef0123456789abcdef"

// serveTest is the handler of a server on the sample session.
func serveTest(t *testing.T, hosts ...string) *httptest.Server {
	t.Helper()
	r := newRig(t)
	p := r.program(io.Discard, io.Discard)
	cmd := p.command([]string{"ctxmeter"})
	s, err := p.settings(cmd)
	if err != nil {
		t.Fatal(err)
	}
	s.ClaudeDirs = []string{sampleFolder(t, enough)}
	r.clients = backends.All
	tl, err := p.newTool(s, nil)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(tl.handler(testToken, hosts))
	t.Cleanup(server.Close)
	return server
}

func TestHTTPLetsInOnlyWhoIsAskedIn(t *testing.T) {
	server := serveTest(t, "host.docker.internal")
	call := callLine(1, `{"session_id":"`+sampleID+`"}`, `{}`)
	for _, tt := range []struct {
		name, method, path, token, host, origin, body string
		status                                        int
		says                                          string
	}{
		{name: "asked in", token: testToken, status: 200, says: `used_tokens`},
		{name: "by the name of this machine", token: testToken, host: "localhost:1234", status: 200, says: `used_tokens`},
		{name: "by a name that was allowed", token: testToken, host: "host.docker.internal:8765", status: 200, says: `used_tokens`},
		{name: "without a token", status: 401},
		{name: "with another token", token: testToken + "x", status: 401},
		{name: "with the beginning of the token", token: testToken[:16], status: 401},
		{name: "by a strange name", token: testToken, host: "evil.example", status: 403, says: "--allow-host"},
		{name: "by a name that begins well", token: testToken, host: "localhost.evil.example", status: 403},
		{name: "by another address of this machine's own", token: testToken, host: "127.0.0.2:99", status: 200, says: `used_tokens`},
		{name: "by its name in full", token: testToken, host: "localhost.", status: 200, says: `used_tokens`},
		{name: "by a strange address", token: testToken, host: "192.0.2.1", status: 403},
		{name: "from a page in a browser", token: testToken, origin: "http://evil.example", status: 403},
		{name: "elsewhere", token: testToken, path: "/other", status: 404},
		{name: "for a stream", method: http.MethodGet, token: testToken, status: 405},
		{name: "too much", token: testToken, body: strings.Repeat("x", 5<<20), status: 413},
		{name: "no JSON", token: testToken, body: "x", status: 400},
		{name: "no session", token: testToken, body: callLine(1, `{}`, `{"threadId":"`+threadID(1)+`"}`), status: 200, says: "session_id is needed here"},
	} {
		body, method, path := tt.body, tt.method, tt.path
		if body == "" {
			body = call
		}
		if method == "" {
			method = http.MethodPost
		}
		if path == "" {
			path = mcpPath
		}
		req, err := http.NewRequestWithContext(context.Background(), method, server.URL+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/json, text/event-stream")
		if tt.token != "" {
			req.Header.Set("Authorization", "Bearer "+tt.token)
		}
		if tt.origin != "" {
			req.Header.Set("Origin", tt.origin)
		}
		if tt.host != "" {
			req.Host = tt.host
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(tt.name, err)
		}
		said, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		if resp.StatusCode != tt.status || !strings.Contains(string(said), tt.says) {
			t.Errorf("%s: %d, %.200s", tt.name, resp.StatusCode, said)
		}
	}
}

// The command itself: it makes its token, says where it listens, requires a
// session, keeps callers within its folder, and ends when it is told to.
func TestHTTPFromStartToEnd(t *testing.T) {
	r := newRig(t).set("CLAUDE_CONFIG_DIR", sampleFolder(t, enough))
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	said, say := io.Pipe()
	p := r.program(io.Discard, say)
	done := make(chan int, 1)
	go func() { done <- p.run(ctx, []string{"ctxmeter", "mcp", "--http", "0"}) }()
	text, buf := "", make([]byte, 1024)
	for !strings.Contains(strings.Join(strings.Fields(text), " "), "ctrl-C ends it") {
		n, err := said.Read(buf)
		if err != nil {
			t.Fatal(err)
		}
		text += string(buf[:n])
	}
	go func() { _, _ = io.Copy(io.Discard, said) }()
	url := regexp.MustCompile(`http://127\.0\.0\.1:\d+/mcp`).FindString(strings.ReplaceAll(text, "\n  ", ""))
	token, err := os.ReadFile(filepath.Join(r.env["HOME"], ".local", "state", "ctxmeter", "mcp-token"))
	if err != nil || url == "" {
		t.Fatal(text, err)
	}
	ask := func(arguments string) string {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(callLine(1, arguments, `{"threadId":"`+threadID(1)+`"}`)))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/json, text/event-stream")
		req.Header.Set("Authorization", "Bearer "+strings.TrimSpace(string(token)))
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		body, _ := io.ReadAll(resp.Body)
		return string(body)
	}
	if got := ask(`{"session_id":"` + sampleID + `"}`); !strings.Contains(got, "159449") {
		t.Error(got)
	}
	if got := ask(`{}`); !strings.Contains(got, "session_id is needed here") {
		t.Error(got)
	}
	if got := ask(`{"session_id":"` + sampleID + `","planned_path":"/etc/passwd"}`); !strings.Contains(got, "session's folder") {
		t.Error(got)
	}
	cancel()
	if code := <-done; code != 0 {
		t.Errorf("status %d", code)
	}
}

func TestAddresses(t *testing.T) {
	for addr, want := range map[string]string{
		"8765": "127.0.0.1 8765", ":8765": "127.0.0.1 8765", "0.0.0.0:1": "0.0.0.0 1", "[::1]:0": "::1 0", "box:80": "box 80",
		"": "", "box": "", "box:http": "", "1:2:3": "", ":-1": "", ":65536": "",
	} {
		host, port, err := listenAddress(addr)
		if got := strings.TrimSpace(host + " " + port); got != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q, %v", addr, got, err)
		}
	}
}

func TestTheTokenIsMadeOnceAndKeptForThisUserAlone(t *testing.T) {
	r := newRig(t)
	p := r.program(io.Discard, io.Discard)
	first, whence, err := p.token("")
	if err != nil || len(first) < tokenLeast {
		t.Fatalf("%q, %v", first, err)
	}
	again, _, err := p.token("")
	if err != nil || again != first {
		t.Errorf("%q after %q, %v", again, first, err)
	}
	path := strings.TrimPrefix(whence, "in ")
	info, err := os.Stat(path)
	if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*.tmp")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestTokensThatAreNone(t *testing.T) {
	file := filepath.Join(t.TempDir(), "token")
	for _, text := range []string{"", "short", strings.Repeat("a", 20) + " b", "pass\nword" + strings.Repeat("a", 20), strings.Repeat("é", 20)} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		p := newRig(t).set(tokenVariable, testToken).program(io.Discard, io.Discard)
		if got, _, err := p.token(file); err == nil {
			t.Errorf("%q is taken for %q", text, got)
		}
	}
	p := newRig(t).set(tokenVariable, testToken).program(io.Discard, io.Discard)
	if got, whence, err := p.token(""); got != testToken || strings.Contains(whence, testToken) || err != nil {
		t.Errorf("%q %s, %v", got, whence, err)
	}
	if _, _, err := p.token(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("a file that is not there")
	}
}

func TestMistakesInStartingTheServer(t *testing.T) {
	for _, args := range [][]string{
		{"mcp", "--latest"},
		{"mcp", "stray"},
		{"mcp", "--http", "nowhere"},
		{"mcp", "--allow-host", "x"},
		{"mcp", "--token-file", "x"},
		{"mcp", "--nonsense"},
		{"mcp", "--http", "1", "--token-file", "no/such"},
	} {
		got := newRig(t).run(args...)
		if got.code != exitNoReading || got.stderr == "" || got.stdout != "" {
			t.Errorf("%v: status %d, %q, %q", args, got.code, got.stdout, got.stderr)
		}
	}
}
