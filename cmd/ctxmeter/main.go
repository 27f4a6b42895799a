package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	done := make(chan int, 1)
	go func() { done <- run(ctx, os.Args, os.Stdin, os.Stdout, os.Stderr, os.Getenv) }()
	select {
	case code := <-done:
		os.Exit(code)
	case <-ctx.Done():
	}
	// What watches the context ends by itself; a long scan does not.
	select {
	case code := <-done:
		os.Exit(code)
	case <-time.After(time.Second):
		os.Exit(exitInterrupted)
	}
}

// run is the whole program: args as os.Args, getenv as os.Getenv. It returns
// the exit status.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer, getenv func(string) string) int {
	return newProgram(stdin, stdout, stderr, getenv).run(ctx, args)
}
