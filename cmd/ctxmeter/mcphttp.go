package main

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/urfave/cli/v3"

	"github.com/ctxmeter/ctxmeter/config"
)

const (
	mcpPath  = "/mcp"
	mostBody = 64 << 10 // bytes of a request; real ones have a few hundred
)

// serveHTTP serves the tool over Streamable HTTP until ctx ends.
func (p *program) serveHTTP(ctx context.Context, cmd *cli.Command, s *config.Settings) error {
	host, port, err := listenAddress(cmd.String("http"))
	if err != nil {
		return err
	}
	names, err := allowedHosts(cmd.StringSlice("allow-host"))
	if err != nil {
		return err
	}
	t, err := p.newTool(s, nil)
	if err != nil {
		return err
	}
	if cmd.IsSet("token-file") && cmd.String("token-file") == "" {
		return badArgument("--token-file is empty: give it a file or leave it out")
	}
	token, whence, err := p.token(cmd.String("token-file"))
	if err != nil {
		return err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, network(host), net.JoinHostPort(host, port))
	if err != nil {
		return badArgument("--http cannot listen at %s (%s): choose another port, 0 takes a free one", net.JoinHostPort(host, port), why(err))
	}
	server := &http.Server{
		Handler:           t.handler(token, append(names, host)),
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       30 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    32 << 10,
		ErrorLog:          log.New(io.Discard, "", 0), // handshakes of strangers
	}
	p.say(fmt.Sprintf("serving MCP at http://%s%s; callers need the token %s as a bearer token; ctrl-C ends it", listener.Addr(), mcpPath, whence))
	if a, ok := listener.Addr().(*net.TCPAddr); ok && !a.IP.IsLoopback() {
		p.say("other machines can reach this address, and the connection is not encrypted")
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	select {
	case err = <-ended:
		return err
	case <-ctx.Done():
	}
	grace, stop := context.WithTimeout(context.Background(), time.Second/2)
	defer stop()
	if server.Shutdown(grace) != nil {
		_ = server.Close()
	}
	return nil
}

// listenAddress takes a port, or a host and a port. Without a host it is this
// machine's own.
func listenAddress(addr string) (host, port string, err error) {
	if !strings.Contains(addr, ":") {
		addr = ":" + addr
	}
	host, port, err = net.SplitHostPort(addr)
	if n, e := strconv.ParseUint(port, 10, 16); err != nil || e != nil || n > 65535 {
		return "", "", badArgument("--http wants a port, or a host and a port, such as 8765 or 127.0.0.1:8765")
	}
	if host == "" {
		host = "127.0.0.1"
	}
	return host, port, nil
}

// network keeps an address of one kind from being served as both kinds.
func network(host string) string {
	if ip, err := netip.ParseAddr(host); err == nil && ip.Is4() {
		return "tcp4"
	}
	return "tcp"
}

// allowedHosts are the names of --allow-host.
func allowedHosts(names []string) ([]string, error) {
	for _, n := range names {
		if n == "" || strings.ContainsAny(n, ":/* ") {
			return nil, badArgument("--allow-host wants a name or an address, without a scheme, a port or *, not %q", asTyped(n))
		}
	}
	return names, nil
}

// why is the innermost reason of an error of the network.
func why(err error) string {
	for {
		next := errors.Unwrap(err)
		if next == nil {
			return err.Error()
		}
		err = next
	}
}

// handler lets those in who know the token and call this machine by a name
// that it has: a page in a browser knows neither, whatever its own name was
// made to resolve to.
func (t *tool) handler(token string, hosts []string) http.Handler {
	server := t.server(nil)
	calls := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{
		Stateless:                  true,
		JSONResponse:               true,
		MaxRequestBodyBytes:        mostBody,
		DisableLocalhostProtection: true, // ours is stricter and knows further names
	})
	mux := http.NewServeMux()
	mux.Handle(mcpPath, auth.RequireBearerToken(verifier(token), &auth.RequireBearerTokenOptions{AllowMissingExpiration: true})(calls))
	return knownHost(hosts, http.NewCrossOriginProtection().Handler(mux))
}

func verifier(token string) auth.TokenVerifier {
	want := sha256.Sum256([]byte(token))
	return func(_ context.Context, given string, _ *http.Request) (*auth.TokenInfo, error) {
		if got := sha256.Sum256([]byte(given)); subtle.ConstantTimeCompare(got[:], want[:]) != 1 {
			return nil, auth.ErrInvalidToken
		}
		return &auth.TokenInfo{}, nil
	}
}

// knownHost refuses requests whose Host is not a name of this machine: one of
// the names given, a name for itself, or the very address they came in by.
func knownHost(names []string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := r.Host
		if h, _, err := net.SplitHostPort(host); err == nil {
			host = h
		}
		host = strings.TrimSuffix(strings.Trim(host, "[]"), ".")
		own := strings.EqualFold(host, "localhost") || slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, host) })
		if ip, err := netip.ParseAddr(host); err == nil && !own {
			own = ip.IsLoopback() || ip.Unmap() == localAddress(r)
		}
		if !own {
			http.Error(w, fmt.Sprintf("this server does not go by the name %q; --allow-host adds one", asTyped(host)), http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func localAddress(r *http.Request) netip.Addr {
	if a, ok := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr); ok {
		return a.AddrPort().Addr().Unmap()
	}
	return netip.Addr{}
}
