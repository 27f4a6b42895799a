package main

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/ctxmeter/ctxmeter/config"
	"github.com/ctxmeter/ctxmeter/meter/files"
)

const (
	tokenVariable = "CTXMETER_MCP_TOKEN"
	tokenLeast    = 16   // characters
	tokenMost     = 4096 // bytes of the file
)

// token is what HTTP callers have to send, and where that comes from: the file
// named, the variable, or a file of its own, made when it is first needed.
func (p *program) token(file string) (token, whence string, err error) {
	own := ""
	switch {
	case file != "":
		token, err = readToken(file, "--token-file")
		return token, "in " + file, err
	case p.getenv(tokenVariable) != "":
		token, err = checkToken(p.getenv(tokenVariable), tokenVariable)
		return token, "in " + tokenVariable, err
	default:
		own = config.FindPlaces(p.getenv, p.home(), p.goos).State
	}
	if own == "" {
		return "", "", badArgument("there is no home folder to keep a token in: give %s or --token-file", tokenVariable)
	}
	own = filepath.Join(own, "mcp-token")
	if err := makeToken(own); err != nil {
		return "", "", badArgument("the token cannot be kept (%s): give %s or --token-file", cause(err), tokenVariable)
	}
	token, err = readToken(own, "the kept token")
	return token, "in " + own, err
}

// makeToken makes the file if there is none. Of two servers that start at
// once, one makes it.
func makeToken(path string) error {
	if _, err := os.Lstat(path); err == nil {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	// Linked when it is complete: the other one must not read half of it.
	f, err := os.CreateTemp(filepath.Dir(path), "mcp-token-*.tmp") // mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.WriteString(rand.Text() + "\n")
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Link(f.Name(), path)
	}
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}

func readToken(path, name string) (string, error) {
	b, err := files.Read(path, tokenMost)
	if err != nil {
		return "", badArgument("%s cannot be read: %s", name, reason(err))
	}
	return checkToken(string(b), name)
}

func checkToken(text, name string) (string, error) {
	token := strings.TrimSpace(text)
	if len(token) < tokenLeast || strings.Trim(token, tokenAlphabet) != "" {
		return "", badArgument("%s", fmt.Sprintf("%s is no token: %d or more letters, digits and the characters - . _ ~ + / = are", name, tokenLeast))
	}
	return token, nil
}

// tokenAlphabet is what a bearer token may be made of (RFC 6750, section 2.1).
const tokenAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~+/="
