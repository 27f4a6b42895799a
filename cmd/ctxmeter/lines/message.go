package lines

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

var errTooLong = errors.New("line too long")

// next returns the next line without blanks around it. Of one that is too long
// nothing is kept; the last line needs no newline.
func next(in *bufio.Reader) ([]byte, error) {
	var line []byte
	long := false
	for {
		part, err := in.ReadSlice('\n')
		if long = long || len(line)+len(part) > MaxLine; long {
			line = nil
		} else {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case err == nil && long:
			return nil, errTooLong
		case errors.Is(err, io.EOF) && long: // its end is the stream's: told at the next call
			return nil, errTooLong
		default:
			return bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\ufeff"))), err
		}
	}
}

// message decodes a line, or says in a line of JSON-RPC why it is none.
func message(line []byte, tooLong error) (m jsonrpc.Message, refusal []byte) {
	switch {
	case tooLong != nil && errors.Is(tooLong, errTooLong):
		return nil, failure(nil, jsonrpc.CodeInvalidRequest, fmt.Sprintf("a message of more than %d MiB was passed over", MaxLine>>20))
	case !json.Valid(line):
		return nil, failure(nil, jsonrpc.CodeParseError, "a line that is no JSON was passed over; every message is one line of UTF-8 JSON")
	case line[0] == '[':
		return nil, failure(nil, jsonrpc.CodeInvalidRequest, "batches are not supported: send each message in a line of its own")
	}
	id := idOf(line)
	if !exact(id) {
		return nil, failure(id, jsonrpc.CodeInvalidRequest, "the id of a call is a string, or a whole number of at most 53 bits")
	}
	m, err := jsonrpc.DecodeMessage(line)
	if err != nil {
		return nil, failure(id, jsonrpc.CodeInvalidRequest, "this is no JSON-RPC 2.0 message")
	}
	return m, nil
}

// exact reports whether an id comes back as it was sent: the SDK reads numbers
// as such of 53 bits, and leaves out what is behind the point.
func exact(id json.RawMessage) bool {
	if len(id) == 0 || id[0] == '"' {
		return true
	}
	n, err := strconv.ParseInt(string(id), 10, 64)
	return err == nil && -1<<53 < n && n < 1<<53
}

// idOf is the id of something that is almost a call, if it has a proper one.
func idOf(line []byte) json.RawMessage {
	var call map[string]json.RawMessage // a struct would take an "ID" for it
	if json.Unmarshal(line, &call) != nil {
		return nil
	}
	id := call["id"]
	if len(id) == 0 || id[0] != '"' && id[0] != '-' && (id[0] < '0' || id[0] > '9') {
		return nil
	}
	return id
}

// failure is a JSON-RPC error; without an id it is null, as JSON-RPC 2.0 says
// of a call whose id could not be read.
func failure(id json.RawMessage, code int64, text string) []byte {
	line, _ := json.Marshal(struct { // cannot fail: id is JSON
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   jsonrpc.Error   `json:"error"`
	}{"2.0", id, jsonrpc.Error{Code: code, Message: text}})
	return append(line, '\n')
}

const mostSaid = 300 // bytes of an error's message

// brief shortens an error that repeats what was sent.
func brief(err error) error {
	if err == nil {
		return nil
	}
	out := jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: err.Error()}
	if e, ok := errors.AsType[*jsonrpc.Error](err); ok {
		out.Code, out.Data = e.Code, e.Data
	}
	if len(out.Message) > mostSaid {
		out.Message = strings.ToValidUTF8(out.Message[:mostSaid], "") + "…"
	}
	if len(out.Data) > mostSaid {
		out.Data = nil
	}
	return &out
}
