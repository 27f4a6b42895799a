package claudecode

import (
	"bytes"
	"io"
	"path/filepath"

	"github.com/ctxmeter/ctxmeter/meter/files"
)

// appState is the path of the client's own state for a root: beside the
// default root, inside of one that CLAUDE_CONFIG_DIR names.
func (c *Client) appState(rootDir string) string {
	const file = ".claude.json"
	if rootDir == "" {
		return ""
	}
	home := c.env.Home
	if home != "" && sameFile(rootDir, filepath.Join(home, ".claude")) && c.env.Getenv("CLAUDE_CONFIG_DIR") == "" {
		return filepath.Join(home, file)
	}
	return filepath.Join(rootDir, file)
}

// compactionOff reports whether the state says "autoCompactEnabled": false.
// Current clients move the key to settings.json when they find it (2.1.197,
// observed), older ones keep it here. The file may have many megabytes and is
// read whenever a trigger is asked for: it is not decoded, and most do not
// have the key at all.
func compactionOff(path string) bool {
	f, _, err := files.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	const key = "autoCompactEnabled"
	if !contains(io.LimitReader(f, stateMost), key) {
		return false
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return false
	}
	return string(topLevel(f, key)) == "false"
}

// stateMost is how much of the state is looked at, in bytes; real ones have a
// few megabytes at most.
const stateMost = 16 << 20

// contains reports whether text stands anywhere in r.
func contains(r io.Reader, text string) bool {
	buf := make([]byte, 256<<10)
	kept := 0 // bytes of the block before that text may begin in
	for {
		n, err := r.Read(buf[kept:])
		b := buf[:kept+n]
		if bytes.Contains(b, []byte(text)) {
			return true
		}
		if err != nil {
			return false
		}
		kept = copy(buf, b[max(len(b)-len(text)+1, 0):])
	}
}

// topLevel returns the literal or number that stands at a key of the outermost
// object of r, "" if there is none. It keeps track of depth and strings, and
// of nothing else: what is no JSON may yield anything.
func topLevel(r io.Reader, key string) []byte {
	var (
		buf      = make([]byte, 64<<10)
		want     = []byte(`"` + key + `"`)
		depth    int
		inString bool
		escaped  bool
		token    []byte // of depth 1, as far as it may still matter
		found    bool   // the key was met, its value comes
		value    []byte
	)
	for {
		n, err := r.Read(buf)
		for b := buf[:n]; len(b) > 0; {
			if inString {
				if !escaped && (depth != 1 || len(token) > len(want)) { // nothing in it matters but its end
					i := bytes.IndexAny(b, `"\`)
					if i < 0 {
						break
					}
					b = b[i:]
				}
				ch := b[0]
				b = b[1:]
				if depth == 1 && len(token) <= len(want) {
					token = append(token, ch)
				}
				switch {
				case escaped:
					escaped = false
				case ch == '\\':
					escaped = true
				case ch == '"':
					inString = false
				}
				continue
			}
			ch := b[0]
			b = b[1:]
			switch ch {
			case '"':
				inString, found, value = true, false, nil
				token = append(token[:0], ch)
			case '{', '[':
				depth++
				found = false
			case ':':
				found = depth == 1 && bytes.Equal(token, want)
			case ',', '}', ']':
				if found && len(value) > 0 {
					return value
				}
				found = false
				if ch != ',' {
					depth--
				}
			case ' ', '\t', '\n', '\r':
			default:
				if found && len(value) < 32 {
					value = append(value, ch)
				}
			}
		}
		if err != nil {
			return nil
		}
	}
}
