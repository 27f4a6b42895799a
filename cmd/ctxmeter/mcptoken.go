package main

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/paths"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wording"
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
	switch {
	case file != "":
		token, err = p.readToken(file, "put one there, 'openssl rand -hex 16' makes one, or leave --token-file out")
		return token, "in " + file, err
	case p.getenv(tokenVariable) != "":
		token, err = checkToken(p.getenv(tokenVariable), tokenVariable, "'openssl rand -hex 16' makes one")
		return token, "in " + tokenVariable, err
	}
	own := config.FindPlaces(p.getenv, p.home(), p.goos).State
	if own == "" {
		return "", "", badArgument("there is no home folder to keep a token in: give %s or --token-file", tokenVariable)
	}
	own = filepath.Join(own, "mcp-token")
	if err := makeToken(own); err != nil {
		return "", "", badArgument("the token cannot be kept in %s (%s): give %s or --token-file", own, wording.Cause(err), tokenVariable)
	}
	token, err = p.readToken(own, "delete the file, and a new one is made")
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

func (p *program) readToken(path, remedy string) (string, error) {
	b, err := files.Read(path, tokenMost)
	if err != nil {
		return "", badArgument("the token in %s cannot be read (%s): %s", path, wording.Reason(err), remedy)
	}
	if info, err := os.Stat(path); err == nil && p.goos != "windows" && info.Mode().Perm()&0o077 != 0 {
		p.say("others can read the token in " + path + ": chmod 600 " + paths.Quoted(path))
	}
	return checkToken(string(b), path, remedy)
}

func checkToken(text, where, remedy string) (string, error) {
	token := strings.TrimSpace(text)
	if len(token) < tokenLeast || strings.Trim(token, tokenAlphabet) != "" {
		return "", badArgument("%s holds no token, which is %d or more letters and digits: %s", where, tokenLeast, remedy)
	}
	return token, nil
}

// tokenAlphabet is what a bearer token may be made of (RFC 6750, section 2.1).
const tokenAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~+/="
