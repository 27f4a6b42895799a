package codex

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
)

// Hook is a command of hooks.json, or of [hooks] in config.toml, as far as the
// client's trust in it goes by it.
type Hook struct {
	Event   string // as it is written: PostToolUse
	Group   int    // of the event, from 0
	Index   int    // in the group, from 0
	Matcher string // "" is none
	Command string
	Timeout int64 // seconds; 0 is the client's own
	Async   bool
	Message string // statusMessage
}

// hookTimeout is the client's own limit, seconds.
const hookTimeout = 600

// Key names the hook in [hooks.state] of config.toml; file is the absolute path
// of where it stands (codex-cli 0.171.0: "<file>:post_tool_use:0:0").
func (h Hook) Key(file string) string {
	return fmt.Sprintf("%s:%s:%d:%d", file, snake(h.Event), h.Group, h.Index)
}

// Hash is what the client has as trusted_hash once a person has trusted the
// hook: of JSON without blanks, its keys in order (codex-cli 0.171.0: the six
// hashes of an own configuration came out the same. An empty matcher is none,
// and a timeoutSec is not heeded).
func (h Hook) Hash() string {
	handler := map[string]any{"async": h.Async, "command": h.Command, "timeout": h.Timeout, "type": "command"}
	if h.Timeout == 0 {
		handler["timeout"] = hookTimeout
	}
	if h.Message != "" {
		handler["statusMessage"] = h.Message
	}
	event := map[string]any{"event_name": snake(h.Event), "hooks": []any{handler}}
	if h.Matcher != "" {
		event["matcher"] = h.Matcher
	}
	var text bytes.Buffer
	enc := json.NewEncoder(&text) // the keys of a map are in order
	enc.SetEscapeHTML(false)
	if err := enc.Encode(event); err != nil { // cannot be: it is only plain values
		panic(err)
	}
	sum := sha256.Sum256(bytes.TrimSuffix(text.Bytes(), []byte("\n")))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// snake writes PostToolUse as post_tool_use.
func snake(event string) string {
	var b strings.Builder
	for i, r := range event {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
